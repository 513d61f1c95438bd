"""The binary instar framing, as ``docs/reference/blob.md`` specifies it."""

from __future__ import annotations

from typing import NamedTuple

from ...errors import (
    ChecksumMismatch,
    MalformedTag,
    NewerFrame,
    TrailingBytes,
    TruncatedBlob,
    Untagged,
)
from ..limits import DEFAULT_LIMITS, Limits, check_blob_size
from .checksum import checksum
from .compression import compress as compress_payload
from .compression import decompress
from .header import (
    BINARY_FORMATS,
    FORMAT_CODES,
    LARGEST_VERSION,
    Format,
    Tag,
    check_fingerprint,
    check_version,
)
from .quick import quick_frame

MAGIC = b"\xc1INS"
REVISION = 1
ZSTD = 0x01
RESIDUE = 0x02

_VERSION_AT = 7
_SUM_SIZE = 4
_MORE = 0x80  # In LEB128, the bit that says another byte follows.


class BinaryHeader(NamedTuple):
    """The fields before the payload, unchecked, and the offsets where they stop."""

    code: int
    flags: int
    version: int
    version_stop: int
    fingerprint: int
    length: int
    sum_start: int
    sum: int
    stop: int


def pack_binary(  # noqa: PLR0913 - a tag has that many fields
    format: Format,  # noqa: A002 - the design's word, and the built-in is not used here
    version: int,
    fingerprint: int,
    payload: bytes,
    *,
    compress: bool = False,
    residue: bool = False,
    limits: Limits = DEFAULT_LIMITS,
) -> bytes:
    """Frame an Avro, Protobuf or MessagePack payload.

    ``compress`` stores it compressed where that is smaller. ``residue`` says that there is
    some in the payload, or a section of it before. Raises MalformedTag where the
    tag cannot say this, LimitExceeded, and MissingExtra without zstandard.
    """
    code = _binary_code(format)
    if not (compress or residue):
        blob: bytes = quick_frame(code, version, fingerprint, payload, limits.blob_bytes)
        if blob is not NotImplemented:
            return blob
    check_version(version)
    check_fingerprint(fingerprint)
    flags, body = _body(payload, compress, limits)
    flags |= RESIDUE if residue else 0
    if len(body) > LARGEST_VERSION:
        raise MalformedTag(f"a payload of {len(body)} bytes does not fit a tag")
    head = MAGIC + bytes((REVISION, code, flags)) + _varint(version)
    head += fingerprint.to_bytes(8, "little") + _varint(len(body))
    check_blob_size(len(head) + _SUM_SIZE + len(body), limits)
    return b"".join((head, checksum(head, body).to_bytes(_SUM_SIZE, "little"), body))


def unpack_binary(
    blob: bytes, limits: Limits = DEFAULT_LIMITS, *, verify: bool = True
) -> tuple[Tag, bytes]:
    """The tag and the payload, decompressed. Raises BlobError, LimitExceeded, MissingExtra."""
    check_blob_size(len(blob), limits)
    tag = read_binary(blob) if verify else tag_of(read_header(blob), verified=False)
    payload = blob[tag.header_size :]
    return tag, decompress(payload, limits) if tag.compressed else payload


def read_binary(blob: bytes) -> Tag:
    """The tag, with the checksum verified. Raises BlobError."""
    head = read_header(blob)
    if computed_sum(blob, head) != head.sum:
        raise ChecksumMismatch(
            "the bytes are not those that were written: the checksum does not match",
            mend="restore the blob from a copy",
        )
    return tag_of(head, verified=True)


def tag_of(head: BinaryHeader, *, verified: bool) -> Tag:
    """What a header says."""
    return Tag(
        framing="instar",
        format=BINARY_FORMATS[head.code],
        subject=None,
        version=head.version,
        fingerprint=head.fingerprint,
        compressed=bool(head.flags & ZSTD),
        residue=bool(head.flags & RESIDUE),
        header_size=head.stop,
        payload_size=head.length,
        sum=head.sum,
        verified=verified,
    )


