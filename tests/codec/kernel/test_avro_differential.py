"""The kernel against the library engine and fastavro, on random schemas, states and bytes."""

from __future__ import annotations

import io
import math
from typing import Any

import fastavro
import msgspec
import pytest
from evolutions import lines
from examples import examples
from hypothesis import HealthCheck, assume, given, reject, settings
from hypothesis import strategies as st
from kernel_pair import Pair, Refused, alike, upgrade
from schema_strategies import schemas

from instar.codec.compatibility.heights import heights
from instar.codec.compatibility.values import states
from instar.codec.subject import Subject
from instar.codec.types import SchemaTypes, build_types
from instar.errors import MigrationMismatch
from instar.schemas.avro import to_avro
from instar.schemas.model import (
    Array,
    Enum,
    Json,
    Map,
    Optional,
    Record,
    Reference,
    Schema,
    Type,
    Union,
)
from instar.schemas.numbering import number_fields

SLOW = settings(
    max_examples=examples(60),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)


@st.composite
def pairs(draw: st.DrawFn) -> tuple[Pair, Any]:
    """A pair of a random schema, and a state of it."""
    schema = draw(schemas())
    assume(heights(schema)[schema.root] < math.inf)
    (numbered,) = number_fields([schema])
    pair = Pair(build_types(numbered))
    return pair, draw(states(pair.types))


@SLOW
@given(pairs())
def test_every_ordinary_state_goes_through_the_kernel_alone(made: tuple[Pair, Any]) -> None:
    """The kernel writes the library engine's bytes, and reads from them what it reads."""
    pair, state = made
    payload = pair.payload(state)
    assert payload is not NotImplemented
    found = pair.state(payload)
    assert found is not NotImplemented
    assert alike(found, pair.read(payload))
    # Dictionaries have no order that counts, and floats of 32 bits are rounded: so the bytes
    # are compared with those of the library engine, and not with the state.
    assert payload == pair.write(state)


@SLOW
@given(lines(), st.data())
def test_every_upgrade_and_downgrade_is_read_alike(
    line: tuple[Schema, ...], data: st.DataObject
) -> None:
    """A payload of one version read as another gives the library engine's object, or both refuse.

    The kernel refuses no more than the library engine does.
    """
    subject = Subject(line)
    writer = data.draw(st.integers(1, subject.latest))
    reader = data.draw(st.integers(1, subject.latest).filter(lambda v: v != writer))
    try:
        pair = upgrade(subject, writer, reader)
    except MigrationMismatch:
        reject()
    payload = pair.payload(data.draw(states(pair.types)))
    wanted, found = pair.wanted(payload), pair.state(payload)
    assert (found is NotImplemented) == isinstance(wanted, Refused)
    assert isinstance(wanted, Refused) or alike(found, wanted)


@st.composite
def damaged(draw: st.DrawFn, payload: bytes) -> bytes:
    """A payload with a few bytes flipped, cut, put in, doubled or put behind it."""
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(payload)))
        more = draw(st.one_of(st.binary(min_size=1, max_size=4), st.sampled_from(EDGY)))
        payload = draw(
            st.sampled_from(
                [
                    payload[:at] + more + payload[at + len(more) :],
                    payload[:at] + more + payload[at:],
                    payload[:at] + payload[at + 1 :],
                    payload[:at],
                    payload[:at] + payload[at // 2 :],
                    payload + more,
                ]
            )
        )
    return payload


EDGY = [
    *(b"\x80\x00", b"\xff\xff\xff\xff\x0f", b"\xff\xff\xff\xff\x1f", b"\xed\xa0\x80", b"\xc0\x80"),
    *(
        b"\x80" * 9 + b"\x01",
        b"\xff" * 9 + b"\x01",
        b"\xff" * 9 + b"\x02",
        b"\x03\x02",
        b"\x01\x00",
    ),
    *(b'"\\ud800"', b"[[[", b"\xf4\x90\x80\x80", b"\x00\x00\xc0\x7f", b"\x80\xda\xc4\x09"),
]


@SLOW
@given(pairs(), st.data())
def test_a_damaged_payload_is_read_alike_or_refused(
    made: tuple[Pair, Any], data: st.DataObject
) -> None:
    """Whatever the kernel still accepts of it is what the library engine makes of it."""
    pair, state = made
    assert pair.agrees(data.draw(damaged(pair.write(state))))


@SLOW
@given(lines(), st.data())
def test_a_damaged_payload_of_another_version_is_read_alike_or_refused(
    line: tuple[Schema, ...], data: st.DataObject
) -> None:
    """What a reader passes over is checked as strictly as what it keeps."""
    subject = Subject(line)
    pair = upgrade(subject, 1, subject.latest)
    payload = data.draw(damaged(pair.write(data.draw(states(pair.types)))))
    assert pair.agrees(payload)


def datum(value: Any, kind: Type, types: SchemaTypes) -> Any:
    """The value as fastavro's own writer takes it, told each branch by its name."""
    match kind:
        case Optional():
            return None if value is None else datum(value, kind.item, types)
        case Union():
            name = {str: "string", bool: "boolean", int: "long"}.get(type(value), "Leaf")
            branch = next(b for b in kind.branches if b.label == name)
            return name, datum(value, branch.type, types)
        case Array():
            return [datum(item, kind.items, types) for item in value]
        case Map():
            return {key: datum(item, kind.values, types) for key, item in value.items()}
        case Json():
            return msgspec.json.encode(value)
        case Reference():
            return _named(value, types.schema.types[kind.name], types)
        case _:
            return value


def _named(value: Any, named: Any, types: SchemaTypes) -> Any:
    if isinstance(named, Enum):
        return value.value
    assert isinstance(named, Record)
    attributes = types.names.attributes[named.name]
    return {f.name: datum(getattr(value, attributes[f.name]), f.type, types) for f in named.fields}


@pytest.mark.parametrize("at", [0, -1])
@SLOW
@given(lines(3), st.data())
def test_the_bytes_are_those_of_fastavros_own_writer(
    at: int, line: tuple[Schema, ...], data: st.DataObject
) -> None:
    """fastavro, given the .avsc and plain values, writes what the kernel writes of the objects."""
    schema = line[at]
    pair = Pair(build_types(schema))
    state = data.draw(states(pair.types))
    buffer = io.BytesIO()
    parsed = fastavro.parse_schema(to_avro(schema))
    fastavro.schemaless_writer(buffer, parsed, datum(state, Reference(schema.root), pair.types))
    assert pair.payload(state) == buffer.getvalue()
