from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from avro_documents import documents
from examples import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from instar.errors import InstarError, SchemaError, SchemaSyntaxError, UnsupportedSchema
from instar.schemas.avro import parse_avro, read_avro
from instar.schemas.model import (
    Array,
    Branch,
    Enum,
    Field,
    Fixed,
    Json,
    JsonValue,
    Logical,
    Map,
    Optional,
    Primitive,
    Record,
    Reference,
    Schema,
    Symbol,
    Type,
    Union,
)


def parse(text: str) -> Schema:
    return parse_avro(text, subject="thing", version=2, where="v2.avsc")


def field(type_: Any, **attributes: Any) -> Field:
    """The first field of a record whose first field has ``type_``."""
    document = {
        "type": "record",
        "name": "lab.Thing",
        "fields": [{"name": "f", "type": type_, **attributes}],
    }
    return parse(json.dumps(document)).record.fields[0]


LOGICAL = [
    ({"type": "string", "logicalType": "uuid"}, Logical("uuid", Primitive("string"))),
    ({"type": "int", "logicalType": "date"}, Logical("date", Primitive("int"))),
    (
        {"type": "int", "logicalType": "time-millis"},
        Logical("time", Primitive("int"), unit="millis"),
    ),
    (
        {"type": "long", "logicalType": "time-micros"},
        Logical("time", Primitive("long"), unit="micros"),
    ),
    (
        {"type": "long", "logicalType": "timestamp-millis"},
        Logical("timestamp", Primitive("long"), unit="millis"),
    ),
    (
        {"type": "long", "logicalType": "timestamp-micros"},
        Logical("timestamp", Primitive("long"), unit="micros"),
    ),
    (
        {"type": "long", "logicalType": "local-timestamp-millis"},
        Logical("local-timestamp", Primitive("long"), unit="millis"),
    ),
    (
        {"type": "bytes", "logicalType": "decimal", "precision": 9, "scale": 2},
        Logical("decimal", Primitive("bytes"), precision=9, scale=2),
    ),
    (
        {"type": "long", "logicalType": "timestamp-nanos"},
        Logical("timestamp", Primitive("long"), unit="nanos"),
    ),
    (
        {"type": "long", "logicalType": "local-timestamp-nanos"},
        Logical("local-timestamp", Primitive("long"), unit="nanos"),
    ),
    (
        {"type": "fixed", "name": "D", "size": 12, "logicalType": "duration"},
        Logical("calendar-duration", Reference("lab.D")),
    ),
    ({"type": "bytes", "logicalType": "json"}, Json()),
]


@pytest.mark.parametrize(("node", "expected"), LOGICAL)
def test_logical_types_are_read(node: Any, expected: Type) -> None:
    """A logical type that Avro defines becomes a type with that meaning."""
    assert field(node).type == expected


@pytest.mark.parametrize(
    "node",
    [
        {"type": "string", "logicalType": "colour"},
        {"type": "string", "logicalType": "timestamp-millis"},
        {"type": "string", "logicalType": ["uuid"]},
    ],
)
def test_a_logical_type_that_does_not_apply_is_passed_over(node: Any) -> None:
    """An unknown logical type, or one on the wrong type, leaves the type below it."""
    assert field(node).type == Primitive("string")


@pytest.mark.parametrize(
    ("node", "expected"),
    [
        (["null", "int"], Optional(Primitive("int"))),
        (["int", "null"], Optional(Primitive("int"), null_at=1)),
        (["int"], Union((Branch("int", Primitive("int")),))),
        (["null"], Union((Branch("null", Primitive("null")),))),
        (
            ["string", "null", "int"],
            Optional(
                Union(
                    (Branch("string", Primitive("string")), Branch("int", Primitive("int"))),
                ),
                null_at=1,
            ),
        ),
        (
            ["boolean", {"type": "array", "items": "long"}, {"type": "map", "values": "long"}],
            Union(
                (
                    Branch("boolean", Primitive("boolean")),
                    Branch("array", Array(Primitive("long"))),
                    Branch("map", Map(Primitive("long"))),
                )
            ),
        ),
    ],
)
def test_unions_keep_their_order_and_the_place_of_null(node: Any, expected: Type) -> None:
    """A union with null is an Optional that knows where null stood; branches keep their order."""
    assert field(node).type == expected


def test_named_branches_are_labelled_in_full() -> None:
    """A branch of a named type carries the type's full name as its label."""
    node = [{"type": "enum", "name": "E", "symbols": ["A"]}, "long"]
    type_ = field(node).type
    assert isinstance(type_, Union)
    assert type_.branches[0] == Branch("lab.E", Reference("lab.E"))


