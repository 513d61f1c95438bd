"""The kernel reads Protobuf as the library engine does, and takes all that our encoder writes."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest
from codec.formats.test_protobuf_wire import SCHEMAS
from codec.kernel.protobuf_pairs import Pair
from evolutions import lines
from examples import examples
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from same import same
from schema_strategies import schemas

from instar.codec.compatibility.heights import heights
from instar.codec.compatibility.values import states
from instar.codec.kernel import core
from instar.codec.kernel.protobuf_reading import compile_reading
from instar.codec.library.format import Reading
from instar.codec.library.protobuf import ENGINE
from instar.codec.limits import DEFAULT_LIMITS
from instar.codec.subject import Subject
from instar.errors import MigrationMismatch, NotExpressible
from instar.migrations.conversion import Graph
from instar.migrations.derive import derive, identity
from instar.schemas.model import (
    Array,
    Field,
    Map,
    Optional,
    Primitive,
    Record,
    Reference,
    Schema,
)
from instar.schemas.numbering import number_fields
from instar.schemas.protobuf import read_proto

MAYBE = Optional(Primitive("long"))
SLOW = [HealthCheck.too_slow, HealthCheck.filter_too_much]


@settings(max_examples=examples(60), suppress_health_check=SLOW)
@given(schema=schemas(), data=st.data())
def test_states_of_any_schema_are_read(schema: Schema, data: st.DataObject) -> None:
    """Whatever our encoder writes of a schema from Avro, the kernel takes, and reads the same."""
    assume(heights(schema)[schema.root] < math.inf)
    pair = Pair(Subject(number_fields([schema])))
    state = data.draw(states(pair.types))
    assert same(pair.read_by_kernel(pair.written_by_library(state)), state)


@pytest.mark.parametrize("name", SCHEMAS)
@settings(max_examples=examples(40), suppress_health_check=SLOW)
@given(data=st.data())
def test_what_protoc_has_alone_is_read(
    protos: dict[str, Pair], name: str, data: st.DataObject
) -> None:
    """Groups, closed enums, expanded lists, wrappers and required fields are read the same."""
    pair = protos[name]
    payload = pair.written_by_library(data.draw(states(pair.types)))
    assert same(pair.read_by_kernel(payload), pair.read_by_library(payload))


@settings(max_examples=examples(60), suppress_health_check=SLOW)
@given(line=lines(), data=st.data())
def test_old_payloads_are_read_at_any_version(
    line: tuple[Schema, ...], data: st.DataObject
) -> None:
    """Up and down a line of versions the kernel gives the library's objects, or refuses too."""
    subject = Subject(line)
    writer = data.draw(st.integers(1, subject.latest))
    pair = Pair(subject, writer, data.draw(st.integers(1, subject.latest)))
    assume(leads(pair))
    payload = pair.written_by_library(data.draw(states(pair.types)))
    assert same(pair.read_by_kernel(payload), pair.read_by_library(payload))


def leads(pair: Pair) -> bool:
    """Whether the versions are linked: not every step can be gone down."""
    try:
        pair.subject.plan(pair.writer, pair.reader)
    except MigrationMismatch:
        return False
    return True


EARLIER = """
syntax = "proto2";
message State {
  required int32 must = 1;
  repeated sint32 many = 8;
  oneof choice { double number = 15; }
  optional string added = 60 [default = "new"];
}
"""


@pytest.fixture(scope="module")
def passing(tmp_path_factory: pytest.TempPathFactory, protos: dict[str, Pair]) -> Reading:
    """From a version with all that proto2 has to one with little of it, and less in its oneof."""
    path: Path = tmp_path_factory.mktemp("passing") / "v1.proto"
    path.write_text(EARLIER, encoding="utf-8")
    reader = Subject([read_proto(path, "state", 1)]).types(1)
    writer = protos["proto2"].types
    graph = derive(replace(writer.schema, version=2), reader.schema)
    return Reading(writer, graph, reader)


@settings(max_examples=examples(60), suppress_health_check=SLOW)
@given(data=st.data())
def test_fields_that_are_gone_are_passed_over(passing: Reading, data: st.DataObject) -> None:
    """Groups, maps, wrappers and whole records that the reader has not are walked and dropped.

    A branch that it has not is refused.
    """
    judge(passing, data.draw(states(passing.writer)))


def judge(reading: Reading, state: Any) -> None:
    """Both engines read the same, or both refuse."""
    payload = ENGINE.encoder(reading.writer, DEFAULT_LIMITS)(state)
    found = core.decode_payload(compile_reading(reading, DEFAULT_LIMITS), payload)
    if found is NotImplemented:
        with pytest.raises(NotExpressible):
            ENGINE.decoder(reading, DEFAULT_LIMITS)(payload)
    else:
        assert same(found, ENGINE.decoder(reading, DEFAULT_LIMITS)(payload))


@settings(max_examples=examples(30), suppress_health_check=SLOW)
@given(data=st.data())
def test_a_field_may_go_to_two_places(data: st.DataObject) -> None:
    """A list, a map, a record and an optional are read again for each field that takes them."""
    part = Record("Part", (Field("a", Primitive("int"), 1),))
    kinds = (Array(Primitive("string")), Map(Primitive("int")), Reference("Part"), MAYBE)
    old = Record("State", tuple(Field(f"f{n}", kind, n) for n, kind in enumerate(kinds, 1)))
    new = Record("State", (*old.fields, *(_copy(field) for field in old.fields)))
    writer, reader = (Subject([_schema(part, state)]).types(1) for state in (old, new))
    graph = identity(writer.schema)
    conversion = graph.records[graph.root]
    copies = tuple(replace(t, target=f"{t.target}_copy") for t in conversion.takes)
    doubled = {graph.root: replace(conversion, takes=conversion.takes + copies)}
    reading = Reading(writer, Graph(graph.root, {**graph.records, **doubled}), reader)
    judge(reading, data.draw(states(writer)))


def _copy(field: Field) -> Field:
    return replace(field, name=f"{field.name}_copy", number=(field.number or 0) + 10)


def _schema(part: Record, state: Record) -> Schema:
    return Schema("state", 1, "avro", "State", {"State": state, "Part": part})
