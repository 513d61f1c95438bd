"""Schemas that come from elsewhere: what our readers give is sound, and what is sound opens."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from avro_documents import documents
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from schema_strategies import schemas

from instar.codec.codec import Codec
from instar.codec.default_check import wrong_types
from instar.codec.registry import Registry
from instar.codec.subject import Subject
from instar.errors import InstarError, SchemaError
from instar.schemas.avro import parse_avro
from instar.schemas.avro.roots import pruned
from instar.schemas.fingerprint import fingerprint
from instar.schemas.model import Field, Json, Optional, Record, Reference, Schema
from instar.schemas.portable import schema_from_text, schema_to_text
from instar.schemas.soundness import check_sound

ROOT = Path(__file__).resolve().parents[2]
REGISTRY = Registry.open(ROOT / "schemas", ROOT / "migrations")
REFERENCE = [
    schema
    for name in ("agent_state", "agent_command")
    for schema in REGISTRY.subject(name).schemas.values()
]


@pytest.mark.parametrize(
    "schema", REFERENCE, ids=lambda schema: f"{schema.subject}{schema.version}"
)
def test_reference_subjects_are_sound(schema: Schema) -> None:
    """Both languages: the text form is the same schema, of the same fingerprint, and sound."""
    again = schema_from_text(schema_to_text(schema))
    check_sound(again)
    assert again == schema
    assert fingerprint(again) == fingerprint(schema)


@settings(max_examples=60)
@given(documents())
def test_what_is_read_is_sound(document: dict[str, Any]) -> None:
    """Whatever the Avro reader gives is sound, and keeps its fingerprint as text."""
    schema = parse_avro(json.dumps(document), subject="s", version=1, where="s")
    again = schema_from_text(schema_to_text(schema))
    check_sound(again)
    assert fingerprint(again) == fingerprint(schema)


@settings(max_examples=8)
@given(schemas())
def test_random_schemas_keep_their_fingerprint(schema: Schema) -> None:
    """So do schemas that were made at random, with names that Python reserves."""
    kept = pruned(schema)
    again = schema_from_text(schema_to_text(kept))
    check_sound(again)
    assert (again, fingerprint(again)) == (kept, fingerprint(schema))


ODD: tuple[Any, ...] = (
    *(None, True, 0, -1, 10**30, 2**63, 1.5, "", "a b", "\ud800", "__class__", "a\0", [], {}),
    *("null", "bytes", "int", "uint64", "micros", "google.protobuf.Value", {"value": 1}),
    {"is": "json", "well_known": "google.protobuf.Timestamp"},
    {"is": "optional", "item": "null"},
    {"is": "optional", "item": "int", "null_at": 7},
    {"is": "union", "branches": []},
    {"is": "map", "values": "int", "keys": {"is": "json"}},
    {"is": "primitive", "kind": "string", "wire": "uint32"},
    {"is": "logical", "kind": "decimal", "base": "bytes"},
    {"is": "logical", "kind": "decimal", "base": "bytes", "precision": 10**30},
    {"is": "logical", "kind": "time", "base": "string", "unit": "nanos"},
    {"is": "logical", "kind": "uuid", "base": {"is": "optional", "item": "string"}},
)
KEYS = (
    *("type", "default", "unset", "well_known", "wire", "number", "json_name", "scale", "unit"),
    *("null_at", "encoding", "aliases", "protojson", "size", "base", "keys", "symbols"),
)


def places(node: Any, way: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The way to each part of a JSON value but itself."""
    items = node.items() if isinstance(node, dict) else enumerate(node)
    inner = [(*way, key) for key, _ in items]
    for step in list(inner):
        child = node[step[-1]]
        if isinstance(child, dict | list):
            inner += places(child, step)
    return inner


@st.composite
def hostile(draw: st.DrawFn) -> str:
    """The text of a schema of ours, of which some parts were replaced, added or moved."""
    document = json.loads(schema_to_text(draw(st.sampled_from(REFERENCE))))
    for _ in range(draw(st.integers(1, 3))):
        found = places(document)
        *way, last = draw(st.sampled_from(found))
        node = document
        for step in way:
            node = node[step]
        value = draw(st.sampled_from(ODD))
        if draw(st.booleans()):
            value = document
            for step in draw(st.sampled_from(found)):
                value = value[step]
        if isinstance(node, dict) and draw(st.booleans()):
            last = draw(st.sampled_from(KEYS))
        node[last] = json.loads(json.dumps(value))
    return json.dumps(document)


