"""Keys that stand twice in one object."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from material import material

from instar.codec.codec import Codec
from instar.codec.registry import Registry
from instar.codec.repeats import refuse_json_repeats, refuse_msgpack_repeats
from instar.errors import CorruptPayload, InstarError, SchemaError
from instar.schemas.avro import parse_avro
from instar.schemas.numbering import number_fields
from instar.schemas.portable import schema_from_text, schema_to_text

INNER = {"type": "record", "name": "Inner", "fields": [{"name": "n", "type": "int"}]}
FIELDS = [
    {"name": "parts", "type": {"type": "array", "items": INNER}},
    {"name": "table", "type": {"type": "map", "values": "int"}},
    {"name": "free", "type": {"type": "bytes", "logicalType": "json"}},
]
SCHEMA = parse_avro(
    json.dumps({"type": "record", "name": "T", "fields": FIELDS}),
    subject="t",
    version=1,
    where="t.avsc",
)
REGISTRY = Registry.of(number_fields([SCHEMA]))
SOUND = {"parts": [{"n": 1}, {"n": 2}], "table": {"a": 1}, "free": {"x": {"y": 1}}}


class Twice(dict[str, Any]):
    """An object of JSON or MessagePack that has each of its keys twice."""


def to_json(value: Any) -> bytes:
    """JSON text in which every :class:`Twice` repeats its keys."""
    if isinstance(value, dict):
        members = [msgspec.json.encode(key) + b": " + to_json(item) for key, item in value.items()]
        return b"{" + b", ".join(members * (1 + isinstance(value, Twice))) + b"}"
    if isinstance(value, list):
        return b"[" + b",".join(map(to_json, value)) + b"]"
    return msgspec.json.encode(value)


def to_msgpack(value: Any) -> bytes:
    """MessagePack in which every :class:`Twice` repeats its keys, once in a longer form."""
    if isinstance(value, dict):
        members = [_pair(key, item) for key, item in value.items()]
        if isinstance(value, Twice):
            longer = [b"\xd9" + bytes([len(key.encode())]) + key.encode() for key in value]
            members += [
                key + to_msgpack(item) for key, item in zip(longer, value.values(), strict=True)
            ]
        return b"\xde" + len(members).to_bytes(2) + b"".join(members)
    if isinstance(value, list):
        return b"\xdd" + len(value).to_bytes(4) + b"".join(map(to_msgpack, value))
    return msgspec.msgpack.encode(value)


def _pair(key: str, item: Any) -> bytes:
    return msgspec.msgpack.encode(key) + to_msgpack(item)


WRITERS: dict[str, Any] = {"json": to_json, "msgpack": to_msgpack}
REPEATS = {
    "the root": (Twice(SOUND), "t"),
    "a record": ({**SOUND, "parts": [{"n": 1}, Twice(n=2)]}, r"t\.parts\[1\]"),
    "a map": ({**SOUND, "table": Twice(a=1)}, r"t\.table"),
    "a JSON value": ({**SOUND, "free": {"x y": [Twice(z=1)]}}, r"t\.free\['x y'\]\[0\]"),
}


@pytest.mark.parametrize("name", WRITERS)
@pytest.mark.parametrize(("value", "path"), REPEATS.values(), ids=REPEATS)
def test_a_payload_of_another_program_may_not_repeat_a_key(
    name: Any, value: Any, path: str
) -> None:
    """A key that stands twice is refused with its path, not read as the last of its values."""
    codec: Codec[Any] = REGISTRY.codec("t", format=name)
    with pytest.raises(CorruptPayload, match=f"^{path}: the key '.+' occurs twice"):
        codec.decode(WRITERS[name](value), legacy=1)


@pytest.mark.parametrize("name", WRITERS)
def test_a_payload_without_repeats_is_read(name: Any) -> None:
    """The same payload with every key once is read."""
    codec: Codec[Any] = REGISTRY.codec("t", format=name)
    assert codec.to_builtins(codec.decode(WRITERS[name](SOUND), legacy=1)) == SOUND


@pytest.mark.parametrize(
    "text", [b'{"a":1,"a":1}', b'[{"a": {"b": 1, "b": 2}}]', b'{"a":{"b":1,"b":2},"a":{}}']
)
def test_a_json_value_in_a_binary_payload_may_not_repeat_a_key(text: bytes) -> None:
    """JSON text that another program put into an Avro payload is held to the same."""
    codec: Codec[Any] = REGISTRY.codec("t", format="avro")
    before = bytes(2)  # no parts, no table
    payload = before + bytes([2 * len(text)]) + text
    with pytest.raises(CorruptPayload, match=r"t\.free.*occurs twice"):
        codec.decode(payload, legacy=1)
    spaced = b'{ "a" : [ {} ] }'
    state = codec.decode(before + bytes([2 * len(spaced)]) + spaced, legacy=1)
    assert codec.to_builtins(state)["free"] == {"a": [{}]}


@pytest.mark.parametrize("text", [b'{"a": 1, "a": 1}', b'[{"a": {"b": 1, "b": 2}}]'])
def test_a_json_default_may_not_repeat_a_key(text: bytes) -> None:
    """A default of the type json is refused at its place where an object has a key twice."""
    field = {**FIELDS[2], "default": text.decode()}
    document = json.dumps({"type": "record", "name": "T", "fields": [field]}, indent=1)
    with pytest.raises(SchemaError, match="occurs twice") as caught:
        parse_avro(document, subject="t", version=1, where="t.avsc")
    line = document[: document.index('"default"')].count("\n") + 1
    assert caught.value.where.startswith(f"t.avsc:{line}:")


def test_the_text_of_a_schema_may_not_repeat_a_key() -> None:
    """The text in generated code is held to the same."""
    text = schema_to_text(SCHEMA).replace('"subject":', '"subject":"u","subject":', 1)
    with pytest.raises(SchemaError, match="occurs twice"):
        schema_from_text(text)


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats(allow_nan=False)
    | st.text(max_size=40)
    | st.binary(max_size=3)
    | st.datetimes(timezones=st.timezones()),
    lambda inner: (
        st.lists(inner, max_size=20) | st.dictionaries(st.text(max_size=3), inner, max_size=20)
    ),
    max_leaves=40,
)


@given(VALUES)
def test_sound_payloads_pass(value: Any) -> None:
    """What has every key once is never refused, whatever else is in it."""
    data = msgspec.msgpack.encode(value)
    refuse_msgpack_repeats(data)
    refuse_msgpack_repeats(data[:-1])
    refuse_json_repeats(msgspec.json.encode(value))


@given(VALUES, VALUES)
def test_a_repeat_behind_anything_is_found(before: Any, inner: Any) -> None:
    """The walk of MessagePack keeps its place through every type."""
    value = [before, {"k": Twice(a=1)}, inner]
    with pytest.raises(InstarError, match=r"^\[1\]\.k: the key 'a'"):
        refuse_msgpack_repeats(to_msgpack(value))


def test_the_suite_of_json_parsers() -> None:
    """Whatever JSON parsers have to refuse, the value of a field of type json is refused for."""
    text = material("suites", "json-test-suite", "handout.jsonl").read_text(encoding="utf-8")
    codec: Codec[Any] = REGISTRY.codec("t", format="json")
    wrong: list[str] = []
    for case in map(json.loads, text.splitlines()):
        found = case["text"].encode() if "text" in case else bytes.fromhex(case["hex"])
        try:
            codec.decode(b'{"parts":[],"table":{},"free":' + found + b"}", legacy=1)
            read = True
        except InstarError:
            read = False
        if case["expect"] in {"accept", "reject"} and read != (case["expect"] == "accept"):
            wrong.append(case["name"])
    assert wrong == []
