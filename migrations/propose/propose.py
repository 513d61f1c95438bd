"""Finds the ops that may join two versions, and proves each by the derivation itself."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import cast

import msgspec

from ...schemas.describe import describe
from ...schemas.model import Array, Field, Map, Optional, Record, Reference, Schema, Type, Union
from ..compute import Compute
from ..matching import Versions, match_branch, match_fields, short
from ..ops import hoist, plunge
from ..paths import record_at
from .candidates import adding, alike, changing, computing, related, removing, renaming, sole
from .likeness import bare
from .oracle import Oracle
from .proposal import Proposal, Proposed
from .values import literal


def propose(older: Schema, newer: Schema) -> Proposal:
    """The ops that may join two adjacent versions; what is guessed is marked so.

    Every op that is proposed mends something, or is a rename that loses less than the fields
    coming and going would. What no op could mend is in ``open``.
    """
    search = _Search(older, newer, Oracle(older, newer))
    search.record(older.record, newer.record, "")
    return Proposal(
        older.subject,
        older.version,
        newer.version,
        search.ops,
        search.derived(),
        search.oracle.problems(search.ops),
    )


@dataclass(slots=True)
class _Pair:
    """Two records that are one in two versions, and the fields that are left of each.

    ``matches`` has the older name of each newer field, which is empty where an op makes it.
    """

    path: str
    older: Record
    newer: Record
    matches: dict[str, str]

    @property
    def gone(self) -> list[Field]:
        taken = set(self.matches.values())
        return [f for f in self.older.fields if f.name not in taken]

    @property
    def come(self) -> list[Field]:
        return [f for f in self.newer.fields if f.name not in self.matches]

    def kept(self) -> Iterator[tuple[Field, Field]]:
        """The fields that both have, as older and newer."""
        old = {f.name: f for f in self.older.fields}
        for new in self.newer.fields:
            if self.matches.get(new.name):
                yield old[self.matches[new.name]], new


@dataclass(slots=True)
class _Search:
    older: Schema
    newer: Schema
    oracle: Oracle
    ops: list[Proposed] = field(default_factory=list[Proposed])
    notes: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    seen: set[tuple[str, str]] = field(default_factory=set[tuple[str, str]])

    @property
    def versions(self) -> Versions:
        return Versions(self.older, self.newer)

    def _try(self, *candidate: Proposed) -> bool:
        """Take ops that mend something."""
        found = self.oracle.improves(self.ops, candidate)
        if found:
            self.ops += candidate
        return found

    def record(self, old: Record, new: Record, path: str) -> None:
        """Look for the ops of a record, the first time that the two versions of it meet."""
        if (old.name, new.name) in self.seen:
            return
        self.seen.add((old.name, new.name))
        pair = _Pair(path, old, new, match_fields(self.versions, old, new))
        self._inside(pair)
        self._moved(pair)
        self._renamed(pair)
        self._changed(pair)
        self._left(pair)
        self._note(pair)

    def _inside(self, pair: _Pair) -> None:
        for old, new in pair.kept():
            here = f"{pair.path}.{old.name}" if pair.path else old.name
            for inner in self._records(old.type, new.type, here):
                self.record(*inner)

    def _records(self, old: Type, new: Type, path: str) -> Iterator[tuple[Record, Record, str]]:
        """The records that two types hold at the same place, and the path to them."""
        match bare(old), bare(new):
            case Array(items=one), Array(items=other):
                yield from self._records(one, other, f"{path}[]")
            case Map(values=one), Map(values=other):
                yield from self._records(one, other, f"{path}[*]")
            case Union(), Union() as union:
                yield from self._branches(bare(old), union, path)
            case Reference(), Reference():
                ends = record_at(self.older, old), record_at(self.newer, new)
                if ends[0] is not None and ends[1] is not None:
                    yield ends[0], ends[1], path
            case _:
                return

    def _branches(self, old: Type, new: Union, path: str) -> Iterator[tuple[Record, Record, str]]:
        for branch in old.branches if isinstance(old, Union) else ():
            index = match_branch(self.versions, branch, new.branches, upwards=True)
            if index is not None:
                here = f"{path}<{short(branch.label)}>"
                yield from self._records(branch.type, new.branches[index].type, here)

    def _moved(self, pair: _Pair) -> None:
        """Fields that went into a record beside them, or came out of one."""
        for old in (f for f in pair.older.fields if record_at(self.older, f.type)):
            self._hoisted(pair, old)
        for new in (f for f in pair.newer.fields if record_at(self.newer, f.type)):
            self._plunged(pair, new)

    def _hoisted(self, pair: _Pair, old: Field) -> None:
        record = record_at(self.older, old.type)
        after = self._counterpart(pair, old, record)
        come = {f.name for f in pair.come}
        for inner in record.fields if record else ():
            if inner.name in come and inner.name not in after:
                place = f"{old.name}.{inner.name}"
                found = Proposed(pair.path, hoist(place), _call("hoist", place), "the same name")
                if self._try(found):
                    pair.matches[inner.name] = ""

    def _counterpart(self, pair: _Pair, old: Field, record: Record | None) -> set[str]:
        """The fields that the record of a field still has in the newer version."""
        for before, after in pair.kept():
            newer = record_at(self.newer, after.type) if before.name == old.name else None
            if record is not None and newer is not None:
                found = match_fields(self.versions, record, newer)
                return set(found.values())
        return set()

    def _plunged(self, pair: _Pair, new: Field) -> None:
        record = record_at(self.newer, new.type)
        gone = {f.name for f in pair.gone}
        candidates = [
            Proposed(
                pair.path,
                plunge(inner.name, new.name),
                _call("plunge", inner.name, new.name),
                "the same name",
            )
            for inner in (record.fields if record else ())
            if inner.name in gone
        ]
        if candidates and self._try(*candidates):
            pair.matches[new.name] = ""
            names = {f.name for f in (record.fields if record else ())} & gone
            pair.older = _without(pair.older, names)

    def _renamed(self, pair: _Pair) -> None:
        for old, new, why in [*alike(pair.gone, pair.come), *_sole(pair)]:
            if old.name in pair.matches.values() or new.name in pair.matches:
                continue
            op = renaming(pair.path, old.name, new.name, why)
            changes = changing((self.older, self.newer), pair.path, old, new)
            for then in ([], *changes):
                if self.oracle.fits(self.ops, [op, *then]):
                    self.ops += [op, *then]
                    pair.matches[new.name] = old.name
                    here = f"{pair.path}.{old.name}" if pair.path else old.name
                    for inner in self._records(old.type, new.type, here):
                        self.record(*inner)
                    break

    def _changed(self, pair: _Pair) -> None:
        for old, new in pair.kept():
            if not self._is_open(old, new):
                continue
            for candidate in changing((self.older, self.newer), pair.path, old, new):
                if self._try(*candidate):
                    break
            else:
                self._try(computing(pair.path, [old], [new]))

    def _is_open(self, old: Field, new: Field) -> bool:
        """Whether anything is wrong with the values of a field, those of records aside."""
        names = {re.escape(old.name), re.escape(new.name)}
        place = re.compile(rf"\.(?:{'|'.join(names)})(?:\[\]|\[\*\]|<[^<>]*>)*[ :]")
        return any(map(place.search, self.oracle.problems(self.ops)))

    def _left(self, pair: _Pair) -> None:
        """What came without a default, and what went without one."""
        come = [f for f in _required(pair.come) if not isinstance(f.type, Optional)]
        gone = _required(pair.gone) or pair.gone
        gone, come = related(gone, come)
        if come and self._try(computing(pair.path, gone, come)):
            pair.matches |= {f.name: "" for f in come}
            pair.older = _without(pair.older, {f.name for f in gone})
        for new in _required(pair.come):
            self._try(adding(self.newer, pair.path, new))
        for old in _required(pair.gone):
            self._try(removing(self.older, pair.path, old))

    def derived(self) -> list[str]:
        """What needs no op, in words."""
        told = {name for op in self.ops for name in _places(op)}
        return [text for place, text in self.notes if place not in told]

    def _note(self, pair: _Pair) -> None:
        """Say what differs; what ops are for is left out later."""
        place = f"{pair.path}." if pair.path else ""
        for old, new in pair.kept():
            words = describe(self.older, old.type), describe(self.newer, new.type)
            if old.name != new.name:
                self._say(f"{place}{old.name}", f"is called {new.name}")
            if words[0] != words[1]:
                self._say(f"{place}{new.name}", f"was {words[0]} and is {words[1]}")
        for new in pair.come:
            if new.default is not None:
                self._say(f"{place}{new.name}", "is new, with its default")
        for old in pair.gone:
            if old.default is not None:
                self._say(f"{place}{old.name}", "is gone; older code gets its default")

    def _say(self, place: str, what: str) -> None:
        self.notes.append((place, f"{place} {what}"))


def _places(op: Proposed) -> Iterator[str]:
    """The places that an op is about."""
    if isinstance(op.op, Compute):
        found: Iterable[object] = (op.op.reads, op.op.writes)
    else:
        found = msgspec.structs.astuple(op.op)
    for value in found:
        names = cast("tuple[object, ...]", value) if isinstance(value, tuple) else (value,)
        for name in names:
            yield f"{op.path}.{name}" if op.path else str(name)


def _required(fields: Iterable[Field]) -> list[Field]:
    return [f for f in fields if f.default is None]


def _sole(pair: _Pair) -> Iterator[tuple[Field, Field, str]]:
    for old, new in sole(_required(pair.gone), _required(pair.come)):
        yield old, new, "the only field of its type that went, and that came"


def _call(name: str, *arguments: str) -> str:
    return f"{name}({', '.join(map(literal, arguments))})"


def _without(record: Record, names: set[str]) -> Record:
    fields = tuple(f for f in record.fields if f.name not in names)
    return Record(record.name, fields, record.aliases, record.doc)
