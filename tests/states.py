"""Random states of any schema: typed objects, with values at the edges of their types."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Callable
from decimal import Decimal
from typing import Any

from hypothesis import strategies as st

from instar.codec import exact
from instar.codec.types import SchemaTypes
from instar.migrations.casts import integer_range
from instar.schemas.model import (
    Array,
    Enum,
    Fixed,
    Json,
    Logical,
    Map,
    Optional,
    Primitive,
    Record,
    Reference,
    Schema,
    Type,
    Union,
)

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
JSON_SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**63), 2**64 - 1),
    st.floats(allow_nan=False, allow_infinity=False),
    TEXT,
)
JSON = st.recursive(
    JSON_SCALARS,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(TEXT, inner, max_size=3)),
    max_leaves=6,
)
SMALL_JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-(2**53), 2**53), TEXT),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(TEXT, inner, max_size=3)),
    max_leaves=6,
)


def states(types: SchemaTypes, *, depth: int = 3) -> st.SearchStrategy[Any]:
    """Root objects of ``types``; references deeper than ``depth`` end in empty lists."""
    return _Values(types).record(types.schema.root, depth)


def heights(schema: Schema) -> dict[str, float]:
    """How deep the flattest value of each record nests; infinite where there is no value."""
    found = dict.fromkeys(schema.types, math.inf)
    for name, named in schema.types.items():
        if not isinstance(named, Record):
            found[name] = 0
    for _ in schema.types:
        for name, named in schema.types.items():
            if isinstance(named, Record):
                found[name] = 1 + max((height(f.type, found) for f in named.fields), default=0)
    return found


def height(kind: Type, records: dict[str, float]) -> float:
    """How deep the flattest value of a type nests."""
    match kind:
        case Reference():
            return records[kind.name]
        case Union():
            return min(height(branch.type, records) for branch in kind.branches)
        case _:
            return 0


class _Values:
    def __init__(self, types: SchemaTypes) -> None:
        self.types = types
        self.heights = heights(types.schema)

    def record(self, name: str, depth: int) -> st.SearchStrategy[Any]:
        record = self.types.schema.types[name]
        assert isinstance(record, Record)
        attributes = self.types.names.attributes[name]
        fields = {attributes[f.name]: self.value(f.type, depth) for f in record.fields}
        cls: Callable[..., Any] = self.types.record(name)
        # A lambda, because a field may be called like a parameter of st.builds.
        return st.fixed_dictionaries(fields).map(lambda values: cls(**values))

    def value(self, kind: Type, depth: int) -> st.SearchStrategy[Any]:
        match kind:
            case Primitive():
                return primitives(kind)
            case Logical():
                return logicals(kind, self.types)
            case Json():
                return _json(kind)
            case Array():
                if not depth or height(kind.items, self.heights) == math.inf:
                    return st.builds(list[Any])
                return st.lists(self.value(kind.items, depth), max_size=3)
            case Map():
                if not depth or height(kind.values, self.heights) == math.inf:
                    return st.builds(dict[Any, Any])
                keys = primitives(kind.keys)
                values = self.value(kind.values, depth)
                return st.dictionaries(keys, values, max_size=3)
            case Optional():
                if not depth or height(kind.item, self.heights) == math.inf:
                    return st.none()
                return st.one_of(st.none(), self.value(kind.item, depth))
            case Union():
                return self.union(kind, depth)
            case Reference():
                return self.named(kind.name, depth)

    def named(self, name: str, depth: int) -> st.SearchStrategy[Any]:
        named = self.types.schema.types[name]
        if isinstance(named, Fixed):
            return st.binary(min_size=named.size, max_size=named.size)
        if isinstance(named, Enum):
            return st.sampled_from(list(self.types.enum(name)))
        return st.deferred(lambda: self.record(name, max(depth - 1, 0)))

    def union(self, union: Union, depth: int) -> st.SearchStrategy[Any]:
        options: list[st.SearchStrategy[Any]] = []
        least = height(union, self.heights)
        for branch, box in zip(union.branches, self.types.names.box(union), strict=True):
            tall = height(branch.type, self.heights)
            if tall == math.inf or (not depth and tall > least):
                continue
            values = self.value(branch.type, depth)
            if box is not None:
                values = st.builds(self.types.boxes[box], value=values)
            elif isinstance(branch.type, Primitive) and branch.type.kind in ("float", "double"):
                # NaN beside text in a union is refused by the text formats.
                values = values.filter(math.isfinite)
            options.append(values)
        return st.one_of(options)


def primitives(primitive: Primitive) -> st.SearchStrategy[Any]:
    """Values of a primitive type, its extremes among them."""
    match primitive.kind:
        case "null":
            return st.none()
        case "boolean":
            return st.booleans()
        case "int" | "long":
            low, high = integer_range(primitive)
            return st.one_of(st.integers(low, high), st.sampled_from([low, high, 0]))
        case "float":
            return st.floats(width=32)
        case "double":
            return st.floats()
        case "bytes":
            return st.binary(max_size=8)
        case "string":
            return TEXT


def logicals(logical: Logical, types: SchemaTypes) -> st.SearchStrategy[Any]:
    """Values of a logical type."""
    if logical.unit == "nanos":
        return primitives(Primitive("long"))
    match logical.kind:
        case "uuid":
            return st.uuids()
        case "date":
            return st.dates()
        case "time":
            return st.times().map(lambda t: _whole(t, logical))
        case "timestamp":
            return st.datetimes(timezones=st.just(dt.UTC)).map(lambda t: _whole(t, logical))
        case "local-timestamp":
            return st.datetimes().map(lambda t: _whole(t, logical))
        case "duration":
            return st.timedeltas(dt.timedelta(-100_000_000), dt.timedelta(100_000_000))
        case "calendar-duration":
            part = primitives(Primitive("int", "uint32"))
            return st.builds(exact.Duration, months=part, days=part, millis=part)
        case "decimal":
            most = 10 ** (logical.precision or 1) - 1
            if isinstance(logical.base, Reference):
                fixed = types.schema.types[logical.base.name]
                assert isinstance(fixed, Fixed)
                most = min(most, 2 ** (8 * fixed.size - 1) - 1)
            digits = st.integers(-most, most)
            return digits.map(lambda number: Decimal(f"{number}E-{logical.scale}"))


def _whole(value: Any, logical: Logical) -> Any:
    if logical.unit != "millis":
        return value
    return value.replace(microsecond=value.microsecond // 1000 * 1000)


def _json(kind: Json) -> st.SearchStrategy[Any]:
    match kind.well_known:
        case "google.protobuf.Struct":
            return st.dictionaries(TEXT, SMALL_JSON, max_size=3)
        case "google.protobuf.ListValue":
            return st.lists(SMALL_JSON, max_size=3)
        case "google.protobuf.Value":
            return SMALL_JSON
        case _:
            return JSON
