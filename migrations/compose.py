"""Fuses the conversions of adjacent hops into one, so that many versions cost one pass.

The fused conversion gives what the hops give one after the other; a property test holds it
to that.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ..schemas.model import Schema
from .compose_fields import Records, compose_fields, further
from .conversion import (
    Apply,
    Cast,
    Conversion,
    DefaultToNull,
    EachItem,
    EachValue,
    FirstItem,
    Graph,
    Keep,
    MapBranches,
    MapSymbols,
    Maybe,
    Never,
    NullToDefault,
    RecordConversion,
    Require,
    Then,
    ToBranch,
    ToItem,
    ToRecord,
)
from .unfusable import Unfusable


def compose(first: Graph, second: Graph, middle: Schema) -> Graph:
    """The conversion that does ``first`` and then ``second``; ``middle`` is the schema that
    the first leads to and the second starts from.

    Raises ``Unfusable`` for the few pairs that cannot be one.
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

    def beside(self, first: Records | None = None, second: Records | None = None) -> _Composer:
        """One for other conversions on either side, whose records are kept apart."""
        return _Composer(
            self.first if first is None else first,
            self.second if second is None else second,
            self.middle,
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
            case Maybe(), Apply(takes_null=True):
                return Then(p, q)
            case NullToDefault(), _:
                return NullToDefault(self.compose(p.item, q), further(self, p.later, q))
            case DefaultToNull(), _:
                raise Unfusable
            case Maybe(), NullToDefault():
                return NullToDefault(self.compose(p.item, q.item), q.later)
            case Maybe(), Maybe():
                return Maybe(self.compose(p.item, q.item))
            case Maybe(), Require():
                return Require(self.compose(p.item, q.item))
            case Maybe(), ToItem():
                return ToItem(self.compose(p.item, q.item), optional=True)
            case FirstItem(), _:
                return self._after_first(p, q)
            case _, (NullToDefault() | DefaultToNull()):
                return self._about_null(p, q)
            case _, (Maybe() | Require()):
                # Elsewhere the first hop wrapped a value that is never null.
                return _one_after_the_other(p, q) if _gives_null(p) else self.compose(p, q.item)
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
            case ToItem(), (EachItem() | FirstItem()):
                return self._after_wrap(p, q)
            case _, ToItem():
                # A list of what a rule makes null would hold the null.
                if _gives_null(p):
                    raise Unfusable
                return ToItem(self.compose(p, q.item))
            case EachItem(), EachItem():
                return EachItem(self.compose(p.item, q.item))
            case EachItem(), FirstItem():
                return FirstItem(self.compose(p.item, q.item), q.optional)
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
                return _one_after_the_other(p, q)

    def _after_wrap(self, p: ToItem, q: EachItem | FirstItem) -> Conversion:
        """What becomes of the one item of a list."""
        item = self.compose(p.item, q.item)
        if isinstance(q, EachItem):
            return ToItem(item, p.optional)
        if not p.optional:
            return item
        return Maybe(item) if q.optional else Require(item)

    def _about_null(self, p: Conversion, q: NullToDefault | DefaultToNull) -> Conversion:
        """After a value that is not null, unless the first hop made it so."""
        if _gives_null(p):
            raise Unfusable
        item = self.compose(p, q.item)
        return item if isinstance(q, NullToDefault) else DefaultToNull(item, q.later)

    def _after_first(self, p: FirstItem, q: Conversion) -> Conversion:
        """What becomes of the first item of a list, or of there being none."""
        match q:
            case Maybe() if p.optional:
                return FirstItem(self.compose(p.item, q.item))
            case Require() if p.optional:
                return FirstItem(self.compose(p.item, q.item), optional=False)
            case Maybe() | Require():
                return FirstItem(self.compose(p.item, q.item), optional=False)
            case _ if not p.optional:
                return FirstItem(self.compose(p.item, q), optional=False)
            case _:
                raise Unfusable

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
            self.records[key] = compose_fields(self, p, q)
        return key


def _gives_null(p: Conversion) -> bool:
    """Whether a scalar step may make null of what is none."""
    match p:
        case Apply():
            return p.gives_null
        case Then():
            return _gives_null(p.second) or isinstance(p.second, Maybe)
        case _:
            return False


def _one_after_the_other(p: Conversion, q: Conversion) -> Conversion:
    if not (_is_scalar(p) and _is_scalar(q)):
        raise Unfusable
    return Then(p, q)


def _is_scalar(p: Conversion) -> bool:
    match p:
        case Keep() | Cast() | MapSymbols() | Apply():
            return True
        case Then():
            return _is_scalar(p.first) and _is_scalar(p.second)
        case Maybe() | Require():
            return _is_scalar(p.item)
        case _:
            return False
