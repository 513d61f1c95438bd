"""Strategies for the states of any schema: typed objects, as its writers make them."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any

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
from ..extras import import_hypothesis
from ..types import SchemaTypes
from .heights import height, heights
from .scalars import json_values, logical_values, primitive_values

DEPTH = 2
"""How many records below the root the values of recursive types go."""
_MOST = 2
"""Items of a list or a map: one and more than one are what differs."""

_VECTORS = {"float": exact.float_vector, "double": exact.double_vector}


def states(types: SchemaTypes) -> Any:
    """A hypothesis strategy for root objects of ``types``. Raises MissingExtra.

    A schema whose root holds itself without an end has no values: the strategy is empty.
    """
    return _Values(types).record(types.schema.root, DEPTH)


class _Values:
    def __init__(self, types: SchemaTypes) -> None:
        self._st: Any = import_hypothesis().strategies
        self._types = types
        self._heights = heights(types.schema)
        self._made: dict[tuple[str, int], Any] = {}
        self._fields: dict[tuple[str, int], Any] = {}

    def record(self, name: str, depth: int) -> Any:
        """Objects of one record; ``depth`` is how many records more may follow."""
        if self._heights[name] == math.inf:
            return self._st.nothing()
        key = (name, depth)
        if key not in self._made:
            # Found by the record itself while its fields are being made.
            self._made[key] = self._st.deferred(lambda: self._fields[key])
            self._fields[key] = self._record(name, depth)
        return self._made[key]

    def _record(self, name: str, depth: int) -> Any:
        record = self._types.schema.types[name]
        if not isinstance(record, Record):
            raise TypeError(f"{name} is no record")
        attributes = self._types.names.attributes[name]
        fields = {attributes[f.name]: self._value(f.type, depth) for f in record.fields}
        cls: Callable[..., Any] = self._types.record(name)
        return self._st.fixed_dictionaries(fields).map(partial(_made, cls))

    def _value(self, kind: Type, depth: int) -> Any:
        match kind:
            case Primitive():
                return primitive_values(kind)
            case Logical():
                return logical_values(kind, self._types.schema)
            case Json():
                return json_values(kind)
            case Array():
                return self._array(kind, depth)
            case Map():
                return self._map(kind, depth)
            case Optional():
                return self._optional(kind, depth)
            case Union():
                return self._union(kind, depth)
            case Reference():
                return self._named(kind.name, depth)

    def _ends(self, kind: Type, depth: int) -> bool:
        """Whether a container of ``kind`` has to be empty here."""
        return depth <= 0 or height(kind, self._heights) == math.inf

    def _array(self, array: Array, depth: int) -> Any:
        if array.vector_kind:
            numbers = self._st.lists(self._value(array.items, depth), max_size=_MOST)
            return numbers.map(_VECTORS[array.vector_kind])
        if self._ends(array.items, depth):
            return self._st.builds(list)
        return self._st.lists(self._value(array.items, depth), max_size=_MOST)

    def _map(self, map_: Map, depth: int) -> Any:
        if self._ends(map_.values, depth):
            return self._st.builds(dict)
        keys, values = primitive_values(map_.keys), self._value(map_.values, depth)
        return self._st.dictionaries(keys, values, max_size=_MOST)

    def _optional(self, optional: Optional, depth: int) -> Any:
        if self._ends(optional.item, depth):
            return self._st.none()
        return self._st.one_of(self._st.none(), self._value(optional.item, depth))

    def _named(self, name: str, depth: int) -> Any:
        named = self._types.schema.types[name]
        if isinstance(named, Record):
            return self.record(name, max(depth - 1, 0))
        if isinstance(named, Fixed):
            edges = self._st.sampled_from((bytes(named.size), b"\xff" * named.size))
            return edges | self._st.binary(min_size=named.size, max_size=named.size)
        return self._st.sampled_from(list(self._types.enum(name)))

    def _union(self, union: Union, depth: int) -> Any:
        least = height(union, self._heights)
        options: list[Any] = []
        for branch, box in zip(union.branches, self._types.names.box(union), strict=True):
            tall = height(branch.type, self._heights)
            if tall == math.inf or (depth <= 0 and tall > least):
                continue
            values = self._value(branch.type, depth)
            if box is not None:
                values = self._st.builds(self._types.boxes[box], value=values)
            elif isinstance(branch.type, Primitive) and branch.type.kind in ("float", "double"):
                # NaN beside text in a union is refused by the text formats.
                values = values.filter(math.isfinite)
            options.append(values)
        return self._st.one_of(options)


def _made(cls: Callable[..., Any], values: dict[str, Any]) -> Any:
    return cls(**values)
