"""What a change means to each format and direction: the rules, applied to one place."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TypeAlias

from ...migrations.matching import Versions
from ...schemas.avro.mismatches import writer_field
from ...schemas.avro.names import AvroNames, avro_names
from ...schemas.model import Array, Field, Map, Optional, Record, Schema, Type, Union
from ...schemas.naming import Names, json_key, names
from .change import RAW_FORMATS, Break, Direction, RawFormat
from .fit import Fit, Reads, Typed
from .rules_avro import avro_reads
from .rules_json import typed_reads
from .rules_protobuf import protobuf_reads

Link: TypeAlias = tuple[RawFormat, Direction]
"""A format and direction in which two fields meet."""
Rule: TypeAlias = Callable[[Typed, Typed], Reads]

DIRECTIONS: tuple[Direction, ...] = ("backward", "forward")
LINKS: frozenset[Link] = frozenset((f, d) for f in RAW_FORMATS for d in DIRECTIONS)
RULES: dict[RawFormat, Rule] = {
    "avro": avro_reads,
    "protobuf": protobuf_reads,
    "json": partial(typed_reads, format_="json"),
    "msgpack": partial(typed_reads, format_="msgpack"),
}


@dataclass(frozen=True)
class Pair:
    """The two schemas that are compared."""

    older: Schema
    newer: Schema

    @property
    def versions(self) -> Versions:
        """The same for the rules that match fields."""
        return Versions(self.older, self.newer)

    @cached_property
    def old_names(self) -> Names:
        """The Python names of the older version."""
        return names(self.older)

    @cached_property
    def new_names(self) -> Names:
        """The Python names of the newer version."""
        return names(self.newer)

    @cached_property
    def avro_names(self) -> tuple[AvroNames, AvroNames]:
        """What Avro calls the types of the older version, and of the newer."""
        return avro_names(self.older), avro_names(self.newer)

    def typed(self, old: Type, new: Type, direction: Direction) -> tuple[Typed, Typed]:
        """A type of each version as writer and reader."""
        before, after = Typed(self.older, old), Typed(self.newer, new)
        return (before, after) if direction == "backward" else (after, before)


def as_break(link: Link, reads: Reads) -> Iterator[Break]:
    """A fit as a break, or nothing where all is the same."""
    if reads.fit is not Fit.SAME:
        yield Break(*link, "layout" if reads.fit is Fit.LAYOUT else "value", reads.why)


def type_breaks(
    pair: Pair,
    types: tuple[Type, Type],
    whole: tuple[Type, Type],
    links: frozenset[Link],
) -> tuple[Break, ...]:
    """What a change of type breaks. ``whole`` is the field's type around it, which decides
    how Protobuf writes it.
    """
    found: list[Break] = []
    for link in sorted(links):
        format_, direction = link
        old, new = whole if format_ == "protobuf" else types
        found += as_break(link, RULES[format_](*pair.typed(old, new, direction)))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Slot:
    """What a number of a message holds: a field, or a case of a oneof."""

    name: str
    type: Type
    oneof: str = ""


def slots(record: Record) -> dict[int, Slot]:
    """The numbers of a record's fields and oneof cases."""
    found: dict[int, Slot] = {}
    for field in record.fields:
        cases = oneof_of(field)
        if cases is not None:
            found |= {b.number or 0: Slot(b.label, b.type, field.name) for b in cases.branches}
        elif field.number is not None:
            found[field.number] = Slot(field.name, field.type)
    return found


def oneof_of(field: Field) -> Union | None:
    """The oneof that a field stands for, if it does."""
    kind = field.type
    if isinstance(kind, Optional) and isinstance(kind.item, Union) and kind.item.oneof:
        return kind.item
    return None


def is_required(schema: Schema, field: Field) -> bool:
    """Whether a ``.proto`` calls the field required: readers refuse a message without it."""
    is_plain = not isinstance(field.type, Optional | Array | Map)
    return schema.language == "protobuf" and is_plain and field.default is None


