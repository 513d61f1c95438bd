"""Damaged payloads: what the kernel takes of them has the library's value, and nothing breaks."""

from __future__ import annotations

import pytest
from codec.kernel.protobuf_pairs import REFUSED, Pair
from evolutions import lines
from examples import examples
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from same import same
from schema_strategies import schemas

from instar.codec.compatibility.heights import heights
from instar.codec.compatibility.values import states
from instar.codec.subject import Subject
from instar.schemas.model import Schema
from instar.schemas.numbering import number_fields

SLOW = [HealthCheck.too_slow, HealthCheck.filter_too_much]
INTERESTING = st.sampled_from([0, 1, 2, 8, 10, 0x7F, 0x80, 0xFF])


@st.composite
def damaged(draw: st.DrawFn, payload: bytes) -> bytes:
    """The payload with some bytes changed, doubled, left out or put in."""
    found = bytearray(payload)
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(found)))
        stop = min(len(found), at + draw(st.integers(0, 6)))
        match draw(st.sampled_from(["change", "double", "cut", "insert", "move"])):
            case "change":
                found[at:stop] = bytes(draw(INTERESTING) for _ in range(stop - at))
            case "double":
                found[at:at] = found[at:stop]
            case "cut":
                del found[at:stop]
            case "insert":
                found[at:at] = draw(st.binary(max_size=4))
            case _:
                piece = found[at:stop]
                del found[at:stop]
                found += piece
    return bytes(found)


def judge(pair: Pair, payload: bytes) -> None:
    found = pair.read_by_kernel(payload)
    assert found == REFUSED or same(found, pair.read_by_library(payload))


@settings(max_examples=examples(60), suppress_health_check=SLOW)
@given(schema=schemas(), data=st.data())
def test_damage_to_states_of_any_schema(schema: Schema, data: st.DataObject) -> None:
    """A damaged payload of a schema from Avro is refused, or read as the library reads it."""
    assume(heights(schema)[schema.root] < float("inf"))
    pair = Pair(Subject(number_fields([schema])))
    payload = pair.written_by_library(data.draw(states(pair.types)))
    for _ in range(5):
        judge(pair, data.draw(damaged(payload)))


@settings(max_examples=examples(40), suppress_health_check=SLOW)
@given(line=lines(), data=st.data())
def test_damage_to_old_payloads(line: tuple[Schema, ...], data: st.DataObject) -> None:
    """The same where the payload is read at another version, and fields are passed over."""
    subject = Subject(line)
    pair = Pair(subject, 1, subject.latest)
    payload = pair.written_by_library(data.draw(states(pair.types)))
    for _ in range(5):
        judge(pair, data.draw(damaged(payload)))


@pytest.mark.parametrize("name", ["proto2", "edition"])
@settings(max_examples=examples(60), suppress_health_check=SLOW)
@given(data=st.data())
def test_damage_to_what_protoc_has_alone(
    protos: dict[str, Pair], name: str, data: st.DataObject
) -> None:
    """The same for groups, wrappers, closed enums and the well-known messages."""
    pair = protos[name]
    payload = pair.written_by_library(data.draw(states(pair.types)))
    for _ in range(5):
        judge(pair, data.draw(damaged(payload)))