def test_records_may_contain_themselves() -> None:
    """A record that refers to itself is one entry of the table, and a reference to it."""
    schema = parse(
        '{"type":"record","name":"lab.Tree","fields":'
        '[{"name":"leaves","type":{"type":"array","items":"Tree"}}]}'
    )
    assert schema.types == {
        "lab.Tree": Record("lab.Tree", (Field("leaves", Array(Reference("lab.Tree"))),))
    }


def test_enums_and_fixed_types_are_read_whole() -> None:
    """Symbols, sizes, defaults, docs and aliases (in full) of named types are kept."""
    schema = parse(
        """{"type": "record", "name": "lab.T", "aliases": ["Old", "other.Old"], "fields": [
        {"name": "e", "type": {"type": "enum", "name": "E", "doc": "Two.", "symbols": ["A", "B"],
                               "default": "B"}},
        {"name": "x", "type": {"type": "fixed", "name": "x.F", "size": 4, "aliases": ["G"]}}]}"""
    )
    assert schema.record.aliases == ("lab.Old", "other.Old")
    assert schema.types["lab.E"] == Enum(
        "lab.E", (Symbol("A", 0), Symbol("B", 1)), default="B", doc="Two."
    )
    assert schema.types["x.F"] == Fixed("x.F", 4, aliases=("x.G",))


def test_a_later_use_of_a_fixed_type_has_its_logical_type() -> None:
    """A decimal in a fixed type is a decimal wherever the type is named again."""
    schema = parse(
        """{"type": "record", "name": "T", "fields": [
        {"name": "a", "type": {"type": "fixed", "name": "M", "size": 8, "logicalType": "decimal",
                               "precision": 9, "scale": 2}},
        {"name": "b", "type": "M"}]}"""
    )
    first, second = schema.record.fields
    assert first.type == second.type == Logical("decimal", Reference("M"), precision=9, scale=2)


def test_the_attributes_of_a_field_are_read() -> None:
    """Our own attributes, aliases and the doc of a field reach the model."""
    found = field("int", aliases=["g"], doc="F.", deprecated=True, json="a b", absent=True)
    assert (found.aliases, found.doc, found.deprecated) == (("g",), "F.", True)
    assert (found.json_name, found.absent) == ("a b", True)


def test_an_array_may_be_marked_as_a_vector() -> None:
    """The attribute vector marks an array whose numbers belong together."""
    node = {"type": "array", "items": "float", "vector": True}
    assert field(node).type == Array(Primitive("float"), vector=True)


def test_a_comment_is_refused_at_its_line() -> None:
    """JSON has no comments; text in strings that looks like one is text."""
    schema = parse('{"type": "record", "name": "T", "doc": "a//b /* c */", "fields": []}')
    assert schema.record.doc == "a//b /* c */"
    with pytest.raises(SchemaSyntaxError, match="comment") as caught:
        parse('{"type": "record",\n// root\n"name": "T", "fields": []}')
    assert caught.value.where == "v2.avsc:2:1"


def test_a_key_may_be_repeated_with_its_value() -> None:
    """A key that stands twice and says the same is read, as other parsers read it."""
    assert parse('{"type": "record", "name": "T", "name": "T", "fields": []}').root == "T"


def test_two_versions_may_define_one_name() -> None:
    """Reading one schema leaves nothing behind that another one would trip over."""
    one = parse('{"type":"record","name":"T","fields":[{"name":"a","type":"int"}]}')
    two = parse('{"type":"record","name":"T","fields":[{"name":"a","type":"string"}]}')
    assert one.record.fields[0].type == Primitive("int")
    assert two.record.fields[0].type == Primitive("string")


