"""What keeps data of one schema from being read with another, as Avro's own checkers say it.

The findings are those of ``SchemaCompatibility`` in Java and ``avro.compatibility`` in Python:
the same kinds, JSON pointers and messages. The whole schemas are judged, not single values.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

import msgspec

from ..model import (
    Array,
    Fixed,
    Json,
    Logical,
    Map,
    NamedType,
    Optional,
    Primitive,
    Reference,
    Schema,
    Type,
    Union,
)
from .mismatches import Mismatch, MismatchKind, Resolver
from .names import avro_kind

Kind: TypeAlias = Literal[
    "name_mismatch",
    "fixed_size_mismatch",
    "missing_enum_symbols",
    "reader_field_missing_default_value",
    "type_mismatch",
    "missing_union_branch",
]
_KINDS: Final[Mapping[MismatchKind, Kind]] = {
    "name": "name_mismatch",
    "size": "fixed_size_mismatch",
    "symbols": "missing_enum_symbols",
    "field": "reader_field_missing_default_value",
    "type": "type_mismatch",
    "branch": "missing_union_branch",
}
"""What Avro calls each; its checkers pass over logical types, which parse whatever they are."""


class Incompatibility(msgspec.Struct, frozen=True):
    """One finding: ``location`` is a JSON pointer into the reader's ``.avsc``, a named type
    being where it is first used, or into the writer's where a branch or symbol is missing.
    """

    kind: Kind
    location: str
    message: str


def incompatibilities(writer: Schema, reader: Schema) -> list[Incompatibility]:
    """What keeps data of ``writer`` from being read with ``reader``; empty where nothing does."""
    found = Resolver(writer, reader).types(Reference(writer.root), Reference(reader.root))
    return [
        Incompatibility(_KINDS[one.kind], one.location or "/", _message(one, writer, reader))
        for one in found
        if one.kind in _KINDS
    ]


def _message(found: Mismatch, writer: Schema, reader: Schema) -> str:
    match found.kind, _definition(found.writer, writer), _definition(found.reader, reader):
        case "symbols", _, _:
            return f"{{{', '.join(map(repr, found.lacking))}}}"
        case "field", _, _:
            return found.lacking[0]
        case "branch", _, _:
            lacking = _name(found.writer, writer.types).upper()
            return f"reader union lacking writer type: {lacking}"
        case "size", Fixed() as old, Fixed() as new:
            return f"expected: {old.size}, found: {new.size}"
        case "name", old, _ if old is not None:
            return f"expected: {old.name}"
        case _:
            wrote, reads = _name(found.writer, writer.types), _name(found.reader, reader.types)
            return f"reader type: {reads} not compatible with writer type: {wrote}"


def _definition(type_: Type, schema: Schema) -> NamedType | None:
    return schema.types[type_.name] if isinstance(type_, Reference) else None


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
