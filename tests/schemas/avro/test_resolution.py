from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from instar.schemas.avro import Incompatibility, incompatibilities, parse_avro
from instar.schemas.model import Schema
from instar.schemas.protobuf import read_proto


def schema(type_: Any) -> Schema:
    document = {"type": "record", "name": "R", "fields": [{"name": "f", "type": type_}]}
    return parse_avro(json.dumps(document), subject="s", version=1, where="s.avsc")


def found(writer: Any, reader: Any) -> list[Incompatibility]:
    return incompatibilities(schema(writer), schema(reader))


def record(name: str, *fields: Any) -> dict[str, Any]:
    return {"type": "record", "name": name, "fields": list(fields)}


def fixed(name: str, size: int, **more: Any) -> dict[str, Any]:
    return {"type": "fixed", "name": name, "size": size, **more}


def enum(name: str, *symbols: str, **more: Any) -> dict[str, Any]:
    return {"type": "enum", "name": name, "symbols": list(symbols), **more}


INT_A = {"name": "a", "type": "int"}
AT = "/fields/0/type"

COMPATIBLE = {
    "the same": ("int", "int"),
    "int to double": ("int", "double"),
    "long to float": ("long", "float"),
    "bytes to string": ("bytes", "string"),
    "to a union": ("int", ["string", "long"]),
    "from a union": (["int", "long"], "double"),
    "from a union of one": (["int"], "int"),
    "between unions": (["null", "int"], ["double", "null"]),
    "an enum that grows": (enum("E", "A"), enum("E", "B", "A")),
    "an enum with a default": (enum("E", "A", "C"), enum("E", "A", default="A")),
    "another namespace": (fixed("a.F", 2), fixed("b.F", 2)),
    "an alias of a type": (fixed("a.F", 2), fixed("b.G", 2, aliases=["a.F"])),
    "a field with a default": (record("S"), record("S", INT_A | {"default": 1})),
    "a field less": (record("S", INT_A), record("S")),
    "an alias of a field": (
        record("S", INT_A),
        record("S", {"name": "b", "type": "long", "aliases": ["a"]}),
    ),
    "a logical type": ("long", {"type": "long", "logicalType": "timestamp-millis"}),
    "recursion": (
        record("S", {"name": "s", "type": ["null", "S"]}),
        record("S", {"name": "s", "type": ["null", "S"]}),
    ),
}
INCOMPATIBLE = {
    "a type": ("string", "int", ("type_mismatch", AT)),
    "a narrower type": ("long", "int", ("type_mismatch", AT)),
    "a named type": ("int", enum("E", "A"), ("type_mismatch", AT)),
    "two kinds of named types": (fixed("E", 1), enum("E", "A"), ("type_mismatch", AT)),
    "items": (
        {"type": "array", "items": "long"},
        {"type": "array", "items": "int"},
        ("type_mismatch", f"{AT}/items"),
    ),
    "values": (
        {"type": "map", "values": "null"},
        {"type": "map", "values": "int"},
        ("type_mismatch", f"{AT}/values"),
    ),
    "a size": (fixed("F", 1), fixed("F", 2), ("fixed_size_mismatch", f"{AT}/size")),
    "a name": (fixed("F", 1), fixed("G", 1), ("name_mismatch", f"{AT}/name")),
    "a symbol": (enum("E", "A", "B"), enum("E", "A"), ("missing_enum_symbols", f"{AT}/symbols")),
    "a field": (
        record("S"),
        record("S", INT_A),
        ("reader_field_missing_default_value", f"{AT}/fields/0"),
    ),
    "a branch": (["int", "string"], ["int"], ("missing_union_branch", f"{AT}/1")),
    "no branch at all": ("string", ["null", "int"], ("missing_union_branch", AT)),
    "null": (["null", "int"], "int", ("type_mismatch", AT)),
}


@pytest.mark.parametrize(("writer", "reader"), COMPATIBLE.values(), ids=COMPATIBLE)
def test_what_avro_reads_has_no_incompatibilities(writer: Any, reader: Any) -> None:
    """Promotions, defaults, aliases and wider unions keep data readable."""
    assert found(writer, reader) == []


@pytest.mark.parametrize(("writer", "reader", "wanted"), INCOMPATIBLE.values(), ids=INCOMPATIBLE)
def test_an_incompatibility_has_a_kind_and_a_place(
    writer: Any, reader: Any, wanted: tuple[str, str]
) -> None:
    """What keeps data from being read is told by kind, at its JSON pointer."""
    (one,) = found(writer, reader)
    assert (one.kind, one.location) == wanted


def test_what_avro_has_to_wrap_is_read_by_the_wrapper(tmp_path: Path) -> None:
    """Two cases of one type are records in Avro, which a reader with one of them does not know."""
    schemas: list[Schema] = []
    for version, last in enumerate(("int32 b = 2;", "string c = 3;"), start=1):
        path = tmp_path / f"v{version}.proto"
        body = f"message R {{ oneof o {{ int32 a = 1; {last} }} }}"
        path.write_text(f'syntax = "proto3";\n{body}\n')
        schemas.append(read_proto(path, "s", version))
    assert incompatibilities(schemas[0], schemas[0]) == []
    kinds = [(one.kind, one.location) for one in incompatibilities(*schemas)]
    assert kinds == [("missing_union_branch", f"{AT}/1"), ("missing_union_branch", f"{AT}/2")]


@pytest.mark.parametrize(
    ("writer", "reader"),
    [
        ("bytes", "string"),
        ({"type": "long", "logicalType": "timestamp-millis"}, "long"),
        (["string", "bytes"], ["bytes", "null", "string"]),
    ],
)
def test_what_parses_is_no_incompatibility(writer: Any, reader: Any) -> None:
    """Another meaning, or bytes that may be no text, are a matter of values and not of schemas."""
    assert found(writer, reader) == []


def test_every_incompatibility_is_told_once() -> None:
    """All are collected, and a type that is used twice is judged once."""
    old = record("S", {"name": "a", "type": fixed("F", 1)}, {"name": "b", "type": "F"})
    new = record("S", {"name": "a", "type": fixed("F", 2)}, {"name": "b", "type": "F"})
    more = [*new["fields"], {"name": "c", "type": "int"}]
    kinds = [one.kind for one in found(old, new | {"fields": more})]
    assert kinds == ["fixed_size_mismatch", "reader_field_missing_default_value"]
