"""What a tag says, whichever framing it was written in."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from ...errors import MalformedTag

Format: TypeAlias = Literal["avro", "protobuf", "msgpack", "json", "yaml"]
Framing: TypeAlias = Literal["instar", "avro-single-object"]
Blob: TypeAlias = bytes | bytearray | memoryview

# Codes are written into blobs, so they are never changed or used again.
FORMAT_CODES: dict[Format, int] = {"avro": 1, "protobuf": 2, "msgpack": 3, "json": 4, "yaml": 5}
BINARY_FORMATS: dict[int, Format] = {1: "avro", 2: "protobuf", 3: "msgpack"}
LARGEST_VERSION = 2**31 - 1


class Tag(msgspec.Struct, frozen=True):
    """The header of a blob, read.

    ``subject`` is known from the text formats only, ``version`` from every framing but
    Avro's. ``fingerprint`` is that of the writer schema, in Avro's framing the wire
    fingerprint. Sizes are bytes as stored; ``header_size`` is 0 where the tag has no fixed
    place, in text that another tool laid out, and white space around a text is in neither.
    ``sum`` is the checksum that the blob
    carries, and ``verified`` says that the bytes were found to match it.
    """

    framing: Framing
    format: Format
    subject: str | None
    version: int | None
    fingerprint: int
    compressed: bool
    residue: bool
    header_size: int
    payload_size: int
    sum: int | None
    verified: bool


def check_version(version: int) -> None:
    """Raise MalformedTag where a tag cannot hold this version."""
    if not 1 <= version <= LARGEST_VERSION:
        raise MalformedTag(
            f"version {version} is not between 1 and {LARGEST_VERSION}",
            mend="number versions from 1",
        )


def check_fingerprint(fingerprint: int) -> None:
    """Raise MalformedTag where a fingerprint is not an unsigned 64-bit number."""
    if not 0 <= fingerprint < 1 << 64:
        raise MalformedTag(f"fingerprint {fingerprint} is not an unsigned 64-bit number")
