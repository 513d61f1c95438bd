"""Which fields of a newer version functions make: each is one value, of its arguments."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from functools import lru_cache
from typing import TypeAlias

from ...migrations.conversion import Graph, RecordConversion, Take
from ..subject import Subject

Fields: TypeAlias = Mapping[str, AbstractSet[str]]
"""Names of fields by record."""


@lru_cache(maxsize=64)
def computed_fields(subject: Subject, low: int, high: int) -> Mapping[type, AbstractSet[str]]:
    """The attributes of records of ``high`` that functions make on the way from ``low``."""
    found: Fields = {}
    for segment in subject.plan(low, high).segments:
        found = _made(segment.graph, found)
    types = subject.types(high)
    names = types.names.attributes
    return {
        types.record(record): {names[record][field] for field in fields}
        for record, fields in found.items()
    }


def _made(graph: Graph, before: Fields) -> Fields:
    """The fields by record; ``before`` are those of what the graph begins with."""
    found: dict[str, set[str]] = defaultdict(set)
    for conversion in graph.records.values():
        found[conversion.target].update(_of_record(conversion, before))
    return found


def _of_record(conversion: RecordConversion, before: Fields) -> Iterator[str]:
    handed_on = before.get(conversion.source, set[str]())
    made = {each.target for each in conversion.made}
    for name, maker in conversion.makers.items():
        if name in made or (isinstance(maker, Take) and maker.source in handed_on):
            yield name
