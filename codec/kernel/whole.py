"""Whole blobs, tag and payload in one pass, for what a codec does most."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..library.format import Decode, Encode
from ..tag.header import BINARY_FORMATS, FORMAT_CODES, Format
from ..tag.text_frame import json_opening
from . import core
from .format import KernelDecode, KernelEncode
from .text import TextBlobs


class WholeBlobs:
    """Encodes and decodes the blobs that are as plain as can be.

    ``NotImplemented`` stands for all others, and for every failure: the codec then goes the
    long way, step by step, which also finds the error.
    """

    Part = core.Part
    """The class of parts of payloads."""

    def __init__(
        self, subject: str, encode: Encode | None, version: int, fingerprint: int, largest: int
    ) -> None:
        """Blobs of up to ``largest`` bytes, written at ``version`` by ``encode``, if it is the
        kernel's.
        """
        self._subject = subject
        self._texts: list[TextBlobs] = []
        self._largest = largest
        self.encode: Callable[[Any], Any] = _not_here
        if isinstance(encode, KernelEncode):
            opening = json_opening(subject, version, fingerprint)
            self.encode = core.Encoder(
                encode.program, version, fingerprint, largest, opening
            ).encode
        self._decoder = core.Decoder(largest)
        self.decode: Callable[[Any], Any] = self._decoder.decode
        self.part = self._decoder.part

    def add(self, format_: Format, version: int, fingerprint: int, decode: Decode) -> None:
        """Read the blobs of a writer too, in a binary format or in JSON."""
        if format_ == "json":
            self._add_json(json_opening(self._subject, version, fingerprint), decode)
        code = FORMAT_CODES[format_]
        if code in BINARY_FORMATS:
            runs = decode.program if isinstance(decode, KernelDecode) else decode
            self._decoder.add(code, version, fingerprint, runs)

    def _add_json(self, opening: bytes, decode: Decode) -> None:
        if isinstance(decode, KernelDecode) and len(opening) <= core.LONGEST_OPENING:
            self._decoder.add_text(opening, decode.program)
        else:
            self._texts.append(TextBlobs(opening, decode, self._largest))
            self.decode = self._decode_any

    def _decode_any(self, blob: Any) -> Any:
        found = self._decoder.decode(blob)
        for texts in self._texts:
            if found is not NotImplemented:
                break
            found = texts.decode(blob)
        return found

    def part_of_payload(self, decode: Decode, payload: Any) -> Any:
        """The root of a payload, to be looked at in parts, if ``decode`` is the kernel's."""
        if isinstance(decode, KernelDecode):
            return core.part_of_payload(decode.program, payload)
        return NotImplemented


def _not_here(_: Any) -> Any:
    return NotImplemented
