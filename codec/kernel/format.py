"""What the kernel offers for a format: its programs, with the library engine behind them.

The kernel says no more than that it refuses an input. The library engine is then given the
same input, and says what is wrong with it, or takes it after all: what is rare may be left to
it. So both engines give the same errors, and there is one place that words them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from ..library.format import Decode, Encode, FormatEngine, LeftPayload, Reading
from ..limits import Limits
from ..types import SchemaTypes
from . import core
from .draft import NotPlainError

DEEPEST = 400
"""Levels that the kernel nests at most: it recurses on the stack of C."""


def _room(limits: Limits) -> int:
    """Bytes of residue that are far from the limit: how near it may be, the library says."""
    return max(1, limits.residue_bytes // 4)


@dataclass(slots=True)
class KernelDecode:
    """Decodes payloads by a program."""

    program: core.Program
    library: Decode
    residue: int = 0

    def __call__(self, payload: Any) -> Any:
        """The object of a payload; raises what the library engine raises."""
        if type(payload) is not bytes:
            return self.library(payload)  # the document that a reformatted blob holds
        found = core.decode_payload(self.program, payload, self.residue)
        return self.library(payload) if found is NotImplemented else found


@dataclass(slots=True)
class KernelEncode:
    """Encodes objects by a program. ``residue`` bounds their residue, in bytes; ``keeps`` says
    that there may be any.
    """

    program: core.Program
    library: Encode
    residue: int
    keeps: bool
    encoder: core.Encoder = field(init=False)

    def __post_init__(self) -> None:
        self.encoder = core.Encoder(self.program, 1, 0, 0)

    def __call__(self, state: Any) -> bytes:
        """The payload of an object; raises what the library engine raises."""
        payload: bytes = self.encoder.payload(state, self.residue if self.keeps else 0)
        if payload is not NotImplemented:
            return payload
        # Where it is residue alone that is in the way, the library would look for it for long.
        if not self.keeps:
            payload = self.encoder.payload(state, self.residue)
            if payload is not NotImplemented:
                raise LeftPayload(payload)
        return self.library(state)


class _Late:
    """Something callable that is made when it is first called."""

    def __init__(self, make: Callable[[], Callable[[Any], Any]]) -> None:
        self._make = make

    @cached_property
    def _made(self) -> Callable[[Any], Any]:
        return self._make()

    def __call__(self, argument: Any) -> Any:
        return self._made(argument)


@dataclass(frozen=True, slots=True)
class KernelFormat:
    """Encoders and decoders of one format: those of the library where a program cannot be."""

    library: FormatEngine
    compile_reading: Callable[[Reading, Limits], core.Program]
    compile_writing: Callable[[SchemaTypes, Limits], core.Program]

    def encoder(self, types: SchemaTypes, limits: Limits, *, leaves: bool = False) -> Encode:
        """An encoder of root objects of ``types``; ``leaves`` has it write residue in
        Protobuf, and pass over it in the other formats.
        """
        library = _Late(lambda: self.library.encoder(types, limits, leaves=leaves))
        if limits.depth > DEEPEST:
            return library
        try:
            program = self.compile_writing(types, limits)
            return KernelEncode(program, library, _room(limits), leaves)
        except NotPlainError:
            return library
        except RecursionError:
            # The library engine needs less of the stack; where that is too much, it says so now.
            return self.library.encoder(types, limits, leaves=leaves)

    def decoder(self, reading: Reading, limits: Limits) -> Decode:
        """A decoder of payloads."""
        library = _Late(lambda: self.library.decoder(reading, limits))
        is_kept = reading.residue and reading.graph is None
        if limits.depth > DEEPEST or reading.foreign or (reading.residue and not is_kept):
            return library
        try:
            program = self.compile_reading(reading, limits)
            return KernelDecode(program, library, _room(limits) if is_kept else 0)
        except NotPlainError:
            return library
        except RecursionError:
            return self.library.decoder(reading, limits)
