"""Both engines side by side on Protobuf, each alone: the kernel without the library behind it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from instar.codec.kernel import core
from instar.codec.kernel.protobuf_reading import compile_reading
from instar.codec.kernel.protobuf_writing import compile_writing
from instar.codec.library.format import Decode, Encode, Reading
from instar.codec.library.protobuf import ENGINE
from instar.codec.limits import DEFAULT_LIMITS, Limits
from instar.codec.subject import Subject
from instar.codec.types import SchemaTypes
from instar.errors import InstarError

REFUSED = "refused"
"""What stands for a value where a payload or a state was not taken."""


@dataclass
class Pair:
    """The engines of one subject: it is written at ``writer`` and read at ``reader``."""

    subject: Subject
    writer: int = 1
    reader: int = 1
    limits: Limits = DEFAULT_LIMITS

    @property
    def types(self) -> SchemaTypes:
        return self.subject.types(self.writer)

    @cached_property
    def reading(self) -> Reading:
        plan = self.subject.plan(self.writer, self.reader)
        graph = plan.segments[0].graph if plan.segments else None
        return Reading(self.types, graph, self.subject.types(self.reader))

    @cached_property
    def program(self) -> core.Program:
        return compile_reading(self.reading, self.limits)

    @cached_property
    def encoder(self) -> core.Encoder:
        return core.Encoder(compile_writing(self.types, self.limits), 1, 0, 1 << 30)

    @cached_property
    def _library_decode(self) -> Decode:
        return ENGINE.decoder(self.reading, self.limits)

    @cached_property
    def _library_encode(self) -> Encode:
        return ENGINE.encoder(self.types, self.limits)

    def read_by_kernel(self, payload: bytes) -> Any:
        found = core.decode_payload(self.program, payload)
        return REFUSED if found is NotImplemented else found

    def read_by_library(self, payload: bytes) -> Any:
        try:
            return self._library_decode(payload)
        except (InstarError, UnicodeDecodeError):
            return REFUSED

    def written_by_kernel(self, state: Any) -> Any:
        found = self.encoder.payload(state)
        return REFUSED if found is NotImplemented else found

    def written_by_library(self, state: Any) -> Any:
        try:
            return self._library_encode(state)
        except InstarError:
            return REFUSED
