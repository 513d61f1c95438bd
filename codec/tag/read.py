"""Finds out what a blob is: reads its tag, whatever the framing and format."""

from __future__ import annotations

import re
from typing import Any, Literal, TypeAlias

from ...errors import BlobError, CorruptPayload, EmptyBlob
from ..limits import DEFAULT_LIMITS, Limits, check_blob_size
from .binary_frame import MAGIC, read_binary, read_header, tag_of, unpack_binary
from .header import BINARY_FORMATS, Blob, Format, Framing, Tag
from .quick import quick_head
from .single_object import MARKER, read_single_object, unpack_single_object
from .text_document import BYTE_ORDER_MARK, untagged
from .text_frame import JSON_LAYOUT, YAML_LAYOUT, peek_text, unpack_text

__all__ = [
    "Blob",
    "Format",
    "Framing",
    "Lead",
    "Tag",
    "as_bytes",
    "lead_of",
    "peek",
    "read_tag",
    "unpack",
]

Lead: TypeAlias = Literal["binary", "single-object", "json", "yaml"]

_JSON_START = re.compile(rb"[ \t\r\n]*\{")
_YAML_KEY = re.compile(rb"""^(?:\$schema|"\$schema"|'\$schema')[ \t]*:""", re.MULTILINE)


def read_tag(blob: Blob) -> Tag:
    """The tag of ``blob``, its checksum verified where it carries one.

    Raises BlobError; a document that another tool laid out is parsed whole to find its tag,
    so LimitExceeded and MissingExtra can occur too.
    """
    head = quick_head(blob)
    if head is not NotImplemented:
        code, version, fingerprint, start, size, total = head
        return Tag(
            "instar",
            BINARY_FORMATS[code],
            None,
            version,
            fingerprint,
            False,
            False,
            start,
            size,
            total,
            True,
        )
    data = as_bytes(blob)
    lead = lead_of(data)
    if lead == "binary":
        return read_binary(data)
    if lead == "single-object":
        return read_single_object(data)
    return _unpack_text(data, lead, DEFAULT_LIMITS)[0]


def unpack(
    blob: Blob, limits: Limits = DEFAULT_LIMITS, *, verify: bool = True
) -> tuple[Tag, bytes | dict[str, Any]]:
    """The tag and the payload, decompressed; a binary blob's checksum is compared if ``verify``.

    The payload is a dict only for text that another tool or a person laid out; then
    ``tag.verified`` is false. Raises BlobError, LimitExceeded, MissingExtra.
    """
    data = as_bytes(blob)
    lead = lead_of(data)
    if lead == "binary":
        return unpack_binary(data, limits, verify=verify)
    if lead == "single-object":
        return unpack_single_object(data, limits)
    return _unpack_text(data, lead, limits)


def peek(blob: Blob, limits: Limits = DEFAULT_LIMITS) -> Tag:
    """The tag of ``blob``, whose checksum is not compared.

    Raises BlobError; text that another tool laid out is parsed whole, as by ``read_tag``.
    """
    data = as_bytes(blob)
    lead = lead_of(data)
    check_blob_size(len(data), limits)
    if lead == "binary":
        return tag_of(read_header(data), verified=False)
    if lead == "single-object":
        return read_single_object(data)
    tag = peek_text(data, JSON_LAYOUT if lead == "json" else YAML_LAYOUT)
    return tag or _unpack_text(data, lead, limits)[0]


def as_bytes(blob: object) -> bytes:
    """The bytes of a blob. Raises BlobError for what is no bytes at all."""
    if isinstance(blob, bytes):
        return blob
    if isinstance(blob, bytearray):
        return bytes(blob)
    if isinstance(blob, memoryview):
        return blob.tobytes()
    raise BlobError(f"a blob is bytes, and this is {type(blob).__name__}")


def lead_of(blob: bytes) -> Lead:
    """What the leading bytes say the blob is. Raises EmptyBlob, Untagged."""
    if not blob:
        raise EmptyBlob("there are no bytes", mend="a crashed writer leaves an empty file")
    if blob.startswith(MAGIC[: len(blob)]):
        return "binary"
    if blob.startswith(MARKER):
        return "single-object"
    text = blob.removeprefix(BYTE_ORDER_MARK)
    if _JSON_START.match(text):
        return "json"
    if _YAML_KEY.search(text):
        return "yaml"
    raise untagged("the bytes carry no tag")


def _unpack_text(
    data: bytes, lead: Literal["json", "yaml"], limits: Limits
) -> tuple[Tag, bytes | dict[str, Any]]:
    layout = JSON_LAYOUT if lead == "json" else YAML_LAYOUT
    try:
        if data.startswith(BYTE_ORDER_MARK):
            # Not verified; yet where only the mark was added, $sum still tells an edit.
            unpack_text(data.removeprefix(BYTE_ORDER_MARK), layout, limits)
        return unpack_text(data, layout, limits)
    except CorruptPayload as error:
        if b"$schema" in data:
            raise
        raise _no_tag(error) from error


def _no_tag(error: CorruptPayload) -> BlobError:
    return untagged(f"the bytes carry no tag ({error.what})")
