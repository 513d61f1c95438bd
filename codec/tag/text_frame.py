"""The tag of the text formats: the keys ``$schema`` and ``$sum``, as
``docs/reference/blob.md`` specifies them.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ...errors import BlobError, ChecksumMismatch, CorruptPayload, MalformedTag, TruncatedBlob
from ..limits import DEFAULT_LIMITS, Limits, check_blob_size
from .checksum import checksum
from .header import Format, Tag, check_fingerprint, check_version
from .text_document import LABEL, read_document, read_label

_SUM_SIZE = 8
_WHITE_SPACE = b" \t\r\n"
"""What JSON allows around a text (RFC 8259, section 2)."""
_SUBJECT = re.compile(LABEL.partition("/")[0])


@dataclass(frozen=True, slots=True)
class TextLayout:
    """How our writer lays out one text format.

    A blob begins with ``opening``, the label, ``joint`` and the digits of the sum, and ends
    with ``ending``. ``label`` matches its start up to the joint and ``tag`` all of it before
    the body. ``payload`` makes a document of the body again, which begins
    with ``residue`` where there is some.
    """

    format: Format
    opening: bytes
    joint: bytes
    ending: bytes
    label: re.Pattern[bytes]
    tag: re.Pattern[bytes]
    payload: Callable[[bytes], bytes]
    residue: bytes


_DIGITS = rb"(?P<sum>[0-9a-f]{8})"
_JSON_OPENING, _JSON_JOINT = b'{"$schema":"', b'","$sum":"'
_JSON_LABEL = re.escape(_JSON_OPENING) + LABEL.encode()
_YAML_OPENING, _YAML_JOINT = b'$schema: "', b'"\n$sum: "'
_YAML_LABEL = re.escape(_YAML_OPENING) + LABEL.encode()

JSON_LAYOUT = TextLayout(
    format="json",
    opening=_JSON_OPENING,
    joint=_JSON_JOINT,
    ending=b"}",
    label=re.compile(_JSON_LABEL),
    # A comma after the tag is the tag's; the brace of an object without fields is the body's.
    tag=re.compile(_JSON_LABEL + re.escape(_JSON_JOINT) + _DIGITS + rb'"(?:,|(?=\}))'),
    payload=lambda body: b"{" + body,
    residue=b'"$residue":',
)
YAML_LAYOUT = TextLayout(
    format="yaml",
    opening=_YAML_OPENING,
    joint=_YAML_JOINT,
    ending=b"\n",
    label=re.compile(_YAML_LABEL),
    tag=re.compile(_YAML_LABEL + re.escape(_YAML_JOINT) + _DIGITS + rb'"\n'),
    payload=lambda body: body or b"{}\n",
    residue=b"$residue:",
)


def pack_json(
    subject: str, version: int, fingerprint: int, body: bytes, *, limits: Limits = DEFAULT_LIMITS
) -> bytes:
    """Put the tag before the first key of ``body``, a JSON object without outer whitespace.

    Raises MalformedTag, CorruptPayload where the body is no object, LimitExceeded.
    """
    if not (body.startswith(b"{") and body.endswith(b"}")):
        raise CorruptPayload("the body of a json blob has to be an object")
    rest = b'"' + (b"," + body[1:] if body != b"{}" else b"}")
    return _pack(JSON_LAYOUT, _label(subject, version, fingerprint), rest, limits)


def json_opening(subject: str, version: int, fingerprint: int) -> bytes:
    """How the blobs of a writer begin, up to the digits of the sum. Raises MalformedTag."""
    return _JSON_OPENING + _label(subject, version, fingerprint) + _JSON_JOINT


def pack_yaml(
    subject: str, version: int, fingerprint: int, body: bytes, *, limits: Limits = DEFAULT_LIMITS
) -> bytes:
    """Put the tag before ``body``, a block mapping in YAML, or ``{}``.

    Raises MalformedTag, CorruptPayload where the body is something else, LimitExceeded.
    """
    if body.strip() == b"{}":
        body = b""
    if body and (body.startswith(b"{") or not body.endswith(b"\n")):
        raise CorruptPayload("the body of a yaml blob has to be a block mapping of whole lines")
    rest = b'"\n' + body
    return _pack(YAML_LAYOUT, _label(subject, version, fingerprint), rest, limits)


def unpack_text(
    blob: bytes, layout: TextLayout, limits: Limits = DEFAULT_LIMITS
) -> tuple[Tag, bytes | dict[str, Any]]:
    """The tag and the payload.

    The payload is text where the blob is laid out as our writer does, and verified; it is a
    parsed document, unverified, where another tool or a person laid it out. Raises BlobError,
    LimitExceeded, MissingExtra.
    """
    check_blob_size(len(blob), limits)
    match, is_intact = match_tag(blob, layout)
    if match is None:
        _check_damage(blob[slice(*_inner(blob, layout))], layout)
        return read_document(blob, layout.format, limits)
    if not is_intact:
        raise _damaged(blob, match, layout)
    return _tag(match, layout, verified=True), layout.payload(blob[match.end() : match.endpos])


def match_tag(blob: bytes, layout: TextLayout) -> tuple[re.Match[bytes] | None, bool]:
    """The tag as our writer lays it out, if there is one, and whether its checksum matches.

    ``pos`` and ``endpos`` of the match leave out white space around the blob, which editors and
    other tools add.
    """
    match = layout.tag.match(blob, *_inner(blob, layout))
    if match is None or _is_intact(blob, match):
        return match, match is not None
    # A body may end with white space of its own.
    whole = layout.tag.match(blob)
    return (whole, True) if whole is not None and _is_intact(blob, whole) else (match, False)


def peek_text(blob: bytes, layout: TextLayout) -> Tag | None:
    """The tag of a blob that is laid out as our writer does, not verified, or ``None``."""
    match = layout.tag.match(blob, *_inner(blob, layout))
    return None if match is None else _tag(match, layout, verified=False)


def computed_text_sum(blob: bytes, match: re.Match[bytes]) -> int:
    """The checksum that the bytes of ``blob`` really have."""
    return checksum(blob[match.pos : match.start("sum")], blob[match.end("sum") : match.endpos])


def _is_intact(blob: bytes, match: re.Match[bytes]) -> bool:
    return computed_text_sum(blob, match) == int(match["sum"], 16)


def _inner(blob: bytes, layout: TextLayout) -> tuple[int, int]:
    """Where the text begins and ends within the white space around it."""
    stop = len(blob.rstrip(_WHITE_SPACE))
    if blob.startswith(layout.ending, stop):
        stop += len(layout.ending)
    return len(blob) - len(blob.lstrip(_WHITE_SPACE)), stop


def _label(subject: str, version: int, fingerprint: int) -> bytes:
    if not _SUBJECT.fullmatch(subject):
        raise MalformedTag(
            f"the subject {subject!r} cannot stand in a tag",
            mend="name subjects with ASCII letters, digits, '_', '.' and '-', a letter first",
        )
    check_version(version)
    check_fingerprint(fingerprint)
    return f"{subject}/{version}#{fingerprint:016x}".encode()


def _pack(layout: TextLayout, label: bytes, rest: bytes, limits: Limits) -> bytes:
    head = layout.opening + label + layout.joint
    check_blob_size(len(head) + _SUM_SIZE + len(rest), limits)
    return b"".join((head, f"{checksum(head, rest):08x}".encode(), rest))


def _damaged(blob: bytes, match: re.Match[bytes], layout: TextLayout) -> BlobError:
    if not blob.endswith(layout.ending, match.pos, match.endpos):
        return TruncatedBlob(
            f"the text was cut: it does not end with {layout.ending.decode()!r}",
            mend="restore the blob from a copy",
        )
    return ChecksumMismatch(
        "the text is not what was written: $sum does not match",
        mend="if you edited it by hand, delete the $sum key",
    )


def _check_damage(blob: bytes, layout: TextLayout) -> None:
    # A flipped bit in the key of the sum leaves a readable document with an unknown key. It
    # is told from a document without $sum by putting the key back: then the sum matches.
    match = layout.label.match(blob)
    if match is None:
        return
    stop = match.end() + len(layout.joint)
    restored = blob[: match.end()] + layout.joint + blob[stop:]
    again = layout.tag.match(restored)
    if again and _is_intact(restored, again):
        raise ChecksumMismatch(
            "the text is not what was written: the key $sum is damaged",
            mend="restore the blob from a copy",
        )


def _tag(match: re.Match[bytes], layout: TextLayout, *, verified: bool) -> Tag:
    subject, version, fingerprint = read_label(
        match["subject"].decode(), match["version"].decode(), match["fingerprint"].decode()
    )
    return Tag(
        framing="instar",
        format=layout.format,
        subject=subject,
        version=version,
        fingerprint=fingerprint,
        compressed=False,
        residue=match.string.startswith(layout.residue, match.end()),
        header_size=match.end() - match.pos,
        payload_size=match.endpos - match.end(),
        sum=int(match["sum"], 16),
        verified=verified,
    )
