from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest
from avro_documents import documents
from examples import examples
from hypothesis import given, settings
from msgspec.structs import replace

from instar.schemas.avro import parse_avro
from instar.schemas.canonical import canonical_text
from instar.schemas.fingerprint import fingerprint, wire_fingerprint
from instar.schemas.model import Schema

TEXT = """{"type": "record", "name": "lab.T", "aliases": ["A", "B"], "doc": "Doc.", "fields": [
  {"name": "n", "type": "int", "default": 1, "doc": "Doc.", "aliases": ["m", "l"]},
  {"name": "at", "type": {"type": "long", "logicalType": "timestamp-millis"}},
  {"name": "e", "type": {"type": "enum", "name": "E", "symbols": ["X", "Y"], "default": "Y"}},
  {"name": "u", "type": ["null", "string"], "default": null},
  {"name": "v", "type": {"type": "array", "items": "float", "vector": true}},
  {"name": "k", "type": "string", "json": "key", "absent": true}]}"""


def parse(text: str) -> Schema:
    return parse_avro(text, subject="t", version=1, where="t.avsc")


MEANING: dict[str, tuple[str, str]] = {
    "type name": ("lab.T", "lab.U"),
    "field name": ('"name": "n"', '"name": "nn"'),
    "field type": ('"type": "int"', '"type": "long"'),
    "default": ('"default": 1', '"default": 2'),
    "no default": (' "default": 1,', ""),
    "logical type": ("timestamp-millis", "timestamp-micros"),
    "no logical type": (', "logicalType": "timestamp-millis"', ""),
    "symbol": ('"X", "Y"', '"Z", "Y"'),
    "order of symbols": ('"X", "Y"', '"Y", "X"'),
    "enum default": ('"default": "Y"', '"default": "X"'),
    "type alias": ('["A", "B"]', '["A"]'),
    "field alias": ('["m", "l"]', '["m"]'),
    "place of null": ('["null", "string"]', '["string", "null"]'),
    "vector": (', "vector": true', ""),
    "JSON key": ('"key"', '"other"'),
    "absence": (', "absent": true', ""),
}


@pytest.mark.parametrize(("old", "new"), list(MEANING.values()), ids=MEANING.keys())
def test_a_change_of_meaning_changes_the_fingerprint(old: str, new: str) -> None:
    """Whatever changes what a schema means gives it another fingerprint."""
    assert old in TEXT
    assert fingerprint(parse(TEXT)) != fingerprint(parse(TEXT.replace(old, new)))


SILENT: dict[str, Callable[[Schema], Schema]] = {
    "docs": lambda _: parse(TEXT.replace("Doc.", "Another doc.")),
    "deprecation": lambda _: parse(TEXT.replace('"absent"', '"deprecated": true, "absent"')),
    "order of aliases": lambda _: parse(TEXT.replace('"m", "l"', '"l", "m"')),
    "order of keys": lambda _: parse(json.dumps(json.loads(TEXT), sort_keys=True)),
    "subject": lambda schema: replace(schema, subject="other"),
    "version": lambda schema: replace(schema, version=9),
    "order of types": lambda schema: replace(
        schema, types=dict(reversed(list(schema.types.items())))
    ),
}


@pytest.mark.parametrize("change", list(SILENT.values()), ids=SILENT.keys())
def test_what_changes_no_meaning_keeps_the_fingerprint(change: Callable[[Schema], Schema]) -> None:
    """Docs, order of writing, subject and version are no part of a schema's identity."""
    schema = parse(TEXT)
    assert fingerprint(change(schema)) == fingerprint(schema)


def test_numbers_are_part_of_the_fingerprint() -> None:
    """A field that changes its Protobuf number is another schema."""
    schema = parse(TEXT)
    first, *others = schema.record.fields
    fields = (replace(first, number=7), *others)
    types = {**schema.types, schema.root: replace(schema.record, fields=fields)}
    assert fingerprint(replace(schema, types=types)) != fingerprint(schema)


