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

from ..library.format import Decode, Encode, FormatEngine, Reading
from ..limits import Limits
from ..types import SchemaTypes
from . import core
from .draft import NotPlainError

DEEPEST = 400
"""Levels that the kernel nests at most: it recurses on the stack of C."""


@dataclass(slots=True)
class KernelDecode:
    """Decodes payloads by a program."""

    program: core.Program
    library: Decode

    def __call__(self, payload: Any) -> Any:
        """The object of a payload; raises what the library engine raises."""
        if type(payload) is not bytes:
            return self.library(payload)  # the document that a reformatted blob holds
        found = core.decode_payload(self.program, payload)
        return self.library(payload) if found is NotImplemented else found


@dataclass(slots=True)
class KernelEncode:
    """Encodes objects by a program."""

    program: core.Program
    library: Encode
    encoder: core.Encoder = field(init=False)

    def __post_init__(self) -> None:
        self.encoder = core.Encoder(self.program, 1, 0, 0)

    def __call__(self, state: Any) -> bytes:
        """The payload of an object; raises what the library engine raises."""
        found = self.encoder.payload(state)
        return self.library(state) if found is NotImplemented else found


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

    def encoder(self, types: SchemaTypes, limits: Limits) -> Encode:
        """An encoder of root objects of ``types``."""
        library = _Late(lambda: self.library.encoder(types, limits))
        if limits.depth > DEEPEST:
            return library
        try:
            return KernelEncode(self.compile_writing(types, limits), library)
        except NotPlainError:
            return library

    def decoder(self, reading: Reading, limits: Limits) -> Decode:
        """A decoder of payloads."""
        library = _Late(lambda: self.library.decoder(reading, limits))
        if limits.depth > DEEPEST or reading.foreign or reading.residue:
            return library
        try:
            return KernelDecode(self.compile_reading(reading, limits), library)
        except NotPlainError:
            return library
