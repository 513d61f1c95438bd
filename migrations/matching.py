"""Which fields, symbols and branches of two versions are the same thing.

Names match first, then the aliases that the newer version declares, then Protobuf numbers.
Pairs are the same in both directions, so an upgrade and its downgrade agree.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from ..schemas.model import (
    Array,
    Branch,
    Enum,
    Field,
    Json,
    Logical,
    Map,
    Optional,
    Primitive,
    Record,
    Reference,
    Schema,
    Type,
    Union,
)
from ..schemas.promotions import promotes


@dataclass(frozen=True, slots=True)
class Versions:
    """Two versions of a subject, whichever direction a value takes between them."""

    older: Schema
    newer: Schema

    @property
    def by_number(self) -> bool:
        """Whether both versions declare Protobuf numbers, which then carry identity."""
        return self.older.language == self.newer.language == "protobuf"


def short(name: str) -> str:
    """The last part of a full name."""
    return name.rpartition(".")[2]


def match_fields(pair: Versions, older: Record, newer: Record) -> dict[str, str]:
    """The older field name for each newer field that has a counterpart."""
    by_number = numbered(older.fields) if pair.by_number else {}

    def same_number(field: Field) -> Iterable[str]:
        found = (old for number in numbers(field) for old in by_number.get(number, ()))
        return (old.name for old in found if is_oneof(old) == is_oneof(field))

    matches: dict[str, str] = {}
    free = {field.name: place for place, field in enumerate(older.fields)}
    for names in (_own_name, _aliases, same_number):
        for field in newer.fields:
            found = {free[name]: name for name in names(field) if name in free}
            if found and field.name not in matches:
                # The first of the older record, where there are several.
                matches[field.name] = found[min(found)]
                del free[matches[field.name]]
    return matches


def _own_name(field: Field) -> Iterable[str]:
    return (field.name,)


def _aliases(field: Field) -> Iterable[str]:
    return field.aliases


def numbered(fields: Iterable[Field]) -> dict[int, list[Field]]:
    """The fields by each of their Protobuf numbers."""
    found: defaultdict[int, list[Field]] = defaultdict(list)
    for field in fields:
        for number in numbers(field):
            found[number].append(field)
    return found


def is_oneof(field: Field) -> bool:
    """Whether a field is a oneof, which has no number of its own."""
    kind = field.type
    return isinstance(kind, Optional) and isinstance(kind.item, Union) and kind.item.oneof


def numbers(field: Field) -> set[int]:
    """The Protobuf numbers of a field: its own, or those of its oneof's cases."""
    kind = field.type
    if isinstance(kind, Optional) and isinstance(kind.item, Union) and kind.item.oneof:
        return {branch.number for branch in kind.item.branches if branch.number is not None}
    return set() if field.number is None else {field.number}


def match_symbols(pair: Versions, older: Enum, newer: Enum) -> dict[str, str]:
    """The older symbol for each newer one that has a counterpart."""
    names = {symbol.name for symbol in older.symbols}
    matches = {symbol.name: symbol.name for symbol in newer.symbols if symbol.name in names}
    if pair.by_number:
        free = {s.number: s.name for s in older.symbols if s.name not in matches}
        for symbol in newer.symbols:
            if symbol.name not in matches and symbol.number in free:
                matches[symbol.name] = free.pop(symbol.number)
    return matches


def same_named_type(pair: Versions, older: str, newer: str) -> bool:
    """Whether two full names are one type: equal, equal in the last part, or by alias."""
    aliases = pair.newer.types[newer].aliases
    return older == newer or short(older) == short(newer) or older in aliases


def match_branch(
    pair: Versions, source: Branch, targets: Iterable[Branch], *, upwards: bool
) -> int | None:
    """The index of the target branch for a source branch: the exact one, else promotable."""
    numbered = list(enumerate(targets))
    for index, target in numbered:
        if target.label == source.label and _same_branch(pair, source, target, upwards=upwards):
            return index
    for index, target in numbered:
        if _same_branch(pair, source, target, upwards=upwards):
            return index
    if isinstance(source.type, Primitive):
        for index, target in numbered:
            if isinstance(target.type, Primitive) and promotes(source.type.kind, target.type.kind):
                return index
    return None


def _same_branch(pair: Versions, source: Branch, target: Branch, *, upwards: bool) -> bool:
    if pair.by_number and source.number is not None:
        return source.number == target.number or source.label == target.label
    older, newer = (source.type, target.type) if upwards else (target.type, source.type)
    return same_shape(pair, older, newer)


def same_shape(pair: Versions, older: Type, newer: Type) -> bool:
    """Whether two types are the same branch of a union, before any promotion."""
    match older, newer:
        case Reference(), Reference():
            return _same_kind(pair, older, newer) and same_named_type(pair, older.name, newer.name)
        case (Array(), Array()) | (Map(), Map()) | (Json(), Json()) | (Union(), Union()):
            return True
        case Primitive(), Primitive():
            return older.kind == newer.kind
        case Logical(), Logical():
            return older.kind == newer.kind
        case Optional(), Optional():
            return same_shape(pair, older.item, newer.item)
        case _:
            return False


def _same_kind(pair: Versions, older: Reference, newer: Reference) -> bool:
    return type(pair.older.types[older.name]) is type(pair.newer.types[newer.name])
