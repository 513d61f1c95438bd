"""Every choice that a schema offers, taken once: the same states on every run.

Random values meet each symbol and each branch only by chance, and a verdict must not hang on
that. So each field of a record is varied alone: every symbol of an enum, every branch of a
union, something and nothing of an optional, the ends of a number. Values in between are left
to hypothesis.
"""

from __future__ import annotations

import datetime as dt
import math
import uuid
from array import array
from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import Any, cast

from ...migrations.casts import integer_range
from ...schemas.model import (
    Array,
    Fixed,
    Json,
    Logical,
    Map,
    Optional,
    Primitive,
    Record,
    Reference,
    Type,
    Union,
)
from .. import exact
from ..types import SchemaTypes
from ..vectors import typecode
from .heights import height, heights
from .scalars import edge_values

_DEPTH = 2
"""How many records below the root are varied."""

_MOMENT = dt.datetime(2026, 1, 2, 3, 4, 5, tzinfo=dt.UTC)
_LOGICAL: dict[str, Any] = {
    "uuid": uuid.UUID(int=1),
    "date": _MOMENT.date(),
    "time": dt.time(3, 4, 5),
    "timestamp": _MOMENT,
    "local-timestamp": _MOMENT.replace(tzinfo=None),
    "duration": dt.timedelta(seconds=1),
    "calendar-duration": exact.Duration(months=1, days=2, millis=3),
    "decimal": Decimal(0),
}
_JSON: dict[str, Any] = {"Struct": {"a": 1}, "ListValue": [1]}


def choices(types: SchemaTypes, *, edges: bool = False) -> Iterator[Any]:
    """Root objects of ``types``; none where the root holds itself without an end.

    ``edges`` adds values at the edges of texts, floats, times and the like.
    """
    chosen = _Choices(types, edges=edges)
    if chosen.heights[types.schema.root] != math.inf:
        yield from chosen.record(types.schema.root, _DEPTH)


class _Choices:
    def __init__(self, types: SchemaTypes, *, edges: bool) -> None:
        self.types = types
        self.edges = edges
        self.heights = heights(types.schema)

    def record(self, name: str, depth: int) -> Iterator[Any]:
        """The plainest object of a record, then those with one field varied."""
        record = self.types.schema.types[name]
        if not isinstance(record, Record):
            raise TypeError(f"{name} is no record")
        attributes = self.types.names.attributes[name]
        cls: Callable[..., Any] = self.types.record(name)
        plain = {attributes[f.name]: next(self.values(f.type, 0)) for f in record.fields}
        yield cls(**plain)
        if depth > 0:
            for field in record.fields:
                for value in self.values(field.type, depth):
                    yield cls(**plain | {attributes[field.name]: value})

    def values(self, kind: Type, depth: int) -> Iterator[Any]:
        """Values of a type, the plainest first."""
        yield from self._plain(kind, depth)
        if self.edges and isinstance(kind, (Primitive, Logical, Json)):
            yield from edge_values(kind, self.types.schema)

    def _plain(self, kind: Type, depth: int) -> Iterator[Any]:
        match kind:
            case Primitive():
                yield from _primitives(kind)
            case Logical():
                yield 1 if kind.unit == "nanos" else _LOGICAL[kind.kind]
            case Json():
                yield _JSON.get((kind.well_known or "").rpartition(".")[2])
            case Array(vector_kind=str()):
                yield array(typecode(kind))
                yield from (array(typecode(kind), [n]) for n in self.values(kind.items, depth))
            case Array():
                yield []
                yield from ([value] for value in self._inside(kind.items, depth))
            case Map():
                key = next(_primitives(kind.keys))
                yield {}
                yield from ({key: value} for value in self._inside(kind.values, depth))
            case Optional():
                yield None
                yield from self._inside(kind.item, depth)
            case Union():
                yield from self._branches(kind, depth)
            case Reference():
                yield from self._named(kind.name, depth)

    def _inside(self, kind: Type, depth: int) -> Iterator[Any]:
        """Values within a container that may as well be empty."""
        if depth > 0 and height(kind, self.heights) != math.inf:
            yield from self.values(kind, depth)

    def _named(self, name: str, depth: int) -> Iterator[Any]:
        named = self.types.schema.types[name]
        match named:
            case Record():
                yield from self.record(name, depth - 1)
            case Fixed():
                yield bytes(named.size)
            case _:
                yield from self.types.enum(name)

    def _branches(self, union: Union, depth: int) -> Iterator[Any]:
        boxes = self.types.names.box(union)
        order = sorted(
            range(len(boxes)), key=lambda i: height(union.branches[i].type, self.heights)
        )
        for position, index in enumerate(order):
            kind, box = union.branches[index].type, boxes[index]
            if position and (depth <= 0 or height(kind, self.heights) == math.inf):
                continue
            make = None if box is None else cast("Callable[..., Any]", self.types.boxes[box])
            for value in self.values(kind, depth):
                yield value if make is None else make(value=value)


def _primitives(primitive: Primitive) -> Iterator[Any]:
    match primitive.kind:
        case "null":
            yield None
        case "boolean":
            yield from (False, True)
        case "int" | "long":
            yield from dict.fromkeys((0, *integer_range(primitive)))
        case "float" | "double":
            yield from (0.0, 1.5)
        case "bytes":
            yield from (b"", b"\xff")
        case "string":
            yield from ("", "text")