def test_types_that_the_root_does_not_use_are_left_out() -> None:
    """A named type that nothing uses changes no fingerprint."""
    schema = parse(TEXT)
    types = {**schema.types, "lab.Lost": replace(schema.record, name="lab.Lost")}
    assert fingerprint(replace(schema, types=types)) == fingerprint(schema)


def test_the_canonical_text_is_fixed() -> None:
    """The text below a fingerprint never changes, whatever else does."""
    assert canonical_text(parse(TEXT)) == (
        '{"root":"lab.T","types":[{"default":"Y","is":"enum","name":"lab.E","symbols":['
        '{"is":"symbol","name":"X","number":0},{"is":"symbol","name":"Y","number":1}]},'
        '{"aliases":["lab.A","lab.B"],"fields":['
        '{"aliases":["l","m"],"default":{"value":1},"is":"field","name":"n","type":"int"},'
        '{"is":"field","name":"at","type":{"base":"long","is":"logical","kind":"timestamp",'
        '"unit":"millis"}},'
        '{"is":"field","name":"e","type":{"is":"reference","name":"lab.E"}},'
        '{"default":{"value":null},"is":"field","name":"u",'
        '"type":{"is":"optional","item":"string"}},'
        '{"is":"field","name":"v","type":{"is":"array","items":"float","vector":true}},'
        '{"absent":true,"is":"field","json_name":"key","name":"k","type":"string"}],'
        '"is":"record","name":"lab.T"}]}'
    )
    assert f"{fingerprint(parse(TEXT)):016x}" == "d55d1c4039412699"


WIRE = '{"type":"record","name":"lab.S","fields":[{"name":"id","type":"long"}%s]}'
NOTE = ',{"name":"note","type":"string"}'


def test_the_wire_fingerprint_is_that_of_avro() -> None:
    """CRC-64-AVRO of a known schema has the value that other implementations give."""
    assert wire_fingerprint(parse(WIRE % NOTE)) == 0xC6012DE0C3AD09D2


def test_the_wire_fingerprint_is_blind_to_all_but_layout() -> None:
    """Defaults, aliases and logical types leave the wire fingerprint as it is."""
    plain = wire_fingerprint(parse(WIRE % ""))
    rich = WIRE.replace('"type":"long"', '"type":"long","default":5,"aliases":["was"]')
    assert wire_fingerprint(parse(rich % "")) == plain
    assert wire_fingerprint(parse(WIRE % NOTE)) != plain


SCRIPT = """
import sys
from instar.schemas.avro import parse_avro
from instar.schemas.fingerprint import fingerprint, wire_fingerprint
schema = parse_avro(sys.argv[1], subject="t", version=1, where="t")
print(fingerprint(schema), wire_fingerprint(schema))
"""


@pytest.mark.parametrize("seed", ["0", "1", "4242"])
def test_fingerprints_are_the_same_in_every_process(seed: str) -> None:
    """Neither the seed of Python's hashes nor the process changes a fingerprint."""
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, TEXT],
        env={**os.environ, "PYTHONHASHSEED": seed},
        capture_output=True,
        text=True,
        check=True,
    )
    schema = parse(TEXT)
    assert done.stdout.split() == [str(fingerprint(schema)), str(wire_fingerprint(schema))]


@settings(max_examples=examples(60))
@given(documents())
def test_every_schema_has_both_fingerprints(document: dict[str, Any]) -> None:
    """Each schema that is read has two 64-bit fingerprints, the same when read again."""
    text = json.dumps(document)
    schema = parse(text)
    assert 0 <= fingerprint(schema) < 2**64
    assert 0 <= wire_fingerprint(schema) < 2**64
    assert fingerprint(parse(text)) == fingerprint(schema)


def test_the_language_is_part_of_the_meaning() -> None:
    """An integer that Avro defined takes other bytes in Protobuf than one of a .proto."""
    schema = parse(TEXT)
    assert fingerprint(replace(schema, language="protobuf")) != fingerprint(schema)
