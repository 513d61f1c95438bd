"""Names every difference between two versions, and what it breaks."""

from __future__ import annotations

from dataclasses import dataclass, field

from msgspec.structs import replace

from ...migrations.matching import match_fields
from ...schemas.model import (
    Array,
    Branch,
    Enum,
    Field,
    Map,
    Optional,
    Primitive,
    Record,
    Reference,
    Schema,
    Type,
    Union,
)
from ...schemas.naming import json_key
from .branches import UnionPair
from .breaks import DIRECTIONS, FieldPair, Link, Pair, as_break, oneof_of, type_breaks
from .change import Break, Change, Kind
from .fit import Fit, Reads
from .numbered import numbered
from .python_types import python_type
from .rules_avro import same_name
from .symbols import symbol_changes
from .words import told


def diff(older: Schema, newer: Schema) -> tuple[Change, ...]:
    """Every change from ``older`` to ``newer``, in the order of the newer version's fields.

    Docs and deprecation are no changes. Fields are matched by name, by alias and, where both
    are Protobuf, by number. A type that several fields use is looked at where it is met first.
    """
    older, newer = numbered(older, newer)
    walk = _Walk(Pair(older, newer))
    walk.record(older.record, newer.record, older.subject)
    return tuple(walk.changes)


@dataclass(slots=True)
class _Place:
    """Where the walk is: the path, the field's whole types, and the formats in which the two
    versions meet there.
    """

    path: str
    whole: tuple[Type, Type]
    links: frozenset[Link]

    def at(self, path: str) -> _Place:
        return _Place(path, self.whole, self.links)


