"""A blob byte by byte: which bytes are which field of its tag, and what they say."""

from __future__ import annotations

import re
from dataclasses import dataclass

from .binary_frame import MAGIC, RESIDUE, ZSTD, BinaryHeader, computed_sum, read_header
from .header import BINARY_FORMATS, Blob, Tag
from .read import Lead, lead_of, read_tag
from .single_object import HEADER_SIZE, MARKER, read_single_object
from .text_frame import JSON_LAYOUT, YAML_LAYOUT, computed_text_sum, match_tag

_COMPRESSION_AND_RESIDUE = {
    0: "not compressed, no residue",
    ZSTD: "compressed with Zstandard, no residue",
    RESIDUE: "not compressed, with residue",
    ZSTD | RESIDUE: "compressed with Zstandard, with residue",
}


@dataclass(frozen=True, slots=True)
class Span:
    """One field of a blob: bytes ``start`` up to ``stop``, its name and what it says."""

    start: int
    stop: int
    raw: bytes
    field: str
    meaning: str


def explain(blob: Blob) -> list[Span]:
    """The fields of ``blob`` in order, together all of its bytes.

    A checksum that does not match is shown, not raised. Raises BlobError where the tag does
    not read, and what :func:`read_tag` raises for text that another tool laid out.
    """
    data = bytes(blob)
    lead = lead_of(data)
    if lead == "binary":
        return _binary(data, read_header(data))
    if lead == "single-object":
        return _single_object(data, read_single_object(data))
    return _text(data, lead)


class _Spans:
    """Takes fields in order and cuts them from the blob."""

    def __init__(self, blob: bytes) -> None:
        self.blob = blob
        self.spans: list[Span] = []

    def take(self, stop: int, field: str, meaning: str) -> None:
        start = self.spans[-1].stop if self.spans else 0
        self.spans.append(Span(start, stop, self.blob[start:stop], field, meaning))

    def skip(self, stop: int) -> None:
        """Take white space around a text, if there is any."""
        if stop > (self.spans[-1].stop if self.spans else 0):
            self.take(stop, "white space", "no part of the blob")


def _binary(blob: bytes, head: BinaryHeader) -> list[Span]:
    spans = _Spans(blob)
    magic = len(MAGIC)
    spans.take(magic, "magic", "an instar blob")
    spans.take(magic + 1, "frame revision", str(blob[magic]))
    spans.take(magic + 2, "format", BINARY_FORMATS[head.code])
    spans.take(magic + 3, "flags", _COMPRESSION_AND_RESIDUE[head.flags])
    spans.take(head.version_stop, "version", str(head.version))
    spans.take(head.version_stop + 8, "fingerprint", f"{head.fingerprint:016x}")
    spans.take(head.sum_start, "length", f"{head.length} bytes follow the checksum")
    spans.take(head.stop, "checksum", _verdict(head.sum, computed_sum(blob, head)))
    spans.take(len(blob), "payload", _payload(BINARY_FORMATS[head.code], head.flags))
    return spans.spans


def _payload(name: str, flags: int) -> str:
    return {
        0: name,
        ZSTD: f"{name}, compressed",
        RESIDUE: f"{_with_residue(name)}",
        ZSTD | RESIDUE: f"{_with_residue(name)}, compressed",
    }[flags]


def _with_residue(name: str) -> str:
    return f"{name}, with residue in it" if name == "protobuf" else f"residue, then {name}"


def _single_object(blob: bytes, tag: Tag) -> list[Span]:
    spans = _Spans(blob)
    spans.take(len(MARKER), "marker", "Avro single-object framing, version 1")
    spans.take(HEADER_SIZE, "wire fingerprint", f"{tag.fingerprint:016x}")
    spans.take(len(blob), "payload", "avro; nothing vouches for these bytes")
    return spans.spans


def _text(blob: bytes, lead: Lead) -> list[Span]:
    layout = JSON_LAYOUT if lead == "json" else YAML_LAYOUT
    match, _ = match_tag(blob, layout)
    return _document(blob) if match is None else _laid_out(blob, match, lead)


def _laid_out(blob: bytes, match: re.Match[bytes], lead: Lead) -> list[Span]:
    spans = _Spans(blob)
    spans.skip(match.pos)
    spans.take(match.start("subject"), "$schema", "the key of the label")
    spans.take(match.end("subject"), "subject", match["subject"].decode())
    spans.take(match.start("version"), "slash", "the version follows")
    spans.take(match.end("version"), "version", match["version"].decode())
    spans.take(match.start("fingerprint"), "hash sign", "the fingerprint follows")
    spans.take(match.end("fingerprint"), "fingerprint", match["fingerprint"].decode())
    spans.take(match.start("sum"), "$sum", "the key of the checksum")
    computed = computed_text_sum(blob, match)
    spans.take(match.end("sum"), "checksum", _verdict(int(match["sum"], 16), computed))
    spans.take(match.end(), "end of tag", "the fields of the state follow")
    body, layout = blob[match.end() :], JSON_LAYOUT if lead == "json" else YAML_LAYOUT
    has_residue = body.startswith(layout.residue)
    spans.take(match.endpos, "payload", _with_residue(lead) if has_residue else lead)
    spans.skip(len(blob))
    return spans.spans


def _document(blob: bytes) -> list[Span]:
    tag = read_tag(blob)
    meaning = (
        f"{tag.format}, laid out by another tool or by hand, so not verified:"
        f" {tag.subject}, version {tag.version}, fingerprint {tag.fingerprint:016x}"
    )
    return [Span(0, len(blob), blob, "document", meaning)]


def _verdict(found: int, computed: int) -> str:
    if found == computed:
        return f"{found:08x}, and it matches"
    return f"{found:08x}, and the bytes give {computed:08x}: they are not those written"
