"""The two reference subjects, at every version and in every format."""

from __future__ import annotations

from typing import Any

import pytest
from codec.formats.conftest import StatesOf
from examples import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from same import same

from instar import Registry
from instar.codec.formats import make_step
from instar.codec.tag.header import Format

FORMATS: tuple[Format, ...] = ("avro", "protobuf", "msgpack", "json", "yaml")
VERSIONS = [
    *(("agent_state", version) for version in (1, 2, 3)),
    *(("agent_command", version) for version in (1, 2)),
]


@pytest.mark.parametrize(("subject", "version"), VERSIONS)
@settings(max_examples=examples(15))
@given(data=st.data())
def test_a_state_comes_back_and_is_upgraded(
    reference: Registry,
    states_of: StatesOf,
    subject: str,
    version: int,
    data: st.DataObject,
) -> None:
    """Old code reads its own blob unchanged; new code reads it as the hops make it."""
    opened = reference.subject(subject)
    state = data.draw(states_of(subject, version))
    hops: Any = make_step(opened, opened.plan(version, opened.latest))
    for format_ in FORMATS:
        blob = reference.codec(subject, format=format_, version=version).encode(state)
        assert same(reference.codec(subject).decode(blob, version=version), state)
        assert same(reference.codec(subject).decode(blob), hops(state))


@settings(max_examples=examples(30))
@given(data=st.data())
def test_all_formats_and_framings_give_one_state(
    reference: Registry, states_of: StatesOf, data: st.DataObject
) -> None:
    """What a blob holds does not depend on how it is written."""
    codec = reference.codec("agent_state")
    state = data.draw(states_of("agent_state", 3))
    for format_ in FORMATS:
        other = reference.codec("agent_state", format=format_, compress=True)
        assert same(codec.decode(other.encode(state)), state)
    single = reference.codec("agent_state", framing="avro-single-object")
    assert same(codec.decode(single.encode(state)), state)


@settings(max_examples=examples(30))
@given(data=st.data())
def test_builtins_are_another_way_to_say_a_state(
    reference: Registry, states_of: StatesOf, data: st.DataObject
) -> None:
    """to_builtins and from_builtins are inverse."""
    for subject in ("agent_state", "agent_command"):
        codec = reference.codec(subject)
        state = data.draw(states_of(subject, codec.version))
        assert same(codec.from_builtins(codec.to_builtins(state)), state)


def test_missing_keys_with_defaults_are_filled_fresh(reference: Registry) -> None:
    """from_builtins fills defaults, and no two states share one."""
    codec = reference.codec("agent_command")
    plain: Any = {"command_id": "c", "idempotency_key": "k"}
    first, second = codec.from_builtins(plain), codec.from_builtins(plain)
    first.labels["a"] = "b"
    assert second.labels == {}