@dataclass(slots=True)
class _Walk:
    pair: Pair
    changes: list[Change] = field(default_factory=list[Change])
    records: tuple[str, str] = ("", "")
    seen: set[tuple[str, str]] = field(default_factory=set[tuple[str, str]])

    def _add(
        self, kind: Kind, path: str, what: str, breaks: tuple[Break, ...] = (), source: str = ""
    ) -> None:
        self.changes.append(Change(kind, path, what, breaks, source, self.records))

    def record(self, old: Record, new: Record, path: str) -> None:
        """The changes of a record, the first time that the two meet."""
        key = (old.name, new.name)
        if key in self.seen:
            return
        self.seen.add(key)
        around, self.records = self.records, key
        matches = match_fields(self.pair.versions, old, new)
        former = {f.name: f for f in old.fields}
        for now in new.fields:
            before = former[matches[now.name]] if now.name in matches else None
            self._field(FieldPair(self.pair, (old, new), before, now), f"{path}.{now.name}")
        for name in [f.name for f in old.fields if f.name not in set(matches.values())]:
            self._field(FieldPair(self.pair, (old, new), former[name], None), f"{path}.{name}")
        order = [former[matches[f.name]].name for f in new.fields if f.name in matches]
        if order != [f.name for f in old.fields if f.name in set(order)]:
            self._add("fields-reordered", path, "the order of the fields changed")
        self.records = around

    def _field(self, fields: FieldPair, path: str) -> None:
        breaks, met = fields.judge()
        old, new = fields.old, fields.new
        if old is not None and new is not None:
            self._kept(old, new, path, breaks)
            self.types(old.type, new.type, _Place(path, (old.type, new.type), met))
        elif new is not None:
            source = "" if new.default else "code that makes the record must give it"
            what = f"{_named(new)} was added{'' if new.default else ', without a default'}"
            self._add("field-added", path, what, breaks, source)
        elif old is not None:
            source = f"code that uses {old.name} fails"
            self._add("field-removed", path, f"{_named(old)} was removed", breaks, source)

    def _kept(self, old: Field, new: Field, path: str, breaks: tuple[Break, ...]) -> None:
        """The changes of a field other than its type; each takes the breaks of its formats."""
        by_number = tuple(b for b in breaks if b.format == "protobuf")
        by_name = tuple(b for b in breaks if b.format != "protobuf")
        if old.name != new.name:
            source = f"code that uses {old.name} fails"
            self._add("field-renamed", path, f"{old.name} was renamed {new.name}", by_name, source)
        elif json_key(old) != json_key(new):
            what = f"its JSON key was {json_key(old)} and is {json_key(new)}"
            self._add("key-changed", path, what, by_name)
        elif by_name:
            self._add("field-renamed", path, "another field has its former name", by_name)
        if old.number != new.number:
            what = f"its number was {old.number} and is {new.number}"
            self._add("number-changed", path, what, by_number)
        elif by_number:
            self._add("number-changed", path, "its number is found in another field", by_number)
        self._default(old, new, path)

    def _default(self, old: Field, new: Field, path: str) -> None:
        """Protobuf leaves out a value that is the default, so each side fills in its own."""
        by_number = self.pair.versions.by_number
        if oneof_of(new) is not None or (by_number and not _alike(old.type, new.type)):
            return  # Protobuf's zero changed with the type
        before, after = _filled(self.pair.older, old), _filled(self.pair.newer, new)
        if before == after:
            return
        what = f"its default was {_told_default(old)} and is {_told_default(new)}"
        why = "what was not written is read as the other default"
        breaks = (Break("protobuf", direction, "value", why) for direction in DIRECTIONS)
        self._add("default-changed", path, what, tuple(breaks) if by_number else ())

    def types(self, old: Type, new: Type, place: _Place) -> None:
        """The changes from one type to another."""
        match old, new:
            case Optional(), Optional() if old.well_known == new.well_known:
                self.types(old.item, new.item, place)
            case Union(), Union():
                self._unions(old, new, place)
            case (Optional(), Optional()) | (Optional(well_known=str()), _):
                self._changed(old, new, place)
            case _, Optional(well_known=str()):
                self._changed(old, new, place)
            case Optional(), _:
                self._optional("became-required", (old, new), place)
                self.types(old.item, new, place)
            case _, Optional():
                self._optional("became-optional", (old, new), place)
                self.types(old, new.item, place)
            case Array(), Array():
                self.types(old.items, new.items, place.at(f"{place.path}[]"))
            case Map(), Map() if old.keys == new.keys:
                self.types(old.values, new.values, place.at(f"{place.path}[*]"))
            case Reference(), Reference():
                self._named(old, new, place)
            case _ if old != new:
                self._changed(old, new, place)
            case _:
                pass

    def _optional(self, kind: Kind, types: tuple[Type, Type], place: _Place) -> None:
        """Of null alone: the item is judged by itself."""
        item = types[0].item if isinstance(types[0], Optional) else types[0]
        was = (types[0], item) if kind == "became-required" else (item, Optional(item))
        # The item as it was, so that only null is judged; within a container Protobuf wraps it.
        bare = place.whole == types
        wrapped = frozenset(k for k in place.links if k[0] == "protobuf" and not bare)
        breaks = (
            *type_breaks(Pair(self.pair.older, self.pair.older), was, was, place.links - wrapped),
            *type_breaks(self.pair, types, place.whole, wrapped),
        )
        what = "null is no longer allowed" if kind == "became-required" else "null is now allowed"
        gives = "code that gives None fails"
        source = gives if kind == "became-required" else "code must expect None"
        self._add(kind, place.path, what, breaks, source)

    def _changed(self, old: Type, new: Type, place: _Place) -> None:
        breaks = type_breaks(self.pair, (old, new), place.whole, place.links)
        names = python_type(self.pair.older, old), python_type(self.pair.newer, new)
        source = f"{names[0]} became {names[1]} in Python" if names[0] != names[1] else ""
        what = f"it was {told(old)} and is {told(new)}"
        self._add("type-changed", place.path, what, breaks, source)

    def _named(self, old: Reference, new: Reference, place: _Place) -> None:
        before, after = self.pair.older.types[old.name], self.pair.newer.types[new.name]
        if type(before) is not type(after):
            self._changed(old, new, place)
            return
        if old.name != new.name:
            self._renamed(old, new, place)
        match before, after:
            case Record(), Record():
                self.record(before, after, place.path)
            case Enum(), Enum():
                if (old.name, new.name) not in self.seen:
                    self.seen.add((old.name, new.name))
                    for change in symbol_changes(self.pair, before, after, place.path):
                        self.changes.append(replace(change, records=self.records))
            case _:
                if before != after and type_breaks(self.pair, (old, new), place.whole, place.links):
                    self._changed(old, new, place)

    def _renamed(self, old: Reference, new: Reference, place: _Place) -> None:
        before, after = self.pair.older.types[old.name], self.pair.newer.types[new.name]
        found: list[Break] = []
        for direction in DIRECTIONS:
            sides = (before, after) if direction == "backward" else (after, before)
            if ("avro", direction) in place.links and not same_name(*sides):
                why = f"{sides[0].name} is neither the name of {sides[1].name} nor an alias of it"
                found += as_break(("avro", direction), Reads(Fit.LAYOUT, why))
        names = self.pair.old_names.classes, self.pair.new_names.classes
        classes = names[0].get(old.name), names[1].get(new.name)
        source = f"the class {classes[0]} is now {classes[1]}" if classes[0] != classes[1] else ""
        what = f"the type {old.name} is now {new.name}"
        self._add("type-renamed", place.path, what, tuple(found), source)

    def _unions(self, old: Union, new: Union, place: _Place) -> None:
        unions = UnionPair(self.pair, old, new, place.path, place.links)
        self.changes += [replace(change, records=self.records) for change in unions.changes()]
        for index, at in unions.matches().items():
            before, after = old.branches[index], new.branches[at]
            path = f"{place.path}<{after.label}>"
            links = frozenset(link for link in place.links if self._meets(link, before, after))
            whole = (before.type, after.type)
            self.types(before.type, after.type, _Place(path, whole, links))

    @staticmethod
    def _meets(link: Link, old: Branch, new: Branch) -> bool:
        return link[0] != "protobuf" or old.number == new.number


def _named(found: Field) -> str:
    return told(found.type)


def _alike(old: Type, new: Type) -> bool:
    if isinstance(old, Primitive) and isinstance(new, Primitive):
        return old.kind == new.kind
    return type(old) is type(new)


def _filled(schema: Schema, found: Field) -> object:
    """What a field is where nothing was written; an enum's symbol by its number in Protobuf."""
    # Protobuf's optional fields may declare what they are where they are not set.
    unset = found.type.unset if isinstance(found.type, Optional) else None
    default = unset or found.default
    value = None if default is None else [default.value]
    named = schema.types.get(found.type.name) if isinstance(found.type, Reference) else None
    if schema.language == "protobuf" and isinstance(named, Enum) and default is not None:
        return next((s.number for s in named.symbols if s.name == default.value), value)
    return value


def _told_default(found: Field) -> str:
    return "none" if found.default is None else repr(found.default.value)
