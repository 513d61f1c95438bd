from __future__ import annotations

import json
from typing import Any

import pytest

from instar.schemas.avro import parse_avro, to_avro
from instar.schemas.fingerprint import fingerprint
from instar.schemas.model import Logical, Primitive, Reference, Schema
from instar.schemas.portable import schema_from_text, schema_to_text


def parse(document: Any) -> Schema:
    return parse_avro(json.dumps(document), subject="s", version=1, where="s.avsc")


def record(type_: Any, **attributes: Any) -> dict[str, Any]:
    return {"type": "record", "name": "T", "fields": [{"name": "f", "type": type_, **attributes}]}


MARKED: dict[str, Any] = {
    "record": record("int") | {"owner": "me", "size": 3},
    "field": record("int", order="ignore", since=2),
    "primitive": record({"type": "string", "avro.java.string": "String"}),
    "logical": record({"type": "int", "logicalType": "date", "zone": None}),
    "array": record({"type": "array", "items": {"type": "long", "x": 1}, "java-class": "A"}),
    "map": record({"type": "map", "values": {"type": "bytes", "x": 1}, "y": [2]}),
    "enum": record({"type": "enum", "name": "E", "symbols": ["A"], "x": {"deep": True}}),
    "fixed": record({"type": "fixed", "name": "F", "size": 12, "logicalType": "duration", "x": 1}),
    "nullable": record([{"type": "null", "x": 0}, {"type": "int", "x": 1}]),
    "union": record([{"type": "int", "x": 0}, "null", {"type": "string", "x": 2}, "double"]),
    "union of one": record([{"type": "int", "x": 0}]),
    "unknown logical type": record({"type": "string", "logicalType": "colour", "shade": 3}),
    "misplaced logical type": record({"type": "string", "logicalType": "date"}),
    "invalid decimal": record(
        {"type": "bytes", "logicalType": "decimal", "precision": 2, "scale": 3}
    ),
}


@pytest.mark.parametrize("document", MARKED.values(), ids=MARKED)
def test_attributes_are_kept_where_they_stand(document: dict[str, Any]) -> None:
    """What instar does not read is written back at its place, whatever it stands on."""
    schema = parse(document)
    assert schema.attributes
    assert to_avro(schema) == document
    assert schema_from_text(schema_to_text(schema)) == schema


def test_attributes_are_no_part_of_the_fingerprint() -> None:
    """Two schemas that differ in unread attributes alone mean the same."""
    plain = parse(record({"type": "array", "items": "int"}))
    marked = parse(record({"type": "array", "items": {"type": "int", "x": 1}}, order="ignore"))
    assert fingerprint(plain) == fingerprint(marked)


def test_a_schema_without_them_says_nothing_of_them() -> None:
    """The portable text of a schema without unread attributes is what it always was."""
    assert "attributes" not in json.loads(schema_to_text(parse(record("int"))))


@pytest.mark.parametrize(
    "attributes",
    [
        {"precision": 2.4},
        {"precision": -2, "scale": 2},
        {"precision": True},
        {"precision": 0},
        {"precision": 2, "scale": 3},
        {"precision": 2, "scale": -1},
        {"precision": "2"},
        {},
    ],
)
def test_a_decimal_that_is_none_is_bytes(attributes: dict[str, Any]) -> None:
    """A decimal whose digits make no sense is passed over, as the specification asks."""
    node = {"type": "bytes", "logicalType": "decimal", **attributes}
    assert parse(record(node)).record.fields[0].type == Primitive("bytes")


@pytest.mark.parametrize(("size", "most"), [(1, 2), (2, 4), (4, 9), (8, 18), (16, 38), (129, 310)])
def test_a_fixed_decimal_has_at_most_the_digits_of_its_size(size: int, most: int) -> None:
    """The precision of a decimal in a fixed type is bounded by the bytes of that type."""

    def type_of(precision: int) -> object:
        node: dict[str, Any] = {"type": "fixed", "name": "D", "size": size}
        node |= {"logicalType": "decimal", "precision": precision}
        return parse(record(node)).record.fields[0].type

    assert type_of(most) == Logical("decimal", Reference("D"), precision=most)
    assert type_of(most + 1) == Reference("D")
