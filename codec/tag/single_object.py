"""Avro single-object framing, as the Avro specification defines it: no checksum, no version."""

from __future__ import annotations

from ...errors import TruncatedBlob, Untagged
from ..limits import DEFAULT_LIMITS, Limits, check_blob_size
from .header import Tag, check_fingerprint

MARKER = b"\xc3\x01"
HEADER_SIZE = 10


def pack_single_object(
    wire_fingerprint: int, payload: bytes, *, limits: Limits = DEFAULT_LIMITS
) -> bytes:
    """Frame an Avro payload. Raises MalformedTag, LimitExceeded."""
    check_fingerprint(wire_fingerprint)
    check_blob_size(HEADER_SIZE + len(payload), limits)
    return MARKER + wire_fingerprint.to_bytes(8, "little") + payload


def unpack_single_object(blob: bytes, limits: Limits = DEFAULT_LIMITS) -> tuple[Tag, bytes]:
    """The tag and the payload. Raises Untagged, TruncatedBlob, LimitExceeded."""
    check_blob_size(len(blob), limits)
    return read_single_object(blob), blob[HEADER_SIZE:]


def read_single_object(blob: bytes) -> Tag:
    """The tag; its fingerprint is the wire fingerprint. Raises Untagged, TruncatedBlob."""
    if not blob.startswith(MARKER):
        raise Untagged("the bytes do not begin with the marker of Avro's single-object framing")
    if len(blob) < HEADER_SIZE:
        raise TruncatedBlob(
            f"the blob was cut: {len(blob)} bytes are there and the tag has {HEADER_SIZE}",
            mend="restore the blob from a copy",
        )
    return Tag(
        framing="avro-single-object",
        format="avro",
        subject=None,
        version=None,
        fingerprint=int.from_bytes(blob[2:HEADER_SIZE], "little"),
        compressed=False,
        residue=False,
        header_size=HEADER_SIZE,
        payload_size=len(blob) - HEADER_SIZE,
        sum=None,
        verified=False,
    )
