"""What a state loses on its way from one version to another, field by field.

The report is read off the graph of the conversion, of one hop or of many that were fused, so
it says what the codec does. :mod:`.lost_paths` says what a way there and back loses.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

import msgspec
from msgspec.structs import replace

from ..schemas.model import Array, Map, Record, Schema, Type, Union
from .casts import Verdict, judge
from .compute import Compute
from .conversion import (
    Call,
    Conversion,
    DefaultToNull,
    EachItem,
    EachValue,
    FirstItem,
    Graph,
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
from .graph_reading import (
    Part,
    Records,
    Used,
    default_of,
    joined,
    labelled,
    origins,
    parts,
    place,
    taken,
    used_calls,
)
from .paths import record_at, type_at, unwrapped
from .rules import Scalar
from .scalar_losses import LossKind, flat, rule_losses, scalar_losses
from .stepped import scalar_of

_NOTHING = Used()
_PARTIAL = "null, where what it is put together with is not null"


Loop: TypeAlias = tuple[str, str]
"""Where a record that holds itself is met again, and where it is met first."""


class Loss(msgspec.Struct, frozen=True, order=True):
    """Something that does not reach the target.

    ``path`` is in the names of the source version, without the subject:
    ``messages[].content``, ``memory[*].source``, ``event<Failed>.reason``. ``what`` says in
    words what becomes of it, or which values are refused.
    """

    path: str
    kind: LossKind
    what: str


def losses(graph: Graph, source: Schema, target: Schema) -> list[Loss]:
    """What a state of ``source`` loses on its way to ``target``, in the order of its fields.

    A record that holds itself is reported where it is met first. A field that only the target
    has is no loss.
    """
    walk = _Walk(graph.records, source, target.version)
    walk.record(graph.root, "", _NOTHING)
    return list(dict.fromkeys(walk.found))


def refuses(graph: Graph, source: Schema, target: Schema) -> bool:
    """Whether there are states of ``source`` that ``target`` cannot hold.

    The same as whether :func:`losses` has any that is refused, without a look at each path.
    """
    walk = _Walk(graph.records, source, target.version, is_once=True)
    walk.record(graph.root, "", _NOTHING)
    return any(loss.kind == "refused" for loss in walk.found)


def refusals(
    graph: Graph, source: Schema, target: Schema
) -> tuple[frozenset[str], frozenset[Loop]]:
    """The paths of ``source`` with values that ``target`` cannot hold, and where a record that
    holds itself is met again.
    """
    walk = _Walk(graph.records, source, target.version)
    walk.record(graph.root, "", _NOTHING)
    paths = frozenset(loss.path for loss in walk.found if loss.kind == "refused")
    return paths, frozenset(walk.loops)


def record_named(schema: Schema, name: str) -> Record:
    """The record of a full name."""
    found = schema.types[name]
    if not isinstance(found, Record):
        raise TypeError(f"{name} is no record")
    return found


@dataclass(slots=True)
class _Walk:
    """A walk over a graph with the types of its source.

    ``open`` are the records that the walk is inside of, with their paths, the outermost first;
    ``clean`` are those known to lose nothing. ``loops`` are the ways back to one that is open.
    ``is_once`` says that a record is looked at where it is met first, and no more.
    """

    records: Records
    source: Schema
    version: int
    found: list[Loss] = field(default_factory=list[Loss])
    loops: set[Loop] = field(default_factory=set[Loop])
    open: dict[ToRecord, tuple[int, str]] = field(default_factory=dict[ToRecord, tuple[int, str]])
    clean: set[ToRecord] = field(default_factory=set[ToRecord])
    outermost: int = 0
    is_once: bool = False

    def _add(self, path: str, kind: LossKind, what: str) -> None:
        self.found.append(Loss(path, kind, what))

    def record(self, key: ToRecord, path: str, kept: Used) -> None:
        """The losses of a record; ``kept`` are values in it that are taken by another way."""
        if key in self.open:
            depth, first = self.open[key]
            self.outermost = min(self.outermost, depth)
            self.loops.add((path, first))
            return
        if key in self.clean:
            return
        if self.is_once:
            self.clean.add(key)
        before, depth, around = len(self.found), len(self.open), self.outermost
        self.outermost = depth
        self.open[key] = depth, path
        self._fields(self.records[key], record_named(self.source, key.source), path, kept)
        del self.open[key]
        # One that leads back to a record around it loses what that one does.
        if len(self.found) == before and self.outermost == depth and not kept:
            self.clean.add(key)
        self.outermost = min(around, self.outermost)

    def _fields(self, conversion: RecordConversion, record: Record, path: str, kept: Used) -> None:
        used = Used((*kept.names(), *taken(conversion, self.records)))
        every = list(parts(conversion, self.records))
        takes: defaultdict[str, list[tuple[Take, bool]]] = defaultdict(list)
        for take, is_partial in (found for part in every for found in _gathered(part)):
            takes[take.source].append((take, is_partial))
        for each in record.fields:
            self._drop(each.name, each.type, joined(path, each.name), used)
            for take, is_partial in takes[each.name]:
                self.take(take, record, path, used)
                if is_partial:
                    self._add(joined(path, *place(take)), "refused", _PARTIAL)
        for part in every:
            for call in used_calls(part.conversion):
                self._arguments(call, record, path, used)
                self._call(call, part.conversion, path)

    def _drop(self, name: str, kind: Type, path: str, used: Used) -> None:
        inside = used.at((name,))
        if inside.is_whole:
            return
        record = record_at(self.source, kind) if inside else None
        if record is None:
            self._add(path, "dropped", f"version {self.version} has no place for it")
            return
        for each in record.fields:
            self._drop(each.name, each.type, joined(path, each.name), inside)

    def take(self, take: Take, record: Record, path: str, used: Used) -> None:
        """The losses of a value that is taken; ``used`` are all that are taken of its record."""
        names = place(take)
        kind = type_at(self.source, record, names)
        self._convert(take.conversion, kind, joined(path, *names), used.at(names))

    def _arguments(self, call: Call, record: Record, path: str, used: Used) -> None:
        """The losses on the way to the version that a call reads."""
        version = call.arguments.version
        inside = _Walk(
            call.records, self.source, version, self.found, self.loops, is_once=self.is_once
        )
        for read in call.reads:
            if isinstance(read, Take):
                inside.take(read, record, path, used)

    def _call(self, call: Call, conversion: RecordConversion, path: str) -> None:
        """What a function is declared to lose, or what a rule says that it loses."""
        for read in call.reads:
            for kind, what in call_losses(call, read.target):
                for origin in origins(read.target, call, conversion.calls):
                    self._add(joined(path, *origin), kind, what)

    def _convert(
        self, conversion: Conversion, kind: Type, path: str, kept: Used = _NOTHING
    ) -> None:
        """The losses of a value; ``kept`` are values in it that are taken by another way."""
        match conversion, kind:
            case ToRecord(), _:
                self.record(conversion, path, kept)
            case Maybe(), _:
                self._convert(conversion.item, unwrapped(kind), path, kept)
            case Require(), _:
                self._add(path, "refused", "null")
                self._convert(conversion.item, unwrapped(kind), path, kept)
            case NullToDefault(), _:
                self._add(path, "changed", f"null becomes {default_of(conversion.later)!r}")
                self._convert(conversion.item, unwrapped(kind), path, kept)
            case DefaultToNull(), _:
                self._convert(conversion.item, kind, path, kept)
            case ToItem(), _:
                self._convert(conversion.item, unwrapped(kind), path)
            case ToBranch(), _:
                self._convert(conversion.item, kind, path)
            case MapBranches(), Union():
                self._branches(conversion, kind, path)
            case ((EachItem() | FirstItem()), Array()):
                self._first(conversion, path)
                self._convert(conversion.item, kind.items, f"{path}[]")
            case EachValue(), Map():
                self._keys(conversion, path)
                self._convert(conversion.value, kind.values, f"{path}[*]")
            case _:
                self._steps(conversion, path)

    def _steps(self, conversion: Conversion, path: str) -> None:
        """The losses of scalar steps that follow each other."""
        for step in flat(conversion):
            for loss, what in scalar_losses(step):
                self._add(path, loss, what)

    def _first(self, conversion: EachItem | FirstItem, path: str) -> None:
        if isinstance(conversion, FirstItem):
            self._add(path, "changed", "only its first item is kept")
            if not conversion.optional:
                self._add(path, "refused", "an empty list")

    def _branches(self, conversion: MapBranches, union: Union, path: str) -> None:
        for branch, found in zip(union.branches, conversion.branches, strict=True):
            here = labelled(path, branch.label)
            if found is None:
                self._add(here, "refused", "this branch")
            else:
                self._convert(found[1], branch.type, here)

    def _keys(self, conversion: EachValue, path: str) -> None:
        keys = conversion.source_keys, conversion.target_keys
        if judge(*keys, (self.source, self.source)) is Verdict.NARROWER:
            name = keys[1].wire or keys[1].kind
            self._add(path, "refused", f"keys out of the range of {name}")


def _gathered(part: Part) -> Iterator[tuple[Take, bool]]:
    """What a record takes, and whether it is refused because of null in one of several."""
    takes = part.conversion.takes
    for take in takes:
        if part.is_optional and isinstance(take.conversion, Require):
            # Null in all of them is null for the record.
            yield replace(take, conversion=Maybe(take.conversion.item)), len(takes) > 1
        else:
            yield take, False


def call_losses(call: Call, name: str) -> list[tuple[LossKind, str]]:
    """What a call loses of its argument ``name``: as a function declares, or a rule says."""
    if isinstance(call.function, Compute):
        lossy = name in call.function.lossy
        return [("changed", "the function that reads it is declared to lose it")] if lossy else []
    source = _scalar(call.arguments, call.argument_record, name)
    target = _scalar(call.results, call.result_record, call.writes[0])
    return list(rule_losses(call.function, source, target, forward=call.forward))


def _scalar(schema: Schema, record: str, path: str) -> Scalar:
    kind = type_at(schema, record_named(schema, record), path.split("."))
    found = scalar_of(schema, unwrapped(kind))
    if found is None:
        raise TypeError(f"{path} is no scalar")
    return found
