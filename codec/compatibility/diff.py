"""Names every difference between two versions, and what it breaks."""

from __future__ import annotations

from dataclasses import dataclass, field

from msgspec.structs import replace

from ...migrations.matching import match_fields
from ...schemas.avro.mismatches import is_same_name
from ...schemas.model import (
    Array,
    Branch,
    Enum,
    Field,
    Map,
    Optional,
    Record,
    Reference,
    Schema,
    Type,
    Union,
)
from ...schemas.naming import json_key
from .branches import UnionPair
from .breaks import DIRECTIONS, FieldPair, Link, Pair, as_break, type_breaks
from .change import Break, Change, Direction, Kind
from .defaults import default_change, needing, with_default
from .fit import Fit, Reads, Typed
from .numbered import numbered
from .python_types import python_type
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
    """Where the walk is: the path, the field's whole types, the formats in which the two
    versions meet there, and the directions in which the reader requires what may be unset.
    """

    path: str
    whole: tuple[Type, Type]
    links: frozenset[Link]
    needs: tuple[Direction, ...] = ()

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
            was = [f.name for f in old.fields if f.name in set(order)]
            self._add("fields-reordered", path, _reordered(was, order))
        self.records = around

    def _field(self, fields: FieldPair, path: str) -> None:
        breaks, met = fields.judge()
        old, new = fields.old, fields.new
        if old is not None and new is not None:
            self._kept(old, new, path, breaks)
            needs = needing(fields)
            self._encoding(old, new, path)
            if (change := default_change(fields, needs, path)) is not None:
                self.changes.append(replace(change, records=self.records))
            self.types(old.type, new.type, _Place(path, (old.type, new.type), met, needs))
        elif new is not None:
            source = "" if new.default else "code that makes the record must give it"
            kind = told(Typed(self.pair.newer, new.type))
            what = f"{kind} was added, {with_default(new)}"
            self._add("field-added", path, what, breaks, source)
        elif old is not None:
            source = f"code that uses {old.name} fails"
            self._add(
                "field-removed",
                path,
                f"{told(Typed(self.pair.older, old.type))} was removed",
                breaks,
                source,
            )

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

    def _encoding(self, old: Field, new: Field, path: str) -> None:
        """A message between two tags is never read as one behind its length."""
        if old.encoding == new.encoding:
            return
        was, is_ = (found.encoding or "the usual one" for found in (old, new))
        why = "a message between two tags is not read as one behind its length"
        breaks = [Break("protobuf", direction, "layout", why) for direction in DIRECTIONS]
        met = breaks if "delimited" in {old.encoding, new.encoding} else []
        self._add("encoding-changed", path, f"its encoding was {was} and is {is_}", tuple(met))

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
                self._vector(old, new, place)
                self.types(old.items, new.items, place.at(f"{place.path}[]"))
            case Map(), Map() if old.keys == new.keys:
                self.types(old.values, new.values, place.at(f"{place.path}[*]"))
            case Reference(), Reference():
                self._named(old, new, place)
            case _ if old != new:
                self._changed(old, new, place)
            case _:
                pass

    def _vector(self, old: Array, new: Array, place: _Place) -> None:
        """Of the mark alone, which changes no byte: the numbers are judged by themselves."""
        if old.vector_kind == new.vector_kind:
            return
        names = python_type(self.pair.older, old), python_type(self.pair.newer, new)
        what = f"it was a {names[0]} and is a {names[1]}"
        source = f"{names[0]} became {names[1]} in Python"
        self._add("vector-changed", place.path, what, (), source)

    def _optional(self, kind: Kind, types: tuple[Type, Type], place: _Place) -> None:
        """Of null alone: the item is judged by itself."""
        item = types[0].item if isinstance(types[0], Optional) else types[0]
        was = (types[0], item) if kind == "became-required" else (item, Optional(item))
        required = [
            Break("protobuf", direction, "layout", "the reader requires it")
            for direction in place.needs
        ]
        # The item as it was, so that only null is judged; within a container Protobuf wraps it.
        bare = place.whole == types
        wrapped = frozenset(k for k in place.links if k[0] == "protobuf" and not bare)
        breaks = (
            *type_breaks(Pair(self.pair.older, self.pair.older), was, was, place.links - wrapped),
            *type_breaks(self.pair, types, place.whole, wrapped),
            *required,
        )
        before, after = (told(Typed(self.pair.older, kind)) for kind in was)
        said = "null is no longer allowed" if kind == "became-required" else "null is now allowed"
        what = f"{said}: it was {before} and is {after}"
        gives = "code that gives None fails"
        source = gives if kind == "became-required" else "code must expect None"
        self._add(kind, place.path, what, breaks, source)

    def _changed(self, old: Type, new: Type, place: _Place) -> None:
        breaks = type_breaks(self.pair, (old, new), place.whole, place.links)
        names = python_type(self.pair.older, old), python_type(self.pair.newer, new)
        source = f"{names[0]} became {names[1]} in Python" if names[0] != names[1] else ""
        before, after = Typed(self.pair.older, old), Typed(self.pair.newer, new)
        what = f"it was {told(before)} and is {told(after)}"
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
            if ("avro", direction) in place.links and not is_same_name(*sides):
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


def _reordered(was: list[str], now: list[str]) -> str:
    """The order before and after, from the first field that moved to the last."""
    moved = [at for at, (one, other) in enumerate(zip(was, now, strict=True)) if one != other]
    ends = slice(moved[0], moved[-1] + 1)
    told_ = [", ".join(names[ends][:_MOST]) for names in (was, now)]
    more = ", ..." if moved[-1] - moved[0] >= _MOST else ""
    return f"the order was {told_[0]}{more} and is {told_[1]}{more}"


_MOST = 6
"""Fields of which the order is told."""
