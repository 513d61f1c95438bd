"""What Avro has and other languages have not, in every format."""

from __future__ import annotations

import datetime as dt
import json
from typing import Any

import pytest
from same import same

from instar import Registry
from instar.codec.exact import Duration
from instar.codec.library.avro import ENGINE
from instar.codec.library.format import Reading
from instar.codec.limits import DEFAULT_LIMITS
from instar.codec.tag.header import Format
from instar.codec.types import build_types
from instar.errors import (
    CorruptPayload,
    MigrationMismatch,
    NotExpressible,
    UnsupportedSchema,
    ValueMismatch,
)
from instar.migrations.derive import derive
from instar.schemas.avro import parse_avro
from instar.schemas.model import Schema
from instar.schemas.numbering import number_fields

FORMATS: tuple[Format, ...] = ("avro", "protobuf", "msgpack", "json", "yaml")
SPAN = {"type": "fixed", "name": "Span", "size": 12, "logicalType": "duration"}
NANOS = {"type": "long", "logicalType": "timestamp-nanos"}
LOCAL_NANOS = {"type": "long", "logicalType": "local-timestamp-nanos"}
MICROS = {"type": "long", "logicalType": "timestamp-micros"}
MILLIS = {"type": "long", "logicalType": "timestamp-millis"}
LOCAL_MICROS = {"type": "long", "logicalType": "local-timestamp-micros"}
SOLE = {"type": "record", "name": "Sole", "fields": [{"name": "n", "type": "int"}]}
A_SPAN = Duration(months=1, days=2**32 - 1, millis=0)


def schema(type_: Any, version: int = 1) -> Schema:
    document = {"type": "record", "name": "State", "fields": [{"name": "f", "type": type_}]}
    return parse_avro(json.dumps(document), subject="state", version=version, where="f.avsc")


def registry(*types: Any) -> Registry:
    versions = [schema(type_, version) for version, type_ in enumerate(types, start=1)]
    return Registry.of(number_fields(versions))


VALUES = [
    (NANOS, 1_500_000_000_123_456_789),
    (LOCAL_NANOS, -(2**63)),
    ([NANOS, "string"], 7),
    (["null", LOCAL_NANOS], None),
    (SPAN, A_SPAN),
    (["null", SPAN], A_SPAN),
    ({"type": "array", "items": SPAN}, [A_SPAN, A_SPAN]),
    ({"type": "map", "values": SPAN}, {"k": A_SPAN}),
    (["int"], 3),
    (["null"], None),
    ([{"type": "array", "items": ["string"]}], ["a", "b"]),
    ({"type": "map", "values": ["double"]}, {"k": 0.5}),
]


@pytest.mark.parametrize("format_", FORMATS)
@pytest.mark.parametrize(("type_", "value"), VALUES)
def test_values_come_back(type_: Any, value: Any, format_: Format) -> None:
    """A value of a type that only Avro has comes back from every format."""
    codec = registry(type_).codec("state", format=format_)
    state = codec.type(f=value)
    assert same(codec.decode(codec.encode(state)), state)
    assert same(codec.from_builtins(codec.to_builtins(state)), state)


@pytest.mark.parametrize("format_", FORMATS)
@pytest.mark.parametrize(
    ("type_", "value"),
    [
        (NANOS, 2**63),
        (NANOS, 1.0),
        (NANOS, dt.datetime(2020, 1, 1, tzinfo=dt.UTC)),
        (SPAN, dt.timedelta(1)),
        (SPAN, b"\0" * 12),
        (SPAN, Duration(months=-1, days=0, millis=0)),
        (SPAN, Duration(months=0, days=0, millis=2**32)),
        (["int"], "x"),
        (["null"], 0),
    ],
)
def test_other_values_are_refused(type_: Any, value: Any, format_: Format) -> None:
    """A value of another class or range is refused in every format, with its path."""
    codec = registry(type_).codec("state", format=format_)
    with pytest.raises(ValueMismatch, match=r"state\.f"):
        codec.encode(codec.type(f=value))


@pytest.mark.parametrize("format_", FORMATS)
def test_a_duration_in_a_union_is_boxed(format_: Format) -> None:
    """A duration beside other branches is told from them by its box."""
    opened = registry(["int", SPAN, {"type": "map", "values": "int"}])
    codec = opened.codec("state", format=format_)
    box: Any = opened.subject("state").types(1).boxes["SpanValue"]
    for value in (3, box(value=A_SPAN)):
        state = codec.type(f=value)
        assert same(codec.decode(codec.encode(state)), state)


