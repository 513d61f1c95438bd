"""Finding out what a blob is."""

from __future__ import annotations

import pytest

from instar.codec.tag import read_tag, unpack
from instar.codec.tag.binary_frame import pack_binary
from instar.codec.tag.single_object import pack_single_object
from instar.codec.tag.text_frame import pack_json, pack_yaml
from instar.errors import EmptyBlob, TruncatedBlob, Untagged

BLOBS = {
    "avro": pack_binary("avro", 2, 7, b"\x00"),
    "protobuf": pack_binary("protobuf", 2, 7, b"\x08\x01"),
    "msgpack": pack_binary("msgpack", 2, 7, b"\x80"),
    "json": pack_json("agent_state", 2, 7, b'{"a":1}'),
    "yaml": pack_yaml("agent_state", 2, 7, b"a: 1\n"),
}


@pytest.mark.parametrize("name", BLOBS)
def test_format(name: str) -> None:
    """The format of a blob is read from the blob."""
    tag = read_tag(BLOBS[name])
    assert (tag.format, tag.version, tag.fingerprint) == (name, 2, 7)


@pytest.mark.parametrize("name", BLOBS)
def test_buffers(name: str) -> None:
    """bytes, bytearray and memoryview are read alike."""
    blob = BLOBS[name]
    assert unpack(bytearray(blob)) == unpack(memoryview(blob)) == unpack(blob)


@pytest.mark.parametrize("name", BLOBS)
def test_read_tag_and_unpack_agree(name: str) -> None:
    """The tag is the same whether or not the payload is wanted."""
    assert read_tag(BLOBS[name]) == unpack(BLOBS[name])[0]


def test_single_object() -> None:
    """Avro's own framing is told from ours."""
    assert read_tag(pack_single_object(7, b"")).framing == "avro-single-object"


def test_empty() -> None:
    """No bytes are an error of their own, not a state of defaults."""
    with pytest.raises(EmptyBlob):
        read_tag(b"")


@pytest.mark.parametrize(
    "blob",
    [bytes(44), b"\x00\x02", b"hello", b"\x80", b"\x08\x01", b"[1]", b'"text"', b'{"id":1}',
     b"{", b"{not json", b"a: 1\n", b"\xc2INS\x01", b"PK\x03\x04", b"\x1f\x8b", b"\xc3"],
)  # fmt: skip
def test_untagged(blob: bytes) -> None:
    """Bytes without a tag are refused, whatever they might be."""
    with pytest.raises(Untagged):
        read_tag(blob)


def test_cut_magic() -> None:
    """A blob cut within its magic is a cut blob."""
    with pytest.raises(TruncatedBlob):
        read_tag(b"\xc1IN")


def test_yaml_that_only_mentions_a_tag() -> None:
    """A $schema key below the top level is no tag."""
    with pytest.raises(Untagged):
        read_tag(b"text: |\n  x\n$schem: y\n")
