"""JSON and YAML blobs that our writer did not lay out: reformatted, reordered or edited.

They are parsed whole, and the tag is found whatever the key order, at the top level only: a
deeper ``$schema`` is user data. Nothing vouches for their bytes, so they are not verified.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any, TypeAlias, cast

import msgspec

from ...errors import CorruptPayload, LimitExceeded, MalformedTag, TruncatedBlob, Untagged
from ..limits import Limits, check_nesting
from ..yaml_text import load_yaml
from .header import Format, Tag, check_version

Document: TypeAlias = dict[str, Any]

BYTE_ORDER_MARK = b"\xef\xbb\xbf"
"""What some editors put before UTF-8 text; our writer never does."""

# A label is what "$schema" holds: subject/version#fingerprint.
LABEL = (
    r"(?P<subject>[A-Za-z_][A-Za-z0-9_.-]*)/(?P<version>[1-9][0-9]{0,9})"
    r"#(?P<fingerprint>[0-9a-f]{16})"
)
_LABEL = re.compile(LABEL)
RESIDUE_KEY = "$residue"
"""The key of the residue of a state, which is left to the codec."""
_OURS = ("$type", RESIDUE_KEY)
_SUM = re.compile(r"[0-9a-f]{8}")


def read_document(blob: bytes, format_: Format, limits: Limits) -> tuple[Tag, Document]:
    """The unverified tag, and the document without ``$schema`` and ``$sum``, which may still
    hold ``$residue``.

    Raises Untagged, MalformedTag, TruncatedBlob, CorruptPayload, LimitExceeded, MissingExtra.
    """
    document = _parse(blob.removeprefix(BYTE_ORDER_MARK), format_, limits)
    subject, version, fingerprint = _pop_tag(document)
    _check_whole(document, format_)
    return (
        Tag(
            framing="instar",
            format=format_,
            subject=subject,
            version=version,
            fingerprint=fingerprint,
            compressed=False,
            residue=RESIDUE_KEY in document,
            header_size=0,
            payload_size=len(blob),
            sum=None,
            verified=False,
        ),
        document,
    )


def _check_whole(document: Document, format_: Format) -> None:
    # JSON ends with a brace; YAML that was cut after its tag is still YAML.
    if format_ == "yaml" and not document:
        raise TruncatedBlob(
            "the text holds a tag and nothing else", mend="restore the blob from a copy"
        )


def read_label(subject: str, version: str, fingerprint: str) -> tuple[str, int, int]:
    """Subject, version and fingerprint from the parts of a label. Raises MalformedTag."""
    number = int(version)
    check_version(number)
    return subject, number, int(fingerprint, 16)


def _pop_tag(document: Document) -> tuple[str, int, int]:
    if "$schema" not in document:
        raise untagged("the document has no $schema key at its top level")
    label = document.pop("$schema")
    match = _LABEL.fullmatch(label) if isinstance(label, str) else None
    if match is None:
        raise MalformedTag(
            f"$schema holds {label!r}",
            mend='write it as "subject/version#fingerprint", the fingerprint as 16 hex digits',
        )
    found = document.pop("$sum", "00000000")
    if not isinstance(found, str) or not _SUM.fullmatch(found):
        raise MalformedTag(f"$sum holds {found!r}", mend="delete the $sum key")
    _check_reserved(document)
    return read_label(match["subject"], match["version"], match["fingerprint"])


def untagged(what: str) -> Untagged:
    """The error for bytes that say nothing about what they are."""
    return Untagged(what, mend="`instar adopt` takes JSON documents that carry no tag")


def _check_reserved(document: Document) -> None:
    for key in document:
        if key.startswith("$") and not key.startswith("$$") and key not in _OURS:
            raise MalformedTag(
                f"the key {key!r} is reserved",
                mend=f'write a field of that name as "${key}"',
            )


def _parse(blob: bytes, format_: Format, limits: Limits) -> Document:
    value = load_yaml(blob, limits) if format_ == "yaml" else _load_json(blob, limits)
    if not isinstance(value, dict):
        raise untagged("the text is not an object, so it holds no tag")
    return cast("Document", value)


def _load_json(blob: bytes, limits: Limits) -> Any:
    # msgspec is the stricter parser (no NaN, no lone surrogates), json the one that shows
    # repeated keys.
    try:
        msgspec.json.decode(blob)
        value = json.loads(blob, object_pairs_hook=_unique)
    except (msgspec.DecodeError, ValueError) as error:
        raise CorruptPayload(f"the text is not JSON: {error}") from error
    except RecursionError as error:
        raise LimitExceeded("the JSON document nests too deep to be read") from error
    check_nesting(value, limits)
    return value


def _unique(pairs: Sequence[tuple[str, Any]]) -> Document:
    document = dict(pairs)
    if len(document) != len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise CorruptPayload(f"the key {twice!r} occurs twice in one object")
    return document
