"""Strategies for scalars, with the values at the edges of their types among them."""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Iterator
from decimal import Decimal
from functools import partial
from typing import Any

from ...migrations.casts import integer_range
from ...schemas.model import Fixed, Json, Logical, Primitive, Reference, Schema
from .. import exact
from ..extras import import_hypothesis

_TEXTS = (
    *("", "a", "0", "true", "null", "Zürich", "\U0001f98b", "\x00", "x" * 40),
    # What functions split at and join with, more than once, first and last.
    *("/", " a  b ", "a/b/c", "k=v, k:w", "A-b_c.d\n"),
)
_BYTES = (b"", b"\x00", b"\xff\xfe", b"text", bytes(range(20)))
_FLOATS = (0.0, -0.0, 1.0, 0.5, -1.5, 2.0**24 + 1, 1e308, 5e-324, float("inf"), float("nan"))
_SINGLES = (0.0, -0.0, 1.0, 0.5, -1.5, 2.0**24, 2.0**127, float("inf"), float("nan"))
_EDGES = (0, 1, -1, 2, 127, 128, 2**31 - 1, 2**31, -(2**31), 2**32, 2**53 + 1, 2**63, -(2**63))
_JSON: tuple[Any, ...] = (None, True, 0, -7, 1.5, "", "text", [], {}, [1, None], {"a": {"b": [0]}})
_OBJECTS: tuple[Any, ...] = ({}, {"a": None}, {"a": {"b": [True]}})
_LISTS: tuple[Any, ...] = ([], [None], [{"a": 1}, "b"])
_TEXT = 'Zürich \U0001f98b "\\\n\x00\u2028'
_MANY: dict[str, Any] = {"Zürich": [1, 2.5, None, True, "", {}], "": {"a": {"b": [0]}}}
_PAST = dt.datetime(1969, 12, 31, 23, 59, 59, 999_000, tzinfo=dt.UTC)
_ENDS: dict[str, tuple[Any, ...]] = {
    "uuid": (uuid.UUID(int=2**128 - 1),),
    "date": (dt.date.min, dt.date.max),
    "time": (dt.time.min, dt.time(23, 59, 59, 999_000)),
    "timestamp": (_PAST,),
    "local-timestamp": (_PAST.replace(tzinfo=None),),
    "duration": (dt.timedelta(seconds=-1, microseconds=-1),),
    "calendar-duration": (exact.Duration(months=2**32 - 1, days=0, millis=2**32 - 1),),
}


def primitive_values(primitive: Primitive) -> Any:
    """A strategy for the values of a primitive."""
    st: Any = import_hypothesis().strategies
    match primitive.kind:
        case "null":
            return st.none()
        case "boolean":
            return st.booleans()
        case "int" | "long":
            low, high = integer_range(primitive)
            edges = sorted({low, high, *(n for n in _EDGES if low <= n <= high)}, key=abs)
            return st.one_of(st.sampled_from(edges), st.integers(low, high))
        case "float":
            return st.one_of(st.sampled_from(_SINGLES), st.floats(width=32))
        case "double":
            return st.one_of(st.sampled_from(_FLOATS), st.floats())
        case "bytes":
            return st.one_of(st.sampled_from(_BYTES), st.binary(max_size=6))
        case "string":
            text = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
            return st.one_of(st.sampled_from(_TEXTS), text)


def json_values(kind: Json) -> Any:
    """A strategy for JSON values: of the kind that the well-known message holds."""
    st: Any = import_hypothesis().strategies
    inner = _nested(kind)
    match (kind.well_known or "").rpartition(".")[2]:
        case "Struct":
            return st.one_of(st.sampled_from(_OBJECTS), _objects(inner))
        case "ListValue":
            return st.one_of(st.sampled_from(_LISTS), st.lists(inner, max_size=2))
        case _:
            return st.one_of(st.sampled_from(_JSON), inner)


def _nested(kind: Json) -> Any:
    """JSON values of any shape; a message of Protobuf's has doubles for all its numbers."""
    st: Any = import_hypothesis().strategies
    numbers = (
        st.integers(-(2**53), 2**53)
        if kind.well_known
        else st.integers(-(2**63), 2**64 - 1) | st.floats(allow_nan=False, allow_infinity=False)
    )
    leaves = st.one_of(st.none(), st.booleans(), numbers, primitive_values(Primitive("string")))
    return st.recursive(leaves, _containers, max_leaves=6)


def _containers(values: Any) -> Any:
    st: Any = import_hypothesis().strategies
    return st.lists(values, max_size=2) | _objects(values)


def _objects(values: Any) -> Any:
    st: Any = import_hypothesis().strategies
    return st.dictionaries(primitive_values(Primitive("string")), values, max_size=2)


def logical_values(logical: Logical, schema: Schema) -> Any:
    """A strategy for the values of a logical type."""
    st: Any = import_hypothesis().strategies
    if logical.unit == "nanos":
        return primitive_values(Primitive("long"))
    match logical.kind:
        case "uuid":
            return st.uuids()
        case "date":
            return st.dates()
        case "time":
            return st.times().map(partial(_whole, logical))
        case "timestamp":
            return st.datetimes(timezones=st.just(dt.UTC)).map(partial(_whole, logical))
        case "local-timestamp":
            return st.datetimes().map(partial(_whole, logical))
        case "duration":
            # Protobuf's own message ends at ten thousand years, 64 bits of microseconds later.
            longest = dt.timedelta(100_000 if logical.well_known else 100_000_000)
            return st.timedeltas(-longest, longest)
        case "calendar-duration":
            part = primitive_values(Primitive("int", "uint32"))
            return st.builds(exact.Duration, months=part, days=part, millis=part)
        case "decimal":
            most = _most(logical, schema)
            digits = st.one_of(st.sampled_from((0, 1, most, -most)), st.integers(-most, most))
            return digits.map(partial(_scaled, logical))


def edge_values(kind: Primitive | Logical | Json, schema: Schema) -> Iterator[Any]:
    """A few values at the edges of a scalar type, the same on every run; none that the text
    formats leave out.
    """
    match kind:
        case Primitive(kind="string"):
            yield _TEXT
        case Primitive(kind="float"):
            yield from (-0.0, -(2.0**127))
        case Primitive(kind="double"):
            yield from (-0.0, 5e-324, -1e308)
        case Logical(unit="nanos"):
            yield -1
        case Logical(kind="decimal"):
            most = _most(kind, schema)
            yield from (_scaled(kind, most), _scaled(kind, -most))
        case Logical():
            yield from _ENDS[kind.kind]
        case Json():
            many = (kind.well_known or "").endswith("ListValue")
            yield [_MANY] if many else _MANY
        case _:
            pass


def _most(logical: Logical, schema: Schema) -> int:
    """The largest unscaled number of a decimal."""
    most: int = 10 ** (logical.precision or 1) - 1
    if isinstance(logical.base, Reference):
        fixed = schema.types[logical.base.name]
        size = fixed.size if isinstance(fixed, Fixed) else 1
        fitting: int = 2 ** (8 * size - 1) - 1
        return min(most, fitting)
    return most


def _scaled(logical: Logical, digits: int) -> Decimal:
    return Decimal(f"{digits}E-{logical.scale}")


def _whole(logical: Logical, value: Any) -> Any:
    """``value`` in whole units: milliseconds where that is the unit."""
    if logical.unit != "millis":
        return value
    return value.replace(microsecond=value.microsecond // 1000 * 1000)