def read_header(blob: bytes) -> BinaryHeader:
    """The fields of the header, the checksum not yet verified. Raises BlobError."""
    _check_start(blob)
    code, flags = blob[5], blob[6]
    version, version_stop = _read_varint(blob, _VERSION_AT)
    length, sum_start = _read_varint(blob, version_stop + 8)
    stop = sum_start + _SUM_SIZE
    _check_fields(code, flags, version)
    _check_length(len(blob), stop, length)
    return BinaryHeader(
        code=code,
        flags=flags,
        version=version,
        version_stop=version_stop,
        fingerprint=int.from_bytes(blob[version_stop : version_stop + 8], "little"),
        length=length,
        sum_start=sum_start,
        sum=int.from_bytes(blob[sum_start:stop], "little"),
        stop=stop,
    )


def computed_sum(blob: bytes, head: BinaryHeader) -> int:
    """The checksum that the bytes of ``blob`` really have."""
    return checksum(blob[: head.sum_start], blob[head.stop :])


def _binary_code(name: Format) -> int:
    code = FORMAT_CODES.get(name, 0)
    if code not in BINARY_FORMATS:
        raise MalformedTag(
            f"format {name} is never written in a binary frame",
            mend=f"binary formats are {', '.join(BINARY_FORMATS.values())}",
        )
    return code


def _body(payload: bytes, compress: bool, limits: Limits) -> tuple[int, bytes]:
    if compress and payload:
        smaller = compress_payload(payload, limits)
        if len(smaller) < len(payload):
            return ZSTD, smaller
    return 0, payload


def _check_start(blob: bytes) -> None:
    if not blob.startswith(MAGIC[: len(blob)]):
        raise Untagged("the bytes do not begin with the magic of a binary frame")
    if len(blob) > len(MAGIC):
        _check_revision(blob[4])
    if len(blob) <= _VERSION_AT:
        raise _cut(blob)


def _check_revision(revision: int) -> None:
    if revision > REVISION:
        raise NewerFrame(revision, REVISION)
    if revision != REVISION:
        raise MalformedTag(f"frame revision {revision} was never written")


def _check_fields(code: int, flags: int, version: int) -> None:
    if code not in BINARY_FORMATS:
        raise MalformedTag(f"format code {code} is not one of a binary format")
    if flags & ~(ZSTD | RESIDUE):
        raise MalformedTag(f"flags {flags:#04x} use bits that are reserved")
    check_version(version)


def _check_length(size: int, stop: int, length: int) -> None:
    expected = stop + length
    if size < expected:
        raise TruncatedBlob(
            f"the blob was cut: {size} bytes are there of {expected}",
            mend="restore the blob from a copy",
        )
    if size > expected:
        raise TrailingBytes(f"{size - expected} bytes follow the end of the blob at {expected}")


def _cut(blob: bytes) -> TruncatedBlob:
    return TruncatedBlob(
        f"the blob was cut: {len(blob)} bytes are there and the tag is longer",
        mend="restore the blob from a copy",
    )


def _varint(number: int) -> bytes:
    """LEB128, lowest seven bits first."""
    groups = bytearray()
    while number >= _MORE:
        groups.append(number & 0x7F | _MORE)
        number >>= 7
    groups.append(number)
    return bytes(groups)


def _read_varint(blob: bytes, start: int) -> tuple[int, int]:
    """A LEB128 number of at most 31 bits and the offset where it stops."""
    number = shift = 0
    for at in range(start, start + 5):
        if at >= len(blob):
            raise _cut(blob)
        byte = blob[at]
        number |= (byte & 0x7F) << shift
        if byte < _MORE:
            return _checked_varint(number, byte, shift), at + 1
        shift += 7
    raise MalformedTag(f"the number at byte {start} is longer than five bytes")


def _checked_varint(number: int, last: int, shift: int) -> int:
    # One spelling per number: otherwise equal states could have different bytes.
    if shift and not last:
        raise MalformedTag(f"the number {number} is not written in its shortest form")
    if number > LARGEST_VERSION:
        raise MalformedTag(f"the number {number} is larger than {LARGEST_VERSION}")
    return number
