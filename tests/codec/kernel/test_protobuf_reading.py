"""The kernel reads Protobuf as the library engine does, and takes all that our encoder writes."""

from __future__ import annotations

import math

import pytest
from codec.formats.test_protobuf_wire import SCHEMAS
from codec.kernel.protobuf_pairs import Pair
from evolutions import lines
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from same import same
from schema_strategies import schemas
from states import heights, states

from instar.codec.subject import Subject
from instar.schemas.model import Schema
from instar.schemas.numbering import number_fields
from instar.schemas.protobuf import read_proto

SLOW = [HealthCheck.too_slow, HealthCheck.filter_too_much]


@pytest.fixture(scope="module")
def protos(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Pair]:
    found: dict[str, Pair] = {}
    for name, text in SCHEMAS.items():
        path = tmp_path_factory.mktemp("wire") / "v1.proto"
        path.write_text(text, encoding="utf-8")
        found[name] = Pair(Subject([read_proto(path, "state", 1)]))
    return found


@settings(max_examples=150, suppress_health_check=SLOW)
@given(schema=schemas(), data=st.data())
def test_states_of_any_schema_are_read(schema: Schema, data: st.DataObject) -> None:
    """Whatever our encoder writes of a schema from Avro, the kernel takes, and reads the same."""
    assume(heights(schema)[schema.root] < math.inf)
    pair = Pair(Subject(number_fields([schema])))
    state = data.draw(states(pair.types))
    assert same(pair.read_by_kernel(pair.written_by_library(state)), state)


@pytest.mark.parametrize("name", SCHEMAS)
@settings(max_examples=100, suppress_health_check=SLOW)
@given(data=st.data())
def test_what_protoc_has_alone_is_read(
    protos: dict[str, Pair], name: str, data: st.DataObject
) -> None:
    """Groups, closed enums, expanded lists, wrappers and required fields are read the same."""
    pair = protos[name]
    payload = pair.written_by_library(data.draw(states(pair.types)))
    assert same(pair.read_by_kernel(payload), pair.read_by_library(payload))


@settings(max_examples=150, suppress_health_check=SLOW)
@given(line=lines(), data=st.data())
def test_old_payloads_are_read_at_any_version(
    line: tuple[Schema, ...], data: st.DataObject
) -> None:
    """Up and down a line of versions the kernel gives the library's objects, or refuses too."""
    subject = Subject(line)
    writer = data.draw(st.integers(1, subject.latest))
    pair = Pair(subject, writer, data.draw(st.integers(1, subject.latest)))
    payload = pair.written_by_library(data.draw(states(pair.types)))
    assert same(pair.read_by_kernel(payload), pair.read_by_library(payload))
