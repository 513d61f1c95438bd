"""Which places of a state may differ after a way to another version and back.

What a graph loses in one direction need not be lost there and back, and the reverse: so both
graphs are followed at once, place by place of the state that goes out and comes home.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from collections.abc import Set as AbstractSet

import msgspec

from ..schemas.model import Schema
from .conversion import Graph
from .losses import Loop, refusals
from .round_trip import RoundTrip

_INSIDE = re.compile(r"""\[(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[^\]]*)\]""", re.DOTALL)
_LABEL = re.compile(r"<[^<>]*>")


class LostPaths(msgspec.Struct, frozen=True):
    """Places that may differ, or be refused, with all that is below them.

    ``paths`` are written as those of a loss; the empty one is the whole state. A record that
    holds itself is in ``paths`` where it is met first, and ``loops`` leads from where it is
    met again to there; the branches of a union may lead to several.
    """

    paths: frozenset[str]
    loops: frozenset[Loop] = frozenset()

    def covers(self, path: str) -> bool:
        """Whether the value at ``path`` may differ, or be refused.

        Indexes and keys may be given (``messages[3]``, ``memory['goal']``), and the labels of
        branches be left out.
        """
        at = _INSIDE.sub("[]", path)
        labelled = "<" in at
        lost = {_plain(each, labelled) for each in self.paths}
        loops = {(_plain(at, labelled), _plain(to, labelled)) for at, to in self.loops}
        return any(prefix in lost for same in _unrolled(at, loops) for prefix in _prefixes(same))


def lost_paths(there: Graph, back: Graph, source: Schema) -> LostPaths:
    """The places of a state of ``source`` that a way ``there`` and ``back`` may change.

    Either graph may be one of many hops. What the way refuses comes back in no form, so it is
    not among them; what is not known to come back as it was is.
    """
    trip = RoundTrip(there.records, back.records, source)
    trip.records((there.root, back.root), "")
    return LostPaths(frozenset(trip.lost), frozenset(trip.loops))


def refused_paths(graph: Graph, source: Schema, target: Schema) -> LostPaths:
    """The places of a state of ``source`` with values that ``target`` cannot hold."""
    return LostPaths(*refusals(graph, source, target))


def loses(there: Graph, back: Graph, source: Schema) -> bool:
    """Whether the way ``there`` and ``back`` may change a state of ``source`` at any place."""
    trip = RoundTrip(there.records, back.records, source, is_once=True)
    trip.records((there.root, back.root), "")
    return bool(trip.lost)


def _plain(path: str, labelled: bool) -> str:
    found = _INSIDE.sub("[]", path)
    return found if labelled else _LABEL.sub("", found)


def _unrolled(path: str, loops: Collection[Loop]) -> AbstractSet[str]:
    """The path, and what it is with one loop or more left out."""
    found, new = {path}, [path]
    while new:  # what a loop leads to is shorter, so this comes to an end
        each = new.pop()
        for start, to in loops:
            if _begins(each, start):
                left = to + each[len(start) :].removeprefix("" if to else ".")
                new += {left} - found
                found.add(left)
    return found


def _begins(path: str, start: str) -> bool:
    return path.startswith(start) and path[len(start) : len(start) + 1] in {"", ".", "[", "<"}


def _prefixes(path: str) -> Iterator[str]:
    yield ""
    for at, sign in enumerate(path):
        if sign in ".[<":
            yield path[:at]
    yield path
