"""Protobuf numbers for schemas that declare none.

The versions of a subject are walked in order. What a version keeps from an earlier one
(by name, or by an alias of a former name) keeps its number; what is new takes the next
number that was never used at that place. So a number never changes its meaning, and a
later version changes nothing in the numbers of an earlier one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from msgspec.structs import replace

from .model import (
    Array,
    Branch,
    Enum,
    Field,
    Fixed,
    Map,
    NamedType,
    Optional,
    Record,
    Schema,
    Type,
    Union,
)

_RESERVED = range(19000, 20000)
_Place: TypeAlias = tuple[str | int, ...]


@dataclass
class _Numbers:
    """The numbers of one place: of a record's fields, an enum's symbols, a union's branches."""

    next: int
    known: dict[str, int] = field(default_factory=dict[str, int])

    def assign(self, names: Sequence[tuple[str, tuple[str, ...]]]) -> dict[str, int]:
        """Number ``names``, each with its aliases; a name of its own goes before any alias."""
        present = {name for name, _ in names}
        assigned: dict[str, int] = {}
        for name, aliases in names:
            if name not in self.known:
                self._rename(name, [alias for alias in aliases if alias not in present])
            assigned[name] = self.known[name]
        return assigned

    def _rename(self, name: str, former: list[str]) -> None:
        known = next((alias for alias in former if alias in self.known), None)
        # A former name gives its number up, so that a later field of that name is a new one.
        self.known[name] = self._take() if known is None else self.known.pop(known)

    def _take(self) -> int:
        if self.next in _RESERVED:
            self.next = _RESERVED.stop
        self.next += 1
        return self.next - 1


@dataclass
class _Ledger:
    """All numbers given so far. ``identities`` tells which named types of the versions are one,
    ``aliases`` has those of the version at hand.
    """

    numbers: dict[_Place, _Numbers] = field(default_factory=dict[_Place, _Numbers])
    identities: _Numbers = field(default_factory=lambda: _Numbers(0))
    aliases: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    root: str | None = None

    def at(self, place: _Place, first: int) -> _Numbers:
        return self.numbers.setdefault(place, _Numbers(first))

    def identify(self, schema: Schema) -> dict[str, int]:
        """Say which type each type of ``schema`` is; the root is always the same one."""
        self.aliases = {name: named.aliases for name, named in schema.types.items()}
        if self.root is not None:
            self.aliases[schema.root] += (self.root,)
        self.root = schema.root
        return self.identities.assign(list(self.aliases.items()))


def number_fields(versions: Sequence[Schema]) -> tuple[Schema, ...]:
    """Give the fields, symbols and branches of ``versions``, oldest first, Protobuf numbers.

    Fields and branches count from 1 (19000 to 19999 are Protobuf's own), symbols from 0.
    Versions written in Protobuf have theirs, and are returned as they are.
    """
    ledger = _Ledger()
    return tuple(
        _number_schema(schema, ledger) if schema.language == "avro" else schema
        for schema in versions
    )


def _number_schema(schema: Schema, ledger: _Ledger) -> Schema:
    identities = ledger.identify(schema)
    types: dict[str, NamedType] = {
        name: _number_named(named, ledger, identities[name]) for name, named in schema.types.items()
    }
    return replace(schema, types=types)


def _number_named(named: NamedType, ledger: _Ledger, identity: int) -> NamedType:
    match named:
        case Record():
            numbers = ledger.at((identity,), 1).assign(
                [(field.name, field.aliases) for field in named.fields]
            )
            return replace(named, fields=_number_record(named.fields, numbers, ledger, identity))
        case Enum():
            numbers = ledger.at((identity,), 0).assign([(s.name, ()) for s in named.symbols])
            return replace(
                named, symbols=tuple(replace(s, number=numbers[s.name]) for s in named.symbols)
            )
        case Fixed():
            return named


def _number_record(
    fields: Iterable[Field], numbers: Mapping[str, int], ledger: _Ledger, identity: int
) -> tuple[Field, ...]:
    return tuple(
        replace(
            field,
            number=numbers[field.name],
            type=_number_type(field.type, ledger, (identity, numbers[field.name])),
        )
        for field in fields
    )


def _number_type(type_: Type, ledger: _Ledger, place: _Place) -> Type:
    """``type_`` with its unions numbered; ``place`` leads to it from its record."""
    match type_:
        case Array():
            return replace(type_, items=_number_type(type_.items, ledger, (*place, "items")))
        case Map():
            return replace(type_, values=_number_type(type_.values, ledger, (*place, "values")))
        case Optional():
            return replace(type_, item=_number_type(type_.item, ledger, place))
        case Union():
            return type_ if type_.oneof else _number_union(type_, ledger, place)
        case _:
            return type_


def _number_union(union: Union, ledger: _Ledger, place: _Place) -> Union:
    numbers = ledger.at((*place, "union"), 1).assign(
        [(branch.label, ledger.aliases.get(branch.label, ())) for branch in union.branches]
    )

    def numbered(branch: Branch) -> Branch:
        type_ = _number_type(branch.type, ledger, (*place, numbers[branch.label]))
        return replace(branch, number=numbers[branch.label], type=type_)

    return replace(union, branches=tuple(numbered(branch) for branch in union.branches))
