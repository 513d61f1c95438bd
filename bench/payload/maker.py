"""Makes up plausible states of any schema: texts of words, times of this year, short lists.

Not what properties are tested with (``instar.testing.states``), which seeks edges: a state
here is to look like one that a program would keep. The same seed gives the same state.
"""

from __future__ import annotations

import datetime as dt
import math
import random
import uuid
from array import array
from decimal import Decimal
from typing import Any, Final

from ...codec import exact
from ...codec.compatibility.heights import height, heights
from ...codec.types import SchemaTypes
from ...codec.vectors import typecode
from ...errors import ConfigError
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
from ..words import WORDS

_FEW: Final = 2
_DEPTH: Final = 3
_START: Final = dt.datetime(2026, 3, 2, 9, 0, tzinfo=dt.UTC)
_VECTOR: Final = 8
_LARGE: Final = 30_000
_WORDS: Final = 8


def main_field(types: SchemaTypes) -> tuple[str, str] | None:
    """The record and field whose list makes a state long: one of records, if there is any."""
    arrays = [
        (record, field.name, field.type)
        for record in _near_root(types)
        for field in _record(types, record).fields
        if isinstance(field.type, Array) and field.type.vector_kind is None
    ]
    of_records = [found for found in arrays if isinstance(found[2].items, Reference | Union)]
    for record, name, _ in [*of_records, *arrays]:
        return record, name
    return None


def _near_root(types: SchemaTypes) -> list[str]:
    """The root, and the records that its fields are."""
    root = types.schema.root
    inner = [f.type.name for f in types.schema.record.fields if isinstance(f.type, Reference)]
    records = [name for name in inner if isinstance(types.schema.types[name], Record)]
    return [root, *(name for name in records if name != root)]


def _record(types: SchemaTypes, name: str) -> Record:
    named = types.schema.types[name]
    assert isinstance(named, Record)
    return named


class Maker:
    """Makes states of ``types`` whose main list has ``items``."""

    def __init__(self, types: SchemaTypes, items: int, seed: int = 7) -> None:
        self._types = types
        self._items = items
        self._main = main_field(types)
        self._has_grown = False
        self._heights = heights(types.schema)
        self._random = random.Random(seed)  # noqa: S311 - no secret

    def state(self) -> Any:
        """One state. Raises ``ConfigError`` for a record that holds itself without an end."""
        if self._heights[self._types.schema.root] == math.inf:
            raise ConfigError("the subject has no states: a record holds itself without an end")
        self._has_grown = False
        return self._object(self._types.schema.root, _DEPTH)

    def _object(self, name: str, depth: int) -> Any:
        attributes = self._types.names.attributes[name]
        values = {
            attributes[field.name]: self._field(name, field.name, field.type, depth)
            for field in _record(self._types, name).fields
        }
        return self._types.record(name)(**values)

    def _field(self, record: str, name: str, kind: Type, depth: int) -> Any:
        is_main = (record, name) == self._main and not self._has_grown
        if is_main and isinstance(kind, Array) and not self._ends(kind.items, depth):
            # Once: the items of a record that holds a list of itself have short ones.
            self._has_grown = True
            return [self._value(kind.items, depth) for _ in range(self._items)]
        return self._value(kind, depth)

    def _value(self, kind: Type, depth: int) -> Any:
        match kind:
            case Primitive():
                return self._primitive(kind)
            case Logical():
                return self._logical(kind)
            case Json():
                return self._json(kind)
            case Array(vector_kind=str()):
                return array(typecode(kind), [self._fraction() for _ in range(_VECTOR)])
            case Array():
                return [] if self._ends(kind.items, depth) else self._several(kind.items, depth)
            case Map():
                return {} if self._ends(kind.values, depth) else self._map(kind, depth)
            case Optional():
                absent = self._ends(kind.item, depth) or self._random.randrange(4) == 0
                return None if absent else self._value(kind.item, depth)
            case Union():
                return self._branch(kind, depth)
            case Reference():
                return self._named(kind.name, depth)

    def _ends(self, kind: Type, depth: int) -> bool:
        return depth <= 0 or height(kind, self._heights) == math.inf

    def _several(self, kind: Type, depth: int) -> list[Any]:
        return [self._value(kind, depth) for _ in range(_FEW)]

    def _map(self, kind: Map, depth: int) -> dict[Any, Any]:
        keys = (self._primitive(kind.keys) for _ in range(_FEW))
        return {key: self._value(kind.values, depth) for key in keys}

    def _branch(self, union: Union, depth: int) -> Any:
        least = height(union, self._heights)
        boxes = self._types.names.box(union)
        options = [
            (branch, box)
            for branch, box in zip(union.branches, boxes, strict=True)
            if self._fits(height(branch.type, self._heights), least, depth)
        ]
        branch, box = self._random.choice(options)
        value = self._value(branch.type, depth)
        if box is None:
            return value
        make: Any = self._types.boxes[box]
        return make(value=value)

    @staticmethod
    def _fits(tall: float, least: float, depth: int) -> bool:
        return tall == least or (depth > 0 and tall < math.inf)

    def _named(self, name: str, depth: int) -> Any:
        named = self._types.schema.types[name]
        if isinstance(named, Record):
            return self._object(name, depth - 1)
        if isinstance(named, Fixed):
            return self._random.randbytes(named.size)
        return self._random.choice(list(self._types.enum(name)))

    def _primitive(self, primitive: Primitive) -> Any:
        match primitive.kind:
            case "null":
                return None
            case "boolean":
                return self._random.random() < 1 / 2
            case "int" | "long":
                return self._random.randrange(_LARGE)
            case "float" | "double":
                return self._fraction()
            case "bytes":
                return self._random.randbytes(16)
            case "string":
                return self._text(self._random.randrange(1, _WORDS))

    def _logical(self, logical: Logical) -> Any:
        moment = _START + dt.timedelta(milliseconds=self._random.randrange(10**10))
        if logical.unit == "nanos":
            return int(moment.timestamp()) * 10**9 if logical.kind != "time" else 10**12
        match logical.kind:
            case "uuid":
                return uuid.UUID(int=self._random.getrandbits(128), version=4)
            case "date":
                return moment.date()
            case "time":
                return moment.time()
            case "timestamp":
                return moment
            case "local-timestamp":
                return moment.replace(tzinfo=None)
            case "duration":
                return dt.timedelta(milliseconds=self._random.randrange(10**7))
            case "calendar-duration":
                return exact.Duration(months=1, days=2, millis=self._random.randrange(_LARGE))
            case "decimal":
                digits = min(logical.precision or 1, 4)
                if isinstance(logical.base, Reference):
                    digits = 2  # a fixed of one byte holds no more
                return Decimal(f"{self._random.randrange(10**digits)}E-{logical.scale}")

    def _json(self, kind: Json) -> Any:
        value = {"query": self._text(4), "limit": 20, "exact": False}
        return [value] if (kind.well_known or "").endswith("ListValue") else value

    def _fraction(self) -> float:
        # Whole 1024ths are exact in 32 bits, so that every format gives them back.
        return self._random.randrange(-1024, 1024) / 1024

    def _text(self, words: int) -> str:
        return " ".join(self._random.choices(WORDS, k=words))
