"""How deep the types of a schema put values into each other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from .model import Array, Map, NamedType, Record, Reference, Schema, Type, Union
from .references import parts, rings

_MOST_WAYS: Final = 5_000
"""Ways through records that hold each other; finding the longest of many takes forever."""


def levels(schema: Schema) -> int:
    """How many records, lists, maps and boxes the schema puts into each other at most.

    A record within itself counts once: how deep such a value nests, only the value says. Where
    records hold each other in too many ways to try them all, it is as if the longest went
    through all of them, which is never less.
    """
    return _levels(_Same(schema))


@dataclass(frozen=True, slots=True, eq=False)
class _Same:
    """A schema that is compared by identity, as comparing all of it takes as long as a walk."""

    schema: Schema

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.schema is other.schema

    def __hash__(self) -> int:
        return id(self.schema)


@lru_cache(maxsize=16)
def _levels(same: _Same) -> int:
    """Kept for a few schemas, since whoever compiles one asks for each of its JSON fields."""
    schema = same.schema
    try:
        return _Levels(schema).record(schema.root, frozenset())
    except _TooManyWaysError:
        return most_levels(schema)


def most_levels(schema: Schema) -> int:
    """A number that the levels of the schema do not exceed, found without trying the ways."""
    return _Bound(schema).record(schema.root)


class _TooManyWaysError(Exception):
    """Records hold each other in more ways than can be tried."""


class _Levels:
    """Counts each record once for all the places that use it: there are far more of those."""

    def __init__(self, schema: Schema) -> None:
        self._schema = schema
        self._rings = rings(schema)
        self._ways = {name: _record_ways(named) for name, named in schema.types.items()}
        self._found: dict[tuple[str, frozenset[str]], int] = {}

    def record(self, name: str, outer: frozenset[str]) -> int:
        """The levels of a named type inside the records ``outer``, which count no more."""
        if name in outer or not isinstance(self._schema.types[name], Record):
            return 0
        # Of the records around it, only those matter that it leads back to.
        inside = (outer | {name}) & self._rings[name]
        key = (name, inside)
        if key not in self._found:
            below = 0
            for own, used in self._ways[name]:
                below = max(below, own + (self.record(used, inside) if used else 0))
            self._found[key] = 1 + below
            if len(self._found) > _MOST_WAYS:
                raise _TooManyWaysError
        return self._found[key]


class _Bound:
    """Counts all records that hold each other wherever one of them stands."""

    def __init__(self, schema: Schema) -> None:
        self._schema = schema
        self._rings = rings(schema)
        self._ways = {name: _record_ways(named) for name, named in schema.types.items()}
        self._found: dict[frozenset[str], int] = {}

    def record(self, name: str) -> int:
        """A number that the levels of a named type do not exceed."""
        if not isinstance(self._schema.types[name], Record):
            return 0
        ring = self._rings[name] | {name}
        if ring not in self._found:
            own = sum(1 + max((own for own, _ in self._ways[each]), default=0) for each in ring)
            used = {used for each in ring for _, used in self._ways[each] if used}
            self._found[ring] = own + max(map(self.record, used - ring), default=0)
        return self._found[ring]


def _record_ways(named: NamedType) -> list[tuple[int, str]]:
    """The lists, maps and boxes around each type in a record, and its name; empty for unnamed."""
    types = [field.type for field in named.fields] if isinstance(named, Record) else []
    return [found for type_ in types for found in _ways(type_, 0)]


def _ways(type_: Type, around: int) -> Iterator[tuple[int, str]]:
    if isinstance(type_, Array | Map | Union):
        around += 1
    yield around, type_.name if isinstance(type_, Reference) else ""
    for part in parts(type_):
        yield from _ways(part, around)
