"""The plan of a read: what a writer's version and a reader's version compile to."""

from __future__ import annotations

from dataclasses import dataclass

from ..migrations.conversion import Graph


@dataclass(frozen=True, slots=True)
class Segment:
    """One pass over a state, of any number of hops."""

    source: int
    target: int
    graph: Graph


@dataclass(frozen=True, slots=True)
class Plan:
    """The passes from version ``source`` to ``target``; none where they are the same.

    The first pass reads the payload itself, each further one the objects of the one before.
    """

    source: int
    target: int
    segments: tuple[Segment, ...]
