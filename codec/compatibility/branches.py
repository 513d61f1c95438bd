"""What changed in a union: which branches are the same, which came and which went."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ...migrations.matching import match_branch
from ...schemas.avro.names import AvroNames
from ...schemas.model import Branch, Primitive, Reference, Union
from ...schemas.naming import Names
from .breaks import DIRECTIONS, RULES, Link, Pair, as_break
from .change import Break, Change, Direction, Kind, RawFormat
from .fit import SAME, Fit, Reads, Typed
from .rules_avro import avro_reads
from .words import told


@dataclass(frozen=True)
class UnionPair:
    """A union of each version, at ``path``, and the formats in which the two meet."""

    pair: Pair
    old: Union
    new: Union
    path: str
    links: frozenset[Link]

    def matches(self) -> dict[int, int]:
        """The index of the newer branch for each older one that has a counterpart."""
        found: dict[int, int] = {}
        for index, branch in enumerate(self.old.branches):
            free = [
                _TAKEN if at in found.values() else other
                for at, other in enumerate(self.new.branches)
            ]
            at = match_branch(self.pair.versions, branch, free, upwards=True)
            if at is not None:
                found[index] = at
        return found

    def changes(self) -> Iterator[Change]:
        """Branches that came, went, or are marked in another way."""
        matches = self.matches()
        for index, branch in enumerate(self.old.branches):
            if index in matches:
                yield from self._kept(index, matches[index])
            else:
                yield self._one_sided("branch-removed", branch)
        for index, branch in enumerate(self.new.branches):
            if index not in matches.values():
                yield self._one_sided("branch-added", branch)

    def _kept(self, old: int, new: int) -> Iterator[Change]:
        before, after = self.old.branches[old], self.new.branches[new]
        path = f"{self.path}<{after.label}>"
        was = _mark(self.pair.old_names, self.old, old)
        is_ = _mark(self.pair.new_names, self.new, new)
        if was != is_:
            what = f"in JSON and Python it was {was} and is {is_}"
            source = f"code that gives it {was} must give it {is_}"
            marked = tuple(self._marked(("json", "msgpack"), was, is_))
            yield Change("branch-changed", path, what, marked, source)
        before_names, after_names = self.pair.avro_names
        was, is_ = _wrapper(before_names, self.old, old), _wrapper(after_names, self.new, new)
        if was != is_:
            what = f"in Avro it was {was} and is {is_}"
            yield Change("branch-changed", path, what, tuple(self._marked(("avro",), was, is_)))
        if before.number != after.number:
            what = f"its number was {before.number} and is {after.number}"
            why = "the reader finds no branch under its number"
            breaks = (Break("protobuf", direction, "value", why) for direction in DIRECTIONS)
            met = tuple(b for b in breaks if (b.format, b.direction) in self.links)
            yield Change("number-changed", path, what, met)

    def _marked(self, formats: tuple[RawFormat, ...], was: str, is_: str) -> Iterator[Break]:
        for format_, direction in sorted(self.links):
            if format_ in formats:
                expected, found = (is_, was) if direction == "backward" else (was, is_)
                why = f"the reader expects it {expected}, and finds it {found}"
                yield Break(format_, direction, "layout", why)

    def _one_sided(self, kind: Kind, branch: Branch) -> Change:
        direction: Direction = "backward" if kind == "branch-removed" else "forward"
        breaks: list[Break] = []
        for link in sorted(self.links):
            if link[1] == direction:
                breaks += as_break(link, self._unknown(link, branch))
        removed = kind == "branch-removed"
        label = branch.label.rpartition(".")[2]
        source = f"code that gives {label} fails" if removed else f"code must expect {label}"
        what = f"the branch {label} was {'removed' if removed else 'added'}"
        return Change(kind, self.path, what, tuple(breaks), source)

    def _unknown(self, link: Link, branch: Branch) -> Reads:
        """What a reader without the branch makes of it."""
        backward = link[1] == "backward"
        source, target = (
            (self.pair.older, self.pair.newer) if backward else (self.pair.newer, self.pair.older)
        )
        reader = self.new if backward else self.old
        writer = Typed(source, branch.type)
        if link[0] == "avro":
            return avro_reads(writer, Typed(target, reader))
        if link[0] != "protobuf":
            return Reads(Fit.LAYOUT, f"the reader does not know the branch {branch.label}")
        taken = next((b for b in reader.branches if b.number == branch.number), None)
        if taken is None and reader.oneof:
            return SAME  # passed over, as a field is that the reader does not know
        if taken is None:
            return Reads(Fit.VALUE, f"the reader does not know {branch.label}: no branch is set")
        reads = RULES["protobuf"](writer, Typed(target, taken.type))
        why = f"{branch.label} ({told(writer)}) is read as {taken.label}"
        return Reads(max(reads.fit, Fit.VALUE), why)


_BARE = "bare"
_TAKEN = Branch("", Primitive("null"))
"""Stands for a branch that has its counterpart: no branch of a union is null."""


def _mark(names: Names, union: Union, index: int) -> str:
    """The class that tells a branch, or that there is none."""
    box = names.box(union)[index]
    kind = union.branches[index].type
    if box is not None or not isinstance(kind, Reference):
        return box or _BARE
    return names.classes.get(kind.name, _BARE)


def _wrapper(names: AvroNames, union: Union, index: int) -> str:
    """The record that Avro needs around a branch, by the last part of its name."""
    wrapper = names.wrappers(union)[index]
    return _BARE if wrapper is None else wrapper.rpartition(".")[2]