@pytest.mark.parametrize("format_", FORMATS)
def test_nanoseconds_beside_a_number_are_boxed(format_: Format) -> None:
    """Nanoseconds look like any other number, so beside one they are told by their box."""
    opened = registry(["int", NANOS])
    codec = opened.codec("state", format=format_)
    boxes: Any = opened.subject("state").types(1).boxes
    for name in ("IntValue", "LongValue"):
        state = codec.type(f=boxes[name](value=5))
        assert same(codec.decode(codec.encode(state)), state)


@pytest.mark.parametrize("format_", FORMATS)
def test_a_union_of_one_record_is_that_record(format_: Format) -> None:
    """A union of a single record is the record in Python, told by its class."""
    opened = registry([SOLE])
    sole: Any = opened.subject("state").types(1).record("Sole")
    codec = opened.codec("state", format=format_)
    state = codec.type(f=sole(n=1))
    assert same(codec.decode(codec.encode(state)), state)


def test_json_form() -> None:
    """Nanoseconds are a number in JSON form, and a duration is an object of its parts."""
    codec = registry(SPAN).codec("state")
    assert codec.to_builtins(codec.type(f=A_SPAN)) == {
        "f": {"months": 1, "days": 2**32 - 1, "millis": 0}
    }
    codec = registry(NANOS).codec("state")
    assert codec.to_builtins(codec.type(f=5)) == {"f": 5}


@pytest.mark.parametrize(
    "raw", [{"months": 1, "days": 2}, {"months": 1, "days": 2, "millis": -1}, "P1M", {"x": 1}, 3]
)
def test_a_malformed_duration_is_refused(raw: Any) -> None:
    """An object that lacks a part, has another or one out of range is no duration."""
    with pytest.raises(ValueMismatch, match="f"):
        registry(SPAN).codec("state").from_builtins({"f": raw})


def test_a_malformed_duration_in_a_payload_is_corrupt() -> None:
    """JSON text with a part out of range is refused as it is read."""
    codec = registry(SPAN).codec("state", format="json")
    with pytest.raises(CorruptPayload):
        codec.decode(b'{"f":{"months":1,"days":2,"millis":4294967296}}', legacy=1)


def test_the_avro_bytes_of_a_duration() -> None:
    """A duration is three unsigned numbers of 32 bits, little-endian, as Avro lays it out."""
    codec = registry(SPAN).codec("state", framing="avro-single-object")
    blob = codec.encode(codec.type(f=Duration(months=1, days=2, millis=3)))
    assert blob[10:] == bytes([1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0])


def test_the_avro_bytes_of_a_union_of_one() -> None:
    """A union of one type has its branch before the value, as every union."""
    codec = registry(["int"]).codec("state", framing="avro-single-object")
    assert codec.encode(codec.type(f=3))[10:] == bytes([0, 6])


PAIRS = [
    (MICROS, NANOS, 1_000, dt.datetime(1970, 1, 1, 0, 0, 0, 1, dt.UTC), 1_001),
    (MILLIS, NANOS, -1_000_000, dt.datetime(1969, 12, 31, 23, 59, 59, 999_000, dt.UTC), 1_000),
    (LOCAL_MICROS, LOCAL_NANOS, 1_000, dt.datetime(1970, 1, 1, 0, 0, 0, 1), 1),  # noqa: DTZ001 - local
]


@pytest.mark.parametrize(("coarse", "fine", "whole", "moment", "odd"), PAIRS)
def test_nanoseconds_are_read_down_where_they_are_whole(
    coarse: Any, fine: Any, whole: int, moment: dt.datetime, odd: int
) -> None:
    """An older reader takes nanoseconds that its unit holds, and refuses the others."""
    older, newer = schema(coarse), schema(fine, 2)
    with pytest.raises(MigrationMismatch, match="in nanos: convert"):
        Registry.of([older, newer])

    old, new = build_types(older), build_types(newer)
    root: Any = new.root
    write = ENGINE.encoder(new, DEFAULT_LIMITS)
    read = ENGINE.decoder(Reading(new, derive(newer, older), old), DEFAULT_LIMITS)
    assert read(write(root(f=whole))).f == moment
    with pytest.raises((ValueMismatch, NotExpressible)):
        read(write(root(f=odd)))


def test_a_union_without_types_has_no_python_type() -> None:
    """An empty union is read, so that it can be judged, and refused where values are made."""
    with pytest.raises(UnsupportedSchema, match="no values"):
        registry([]).codec("state")
