"""Avro single-object framing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from instar.codec.limits import Limits
from instar.codec.tag import unpack
from instar.codec.tag.single_object import pack_single_object, unpack_single_object
from instar.errors import LimitExceeded, MalformedTag, TruncatedBlob, Untagged

# The fixed vector: schema lab.S {id: long, note: string}, value {1, "a"}.
VECTOR = bytes.fromhex("c301d209adc3e02d01c6020261")
WIRE_FINGERPRINT = 0xC6012DE0C3AD09D2


def test_vector_is_written() -> None:
    """The bytes are exactly those that every Avro implementation writes."""
    assert pack_single_object(WIRE_FINGERPRINT, b"\x02\x02a") == VECTOR


def test_vector_is_read() -> None:
    """The wire fingerprint is little-endian, and the rest is the payload."""
    tag, payload = unpack(VECTOR)
    assert (tag.framing, tag.format) == ("avro-single-object", "avro")
    assert (tag.fingerprint, tag.version, tag.subject) == (WIRE_FINGERPRINT, None, None)
    assert payload == b"\x02\x02a"


def test_nothing_vouches() -> None:
    """A framing without a checksum is never called verified."""
    tag, _ = unpack(VECTOR)
    assert (tag.sum, tag.verified) == (None, False)


@given(fingerprint=st.integers(0, 2**64 - 1), payload=st.binary(max_size=50))
def test_round_trip(fingerprint: int, payload: bytes) -> None:
    """What is packed is unpacked."""
    tag, unpacked = unpack_single_object(pack_single_object(fingerprint, payload))
    assert (tag.fingerprint, unpacked) == (fingerprint, payload)


def test_cut() -> None:
    """A header that was cut is refused."""
    for size in range(2, 10):
        with pytest.raises(TruncatedBlob, match=f"{size} bytes"):
            unpack(VECTOR[:size])


def test_other_marker() -> None:
    """Bytes without the marker are not of this framing."""
    with pytest.raises(Untagged):
        unpack_single_object(b"\xc3\x02" + VECTOR[2:])


def test_fingerprint_on_write() -> None:
    """A fingerprint that is not 64 bits is refused."""
    with pytest.raises(MalformedTag):
        pack_single_object(-1, b"")


def test_size_limit_on_write_as_on_read() -> None:
    """The size that is refused on write is the size that is refused on read."""
    less = Limits(blob_bytes=len(VECTOR) - 1)
    with pytest.raises(LimitExceeded):
        pack_single_object(WIRE_FINGERPRINT, b"\x02\x02a", limits=less)
    with pytest.raises(LimitExceeded):
        unpack_single_object(VECTOR, less)
