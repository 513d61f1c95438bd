"""Defaults of 32-bit floats are values that a float of 32 bits holds."""

from __future__ import annotations

import json
import struct
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from instar.codec.registry import Registry
from instar.schemas.avro import parse_avro, to_avro
from instar.schemas.fingerprint import fingerprint
from instar.schemas.model import Schema
from instar.schemas.numbering import number_fields
from instar.schemas.portable import schema_from_text, schema_to_text

FORMATS = ("avro", "protobuf", "msgpack", "json", "yaml")
NEAR = 0.10000000149011612
"""What a float of 32 bits makes of 0.1."""
PART = {"type": "record", "name": "Part", "fields": [{"name": "ratio", "type": "float"}]}
LIST = {"type": "array", "items": "float"}
MAP = {"type": "map", "values": "float"}
PLACES: dict[str, tuple[Any, Any, Any]] = {
    "alone": ("float", 0.1, NEAR),
    "a double stays": ("double", 0.1, 0.1),
    "in a list": (LIST, [0.1, 2], [NEAR, 2.0]),
    "in a map": (MAP, {"a": 0.1}, {"a": NEAR}),
    "in a record": (PART, {"ratio": 0.1}, {"ratio": NEAR}),
    "optional": (["float", "null"], 0.1, NEAR),
    "in a union": (["float", "string", "null"], 0.1, NEAR),
    "a list in a union": ([LIST, "double"], [0.1], [NEAR]),
    "a double in a union": (["double", LIST], 0.1, 0.1),
    "a map in a union": ([MAP, "double"], {"a": 0.1}, {"a": NEAR}),
    "a record in a union": ([PART, "string"], {"ratio": 0.1}, {"$type": "Part", "ratio": NEAR}),
    "in a box": (["float", "double"], 0.1, {"$type": "FloatValue", "value": NEAR}),
    "no number": ("float", "NaN", "NaN"),
}


def schema(version: int, *fields: dict[str, Any]) -> Schema:
    document = {"type": "record", "name": "T", "fields": list(fields)}
    return parse_avro(json.dumps(document), subject="t", version=version, where="t.avsc")


def field(type_: Any, default: Any) -> dict[str, Any]:
    return {"name": "f", "type": type_, "default": default}


@pytest.mark.parametrize(("type_", "default", "wanted"), PLACES.values(), ids=PLACES)
def test_a_default_survives_every_format(type_: Any, default: Any, wanted: Any) -> None:
    """A state of defaults is, after a round trip in any format, exactly what it was."""
    registry = Registry.of(number_fields([schema(1), schema(2, field(type_, default))]))
    old = registry.codec("t", version=1)
    for name in FORMATS:
        codec = registry.codec("t", format=name)
        made = [codec.type(), codec.from_builtins({}), codec.decode(old.encode(old.type()))]
        for state in made:
            assert codec.to_builtins(state) == {"f": wanted}
            assert codec.to_builtins(codec.decode(codec.encode(state))) == {"f": wanted}


def test_a_default_that_is_carried_on_is_rounded_where_it_was_declared() -> None:
    """A 32-bit default that a later version widens is what a blob between them would hold."""
    fields = [field("float", 0.1), {**field("double", 7), "name": "g", "aliases": ["f"]}]
    registry = Registry.of([schema(1), schema(2, fields[0]), schema(3, fields[1])])
    codec = registry.codec("t")
    steps = [registry.codec("t", version=version) for version in (1, 2)]
    straight = codec.decode(steps[0].encode(steps[0].type()))
    between = steps[1].decode(steps[0].encode(steps[0].type()))
    assert codec.to_builtins(straight) == {"g": NEAR}
    assert straight == codec.decode(steps[1].encode(between))


def test_the_schema_says_what_was_written() -> None:
    """Rounding is of states alone: the schema, its text and its fingerprint keep the default."""
    found = schema(1, field("float", 0.1))
    default = found.record.fields[0].default
    assert default is not None
    assert default.value == 0.1
    document: Any = to_avro(found)
    assert document["fields"][0]["default"] == 0.1
    assert fingerprint(schema_from_text(schema_to_text(found))) == fingerprint(found)
    assert fingerprint(found) != fingerprint(schema(1, field("float", NEAR)))


@given(st.floats(-3.4e38, 3.4e38))
def test_the_nearest_float_is_taken(number: float) -> None:
    """Whatever the default is, the state has what 32 bits make of it."""
    codec = Registry.of([schema(1, field("float", number))]).codec("t")
    wanted = struct.unpack("<f", struct.pack("<f", number))[0]
    assert codec.type() == codec.type(f=wanted)
    assert codec.decode(codec.encode(codec.type())) == codec.type()
