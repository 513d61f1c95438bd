"""Protobuf numbers for schemas that declare none.

The versions of a subject are walked in order. What a version keeps from an earlier one
(by name, or by an alias of a former name) keeps its number; what is new takes the next
number that was never used at that place. So a number never changes its meaning, and a
later version changes nothing in the numbers of an earlier one.

Where a lock froze the numbers of a version, those win, and later versions go on from them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
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
from .numbered import Part, PartKind, inside_branch, inside_items, inside_values

Frozen: TypeAlias = Callable[[int, Part], int | None]
"""The number that is frozen for a part of a version, or None."""

_RESERVED = range(19000, 20000)
_FIRST: Mapping[PartKind, int] = {"field": 1, "symbol": 0, "branch": 1}
_Key: TypeAlias = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class _Place:
    """Where parts are numbered: ``key`` is the same in every version, ``text`` has the names
    of this one.
    """

    key: _Key
    text: str

    def inside(self, step: str | int, text: str) -> _Place:
        return _Place((*self.key, step), text)


@dataclass
class _Numbers:
    """The numbers of one place: of a record's fields, an enum's symbols, a union's branches."""

    next: int
    known: dict[str, int] = field(default_factory=dict[str, int])

    def assign(
        self,
        names: Sequence[tuple[str, tuple[str, ...]]],
        frozen: Callable[[str], int | None] = lambda _: None,
    ) -> dict[str, int]:
        """Number ``names``, each with its aliases; a name of its own goes before any alias,
        and what is ``frozen`` before both.
        """
        present = {name for name, _ in names}
        given = {name: number for name, _ in names if (number := frozen(name)) is not None}
        self.next = max([self.next, *(number + 1 for number in given.values())])
        assigned: dict[str, int] = {}
        for name, aliases in names:
            if name not in self.known:
                former = [alias for alias in aliases if alias not in present]
                self._rename(name, former, given.get(name))
            self.known[name] = given.get(name, self.known[name])
            assigned[name] = self.known[name]
        return assigned

    def _rename(self, name: str, former: list[str], given: int | None) -> None:
        known = next((alias for alias in former if alias in self.known), None)
        if known is not None:
            # A former name gives its number up, so that a later field of that name is a new one.
            self.known[name] = self.known.pop(known)
        else:
            self.known[name] = self._take() if given is None else given

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

    frozen: Frozen
    version: int = 0
    numbers: dict[_Key, _Numbers] = field(default_factory=dict[_Key, _Numbers])
    identities: _Numbers = field(default_factory=lambda: _Numbers(0))
    aliases: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    root: str | None = None

    def assign(
        self, kind: PartKind, place: _Place, names: Sequence[tuple[str, tuple[str, ...]]]
    ) -> dict[str, int]:
        """Number the parts of one place."""
        numbers = self.numbers.setdefault(place.key, _Numbers(_FIRST[kind]))
        return numbers.assign(
            names, lambda name: self.frozen(self.version, Part(kind, place.text, name))
        )

    def identify(self, schema: Schema) -> dict[str, int]:
        """Say which type each type of ``schema`` is; the root is always the same one."""
        self.version = schema.version
        self.aliases = {name: named.aliases for name, named in schema.types.items()}
        if self.root is not None:
            self.aliases[schema.root] += (self.root,)
        self.root = schema.root
        return self.identities.assign(list(self.aliases.items()))


def number_fields(
    versions: Sequence[Schema], frozen: Frozen = lambda _version, _part: None
) -> tuple[Schema, ...]:
    """Give the fields, symbols and branches of ``versions``, oldest first, Protobuf numbers.

    Fields and branches count from 1 (19000 to 19999 are Protobuf's own), symbols from 0.
    Versions written in Protobuf have theirs, and are returned as they are. ``frozen`` has
    the numbers that a lock holds.
    """
    ledger = _Ledger(frozen)
    return tuple(
        _number_schema(schema, ledger) if schema.language == "avro" else schema
        for schema in versions
    )


def _number_schema(schema: Schema, ledger: _Ledger) -> Schema:
    identities = ledger.identify(schema)
    types: dict[str, NamedType] = {
        name: _number_named(named, ledger, _Place((identities[name],), name))
        for name, named in schema.types.items()
    }
    return replace(schema, types=types)


def _number_named(named: NamedType, ledger: _Ledger, place: _Place) -> NamedType:
    match named:
        case Record():
            names = [(field.name, field.aliases) for field in named.fields]
            numbers = ledger.assign("field", place, names)
            return replace(named, fields=_number_record(named.fields, numbers, ledger, place))
        case Enum():
            numbers = ledger.assign("symbol", place, [(s.name, ()) for s in named.symbols])
            return replace(
                named, symbols=tuple(replace(s, number=numbers[s.name]) for s in named.symbols)
            )
        case Fixed():
            return named


def _number_record(
    fields: Iterable[Field], numbers: Mapping[str, int], ledger: _Ledger, place: _Place
) -> tuple[Field, ...]:
    def numbered(field: Field) -> Field:
        number = numbers[field.name]
        inside = place.inside(number, f"{place.text}.{field.name}")
        return replace(field, number=number, type=_number_type(field.type, ledger, inside))

    return tuple(numbered(field) for field in fields)


def _number_type(type_: Type, ledger: _Ledger, place: _Place) -> Type:
    """``type_`` with its unions numbered; ``place`` leads to it from its record."""
    match type_:
        case Array():
            inside = place.inside("items", inside_items(place.text))
            return replace(type_, items=_number_type(type_.items, ledger, inside))
        case Map():
            inside = place.inside("values", inside_values(place.text))
            return replace(type_, values=_number_type(type_.values, ledger, inside))
        case Optional():
            return replace(type_, item=_number_type(type_.item, ledger, place))
        case Union():
            return type_ if type_.oneof else _number_union(type_, ledger, place)
        case _:
            return type_


def _number_union(union: Union, ledger: _Ledger, place: _Place) -> Union:
    names = [(branch.label, ledger.aliases.get(branch.label, ())) for branch in union.branches]
    numbers = ledger.assign("branch", place.inside("union", place.text), names)

    def numbered(branch: Branch) -> Branch:
        number = numbers[branch.label]
        inside = place.inside(number, inside_branch(place.text, branch.label))
        return replace(branch, number=number, type=_number_type(branch.type, ledger, inside))

    return replace(union, branches=tuple(numbered(branch) for branch in union.branches))
