"""Payloads under a valid tag that no honest writer makes: refused, and at once."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from evolutions import lines
from examples import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from instar import Codec, InstarError
from instar.codec.codec import Settings
from instar.codec.subject import Subject
from instar.codec.tag.binary_frame import pack_binary
from instar.codec.tag.header import Format
from instar.errors import CorruptPayload, ValueMismatch
from instar.schemas.model import (
    Array,
    Branch,
    Field,
    Map,
    Optional,
    Primitive,
    Record,
    Reference,
    Schema,
    Type,
    Union,
)
from instar.schemas.numbering import number_fields

FORMATS: tuple[Format, ...] = ("avro", "protobuf", "msgpack", "json", "yaml")
BINARY: tuple[Format, ...] = ("avro", "protobuf", "msgpack")
INT = Primitive("int")
NODE = Record("Node", (Field("v", INT), Field("next", Optional(Reference("Node")))))


def codec_of(*fields: Field, format_: Format = "avro") -> Codec[Any]:
    """A codec of a subject with one record of these fields, and a recursive one."""
    types = {"State": Record("State", fields), "Node": NODE}
    schema = Schema("state", 1, "avro", "State", types)
    return Codec(Subject(number_fields([schema])), Settings(1, format_))


def tagged(codec: Codec[Any], payload: bytes, format_: Format = "avro") -> bytes:
    """A payload under a tag that says it is what ``codec`` writes."""
    return pack_binary(format_, 1, codec.fingerprint, payload)


@pytest.mark.parametrize(
    ("kind", "payload", "reason"),
    [
        (INT, "80808080808000", "longer than its type"),
        (INT, "ffffffff7f", "longer than its type"),
        (Primitive("long"), "ffffffffffffffffffff01", "longer than its type"),
        (Primitive("boolean"), "02", "no boolean"),
        (Primitive("string"), "03616100", "negative"),
        (Primitive("string"), "02ff", "UTF-8"),
        (Primitive("string"), "fe6161", "ends in the middle"),
        (Array(INT), "80c2d72f00", "items has"),
        (Array(INT), "0363020000", "says"),
        (Array(Primitive("null")), "80dac40900", "take no bytes"),
        (Map(INT), "02026100", "ends in the middle"),
        (Optional(INT), "0102", "no branch"),
        (Optional(INT), "0402", "no branch"),
        (Union((Branch("int", INT), Branch("string", Primitive("string")))), "0102", "no branch"),
        (INT, "0202", "follow the end"),
        (INT, "", "ends in the middle"),
    ],
)
def test_avro_bytes_that_break_the_format_are_named(kind: Type, payload: str, reason: str) -> None:
    """Every length, count, index and number is checked against the bytes that are left."""
    codec = codec_of(Field("f", kind))
    with pytest.raises(CorruptPayload, match=reason):
        codec.decode(tagged(codec, bytes.fromhex(payload)))


@pytest.mark.parametrize(
    ("payload", "reason"),
    [
        ("", "f"),
        ("0a02", "no such message"),
        ("080108", "no such message"),
        ("100208011001", "unknown"),
        ("08ffffffffffffffffff01", "overlong"),
    ],
)
def test_protobuf_bytes_that_no_encoder_writes_are_refused(payload: str, reason: str) -> None:
    """Unknown fields, doubled fields and overlong numbers are not dropped, merged or cut."""
    codec = codec_of(Field("f", INT), format_="protobuf")
    if payload == "":
        # Zero is not written at all, so empty bytes are the state whose fields are zero.
        assert codec.decode(tagged(codec, b"", "protobuf")).f == 0
        return
    with pytest.raises(CorruptPayload, match=reason):
        codec.decode(tagged(codec, bytes.fromhex(payload), "protobuf"))


@pytest.mark.parametrize(
    "payload",
    ["dd7fffffff", "81a166c3", "81a1660102", "80", "82a16601a16702", "81a166cf8000000000000000"],
)
def test_msgpack_bytes_that_do_not_fit_are_refused(payload: str) -> None:
    """Huge counts, wrong types, trailing bytes, missing and unknown keys are errors."""
    codec = codec_of(Field("f", INT), format_="msgpack")
    with pytest.raises(CorruptPayload):
        codec.decode(tagged(codec, bytes.fromhex(payload), "msgpack"))


def chain(codec: Codec[Any], depth: int) -> Any:
    """A state that nests ``depth`` nodes."""
    node_class: Any = msgspec.structs.fields(codec.type)[0].type.__args__[0]
    node: Any = None
    for value in range(depth):
        node = node_class(v=value, next=node)
    return codec.type(head=node)


@pytest.mark.parametrize("format_", FORMATS)
def test_depth_is_limited_alike_in_every_format(format_: Format) -> None:
    """What nests 99 deep comes back; 101 is refused before anything is written."""
    codec = codec_of(Field("head", Optional(Reference("Node"))), format_=format_)
    state = chain(codec, 98)
    assert codec.decode(codec.encode(state)) == state
    for depth in (101, 5_000):
        with pytest.raises(ValueMismatch, match="nested more than 100 deep"):
            codec.encode(chain(codec, depth))


def test_a_deep_payload_is_an_error_and_no_crash() -> None:
    """Ten kilobytes of nesting end in an InstarError in every binary format."""
    avro = codec_of(Field("head", Optional(Reference("Node"))))
    with pytest.raises(CorruptPayload, match="deep"):
        avro.decode(tagged(avro, b"\x02\x00" * 5000 + b"\x00"))
    packed = codec_of(Field("head", Optional(Reference("Node"))), format_="msgpack")
    deep = b"\x81\xa4head" + b"\x82\xa1v\x00\xa4next" * 5000 + b"\xc0"
    with pytest.raises(CorruptPayload):
        packed.decode(tagged(packed, deep, "msgpack"))
    message = b""
    for _ in range(2000):
        size = len(message) + 2
        body = b"\x08\x01" + message
        length = bytes([size & 0x7F | 0x80, size >> 7 & 0x7F | 0x80, size >> 14])
        message = b"\x12" + length + body
    proto = codec_of(Field("head", Optional(Reference("Node"))), format_="protobuf")
    with pytest.raises(CorruptPayload):
        proto.decode(tagged(proto, b"\x0a" + message[1:], "protobuf"))


def test_five_bytes_cannot_ask_for_millions_of_items() -> None:
    """A count is judged before any item is made."""
    codec = codec_of(Field("f", Array(Primitive("null"))))
    with pytest.raises(CorruptPayload):
        codec.decode(tagged(codec, bytes.fromhex("80dac40900")))


@pytest.mark.parametrize("format_", BINARY)
@settings(max_examples=examples(150))
@given(line=lines(2), data=st.data())
def test_any_payload_gives_a_writable_state_or_an_error(
    format_: Format, line: tuple[Schema, ...], data: st.DataObject
) -> None:
    """Random bytes never crash, and what they decode to can be encoded again."""
    subject = Subject(line)
    codec = Codec[Any](subject, Settings(1, format_))
    payload = data.draw(st.binary(max_size=40))
    try:
        state = codec.decode(pack_binary(format_, 1, codec.fingerprint, payload))
    except InstarError:
        return
    assert codec.decode(codec.encode(state)) is not None
