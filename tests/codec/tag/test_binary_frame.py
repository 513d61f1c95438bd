"""The binary instar framing."""

from __future__ import annotations

import pytest
import xxhash
from hypothesis import given
from hypothesis import strategies as st

from instar.codec.limits import Limits
from instar.codec.tag import read_tag
from instar.codec.tag.binary_frame import RESIDUE, pack_binary, unpack_binary
from instar.codec.tag.header import BINARY_FORMATS, LARGEST_VERSION, Format
from instar.errors import (
    ChecksumMismatch,
    LimitExceeded,
    MalformedTag,
    NewerFrame,
    TrailingBytes,
    TruncatedBlob,
)

FINGERPRINT = 0x0123456789ABCDEF
BLOB = pack_binary("avro", 3, FINGERPRINT, b"\x02\x02a")


def resum(blob: bytes, sum_at: int = 17) -> bytes:
    """Write the right checksum into a blob whose bytes were changed on purpose."""
    rest = blob[:sum_at] + blob[sum_at + 4 :]
    return blob[:sum_at] + xxhash.xxh3_64_digest(rest)[:3:-1] + blob[sum_at + 4 :]


def test_layout() -> None:
    """Every field stands where the specification puts it."""
    head = bytes.fromhex("c1494e53 01 01 00 03 efcdab8967452301 03")
    body = b"\x02\x02a"
    digest = xxhash.xxh3_64_intdigest(head + body) & 0xFFFFFFFF
    assert head + digest.to_bytes(4, "little") + body == BLOB


@given(
    name=st.sampled_from(sorted(BINARY_FORMATS.values())),
    version=st.integers(1, LARGEST_VERSION),
    fingerprint=st.integers(0, 2**64 - 1),
    payload=st.binary(max_size=400),
    compress=st.booleans(),
)
def test_round_trip(
    name: Format, version: int, fingerprint: int, payload: bytes, compress: bool
) -> None:
    """What is packed is unpacked, and the tag says what was packed."""
    blob = pack_binary(name, version, fingerprint, payload, compress=compress)
    tag, unpacked = unpack_binary(blob)
    assert unpacked == payload
    assert (tag.format, tag.version, tag.fingerprint) == (name, version, fingerprint)
    assert tag.header_size + tag.payload_size == len(blob)
    assert tag.verified


@given(payload=st.binary(max_size=200), tail=st.binary(max_size=9))
def test_any_bytes_after_the_magic(payload: bytes, tail: bytes) -> None:
    """Bytes that only begin like a blob are never read."""
    with pytest.raises((TruncatedBlob, NewerFrame, MalformedTag, TrailingBytes, ChecksumMismatch)):
        unpack_binary(BLOB[:4] + payload + tail)


def test_empty_payload() -> None:
    """A payload of no bytes is a payload: Protobuf writes a state of defaults so."""
    assert unpack_binary(pack_binary("protobuf", 1, 0, b""))[1] == b""


def test_compression_pays() -> None:
    """Compression is used and flagged where it makes the blob smaller."""
    blob = pack_binary("avro", 3, FINGERPRINT, b"a" * 1000, compress=True)
    assert len(blob) < 100
    assert read_tag(blob).compressed


def test_compression_does_not_pay() -> None:
    """A payload that compression would enlarge is stored as it is."""
    blob = pack_binary("avro", 3, FINGERPRINT, b"\x02\x02a", compress=True)
    assert blob == BLOB


def test_cut() -> None:
    """A cut blob says how much of it is there."""
    with pytest.raises(TruncatedBlob, match="23 bytes are there of 24"):
        unpack_binary(BLOB[:-1])


def test_cut_in_header() -> None:
    """A blob that was cut within its tag is a cut blob too."""
    for size in range(1, 21):
        with pytest.raises(TruncatedBlob):
            unpack_binary(BLOB[:size])


def test_trailing_bytes() -> None:
    """Bytes after the end are refused."""
    with pytest.raises(TrailingBytes, match="4 bytes follow"):
        unpack_binary(BLOB + b"junk")


