"""The numbered parts of a schema: fields, symbols and branches, each at its place.

The place of a field is its record, that of a symbol its enum, and that of a branch its
union: ``p.Message.content[]`` is the union of the items of a list. The cases of a oneof
are fields of their message, since they share its numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal, NamedTuple, TypeAlias

from .model import Array, Enum, Field, Fixed, Map, Optional, Record, Schema, Type, Union

PartKind: TypeAlias = Literal["branch", "field", "symbol"]


class Part(NamedTuple):
    """A field, symbol or branch: where it stands, and its name there."""

    kind: PartKind
    place: str
    name: str

    def __str__(self) -> str:
        if self.kind == "branch":
            return inside_branch(self.place, self.name)
        return f"{self.place}.{self.name}"


class Numbered(NamedTuple):
    """The number of a part; ``type`` is None for a symbol."""

    number: int
    type: Type | None = None


def inside_items(place: str) -> str:
    """The place of the items of an array at ``place``."""
    return f"{place}[]"


def inside_values(place: str) -> str:
    """The place of the values of a map at ``place``."""
    return f"{place}{{}}"


def inside_branch(place: str, label: str) -> str:
    """The place of one branch of a union at ``place``."""
    return f"{place}({label})"


def numbered_parts(schema: Schema) -> Mapping[Part, Numbered]:
    """Every part of ``schema`` that has a Protobuf number; nothing where none was given."""
    return dict(part for named in schema.types.values() for part in _parts(named))


def _parts(named: Record | Enum | Fixed) -> Iterator[tuple[Part, Numbered]]:
    match named:
        case Record():
            for field in named.fields:
                yield from _field_parts(named.name, field)
        case Enum():
            for symbol in named.symbols:
                yield Part("symbol", named.name, symbol.name), Numbered(symbol.number)
        case Fixed():
            pass


def _field_parts(record: str, field: Field) -> Iterator[tuple[Part, Numbered]]:
    if field.number is not None:
        yield Part("field", record, field.name), Numbered(field.number, field.type)
    yield from _type_parts(field.type, record, f"{record}.{field.name}")


def _type_parts(type_: Type, record: str, place: str) -> Iterator[tuple[Part, Numbered]]:
    match type_:
        case Array():
            yield from _type_parts(type_.items, record, inside_items(place))
        case Map():
            yield from _type_parts(type_.values, record, inside_values(place))
        case Optional():
            yield from _type_parts(type_.item, record, place)
        case Union():
            yield from _union_parts(type_, record, place)
        case _:
            pass


def _union_parts(union: Union, record: str, place: str) -> Iterator[tuple[Part, Numbered]]:
    for branch in union.branches:
        if branch.number is not None:
            kind: PartKind = "field" if union.oneof else "branch"
            part = Part(kind, record if union.oneof else place, branch.label)
            yield part, Numbered(branch.number, branch.type)
        yield from _type_parts(branch.type, record, inside_branch(place, branch.label))
