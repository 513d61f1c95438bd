from __future__ import annotations

import json
from typing import Any

from avro_documents import documents
from examples import examples
from hypothesis import given, settings

from instar.schemas.avro import avsc_text, parse_avro, to_avro
from instar.schemas.model import Schema


def parse(document: Any) -> Schema:
    return parse_avro(json.dumps(document), subject="s", version=1, where="s.avsc")


@settings(max_examples=examples(150))
@given(documents())
def test_what_is_written_reads_back_as_the_same_schema(document: dict[str, Any]) -> None:
    """An Avro schema that is written and read again is equal to itself, in every part."""
    schema = parse(document)
    assert parse(to_avro(schema)) == schema
    assert parse_avro(avsc_text(schema), subject="s", version=1, where="s.avsc") == schema


def test_types_without_a_namespace_stay_without_one() -> None:
    """A type outside every namespace keeps its name where it is defined inside one."""
    inner: dict[str, Any] = {"type": "record", "name": "Bare", "namespace": "", "fields": []}
    fields = [{"name": "a", "type": inner}]
    schema = parse({"type": "record", "name": "x.Root", "fields": fields})
    assert "Bare" in schema.types
    assert parse(to_avro(schema)) == schema


def test_the_text_is_indented_and_ends_with_a_newline() -> None:
    """The text of a schema is laid out for people, in their own script."""
    text = avsc_text(parse({"type": "record", "name": "T", "doc": "é", "fields": []}))
    assert text == ('{\n  "type": "record",\n  "name": "T",\n  "doc": "é",\n  "fields": []\n}\n')


def test_a_text_that_utf8_cannot_write_is_escaped() -> None:
    """Half of a surrogate pair in a doc does not keep a schema from being written."""
    text = avsc_text(parse({"type": "record", "name": "T", "doc": "\ud800", "fields": []}))
    assert text.encode("utf-8").decode("utf-8") == text
