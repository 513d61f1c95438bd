"""Fuses the conversions of adjacent hops into one, so that many versions cost one pass.

The fused conversion gives what the hops give one after the other; a property test holds it
to that.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ..schemas.model import Schema
from .conversion import (
    Conversion,
    EachItem,
    EachValue,
    Fill,
    Graph,
    Keep,
    Later,
    MapBranches,
    MapSymbols,
    Maybe,
    Never,
    RecordConversion,
    Require,
    Take,
    Then,
    ToBranch,
    ToRecord,
)

Records = Mapping[ToRecord, RecordConversion]


def compose(first: Graph, second: Graph, middle: Schema) -> Graph:
    """The conversion that does ``first`` and then ``second``; ``middle`` is the schema that
    the first leads to and the second starts from.
    """
    composer = _Composer(first.records, second.records, middle)
    root = composer.records_between(first.root, second.root)
    return Graph(root, composer.records)


@dataclass(slots=True)
class _Composer:
    first: Records
    second: Records
    middle: Schema
    records: dict[ToRecord, RecordConversion] = field(
        default_factory=dict[ToRecord, RecordConversion]
    )

    def compose(self, p: Conversion, q: Conversion) -> Conversion:
        """``q`` after ``p``."""
        match p, q:
            case Never(), _:
                return p
            case _, Never():
                return q
            case Require(), _:
                return Require(self.compose(p.item, q))
            case Maybe(), Maybe():
                return Maybe(self.compose(p.item, q.item))
            case Maybe(), Require():
                return Require(self.compose(p.item, q.item))
            case _, Maybe() | Require():
                # The first hop wrapped a value that is never null.
                return self.compose(p, q.item)
            case MapBranches(), _:
                return self._after_branches(p, q)
            case ToBranch(), MapBranches():
                return self._follow(p, q)
            case _, ToBranch():
                return ToBranch(q.index, self.compose(p, q.item))
            case _:
                return self._alike(p, q)

    def _alike(self, p: Conversion, q: Conversion) -> Conversion:
        match p, q:
            case EachItem(), EachItem():
                return EachItem(self.compose(p.item, q.item))
            case EachValue(), EachValue():
                return EachValue(self.compose(p.value, q.value), p.source_keys, q.target_keys)
            case MapSymbols(), MapSymbols():
                table = {old: new and q.table[new] for old, new in p.table.items()}
                return MapSymbols(p.source, q.target, table)
            case ToRecord(), ToRecord():
                return self.records_between(p, q)
            case Keep(), Keep():
                return Keep(p.type, p.single or q.single)
            case _:
                return Then(p, q)

    def _after_branches(self, p: MapBranches, q: Conversion) -> Conversion:
        """What each branch of the source becomes, after both."""
        found: list[tuple[int, Conversion] | None] = []
        for branch in p.branches:
            if branch is None:
                found.append(None)
                continue
            index, inner = branch
            step = inner if p.target_single else ToBranch(index, inner)
            after = self.compose(step, q)
            match after:
                case Never():
                    found.append(None)
                case ToBranch():
                    found.append((after.index, after.item))
                case _:
                    found.append((0, after))
        single = q.target_single if isinstance(q, MapBranches) else not isinstance(q, ToBranch)
        return MapBranches(tuple(found), single)

    def _follow(self, p: ToBranch, q: MapBranches) -> Conversion:
        branch = q.branches[p.index]
        if branch is None:
            return Never("this branch")
        index, inner = branch
        after = self.compose(p.item, inner)
        return after if q.target_single else ToBranch(index, after)

    def records_between(self, p: ToRecord, q: ToRecord) -> ToRecord:
        """The fused conversion of a record, built once for each way there."""
        key = ToRecord(p.source, q.target, (*p.via, p.target, *q.via))
        if key not in self.records:
            self.records[key] = RecordConversion(p.source, q.target, (), ())
            self.records[key] = self._fields(self.first[p], self.second[q])
        return key

    def _fields(self, p: RecordConversion, q: RecordConversion) -> RecordConversion:
        taken = {take.target: take for take in p.takes}
        filled = {fill.target: fill for fill in p.fills}
        takes: list[Take] = []
        fills = list(q.fills)
        for take in q.takes:
            if take.source in taken:
                before = taken[take.source]
                conversion = self.compose(before.conversion, take.conversion)
                takes.append(Take(take.target, before.source, conversion))
            else:
                fills.append(self._carry(filled[take.source], q.source, take))
        return RecordConversion(p.source, q.target, tuple(takes), tuple(fills))

    def _carry(self, fill: Fill, record: str, take: Take) -> Fill:
        """A default of the middle version, or of one before it, taken on to the target."""
        if fill.later is None:
            later = Later(self.middle, record, take.source, take.conversion, self.second)
            return Fill(take.target, fill.default, later)
        inner = _Composer(fill.later.records, self.second, self.middle)
        conversion = inner.compose(fill.later.conversion, take.conversion)
        later = Later(
            fill.later.origin, fill.later.record, fill.later.field, conversion, inner.records
        )
        return Fill(take.target, fill.default, later)