BROKEN = {
    "no JSON": ("{\n  oops}", "2:3", "not JSON"),
    "a key twice": ('{"type": "record",\n"name": "T", "name": "U", "fields": []}', "2:22", "twice"),
    "no type": ('{"name": "T"}', "1:1", "'type'"),
    "no name": ('{"type": "record", "fields": []}', "1:1", "record has no name"),
    "no fields": ('{"type": "record",\n"name": "T"}', "1:1", "has no 'fields'"),
    "no type name": ('{"type":"record","name":"string","fields":[]}', "1:25", "cannot be named"),
    "odd name": ('{"type":"record",\n"name":"a-b","fields":[]}', "2:8", "no Avro name"),
    "a field twice": (
        (
            '{"type":"record","name":"T","fields":[\n{"name":"a","type":"int"},'
            '\n{"name":"a","type":"int"}]}'
        ),
        "3:9",
        "two fields",
    ),
    "a JSON key twice": (
        (
            '{"type":"record","name":"T","fields":[{"name":"a","type":"int"},'
            '{"name":"b","type":"int","json":"a"}]}'
        ),
        "1:97",
        "JSON key",
    ),
    "unknown type": (
        '{"type":"record","name":"T","fields":[\n{"name":"a",\n"type":"Nowhere"}]}',
        "3:8",
        "Nowhere",
    ),
    "bad default": (
        '{"type":"record","name":"T","fields":[\n{"name":"a","type":"int","default":"x"}]}',
        "2:36",
        "default of T.a",
    ),
    "bad enum default": (
        (
            '{"type":"record","name":"T","fields":[{"name":"a","type":'
            '{"type":"enum","name":"E","symbols":["A"],"default":"B"}}]}'
        ),
        "1:110",
        "symbols",
    ),
    "one type defined twice": (
        (
            '{"type":"record","name":"T","fields":[{"name":"a","type":'
            '{"type":"fixed",\n"name":"T","size":1}}]}'
        ),
        "2:8",
        "redefined",
    ),
    "a type twice in a union": (
        '{"type":"record","name":"T","fields":[\n{"name":"a","type":["int","int"]}]}',
        "2:27",
        "two branches",
    ),
    "a union in a union": (
        '{"type":"record","name":"T","fields":[{"name":"a","type":["int",["null","long"]]}]}',
        "1:65",
        "directly in a union",
    ),
    "negative size": (
        (
            '{"type":"record","name":"T","fields":[{"name":"a","type":'
            '{"type":"fixed","name":"F","size":-1}}]}'
        ),
        "1:92",
        "no size",
    ),
    "endless default": (
        '{"type":"record","name":"T","fields":[{"name":"a","type":"T","default":{}}]}',
        "1:72",
        "contains itself",
    ),
    "too deep": ('{"type":' * 400 + '"int"' + "}" * 400, "1:1201", "deeper"),
    "much too deep": ("[" * 100_000, "1:151", "deeper"),
}


@pytest.mark.parametrize(("text", "place", "reason"), list(BROKEN.values()), ids=BROKEN.keys())
def test_a_broken_schema_names_file_line_and_reason(text: str, place: str, reason: str) -> None:
    """What is no Avro schema is a SchemaSyntaxError with the reason, the line and the column."""
    with pytest.raises(SchemaSyntaxError, match=reason) as caught:
        parse(text)
    assert caught.value.where == f"v2.avsc:{place}"


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('"string"', "1:1"),
        ('\n{"type": "enum", "name": "E", "symbols": ["A"]}', "2:1"),
        ('[{"type": "record", "name": "T", "fields": []},\n "null"]', "2:2"),
        ("[]", "1:1"),
    ],
)
def test_valid_schemas_that_are_not_read_are_refused(text: str, place: str) -> None:
    """A root that is no record is named as not read, at its place."""
    with pytest.raises(UnsupportedSchema) as caught:
        parse(text)
    assert caught.value.where == f"v2.avsc:{place}"


@pytest.mark.parametrize(
    ("data", "error", "line"),
    [(b"{\n\xff}", SchemaSyntaxError, ":2"), (None, SchemaError, "")],
)
def test_a_file_that_cannot_be_read_is_an_error(
    tmp_path: Path, data: bytes | None, error: type[SchemaError], line: str
) -> None:
    """A file that is not UTF-8 is named with the line, one that is not there without."""
    path = tmp_path / "v1.avsc"
    if data is not None:
        path.write_bytes(data)
    with pytest.raises(error) as caught:
        read_avro(path, "thing", 1)
    assert caught.value.where == f"{path}{line}"


def _mutated(document: Any, rows: list[tuple[int, Any]]) -> Any:
    """``document`` with some of its nodes, counted in depth-first order, put in place of others."""
    count = 0
    replaced: dict[int, JsonValue] = dict(rows)

    def walk(node: JsonValue) -> JsonValue:
        nonlocal count
        count += 1
        if count in replaced:
            return replaced[count]
        if isinstance(node, dict):
            return {key: walk(value) for key, value in node.items()}
        return [walk(item) for item in node] if isinstance(node, list) else node

    return walk(document)


_ODD_NODES: list[Any] = [
    *(None, True, -1, 1e400, "", "T", "record", "space.Root"),
    *([], {}, ["null"], [[]], {"type": "map"}),
]
_ODD = st.sampled_from(_ODD_NODES)


@settings(max_examples=examples(300))
@given(documents(), st.lists(st.tuples(st.integers(1, 40), _ODD), min_size=1, max_size=3))
def test_a_damaged_schema_is_read_or_refused(
    document: dict[str, Any], damage: list[tuple[int, Any]]
) -> None:
    """Whatever stands in a document, the reader gives a schema or an InstarError."""
    text = json.dumps(_mutated(document, damage))
    try:
        schema = parse(text)
    except InstarError:
        return
    assert isinstance(schema.record, Record)
