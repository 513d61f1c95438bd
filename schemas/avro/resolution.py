"""What keeps data of one schema from being read with another, by the rules of Avro.

The rules are those of the specification (1.12, "Schema Resolution"), and the findings those
of Avro's own checkers (``SchemaCompatibility`` in Java, ``avro.compatibility`` in Python): the
same kinds, JSON pointers and messages. The whole schemas are judged, not single values.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

import msgspec

from ..model import (
    Array,
    Enum,
    Field,
    Fixed,
    Json,
    Logical,
    Map,
    NamedType,
    Optional,
    Primitive,
    Record,
    Reference,
    Schema,
    Type,
    Union,
)
from .names import avro_kind

Kind: TypeAlias = Literal[
    "name_mismatch",
    "fixed_size_mismatch",
    "missing_enum_symbols",
    "reader_field_missing_default_value",
    "type_mismatch",
    "missing_union_branch",
]
_PROMOTIONS: Mapping[str, tuple[str, ...]] = {
    "long": ("int",),
    "float": ("int", "long"),
    "double": ("int", "long", "float"),
    "bytes": ("string",),
    "string": ("bytes",),
}
"""What a reader of each type takes, besides its own."""


class Incompatibility(msgspec.Struct, frozen=True):
    """One finding: ``location`` is a JSON pointer into the reader's ``.avsc``, a named type
    being where it is first used, or into the writer's where a branch or symbol is missing.
    """

    kind: Kind
    location: str
    message: str


def incompatibilities(writer: Schema, reader: Schema) -> list[Incompatibility]:
    """What keeps data of ``writer`` from being read with ``reader``; empty where nothing does."""
    checker = _Checker(writer.types, reader.types)
    return checker.types(Reference(writer.root), Reference(reader.root), "")


class _Checker:
    """Compares types in pairs; a pair of named types is compared once."""

    def __init__(self, writer: Mapping[str, NamedType], reader: Mapping[str, NamedType]) -> None:
        self._writer = writer
        self._reader = reader
        self._known: dict[tuple[str, str], list[Incompatibility]] = {}

    def types(self, writer: Type, reader: Type, here: str) -> list[Incompatibility]:
        """The findings of one pair of types, at ``here``."""
        writer, reader = _plain_type(writer), _plain_type(reader)
        written, read = _branches(writer), _branches(reader)
        if written is not None:
            return self._from_union(written, reader, here, nested=read is not None)
        if read is not None:
            return self._to_union(writer, read, here)
        match writer, reader:
            case Array(), Array():
                return self.types(writer.items, reader.items, f"{here}/items")
            case Map(), Map():
                return self.types(writer.values, reader.values, f"{here}/values")
            case Reference(), Reference():
                return self._named(writer.name, reader.name, here)
            case _:
                return self._plain(writer, reader, here)

    def _from_union(
        self, written: tuple[Type, ...], reader: Type, here: str, *, nested: bool
    ) -> list[Incompatibility]:
        """Each branch of the writer must be readable."""
        found: list[Incompatibility] = []
        for index, branch in enumerate(written):
            if not nested:
                found += self.types(branch, reader, here)
            elif self.types(branch, reader, here):
                found.append(self._lacking(branch, f"{here}/{index}"))
        return _distinct(found)

    def _to_union(self, writer: Type, read: tuple[Type, ...], here: str) -> list[Incompatibility]:
        if any(not self.types(writer, branch, here) for branch in read):
            return []
        return [self._lacking(writer, here)]

    def _lacking(self, writer: Type, here: str) -> Incompatibility:
        name = _name(writer, self._writer).upper()
        return _finding("missing_union_branch", here, f"reader union lacking writer type: {name}")

    def _plain(self, writer: Type, reader: Type, here: str) -> list[Incompatibility]:
        wrote, reads = _name(writer, self._writer), _name(reader, self._reader)
        if wrote == reads or wrote in _PROMOTIONS.get(reads, ()):
            return []
        message = f"reader type: {reads} not compatible with writer type: {wrote}"
        return [_finding("type_mismatch", here, message)]

    def _named(self, writer: str, reader: str, here: str) -> list[Incompatibility]:
        pair = writer, reader
        if pair not in self._known:
            self._known[pair] = []  # a recursive type finds itself without fault
            self._known[pair] = self._compare(self._writer[writer], self._reader[reader], here)
        return self._known[pair]

    def _compare(self, writer: NamedType, reader: NamedType, here: str) -> list[Incompatibility]:
        if type(writer) is not type(reader):
            return self._plain(Reference(writer.name), Reference(reader.name), here)
        found = _compare_names(writer, reader, here)
        match writer, reader:
            case Record(), Record():
                return found + self._fields(writer, reader, here)
            case Enum(), Enum():
                return found + _compare_symbols(writer, reader, here)
            case Fixed(), Fixed() if writer.size != reader.size:
                message = f"expected: {writer.size}, found: {reader.size}"
                return [*found, _finding("fixed_size_mismatch", f"{here}/size", message)]
            case _:
                return found

    def _fields(self, writer: Record, reader: Record, here: str) -> list[Incompatibility]:
        found: list[Incompatibility] = []
        for index, field in enumerate(reader.fields):
            place = f"{here}/fields/{index}"
            source = writer_field(writer, field)
            if source is not None:
                found += self.types(source.type, field.type, f"{place}/type")
            elif field.default is None:
                found.append(_finding("reader_field_missing_default_value", place, field.name))
        return _distinct(found)


def writer_field(writer: Record, reader: Field) -> Field | None:
    """The writer's field that a reader's field takes: of its name, else of an alias."""
    fields = {field.name: field for field in writer.fields}
    return next((fields[name] for name in (reader.name, *reader.aliases) if name in fields), None)


def _finding(kind: Kind, here: str, message: str) -> Incompatibility:
    return Incompatibility(kind, here or "/", message)


def _distinct(found: list[Incompatibility]) -> list[Incompatibility]:
    return list(dict.fromkeys(found))


def _compare_names(writer: NamedType, reader: NamedType, here: str) -> list[Incompatibility]:
    """The last part of the names counts, as in Avro's own checkers, or an alias of the reader."""
    short = writer.name.rpartition(".")[2]
    if short == reader.name.rpartition(".")[2] or writer.name in reader.aliases:
        return []
    return [_finding("name_mismatch", f"{here}/name", f"expected: {writer.name}")]


