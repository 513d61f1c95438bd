"""What is taken of a record of the writer, and where each value goes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Protocol, TypeAlias

from ...migrations.conversion import Conversion, RecordConversion, ToRecord
from ...schemas.model import Array, Record, Schema, Type, Union
from ..types import SchemaTypes
from .draft import Draft

Versions: TypeAlias = Callable[[int], SchemaTypes]
"""The Python types of the versions of the subject, which functions of migrations see."""
PLACE: Final = tuple.__itemsize__
"""The bytes of a place: a pointer, as in a tuple."""
Records: TypeAlias = Mapping[ToRecord, RecordConversion]


class Compiler(Protocol):
    """What compiles the values that a record is made of."""

    converted: Records
    schema: Schema
    types: SchemaTypes
    versions: Versions | None
    draft: Draft

    @property
    def reads_apart(self) -> bool:
        """Whether fields go to the record itself while others go to its scratch."""
        ...

    def slots(self, conversion: RecordConversion) -> dict[str, int]:
        """Where the reader's record has each field."""
        ...

    def wanted(self, conversion: RecordConversion) -> dict[str, Type]:
        """The types of the fields of the reader's record."""
        ...

    def fills(self, conversion: RecordConversion) -> list[tuple[int, str]]:
        """A node for each field that is filled, and the field's name."""
        ...

    def beside(self, converted: Records, types: SchemaTypes) -> Compiler:
        """A compiler of other conversions in the same program."""
        ...

    def scratch(self, members: Members) -> int:
        """The node of the scratch of a record."""
        ...

    def compile(self, conversion: Conversion, kind: Type, target: Type) -> int:
        """The node of a value of the writer's ``kind``."""
        ...

    def branches(self, conversion: Conversion, kind: Union, target: Type) -> list[int]:
        """A node for each branch of the writer's union."""
        ...

    def listed(self, node: int, target: Array, *, optional: bool = False) -> int:
        """The node of a list of one value, or of none for a null."""
        ...


@dataclass(frozen=True, slots=True)
class Taken:
    """A field of the writer that goes to a slot, as a value of the types of ``compiler``."""

    source: str
    slot: int
    conversion: Conversion
    target: Type
    compiler: Compiler


@dataclass(frozen=True, slots=True)
class Inner:
    """A field of the writer that is a record whose fields go to the scratch themselves."""

    source: str
    slot: int
    members: Members


@dataclass(frozen=True, slots=True)
class Members:
    """All that is taken of a record of the writer; the scratch has ``size`` places."""

    record: Record
    taken: Sequence[Taken | Inner]
    size: int = 0


@dataclass(slots=True)
class Places:
    """The places of a scratch, as they are given out. The slot 0 would be nowhere."""

    size: int = 1

    def reserve(self, count: int = 1) -> int:
        """The first of so many places, in bytes."""
        first = self.size
        self.size += count
        return first * PLACE


@dataclass(slots=True)
class Scratch:
    """What is taken of a record of the writer, and of the records inside of it."""

    record: Record
    places: Places = field(default_factory=Places)
    taken: list[Taken] = field(default_factory=list[Taken])
    inner: dict[str, tuple[int, Scratch]] = field(default_factory=dict[str, Any])

    def take(self, source: str, conversion: Conversion, target: Type, compiler: Compiler) -> int:
        """The place of the value of a field."""
        place = self.places.reserve()
        self.taken.append(Taken(source, place, conversion, target, compiler))
        return place

    def pass_on(
        self, source: str, slot: int, conversion: Conversion, target: Type, compiler: Compiler
    ) -> None:
        """Leave a field to the record itself, which is what an odd slot says."""
        self.taken.append(Taken(source, slot | 1, conversion, target, compiler))

    def enter(self, source: str, record: Record) -> tuple[int, Scratch]:
        """Where it stands whether a record inside is there, and what is taken of that."""
        if source not in self.inner:
            self.inner[source] = self.places.reserve(), Scratch(record, self.places)
        return self.inner[source]

    @property
    def members(self) -> Members:
        """All that was taken."""
        inner = [Inner(name, place, held.members) for name, (place, held) in self.inner.items()]
        return Members(self.record, (*self.taken, *inner), self.places.size)
