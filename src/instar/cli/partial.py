"""Explains as much of a damaged blob as its bytes allow."""

from __future__ import annotations

from typing import Final

from ..codec.tag.binary_frame import MAGIC, REVISION
from ..codec.tag.explain import Span
from ..codec.tag.header import BINARY_FORMATS

_REVISION_AT: Final = 4
_FORMAT_AT: Final = 5
_FLAGS_AT: Final = 6
_VERSION_AT: Final = 7
_FINGERPRINT_SIZE: Final = 8
_MORE: Final = 0x80


def partial_spans(blob: bytes) -> list[Span]:
    """The fields of a binary tag that are still there, then the rest; text is one field."""
    if not blob:
        return []
    if not blob.startswith(MAGIC):
        return [_span(blob, 0, len(blob), "bytes", "not understood")]
    spans = [_span(blob, 0, _REVISION_AT, "magic", "an instar blob"), *_fields(blob)]
    stop = spans[-1].stop
    if stop < len(blob):
        spans.append(_span(blob, stop, len(blob), "rest", "not understood"))
    return spans


def _fields(blob: bytes) -> list[Span]:
    spans: list[Span] = []
    if len(blob) > _REVISION_AT:
        spans.append(_byte(blob, _REVISION_AT, "frame revision", str(blob[_REVISION_AT])))
    if len(blob) <= _VERSION_AT or blob[_REVISION_AT] != REVISION:
        return spans
    code = blob[_FORMAT_AT]
    spans.append(_byte(blob, _FORMAT_AT, "format", BINARY_FORMATS.get(code, f"unknown: {code}")))
    spans.append(_byte(blob, _FLAGS_AT, "flags", f"{blob[_FLAGS_AT]:#04x}"))
    return [*spans, *_identity(blob)]


def _identity(blob: bytes) -> list[Span]:
    """Version and fingerprint, where both are whole."""
    end = next((at for at in range(_VERSION_AT, len(blob)) if blob[at] < _MORE), len(blob))
    start = end + 1
    stop = start + _FINGERPRINT_SIZE
    if stop > len(blob):
        return []
    groups = blob[_VERSION_AT:start]
    version = sum((group & ~_MORE) << 7 * place for place, group in enumerate(groups))
    fingerprint = int.from_bytes(blob[start:stop], "little")
    return [
        _span(blob, _VERSION_AT, start, "version", str(version)),
        _span(blob, start, stop, "fingerprint", f"{fingerprint:016x}"),
    ]


def _byte(blob: bytes, at: int, field: str, meaning: str) -> Span:
    return _span(blob, at, at + 1, field, meaning)


def _span(blob: bytes, start: int, stop: int, field: str, meaning: str) -> Span:
    return Span(start, stop, blob[start:stop], field, meaning)
