"""JSON and MessagePack by the kernel alone, and by the library engine beside it."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest
from kernel_pair import Refused, alike

pytest.importorskip("instar.codec.kernel.core", reason="no kernel was built")

from instar.codec.engines import forced_engine
from instar.codec.kernel import core
from instar.codec.library.format import Reading
from instar.codec.limits import DEFAULT_LIMITS, Limits
from instar.codec.types import SchemaTypes
from instar.errors import ValueMismatch


class KeyedPair:
    """Both engines for payloads of ``types``, read as themselves or as ``reading`` says. Raises
    NotPlainError where there is but one.
    """

    def __init__(
        self,
        format_: str,
        types: SchemaTypes,
        limits: Limits = DEFAULT_LIMITS,
        reading: Reading | None = None,
    ) -> None:
        self.types = types
        reading = reading or Reading(types, None, types)
        kernel = import_module(f"instar.codec.kernel.{format_}").ENGINE
        library = import_module(f"instar.codec.library.{format_}").ENGINE
        self.program = kernel.compile_reading(reading, limits)
        self.encoder = core.Encoder(kernel.compile_writing(types, limits), 1, 0, 1 << 30)
        with forced_engine("library"):
            self.read = library.decoder(reading, limits)
            self.write = library.encoder(types, limits)

    def payload(self, state: Any) -> Any:
        """What the kernel alone writes."""
        return self.encoder.payload(state)

    def state(self, payload: bytes) -> Any:
        """What the kernel alone reads."""
        return core.decode_payload(self.program, payload)

    def read_alone(self, payload: bytes) -> bool:
        """Whether the kernel reads it without help, and as the library engine does."""
        found = self.state(payload)
        return found is not NotImplemented and alike(found, self.read(payload))

    def agrees(self, payload: bytes) -> bool:
        """Whether the kernel gives the library engine's value, or refuses."""
        found = self.state(payload)
        return found is NotImplemented or alike(found, self.wanted(payload))

    def wanted(self, payload: bytes) -> Any:
        """What the library engine reads."""
        try:
            return self.read(payload)
        except ValueMismatch as error:
            return Refused(str(error))
