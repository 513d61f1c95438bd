"""The records and enums that inference proposes, before they have their final names.

Equal records of one base name are one record: a draft is kept under what it looks like,
and types refer to it by a number. Names are given at the end, from the root down, so
that the outermost record of a name gets it without a prefix.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from msgspec.structs import replace

from ..model import (
    Array,
    Branch,
    Enum,
    Field,
    Map,
    NamedType,
    Optional,
    Record,
    Reference,
    Symbol,
    Type,
    Union,
)
from .words import type_name, unused


@dataclass(slots=True)
class Drafts:
    """The proposed named types. ``add_record`` and ``add_enum`` give a reference to one."""

    _known: dict[object, str] = field(default_factory=dict[object, str])
    _records: dict[str, tuple[str, tuple[Field, ...]]] = field(
        default_factory=dict[str, tuple[str, tuple[Field, ...]]]
    )
    _enums: dict[str, tuple[str, tuple[str, ...]]] = field(
        default_factory=dict[str, tuple[str, tuple[str, ...]]]
    )

    def add_record(self, word: str, fields: tuple[Field, ...]) -> Reference:
        """Propose a record named for ``word``, or the equal one that is there.

        A doc that the two do not share says nothing about either, so it is dropped.
        """
        base = type_name(word)
        bare = tuple(replace(item, doc="") for item in fields)
        number = self._number((base, bare))
        _, before = self._records.get(number, (base, fields))
        shared = tuple(
            old if old.doc == new.doc else replace(old, doc="")
            for old, new in zip(before, fields, strict=True)
        )
        self._records[number] = (base, shared)
        return Reference(number)

    def add_enum(self, word: str, symbols: tuple[str, ...]) -> Reference:
        """Propose an enum named for ``word``, or the equal one that is there."""
        base = type_name(word)
        number = self._number((base, symbols))
        self._enums[number] = (base, symbols)
        return Reference(number)

    def _number(self, look: object) -> str:
        return self._known.setdefault(look, f"#{len(self._known)}")

    def named(self, root: Reference, namespace: str | None) -> tuple[str, dict[str, NamedType]]:
        """Name everything that ``root`` needs; return its full name and the types in order."""
        naming = _Naming(self, f"{namespace}." if namespace else "")
        return naming.name(root.name, ""), naming.types

    def record(self, number: str) -> tuple[str, tuple[Field, ...]] | None:
        """Base name and fields of a proposed record, None if ``number`` is an enum."""
        return self._records.get(number)

    def enum(self, number: str) -> tuple[str, tuple[str, ...]]:
        """Base name and symbols of a proposed enum."""
        return self._enums[number]


@dataclass(slots=True)
class _Naming:
    """One walk from the root that gives names and rewrites references to them."""

    drafts: Drafts
    prefix: str
    types: dict[str, NamedType] = field(default_factory=dict[str, NamedType])
    names: dict[str, str] = field(default_factory=dict[str, str])

    def name(self, number: str, parent: str) -> str:
        """Return the full name of a draft; ``parent`` helps where the base name is taken."""
        if number in self.names:
            return self.names[number]
        record = self.drafts.record(number)
        base, _ = record or self.drafts.enum(number)
        short = base if self._full(base) not in self.types else f"{parent}{base}"
        full = self._full(unused(short, {name[len(self.prefix) :] for name in self.types}, ""))
        self.names[number] = full
        if record is None:
            self.types[full] = _enum(full, self.drafts.enum(number)[1])
        else:
            self.types[full] = Record(full, ())  # holds the place: outer before inner
            self.types[full] = Record(full, self._fields(record[1], full[len(self.prefix) :]))
        return full

    def _full(self, short: str) -> str:
        return f"{self.prefix}{short}"

    def _fields(self, fields: tuple[Field, ...], parent: str) -> tuple[Field, ...]:
        return tuple(replace(item, type=self._type(item.type, parent)) for item in fields)

    def _type(self, type_: Type, parent: str) -> Type:
        match type_:
            case Reference():
                return Reference(self.name(type_.name, parent))
            case Array():
                return replace(type_, items=self._type(type_.items, parent))
            case Map():
                return replace(type_, values=self._type(type_.values, parent))
            case Optional():
                return replace(type_, item=self._type(type_.item, parent))
            case Union():
                return Union(tuple(self._branch(branch, parent) for branch in type_.branches))
            case _:
                return type_

    def _branch(self, branch: Branch, parent: str) -> Branch:
        type_ = self._type(branch.type, parent)
        return Branch(type_.name if isinstance(type_, Reference) else branch.label, type_)


def _enum(full_name: str, symbols: tuple[str, ...]) -> Enum:
    return Enum(full_name, tuple(Symbol(name, place) for place, name in enumerate(symbols)))
