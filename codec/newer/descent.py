"""How records of a version are made of those of an older one, in one pass or in several."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TypeAlias

from ...migrations.conversion import Graph, RecordConversion
from ...migrations.graph_reading import Names
from ..types import SchemaTypes
from .slots import Below, Slots, by_path, compile_slots, made_of, slots_above

Descent: TypeAlias = tuple[RecordConversion, ...]
"""The conversions that made a record, one for each pass, the first of them first."""


@dataclass(slots=True)
class Lineage:
    """What records are made of that ``graphs`` make, one after the other.

    ``types`` are those of the version that each leads to.
    """

    graphs: Sequence[Graph]
    types: Sequence[SchemaTypes]
    _first: Mapping[int, Slots] = field(init=False)
    _found: dict[tuple[int, ...], Slots] = field(default_factory=dict[tuple[int, ...], Slots])

    def __post_init__(self) -> None:
        graph = self.graphs[0]
        found = compile_slots(graph, self.types[0])
        # Conversions are compared by all that they hold, so they are told apart by identity.
        self._first = {id(graph.records[key]): slots for key, slots in found.items()}

    def slots(self, descent: Descent) -> Slots:
        """The fields of the records that came to be so."""
        if len(descent) == 1:
            return self._first[id(descent[0])]
        key = tuple(map(id, descent))
        if key not in self._found:
            *before, last = descent
            earlier = tuple(before)
            below = Below(partial(self.sources, earlier), by_path(self.slots(earlier)))
            at = len(earlier)
            self._found[key] = slots_above(last, self.graphs[at].records, self.types[at], below)
        return self._found[key]

    def sources(self, descent: Descent, names: Names) -> Iterator[Names]:
        """What ``names`` lead to in such a record is made of, in the oldest version.

        Raises LookupError where they lead nowhere.
        """
        *before, last = descent
        for each in made_of(names, last, self.graphs[len(before)].records):
            if before:
                yield from self.sources(tuple(before), each)
            else:
                yield each