def test_doubled() -> None:
    """A blob appended to itself is refused."""
    with pytest.raises(TrailingBytes):
        unpack_binary(BLOB + BLOB)


def test_newer_frame_before_anything_else() -> None:
    """A newer revision is named, though nothing after it makes sense to this release."""
    with pytest.raises(NewerFrame) as caught:
        unpack_binary(BLOB[:4] + b"\x02\xff")
    assert (caught.value.have, caught.value.want) == (2, 1)


def test_revision_zero() -> None:
    """A revision that was never written is refused."""
    with pytest.raises(MalformedTag, match="revision 0"):
        unpack_binary(BLOB[:4] + b"\x00" + BLOB[5:])


@pytest.mark.parametrize("code", [0, 4, 5, 6, 255])
def test_format_code(code: int) -> None:
    """Text formats and unknown codes never stand in a binary frame."""
    with pytest.raises(MalformedTag, match="format code"):
        unpack_binary(resum(BLOB[:5] + bytes([code]) + BLOB[6:]))


@pytest.mark.parametrize("bit", range(2, 8))
def test_reserved_flag(bit: int) -> None:
    """Each reserved flag is refused, with a right checksum too."""
    with pytest.raises(MalformedTag, match="reserved"):
        unpack_binary(resum(BLOB[:6] + bytes([1 << bit]) + BLOB[7:]))


def test_residue_is_flagged() -> None:
    """The flag is told, and leaves the payload to the codec."""
    blob = resum(BLOB[:6] + bytes([RESIDUE]) + BLOB[7:])
    tag, payload = unpack_binary(blob)
    assert tag.residue
    assert read_tag(blob) == tag
    assert pack_binary(tag.format, tag.version or 0, tag.fingerprint, payload, residue=True) == blob


def test_longer_varint() -> None:
    """A number that is not in its shortest form is refused."""
    with pytest.raises(MalformedTag, match="shortest form"):
        unpack_binary(resum(BLOB[:7] + b"\x83\x00" + BLOB[8:], 18))


@pytest.mark.parametrize("digits", ["8080808008", "ffffffffff", "00"])
def test_version_out_of_range(digits: str) -> None:
    """A version of 0, or of more than 31 bits, is refused."""
    with pytest.raises(MalformedTag):
        unpack_binary(BLOB[:7] + bytes.fromhex(digits) + BLOB[8:])


@pytest.mark.parametrize("version", [0, -1, LARGEST_VERSION + 1])
def test_version_on_write(version: int) -> None:
    """A version that could not be read back is refused on write."""
    with pytest.raises(MalformedTag, match="version"):
        pack_binary("avro", version, 0, b"")


@pytest.mark.parametrize("fingerprint", [-1, 2**64])
def test_fingerprint_on_write(fingerprint: int) -> None:
    """A fingerprint that is not 64 bits is refused on write."""
    with pytest.raises(MalformedTag, match="fingerprint"):
        pack_binary("avro", 1, fingerprint, b"")


@pytest.mark.parametrize("name", ["json", "yaml", "xml"])
def test_format_on_write(name: Format) -> None:
    """A text format is not written in a binary frame."""
    with pytest.raises(MalformedTag, match=name):
        pack_binary(name, 1, 0, b"")


def test_size_limit_on_write_as_on_read() -> None:
    """The size that is refused on write is the size that is refused on read."""
    exact, less = Limits(blob_bytes=len(BLOB)), Limits(blob_bytes=len(BLOB) - 1)
    assert pack_binary("avro", 3, FINGERPRINT, b"\x02\x02a", limits=exact) == BLOB
    assert unpack_binary(BLOB, exact)[1] == b"\x02\x02a"
    with pytest.raises(LimitExceeded, match="24 bytes"):
        pack_binary("avro", 3, FINGERPRINT, b"\x02\x02a", limits=less)
    with pytest.raises(LimitExceeded, match="24 bytes"):
        unpack_binary(BLOB, less)
