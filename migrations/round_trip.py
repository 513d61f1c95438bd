"""Follows two graphs at once, there and back, and finds what does not come back as it was."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from ..schemas.model import Array, Map, Optional, Record, Schema, Type, Union
from .compute import Compute
from .conversion import (
    Apply,
    Call,
    Conversion,
    DefaultToNull,
    EachItem,
    EachValue,
    Fill,
    FirstItem,
    Gather,
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
from .derive import Keeping
from .graph_reading import (
    Names,
    Records,
    default_of,
    joined,
    labelled,
    place,
    record_made,
)
from .losses import Loop, call_losses, record_named
from .paths import record_at, type_at, unwrapped
from .scalar_losses import is_faithful

Pair: TypeAlias = tuple[ToRecord, ToRecord]


@dataclass(frozen=True, slots=True)
class _Place:
    """A record that is rebuilt: ``names`` lead to it from ``record``, which is at ``path``."""

    record: Record
    path: str
    names: Names = ()

    def inside(self, name: str) -> _Place:
        return _Place(self.record, self.path, (*self.names, name))

    @property
    def whole(self) -> str:
        return joined(self.path, *self.names)


@dataclass(slots=True)
class RoundTrip:
    """A walk along ``there`` and ``back`` with the types of ``schema``, where both begin and
    end. ``lost`` and ``loops`` are those of :class:`~.lost_paths.LostPaths`. ``is_once`` says
    that a record is followed where it is met first, and no more: enough to know whether anything
    is lost, and not where.
    """

    there: Records
    back: Records
    schema: Schema
    lost: set[str] = field(default_factory=set[str])
    loops: set[Loop] = field(default_factory=set[Loop])
    is_once: bool = False
    open: dict[Pair, str] = field(default_factory=dict[Pair, str])

    def records(self, pair: Pair, path: str) -> None:
        """Follow a record there and back."""
        out, home = pair
        if out.source != home.target:
            self.lost.add(path)
        elif pair in self.open:
            self.loops.add((path, self.open[pair]))
        else:
            self.open[pair] = path
            at = _Place(record_named(self.schema, out.source), path)
            self._fields(self.there[out], self.back[home], at)
            if not self.is_once:
                del self.open[pair]

    def returns(self, pair: Pair, name: str) -> bool:
        """Whether a field of a record always comes back as it was."""
        out, home = pair
        trip = RoundTrip(self.there, self.back, self.schema, is_once=True)
        at = _Place(record_named(self.schema, home.target), "").inside(name)
        trip._field(self.there[out], self.back[home], self.back[home].makers[name], at)
        return not trip.lost

    def _fields(self, out: RecordConversion, home: RecordConversion, at: _Place) -> None:
        """Follow the fields that ``home`` makes of what ``out`` makes of ``at.record``."""
        found = home.makers
        for each in record_named(self.schema, home.target).fields:
            self._field(out, home, found[each.name], at.inside(each.name))

    def _field(
        self, out: RecordConversion, home: RecordConversion, last: Maker, at: _Place
    ) -> None:
        """Follow one field, at ``at``, that ``last`` makes on the way back."""
        match last:
            case Take():
                self._take(self._resolve(out, place(last)), last, at)
            case Gather() if self._keeps_null(last, at):
                self._fields(out, self.back[last.conversion], at)
            case Made() if self._undone(out, home, last, at):
                pass
            case _:
                self.lost.add(at.whole)

    def _take(self, first: Maker | None, last: Take, at: _Place) -> None:
        match first:
            case Take() if place(first) == at.names:
                kind = type_at(self.schema, at.record, at.names)
                self.convert(first.conversion, last.conversion, kind, at.whole)
            case Gather() if self._keeps_null(first, at):
                made = record_made(last.conversion)
                if made is None:
                    self.lost.add(at.whole)
                else:
                    self._fields(self.there[first.conversion], self.back[made], at)
            case _:
                self.lost.add(at.whole)

    def _resolve(self, out: RecordConversion, names: Names) -> Maker | None:
        """Where the way there takes the value from that is at ``names`` in what it makes."""
        name, *rest = names
        found = out.makers.get(name)
        if not rest:
            return found
        match found:
            case Gather():
                return self._resolve(self.there[found.conversion], tuple(rest))
            case Take():
                made = record_made(found.conversion)
                inner = made and self._resolve(self.there[made], tuple(rest))
                if not isinstance(inner, Take):
                    return None
                path = (*found.inner, *place(inner))
                return Take(inner.target, found.source, inner.conversion, path)
            case _:
                return None

    def _keeps_null(self, gather: Gather, at: _Place) -> bool:
        """Whether a record that is gathered is null again just where it was."""
        kind = type_at(self.schema, at.record, at.names)
        record = record_at(self.schema, kind)
        if not isinstance(kind, Optional) or record is None:
            return record is not None
        # It becomes null where all of its fields are: so one has to be there if it is.
        return gather.optional and any(not isinstance(f.type, Optional) for f in record.fields)

    def _undone(
        self, out: RecordConversion, home: RecordConversion, made: Made, at: _Place
    ) -> bool:
        """Whether a call on the way back undoes one on the way there, which read the field."""
        last = home.calls[made.call]
        results = [self._result(out, read) for read in last.reads]
        numbers = {result.call for result in results if result is not None}
        if len(numbers) != 1 or None in results:
            return False
        first = out.calls[numbers.pop()]
        if not _inverse(first, last, made.index):
            return False
        return all(
            result is not None and result.index == index and _carried(first, result, last, read)
            for index, (result, read) in enumerate(zip(results, last.reads, strict=True))
        ) and self._given(first, made, last, at)

    def _result(self, out: RecordConversion, read: Take | Fill | Made) -> Made | None:
        found = self._resolve(out, place(read)) if isinstance(read, Take) else None
        return found if isinstance(found, Made) else None

    def _given(self, first: Call, made: Made, last: Call, at: _Place) -> bool:
        """Whether the argument of the first call reached it, and comes back, unchanged."""
        read = first.reads[made.index]
        if not isinstance(read, Take) or place(read) != at.names:
            return False
        kind = type_at(self.schema, at.record, at.names)
        if made.later is None:
            keeping = Keeping(last.results)
            then, records = keeping.of(kind), keeping.records
        else:
            then, records = made.later.conversion, made.later.records
        trip = RoundTrip(first.records, records, self.schema, is_once=True)
        return _is_kept(trip, read.conversion, then, kind)

    def convert(self, out: Conversion, home: Conversion, kind: Type, path: str) -> None:
        """Follow a value there and back."""
        match out, home, kind:
            case Require(), _, _:
                self.convert(out.item, home, unwrapped(kind), path)
            case Maybe(), (Maybe() | Require()), _:
                self.convert(out.item, home.item, unwrapped(kind), path)
            case DefaultToNull(), NullToDefault(), _ if _are_alike(out, home):
                self.convert(out.item, home.item, kind, path)
            case _, NullToDefault(), _ if not isinstance(out, _NULLABLE):
                self.convert(out, home.item, kind, path)
            case ToItem(), FirstItem(), _ if home.optional or not isinstance(kind, Optional):
                self.convert(out.item, home.item, unwrapped(kind), path)
            case MapBranches(), _, Union():
                self._branches(out, home, kind, path)
            case ToBranch(), MapBranches(), _:
                self._single(out, home, kind, path)
            case EachItem(), EachItem(), Array():
                self.convert(out.item, home.item, kind.items, f"{path}[]")
            case EachValue(), EachValue(), Map():
                self.convert(out.value, home.value, kind.values, f"{path}[*]")
            case ToRecord(), ToRecord(), _:
                self.records((out, home), path)
            case _, (Maybe(item=then) | Require(item=then)), _ if not isinstance(out, Then):
                # The way there wrapped a value that is never null.
                self.convert(out, then, kind, path)
            case _:
                if not is_faithful(Then(out, home), kind):
                    self.lost.add(path)

    def _branches(self, out: MapBranches, home: Conversion, union: Union, path: str) -> None:
        """Follow each branch, which has to come back as itself."""
        inner = home.item if isinstance(home, Maybe | Require) else home
        for number, (branch, found) in enumerate(zip(union.branches, out.branches, strict=True)):
            if found is None:
                continue
            after = _after_branch(found[0], inner, single=out.target_single)
            here = labelled(path, branch.label)
            if after is None:
                continue
            if after[0] != number:
                self.lost.add(here)
            else:
                self.convert(found[1], after[1], branch.type, here)

    def _single(self, out: ToBranch, home: MapBranches, kind: Type, path: str) -> None:
        after = home.branches[out.index]
        if after is not None and home.target_single:
            self.convert(out.item, after[1], kind, path)
        elif after is not None:
            self.lost.add(path)


_NULLABLE = (Maybe, FirstItem, Then, Apply, DefaultToNull)
"""What may make null of a value, or leave it null."""


def _are_alike(out: DefaultToNull, home: NullToDefault) -> bool:
    return repr(default_of(out.later)) == repr(default_of(home.later))


def _after_branch(index: int, home: Conversion, *, single: bool) -> tuple[int, Conversion] | None:
    """The branch and conversion on the way back; nothing where it is refused."""
    match home:
        case MapBranches() if not single:
            return home.branches[index]
        case ToBranch() if single:
            return home.index, home.item
        case _:
            return -1, home


def _inverse(first: Call, last: Call, index: int) -> bool:
    """Whether a call gives back the argument ``index`` of the one before."""
    if isinstance(first.function, Compute) and isinstance(last.function, Compute):
        name = first.function.reads[index]
        return first.function.turned() == last.function and name not in first.function.lossy
    turned = first.function == last.function and first.forward != last.forward
    return turned and not any(_loses(call) for call in (first, last))


def _loses(call: Call) -> bool:
    kinds = (kind for read in call.reads for kind, _ in call_losses(call, read.target))
    return "changed" in kinds


def _carried(first: Call, made: Made, last: Call, read: Take | Fill | Made) -> bool:
    """Whether a result reaches the call on the way back as it was given."""
    if not isinstance(read, Take):
        return False
    record = record_named(first.results, first.result_record)
    kind = type_at(first.results, record, (first.writes[made.index],))
    if made.later is None:
        keeping = Keeping(first.results)
        then, records = keeping.of(kind), keeping.records
    else:
        then, records = made.later.conversion, made.later.records
    trip = RoundTrip(records, last.records, first.results, is_once=True)
    return _is_kept(trip, then, read.conversion, kind)


def _is_kept(trip: RoundTrip, out: Conversion, home: Conversion, kind: Type) -> bool:
    trip.convert(out, home, kind, "")
    return not trip.lost
