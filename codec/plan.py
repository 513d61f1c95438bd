"""The plan of a read: what a writer's version and a reader's version compile to."""

from __future__ import annotations

from dataclasses import dataclass

from ..migrations.conversion import Graph
from ..migrations.migration import Migration


@dataclass(frozen=True, slots=True)
class Segment:
    """One pass over a state: any number of structural hops, or one that calls functions."""

    source: int
    target: int
    graph: Graph
    migration: Migration | None = None

    @property
    def is_fusible(self) -> bool:
        """Whether the pass is structure alone, so that it can be one with its neighbour."""
        return self.migration is None or not self.migration.ops


@dataclass(frozen=True, slots=True)
class Plan:
    """The passes from version ``source`` to ``target``; none where they are the same.

    The first pass reads the payload itself, each further one the objects of the one before.
    """

    source: int
    target: int
    segments: tuple[Segment, ...]
