"""What the fields of a newer record are made of when an older one is upgraded."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Any, TypeAlias

from ...migrations.conversion import (
    Apply,
    Cast,
    Conversion,
    DefaultToNull,
    EachItem,
    EachValue,
    Fill,
    FirstItem,
    Gather,
    Graph,
    Keep,
    Made,
    Maker,
    MapBranches,
    Maybe,
    NullToDefault,
    RecordConversion,
    Require,
    Take,
    Then,
    ToBranch,
    ToItem,
    ToRecord,
)
from ...migrations.graph_reading import (
    Names,
    Records,
    origins,
    place,
    record_made,
)
from ...migrations.paths import unwrapped
from ...schemas.model import Array, Map, Optional, Primitive, Type, Union
from ..library.load_fields import record_type
from ..types import SchemaTypes
from .checks import Sources


@dataclass(frozen=True, slots=True)
class Slot:
    """One field of a newer record.

    ``path`` leads to it by names, ``attributes`` in Python. ``sources`` are what it is made of
    in a record of the older version. ``inner`` are the fields of a record that the older
    version has no counterpart of, ``is_wrapped`` says that it is a list made of one value.
    ``items`` is the type of its items or values where they are made one by one of what is in the
    older version, and ``None`` for any other value. ``is_made`` says that scalars in it become
    others on their way.
    """

    path: Names
    attributes: tuple[str, ...]
    kind: Type
    sources: Sources
    inner: tuple[Slot, ...] = ()
    is_wrapped: bool = False
    items: Type | None = None
    is_made: bool = False

    @property
    def keys(self) -> Primitive:
        """The type of its keys, of one that is a map."""
        kind = unwrapped(self.kind)
        return kind.keys if isinstance(kind, Map) else Map(kind).keys

    def get(self, record: Any) -> Any:
        """The value in a newer record."""
        return attrgetter(".".join(self.attributes))(record)

    def home(self, record: Any) -> Any:
        """The record that has the field itself; ``None`` where it is null."""
        for attribute in self.attributes[:-1]:
            record = record and getattr(record, attribute)
        return record


Slots: TypeAlias = tuple[Slot, ...]
"""The fields of one record."""
Known: TypeAlias = Mapping[Names, Slot]
"""The fields of one record, and those inside of them, by path."""


def by_path(slots: Slots) -> Known:
    """The slots and those inside of them."""
    found = {slot.path: slot for slot in slots}
    for slot in slots:
        found |= by_path(slot.inner)
    return found


@dataclass(frozen=True, slots=True)
class Below:
    """What a record that slots are made of is made of itself, in the passes before.

    ``sources`` says that of what names in it lead to, and ``known`` has its fields.
    """

    sources: Callable[[Names], Iterable[Names]]
    known: Known

    def is_gathered(self, names: Names) -> bool:
        """Whether the oldest version has no counterpart of the record that they lead to."""
        return names in self.known and bool(self.known[names].inner)

    def is_itemwise(self, names: Names) -> bool:
        """Whether a list or map is made one by one of what is in one of the oldest version."""
        found = self.known.get(names)
        return found is not None and found.items is not None and not found.is_wrapped

    def is_made(self, names: Names) -> bool:
        """Whether scalars in a value became others on their way, as far as that is known."""
        found = self.known.get(names)
        return found is None or found.is_made


def compile_slots(graph: Graph, new: SchemaTypes) -> Mapping[ToRecord, Slots]:
    """The fields of every record of ``new`` that ``graph`` makes."""
    compiler = _Compiler(graph.records, new)
    return {key: tuple(compiler.slots(c)) for key, c in graph.records.items()}


def slots_above(
    conversion: RecordConversion, records: Records, new: SchemaTypes, below: Below
) -> Slots:
    """The fields of a record of ``new`` that the last of several passes makes."""
    return tuple(_Compiler(records, new, below).slots(conversion))


@dataclass(frozen=True, slots=True)
class _Compiler:
    records: Records
    new: SchemaTypes
    below: Below | None = None

    def slots(
        self,
        conversion: RecordConversion,
        path: Names = (),
        attributes: tuple[str, ...] = (),
        home: Names = (),
    ) -> Iterator[Slot]:
        """``path`` and ``attributes`` lead to the record that ``conversion`` makes, and ``home``
        to what it is made of.
        """
        record = record_type(self.new.schema, conversion.target)
        made, named = conversion.makers, self.new.names.attributes[record.name]
        for field in record.fields:
            maker = made[field.name]
            here, there = (*path, field.name), (*attributes, named[field.name])
            taken = [(*home, *n) for n in _sources(maker, conversion, self.records)]
            inner: Slots = ()
            part = self._part(maker, home)
            if part is not None:
                inner = tuple(self.slots(self.records[part[0]], here, there, part[1]))
            way = maker.conversion if isinstance(maker, Take) else None
            items = _items(field.type) if _is_itemwise(maker) else None
            is_made = isinstance(maker, Made) or _changes(way, field.type)
            sources, is_wrapped = tuple(dict.fromkeys(taken)), isinstance(way, ToItem)
            slot = Slot(here, there, field.type, sources, inner, is_wrapped, items, is_made)
            yield slot if self.below is None else _sunk(slot, taken, self.below)

    def _part(self, maker: Maker, home: Names) -> tuple[ToRecord, Names] | None:
        """The conversion of a record that the oldest version has no counterpart of, and what it
        is made of.
        """
        match maker:
            case Gather():
                return maker.conversion, home
            case Take() if self.below and (record := record_made(maker.conversion)):
                names = (*home, *place(maker))
                return (record, names) if self.below.is_gathered(names) else None
            case _:
                return None


def _sunk(slot: Slot, taken: list[Names], below: Below) -> Slot:
    """A slot by what it is made of in the oldest version."""
    sources = tuple(dict.fromkeys(n for names in taken for n in below.sources(names)))
    is_one = len(taken) == len(sources) == 1
    return replace(
        slot,
        sources=sources,
        items=slot.items if is_one and below.is_itemwise(taken[0]) else None,
        is_wrapped=slot.is_wrapped and is_one and not below.is_made(taken[0]),
        is_made=slot.is_made or any(map(below.is_made, taken)),
    )


def made_of(names: Names, conversion: RecordConversion, records: Records) -> Iterator[Names]:
    """What ``names`` lead to in the newer record is made of, in the older one.

    Raises LookupError where they lead nowhere.
    """
    maker, rest = conversion.makers[names[0]], names[1:]
    match maker:
        case Gather() if rest:
            yield from made_of(rest, records[maker.conversion], records)
        case Take() if rest and (inner := record_made(maker.conversion)):
            for each in made_of(rest, records[inner], records):
                yield *place(maker), *each
        case _:
            yield from _sources(maker, conversion, records)


def _sources(maker: Maker, conversion: RecordConversion, records: Records) -> Iterator[Names]:
    """The values of the older record that a field is made of."""
    match maker:
        case Take():
            yield place(maker)
        case Fill():
            pass
        case Made():
            call = conversion.calls[maker.call]
            for read in call.reads:
                yield from origins(read.target, call, conversion.calls)
        case Gather():
            inner = records[maker.conversion]
            for each in inner.makers.values():
                yield from _sources(each, inner, records)


def _is_itemwise(maker: Maker) -> bool:
    conversion = maker.conversion if isinstance(maker, Take) else None
    while isinstance(conversion, Maybe | Require | NullToDefault | DefaultToNull):
        conversion = conversion.item
    return isinstance(conversion, EachItem | EachValue | ToItem)


def _items(kind: Type) -> Type | None:
    match unwrapped(kind):
        case Array(vector_kind=None, items=items):
            return items
        case Map(values=values):
            return values
        case _:
            return None


def _changes(way: Conversion | None, kind: Type) -> bool:
    """Whether scalars become others, of the type ``kind`` in all; those of a record inside are
    for its own slots.
    """
    match way:
        case Keep(type=Primitive(kind="float")):
            # A float as a double, which has digits that the float has not.
            return _has_doubles(kind)
        case Apply() | Cast() | Then():
            return True
        case Maybe() | Require() | NullToDefault() | DefaultToNull():
            return _changes(way.item, kind)
        case EachItem() | ToItem() | FirstItem() | ToBranch():
            return _changes(way.item, kind)
        case EachValue():
            return _changes(way.value, kind)
        case MapBranches():
            return any(each is not None and _changes(each[1], kind) for each in way.branches)
        case _:
            return False


def _has_doubles(kind: Type) -> bool:
    match kind:
        case Primitive():
            return kind.kind == "double"
        case Optional():
            return _has_doubles(kind.item)
        case Array():
            return _has_doubles(kind.items)
        case Map():
            return _has_doubles(kind.values)
        case Union():
            return any(_has_doubles(branch.type) for branch in kind.branches)
        case _:
            return False