def _compare_symbols(writer: Enum, reader: Enum, here: str) -> list[Incompatibility]:
    known = {symbol.name for symbol in reader.symbols}
    lost = sorted({symbol.name for symbol in writer.symbols} - known)
    if not lost or reader.default is not None:
        return []
    message = f"{{{', '.join(map(repr, lost))}}}"
    return [_finding("missing_enum_symbols", f"{here}/symbols", message)]


def _plain_type(type_: Type) -> Type:
    """A logical type as what it stands on."""
    return type_.base if isinstance(type_, Logical) else type_


def _branches(type_: Type) -> tuple[Type, ...] | None:
    """The branches of what is a union in Avro, null among them; None for any other type."""
    match type_:
        case Union():
            return tuple(branch.type for branch in type_.branches)
        case Optional():
            items = _branches(type_.item) or (type_.item,)
            null = (Primitive("null"),)
            return items[: type_.null_at] + null + items[type_.null_at :]
        case _:
            return None


def _name(type_: Type, types: Mapping[str, NamedType]) -> str:
    """What Avro calls a type: logical types count as what they stand on."""
    match type_:
        case Primitive():
            return avro_kind(type_)
        case Logical():
            return _name(type_.base, types)
        case Json():
            return "bytes"
        case Array():
            return "array"
        case Map():
            return "map"
        case Reference():
            return type(types[type_.name]).__name__.lower()
        case Optional() | Union():
            return "union"
