"""JSON blobs of one writer that are laid out just as our writer lays them out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ...errors import InstarError
from ..library.format import Decode
from . import core

_SUM_SIZE = 8
_LONGEST = 64
"""The longest opening that the kernel sums together with what follows, in bytes."""


@dataclass(frozen=True, slots=True)
class TextBlobs:
    """Reads blobs that begin with ``opening``, up to the digits of the sum."""

    opening: bytes
    library: Decode
    largest: int

    def decode(self, blob: Any) -> Any:
        """The state of a blob; ``NotImplemented`` for any other, and for every failure."""
        if type(blob) is not bytes or not blob.startswith(self.opening):
            return NotImplemented
        at = len(self.opening)
        rest = blob[at + _SUM_SIZE :]
        # An object without fields has no comma, and is not worth a way of its own.
        if at > _LONGEST or len(blob) > self.largest or rest[:2] != b'",' or rest[-1:] != b"}":
            return NotImplemented
        digits = b"%08x" % core.checksum_of(self.opening, rest)
        if blob[at : at + _SUM_SIZE] != digits:
            return NotImplemented
        try:
            return self.library(b"{" + rest[2:])
        except (InstarError, RecursionError):
            return NotImplemented