def use(schema: Schema) -> None:
    """Open the schema as two versions, and read and refuse bytes at both, in all formats."""
    both = [replace(schema, subject="s", version=version) for version in (1, 2)]
    subject = Subject(both)
    for error in wrong_types(subject):
        raise error
    for format_ in ("avro", "json", "msgpack", "protobuf"):
        codec: Codec[Any] = Registry({"s": subject}).codec("s", format=format_)
        for payload in (b"", b"\0" * 40, b"{}", b"\x80"):
            for version in (1, 2):
                with suppress(InstarError):
                    codec.decode(payload, legacy=2, version=version)


@settings(max_examples=100)
@given(hostile())
def test_a_hostile_schema_is_refused_or_works(text: str) -> None:
    """Whatever stands in a text, it is refused by an error of ours, or opens, reads and refuses."""
    try:
        schema = schema_from_text(text)
        check_sound(schema)
        use(schema)
    except InstarError:
        return


UNSOUND = {
    "version": lambda d: d.update(version=0),
    "subject": lambda d: d.update(subject=""),
    "type name": lambda d: rename_root(d, "a b"),
    "field name": lambda d: d["types"][0]["fields"][0].update(name="a-b"),
    "half a character": lambda d: d["types"][0]["fields"][0].update(json_name="\ud800"),
    "one key twice": lambda d: d["types"][0]["fields"][0].update(
        json_name=d["types"][0]["fields"][1]["name"]
    ),
    "no number": lambda d: d["types"][0]["fields"][0].update(number=19_500),
    "number twice": lambda d: [f.update(number=1) for f in d["types"][0]["fields"]],
    "wire": lambda d: d["types"][0]["fields"][0].update(
        type={"is": "primitive", "kind": "string", "wire": "uint32"}
    ),
    "decimal": lambda d: d["types"][0]["fields"][0].update(
        type={"is": "logical", "kind": "decimal", "base": "bytes", "precision": 10**9}
    ),
    "nested null": lambda d: d["types"][0]["fields"][0].update(
        type={"is": "optional", "item": "null"}
    ),
    "default": lambda d: d["types"][0]["fields"][0].update(default={"value": "\ud800"}),
}


def rename_root(document: dict[str, Any], name: str) -> None:
    document["root"] = document["types"][0]["name"] = name


@pytest.mark.parametrize("unsound", UNSOUND)
def test_what_no_reader_gives_is_refused(unsound: str) -> None:
    """Each kind of part that would break what stands on it is a SchemaError with its place."""
    document = json.loads(schema_to_text(REFERENCE[0]))
    root = document["types"]
    root.insert(0, root.pop(next(i for i, t in enumerate(root) if t["name"] == document["root"])))
    UNSOUND[unsound](document)
    with pytest.raises(SchemaError):
        check_sound(schema_from_text(json.dumps(document)))


def test_records_within_records_do_not_multiply() -> None:
    """Records that each hold all others, in ways beyond counting, do not make the check long."""
    names = [f"r{n}" for n in range(20)]
    fields = (*(Field(name, Optional(Reference(name))) for name in names), Field("any", Json()))
    types = {name: Record(name, fields) for name in names}
    check_sound(Schema("s", 1, "avro", "r0", types))


def test_records_that_are_used_twice_are_sound() -> None:
    """A long row of records that each hold the next one twice is a schema like any other."""
    types = {
        f"r{n}": Record(
            f"r{n}", (Field("a", Reference(f"r{n + 1}")), Field("b", Reference(f"r{n + 1}")))
        )
        for n in range(40)
    }
    types["r40"] = Record("r40", (Field("any", Json()),))
    check_sound(Schema("s", 1, "avro", "r0", types))


def test_too_many_types_are_refused() -> None:
    """The work that a schema makes grows faster than it does, so there is an end to its types."""
    types = {
        f"r{n}": Record(f"r{n}", (Field("a", Optional(Reference(f"r{n + 1}"))),))
        for n in range(2000)
    }
    types["r2000"] = Record("r2000", ())
    with pytest.raises(SchemaError, match="more than 2000 types"):
        check_sound(Schema("s", 1, "avro", "r0", types))


def test_a_sound_document_is_sound_before_it_is_spoilt() -> None:
    """What the cases above spoil is a sound schema."""
    check_sound(schema_from_text(schema_to_text(REFERENCE[0])))
