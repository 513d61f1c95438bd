"""Which record of an older version stands for which of a newer one, and what can differ in it.

Where records stand for each other one by one, a state and what it became are walked side by
side, and only fields that need not come back are looked at.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import msgspec
from msgspec.structs import replace

from ...migrations.conversion import (
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
    ToBranch,
    ToItem,
    ToRecord,
)
from ...migrations.graph_reading import place
from ...migrations.paths import unwrapped
from ...migrations.round_trip import RoundTrip
from ...schemas.model import Array, Map, Type, Union
from ..library.load import compile_record_values
from ..library.load_fields import field_of, record_type
from ..subject import Subject
from ..types import SchemaTypes
from .openings import Opening, opening
from .slots import Known, Slot, Slots, by_path, compile_slots


@dataclass(frozen=True, slots=True)
class Inner:
    """A field of both records that holds others; ``records`` are those of the newer version."""

    new: str
    old: str
    records: frozenset[str]


@dataclass(frozen=True, slots=True)
class Pair:
    """A record of the newer version, ``target``, and the one that stands for it in the older.

    ``known`` are its slots, and ``lossy`` those that need not come back. ``given`` has what they
    upgrade to whatever the older record is, and ``make`` what they do otherwise, by attribute.
    ``openings`` are the fields that may have what the older record leaves out.
    """

    target: str
    old: type
    known: Known
    lossy: Slots
    given: Mapping[str, Any]
    make: Callable[[Any], Mapping[str, Any]] | None
    inner: tuple[Inner, ...]
    openings: tuple[Opening, ...]

    def again(self, old: Any) -> Mapping[str, Any]:
        """What an older record upgrades to in the lossy slots, by attribute."""
        return self.given if self.make is None else {**self.given, **self.make(old)}


Pairs: TypeAlias = Mapping[type, Pair]
"""By the class of the newer record."""


def compile_pairs(subject: Subject, low: int, high: int, down: Graph, up: Graph) -> Pairs | None:
    """The pairs of two versions; ``None`` where records do not stand for each other."""
    compiler = _Compiler(subject, subject.types(low), subject.types(high), down, up)
    if compiler.low.boxes or compiler.high.boxes:
        return None  # Records may stand in them, one step further.
    try:
        compiler.pair(down.root, up.root)
    except _NotPairedError:
        return None
    return {subject.types(high).record(name): pair for name, pair in compiler.pairs.items()}


def around(pairs: Pairs, records: Collection[str]) -> frozenset[str]:
    """The records of ``records``, and those that have one of them within."""
    outer: defaultdict[str, list[str]] = defaultdict(list)
    for pair in pairs.values():
        for inner in pair.inner:
            for name in inner.records:
                outer[name].append(pair.target)
    found, left = set(records), list(records)
    while left:
        new = [name for name in outer[left.pop()] if name not in found]
        found.update(new)
        left += new
    return frozenset(found)


def lossy_records(pairs: Pairs) -> frozenset[str]:
    """The records in which something need not come back, or in one of those within them."""
    return around(pairs, {pair.target for pair in pairs.values() if pair.lossy})


class _NotPairedError(Exception):
    """Records do not stand for each other."""


@dataclass(slots=True)
class _Compiler:
    subject: Subject
    low: SchemaTypes
    high: SchemaTypes
    down: Graph
    up: Graph
    pairs: dict[str, Pair] = field(default_factory=dict[str, Pair])
    open: dict[str, tuple[ToRecord, ToRecord]] = field(
        default_factory=dict[str, tuple[ToRecord, ToRecord]]
    )
    reached: set[str] = field(default_factory=set[str])
    reading: dict[ToRecord, bool] = field(default_factory=dict[ToRecord, bool])
    slots: Mapping[ToRecord, Slots] = field(init=False)

    def __post_init__(self) -> None:
        self.slots = compile_slots(self.up, self.high)

    def pair(self, out: ToRecord, home: ToRecord) -> None:
        """Compile a record that goes down by ``out`` and up again by ``home``."""
        name = home.target
        self.reached.add(name)
        if (out.source, out.target) != (name, home.source):
            raise _NotPairedError
        if name in self.open:
            if self.open[name] != (out, home):
                raise _NotPairedError
            return
        self.open[name] = out, home
        inner: list[Inner] = []
        slots = self.slots[home]
        made = self.up.records[home].makers
        lossy = tuple(s for s in slots if self._may_differ(s, made[s.path[0]], (out, home), inner))
        openings = tuple(self._openings(slots, self.down.records[out]))
        self.pairs[name] = self._pair(home, slots, lossy, tuple(inner), openings)

    def _openings(self, slots: Slots, down: RecordConversion) -> Iterator[Opening]:
        by_source: defaultdict[str, list[Take]] = defaultdict(list)
        for take in down.takes:
            by_source[take.source].append(take)
        for slot in slots:
            takes = by_source[slot.path[0]]
            if len(takes) == 1 and not takes[0].inner:
                found = opening(slot.attributes[0], slot.kind, takes[0].conversion, self.high)
                if found is not None:
                    yield found

    def _pair(
        self,
        home: ToRecord,
        slots: Slots,
        lossy: Slots,
        inner: tuple[Inner, ...],
        openings: tuple[Opening, ...],
    ) -> Pair:
        conversion, wanted = self.up.records[home], {slot.path[0] for slot in lossy}
        given = {
            self._new(home.target, fill.target): self._default(home.target, fill.target)
            for fill in conversion.fills
            if fill.later is None
        }
        part = replace(
            conversion,
            takes=tuple(take for take in conversion.takes if take.target in wanted),
            fills=tuple(fill for fill in conversion.fills if fill.later is not None),
        )
        make = self._make(part) if part.takes or part.fills or part.made else None
        old = self.low.record(home.source)
        return Pair(home.target, old, by_path(slots), lossy, given, make, inner, openings)

    def _make(self, part: RecordConversion) -> Callable[[Any], Mapping[str, Any]]:
        return compile_record_values(part, self.up, self.low, self.high, self.subject.types)

    def _new(self, record: str, name: str) -> str:
        return self.high.names.attributes[record][name]

    def _default(self, record: str, name: str) -> Any:
        found = self.high.fields(record)[self._new(record, name)]
        factory: Any = found.default_factory
        return found.default if factory is msgspec.NODEFAULT else factory()

    def _may_differ(
        self, slot: Slot, maker: Maker, ways: tuple[ToRecord, ToRecord], inner: list[Inner]
    ) -> bool:
        """Whether a field need not come back; one that holds pairs is added to ``inner``.

        ``ways`` are those of its record, down and up again.
        """
        (name,), (out, home) = slot.path, ways
        match maker:
            case Take() if _has_records(maker.conversion):
                inner.append(self._inner(slot, maker, out))
                return False
            case Take():
                return self._rounds(slot, maker, out) or not self._trip.returns(ways, name)
            case Fill():
                return True
            case Made():
                if self._reads_records(home):
                    raise _NotPairedError
                return True
            case Gather():
                raise _NotPairedError

    def _rounds(self, slot: Slot, last: Take, out: ToRecord) -> bool:
        """Whether a list of floats becomes a vector on the way, which may have fewer digits."""
        first = self.down.records[out].makers.get(last.source)
        ways = [each.conversion for each in (first, last) if isinstance(each, Take)]
        return not _is_vector(slot.kind) and any(map(_is_rounding, ways))

    def _reads_records(self, home: ToRecord) -> bool:
        """Whether a function on the way up has records among what it reads."""
        if home not in self.reading:
            calls = self.up.records[home].calls
            takes = [read for call in calls for read in call.reads if isinstance(read, Take)]
            self.reading[home] = any(_has_records(take.conversion) for take in takes)
        return self.reading[home]

    def _inner(self, slot: Slot, last: Take, out: ToRecord) -> Inner:
        first = self.down.records[out].makers.get(last.source)
        if last.inner or not isinstance(first, Take) or place(first) != slot.path:
            raise _NotPairedError
        before, self.reached = self.reached, set()
        kind = field_of(record_type(self.high.schema, out.source), slot.path[0]).type
        self._shape(first.conversion, last.conversion, kind)
        records, self.reached = frozenset(self.reached), before
        old = self.low.names.attributes[out.target][last.source]
        return Inner(slot.attributes[0], old, records)

    def _shape(self, out: Conversion, home: Conversion, kind: Type) -> None:
        """Pair what is in a value that goes down by ``out`` and up by ``home``."""
        match _there(out), _there(home), unwrapped(kind):
            case ToRecord() as first, ToRecord() as last, _:
                self.pair(first, last)
            case EachItem() as first, EachItem() as last, Array() as array:
                self._shape(first.item, last.item, array.items)
            case EachValue() as first, EachValue() as last, Map() as kept:
                if len({first.source_keys, first.target_keys, last.target_keys}) > 1:
                    raise _NotPairedError
                self._shape(first.value, last.value, kept.values)
            case MapBranches() as first, MapBranches() as last, Union() as union:
                self._branches(first, last, union)
            case MapBranches(target_single=True) as first, ToBranch() as last, Union() as union:
                self._single(first, last, union)
            case _:
                raise _NotPairedError

    def _branches(self, out: MapBranches, home: MapBranches, union: Union) -> None:
        if out.target_single or home.target_single:
            raise _NotPairedError
        for index, found in enumerate(out.branches):
            if found is None:
                continue  # It is refused, and the general way says what becomes of it.
            back = home.branches[found[0]]
            if back is None or back[0] != index:
                raise _NotPairedError
            self._value(found[1], back[1], union.branches[index].type)

    def _single(self, out: MapBranches, home: ToBranch, union: Union) -> None:
        """A union of which the older version has one branch and no union."""
        known = [index for index, found in enumerate(out.branches) if found is not None]
        found = out.branches[home.index]
        if known != [home.index] or found is None:
            raise _NotPairedError
        self._value(found[1], home.item, union.branches[home.index].type)

    def _value(self, out: Conversion, home: Conversion, kind: Type) -> None:
        """Pair what is in the value of a branch."""
        if _has_records(out):
            self._shape(out, home, kind)
        else:
            self._check_same(out, home, kind)

    def _check_same(self, out: Conversion, home: Conversion, kind: Type) -> None:
        trip = self._trip
        trip.convert(out, home, kind, "")
        if trip.lost or any(map(_is_rounding, (out, home))):
            raise _NotPairedError

    @property
    def _trip(self) -> RoundTrip:
        return RoundTrip(self.down.records, self.up.records, self.high.schema, is_once=True)


def _there(conversion: Conversion) -> Conversion:
    """The conversion of what is not null."""
    return conversion.item if isinstance(conversion, Maybe | Require) else conversion


def _is_vector(kind: Type) -> bool:
    """Whether a value is a vector, or null."""
    inner = unwrapped(kind)
    return isinstance(inner, Array) and inner.vector_kind is not None


def _is_rounding(conversion: Conversion) -> bool:
    """Whether a float is rounded to 32 bits anywhere in a value, for a vector on the way."""
    return any(isinstance(each, Keep | Cast) and each.single for each in _every(conversion))


def _has_records(conversion: Conversion) -> bool:
    """Whether a record is converted anywhere in a value."""
    return any(isinstance(each, ToRecord) for each in _every(conversion))


def _every(conversion: Conversion) -> Iterable[Conversion]:
    yield conversion
    match conversion:
        case Maybe() | Require() | EachItem() | ToItem() | FirstItem() | ToBranch():
            yield from _every(conversion.item)
        case NullToDefault() | DefaultToNull():
            yield from _every(conversion.item)
        case EachValue():
            yield from _every(conversion.value)
        case MapBranches():
            for found in conversion.branches:
                if found is not None:
                    yield from _every(found[1])
        case _:
            pass
