"""The kernel alone, and the library engine beside it, for one reading."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest
from same import same

pytest.importorskip("instar.codec.kernel.core", reason="no kernel was built")

from instar.codec.kernel import core
from instar.codec.kernel.avro import ENGINE as KERNEL
from instar.codec.library.avro import ENGINE as LIBRARY
from instar.codec.library.format import Reading
from instar.codec.limits import DEFAULT_LIMITS, Limits
from instar.codec.subject import Subject
from instar.codec.types import SchemaTypes
from instar.errors import ValueMismatch
from instar.schemas.model import Field, NamedType, Record, Schema, Type
from instar.schemas.numbering import number_fields


def alike(left: Any, right: Any) -> bool:
    """Equality to the last detail: zones, scales of decimals and the order of keys too."""
    return same(left, right) and repr(left) == repr(right)


@dataclass(frozen=True)
class Refused:
    """That the library engine refuses, and why."""

    what: str


class Pair:
    """Both engines for payloads of the types ``writer`` read as ``reader``."""

    def __init__(
        self, writer: SchemaTypes, reading: Reading | None = None, limits: Limits = DEFAULT_LIMITS
    ) -> None:
        self.types = writer
        reading = reading or Reading(writer, None, writer)
        self.program = KERNEL.compile_reading(reading, limits)
        self.read = LIBRARY.decoder(reading, limits)
        self.write = LIBRARY.encoder(writer, limits)
        self.encoder_program = KERNEL.compile_writing(writer, limits)
        self.encoder = core.Encoder(self.encoder_program, 1, 0, 1 << 30)

    def payload(self, state: Any) -> Any:
        """What the kernel alone writes."""
        return self.encoder.payload(state)

    def state(self, payload: bytes) -> Any:
        """What the kernel alone reads."""
        return core.decode_payload(self.program, payload)

    def wanted(self, payload: bytes) -> Any:
        """What the library engine reads."""
        try:
            return self.read(payload)
        except ValueMismatch as error:
            return Refused(str(error))

    def agrees(self, payload: bytes) -> bool:
        """Whether the kernel gives the library engine's value, or refuses."""
        found = self.state(payload)
        return found is NotImplemented or alike(found, self.wanted(payload))


def upgrade(subject: Subject, writer: int, reader: int) -> Pair:
    """The pair of a reading across versions that need no functions."""
    graph = subject.plan(writer, reader).segments[0].graph
    types = subject.types(writer)
    return Pair(types, Reading(types, graph, subject.types(reader)))


def subject_of(kind: Type, *named: NamedType) -> Subject:
    """A subject whose root has one field, ``f``, of a type."""
    types = {"State": Record("State", (Field("f", kind),)), **{n.name: n for n in named}}
    return Subject(number_fields([Schema("state", 1, "avro", "State", types)]))


def pair_of(kind: Type, *named: NamedType, limits: Limits = DEFAULT_LIMITS) -> Pair:
    """The pair of a record with one field, ``f``, of a type: its bytes are the type's own."""
    return Pair(subject_of(kind, *named).types(1), limits=limits)


def field_of(state: Any) -> Any:
    """The value of the field of such a state."""
    return state if state is NotImplemented else state.f


def with_field(pair: Pair, value: Any) -> Any:
    """A state with the value in its field."""
    root: Any = pair.types.root
    return root(f=value)


def zigzag(number: int) -> bytes:
    """A number as Avro writes it."""
    rest = number << 1 if number >= 0 else (-number << 1) - 1
    out = bytearray()
    while rest >= 0x80:
        out.append(rest & 0x7F | 0x80)
        rest >>= 7
    out.append(rest)
    return bytes(out)