@dataclass(frozen=True)
class FieldPair:
    """A field of each version; one of them is None where it was added or removed."""

    pair: Pair
    records: tuple[Record, Record]
    old: Field | None
    new: Field | None

    def judge(self) -> tuple[tuple[Break, ...], frozenset[Link]]:
        """What breaks by how the formats find the field, and where the two do meet."""
        breaks: list[Break] = []
        met: set[Link] = set()
        for link in sorted(LINKS):
            reads = self._numbered(link) if link[0] == "protobuf" else self._named(link)
            if reads is None:
                met.add(link)
            else:
                breaks += as_break(link, reads)
        return tuple(breaks), frozenset(met)

    def _sides(self, direction: Direction) -> tuple[Record, Field | None, Record, Field | None]:
        (older, newer), old, new = self.records, self.old, self.new
        if direction == "backward":
            return older, old, newer, new
        return newer, new, older, old

    def _named(self, link: Link) -> Reads | None:
        """By name and alias in Avro, by key in the text formats; None where the two meet."""
        format_, direction = link
        source, writer, _, reader = self._sides(direction)
        if reader is None:
            return Reads(Fit.SAME)
        found = writer_field(source, reader) if format_ == "avro" else _by_key(source, reader)
        if found is None:
            return _unwritten(format_, writer, reader)
        if writer is not None and found.name == writer.name:
            return None
        reads = RULES[format_](*self._typed(found, reader, direction))
        # Another field's value, for one that the writer has: read well, it is still the wrong one.
        fit = reads.fit if writer is None else max(reads.fit, Fit.VALUE)
        return Reads(fit, f"it takes the value of {found.name}{reads.why and f': {reads.why}'}")

    def _typed(self, writer: Field, reader: Field, direction: Direction) -> tuple[Typed, Typed]:
        schemas = (self.pair.older, self.pair.newer)
        source, target = schemas if direction == "backward" else schemas[::-1]
        return Typed(source, writer.type), Typed(target, reader.type)

    def _numbered(self, link: Link) -> Reads | None:
        """By number; None where the two meet."""
        source, writer, target, reader = self._sides(link[1])
        if reader is None:
            return _moved(writer, slots(target), slots(source))
        if oneof_of(reader) is not None:
            return None if writer is not None and oneof_of(writer) is not None else Reads(Fit.SAME)
        found = slots(source).get(reader.number or 0)
        if found is None and is_required(
            self.pair.newer if link[1] == "backward" else self.pair.older, reader
        ):
            return Reads(Fit.LAYOUT, "the reader requires it")
        if found is None:
            lost = writer is not None and reader.number is not None
            what = f"the reader finds nothing under the number {reader.number}"
            return Reads(Fit.VALUE, what) if lost else _fine()
        if writer is not None and found.name == writer.name:
            return None
        return self._taken(found, reader, link[1])

    def _taken(self, found: Slot, reader: Field, direction: Direction) -> Reads:
        schemas = (self.pair.older, self.pair.newer)
        source, target = schemas if direction == "backward" else schemas[::-1]
        reads = protobuf_reads(Typed(source, found.type), Typed(target, reader.type))
        if reads.fit is Fit.SAME and found.oneof:
            return reads  # moved out of a oneof: a case that is set stays set
        fit = max(reads.fit, Fit.VALUE)
        what = f"it takes the value of {found.name}, whose number was {reader.number}"
        return Reads(fit, f"{what}{reads.why and f': {reads.why}'}")


def _fine() -> Reads:
    return Reads(Fit.SAME)


def _moved(writer: Field | None, target: dict[int, Slot], source: dict[int, Slot]) -> Reads:
    """A field that the reader has no field for, but perhaps a case of a oneof."""
    taken = None if writer is None else target.get(writer.number or 0)
    if taken is None or not taken.oneof:
        return _fine()
    cases = [number for number, slot in target.items() if slot.oneof == taken.oneof]
    plain = [n for n in cases if n in source and not source[n].oneof]
    if len(plain) > 1:
        return Reads(Fit.VALUE, f"of {len(plain)} fields moved into {taken.oneof} one survives")
    return _fine()


def _by_key(source: Record, reader: Field) -> Field | None:
    return next((f for f in source.fields if json_key(f) == json_key(reader)), None)


def _unwritten(format_: RawFormat, writer: Field | None, reader: Field) -> Reads:
    sought = reader.name if format_ == "avro" else json_key(reader)
    if reader.default is None:
        return Reads(Fit.LAYOUT, f"the reader finds no {sought}, and has no default for it")
    if writer is not None:
        return Reads(Fit.VALUE, f"the reader finds no {sought}, and takes its default")
    return _fine()
