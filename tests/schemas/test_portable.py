from __future__ import annotations

import json
from typing import Any

import pytest
from avro_documents import documents
from examples import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from instar.errors import SchemaError
from instar.schemas import portable
from instar.schemas.avro import parse_avro
from instar.schemas.model import (
    Branch,
    Default,
    Enum,
    Field,
    Fixed,
    Json,
    Logical,
    Map,
    Optional,
    Primitive,
    Record,
    Reference,
    Schema,
    Symbol,
    Union,
)
from instar.schemas.portable import schema_from_text, schema_to_text

FULL = Schema(
    "full",
    3,
    "protobuf",
    "p.Full",
    {
        "p.Full": Record(
            "p.Full",
            (
                Field("u", Primitive("long", wire="uint64"), number=1, default=Default(0)),
                Field("m", Map(Reference("p.E"), keys=Primitive("int")), number=2),
                Field(
                    "o",
                    Optional(
                        Union((Branch("a", Json("google.protobuf.Value"), 3),), oneof=True),
                        null_at=1,
                    ),
                    default=Default(None),
                    deprecated=True,
                ),
                Field("w", Optional(Primitive("string"), well_known="google.protobuf.StringValue")),
                Field("d", Logical("decimal", Reference("p.F"), precision=4, scale=2)),
            ),
            doc='Quotes " and \\ and \u2028 and \ud800.',
        ),
        "p.E": Enum("p.E", (Symbol("A", 0, "First."), Symbol("B", 7)), default="A"),
        "p.F": Fixed("p.F", 4, aliases=("p.G",)),
    },
)


def test_every_part_of_the_model_comes_back() -> None:
    """Docs, wire encodings, numbers and all else survive the text, which is ASCII."""
    text = schema_to_text(FULL)
    assert schema_from_text(text) == FULL
    assert text.isascii()
    assert list(schema_from_text(text).types) == list(FULL.types)


@settings(max_examples=examples(80))
@given(documents())
def test_any_schema_comes_back(document: dict[str, Any]) -> None:
    """Reading the text of a schema gives that schema."""
    schema = parse_avro(json.dumps(document), subject="s", version=1, where="s")
    assert schema_from_text(schema_to_text(schema)) == schema


def changed(*path: str | int, to: Any) -> str:
    document: Any = json.loads(schema_to_text(FULL))
    node = document
    for step in path[:-1]:
        node = node[step]
    node[path[-1]] = to
    return json.dumps(document)


FIELD = ("types", 0, "fields", 0)
MALFORMED = {
    "no JSON": "{",
    "no object": "[]",
    "no constant": "NaN",
    "no keys": "{}",
    "language": changed("language", to="thrift"),
    "version": changed("version", to=True),
    "root": changed("root", to="p.E"),
    "no such root": changed("root", to="p.X"),
    "unknown class": changed("types", 0, "is", to="struct"),
    "odd class": changed("types", 0, "is", to=["record"]),
    "unknown key": changed("types", 0, "colour", to="red"),
    "same name twice": changed("types", 2, "name", to="p.E"),
    "lacks a part": changed(*FIELD, to={"is": "field", "name": "u"}),
    "unknown kind": changed(*FIELD, "type", to="int128"),
    "unknown wire": changed(*FIELD, "type", "wire", to="uint128"),
    "no such type": changed(*FIELD, "type", to={"is": "reference", "name": "p.X"}),
    "a logical type on a record": changed(
        "types", 0, "fields", 4, "type", "base", "name", to="p.Full"
    ),
    "keys that are no primitive": changed(
        "types", 0, "fields", 1, "type", "keys", to={"is": "json"}
    ),
    "same field twice": changed("types", 0, "fields", 1, "name", to="u"),
    "no symbols": changed("types", 1, "symbols", to=[]),
    "no such symbol": changed("types", 1, "default", to="C"),
    "negative size": changed("types", 2, "size", to=-1),
    "odd default": changed(*FIELD, "default", to=0),
    "too deep": changed(*FIELD, "default", to={"value": 0}).replace(
        '"value": 0', '"value": ' + "[" * 500 + "]" * 500
    ),
}


@pytest.mark.parametrize("text", list(MALFORMED.values()), ids=MALFORMED.keys())
def test_a_malformed_text_is_refused(text: str) -> None:
    """A text that no schema has is a SchemaError, never half a schema."""
    with pytest.raises(SchemaError, match="malformed"):
        schema_from_text(text)


def test_a_text_that_nests_without_end_is_refused() -> None:
    """Nesting that would exhaust the stack is an error like any other."""
    with pytest.raises(SchemaError, match="deep"):
        schema_from_text("[" * 100_000)


def test_a_text_that_is_too_long_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A text over the limit is not even parsed."""
    monkeypatch.setattr(portable, "MAX_CHARACTERS", 10)
    with pytest.raises(SchemaError, match="longer than 10"):
        schema_from_text(schema_to_text(FULL))


@settings(max_examples=examples(200))
@given(st.data())
def test_a_damaged_text_is_read_or_refused(data: st.DataObject) -> None:
    """Whatever characters are put into the text, it gives a schema or a SchemaError."""
    text = schema_to_text(replace(FULL, version=12))
    start = data.draw(st.integers(0, len(text)))
    stop = data.draw(st.integers(start, min(len(text), start + 12)))
    junk = data.draw(st.text('{}[]",:a0', max_size=4))
    try:
        schema = schema_from_text(text[:start] + junk + text[stop:])
    except SchemaError:
        return
    assert isinstance(schema.record, Record)
