"""Scalars in a foreign JSON document: how each is read and how it is written.

A time is written as inference knows it: in milliseconds as JavaScript does, in
microseconds as Python does, or as its schema says. The rest is written as JSON form says.
"""

from __future__ import annotations

import datetime as dt
import math
import struct
from collections.abc import Callable
from decimal import Decimal
from typing import Any, TypeAlias
from uuid import UUID

import msgspec

from ...errors import ValueMismatch
from ...schemas.infer.texts import (
    read_instant,
    read_local,
    truncate_to_millis,
    write_local,
    write_micros,
    write_millis,
    write_rfc3339,
)
from ...schemas.model import Json, JsonValue, Logical, Primitive, Reference, Schema
from .. import exact
from ..checks import check_for
from ..mismatch import mismatch

Turn: TypeAlias = Callable[[Any], Any]
"""From a JSON value to a Python value or back. Raises ValueMismatch."""

Scalar: TypeAlias = Primitive | Logical | Json | Reference
"""A type without parts. A reference is to a fixed type."""

_FLOATS = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}
_SINGLE = struct.Struct("<f")


def scalar_reader(scalar: Scalar, schema: Schema) -> Turn:
    """Return what reads a scalar of a document and checks that the type can hold it."""
    check = check_for(scalar, schema)
    match scalar:
        case Primitive(kind="double"):
            return lambda value: check(_float(value))
        case Primitive(kind="float"):
            return lambda value: _single(check(_float(value)))
        case Primitive(kind="bytes") | Reference():
            return _after(_text_reader(_converter(bytes), "base64 text"), check)
        case Logical(unit="nanos"):
            return check
        case Logical(kind="calendar-duration"):
            return _after(_duration, check)
        case Logical():
            return _after(_text_reader(_logical_reader(scalar), f"a {scalar.kind} as text"), check)
        case Json():
            return lambda value: copied(check(value))
        case Primitive():
            return check


def scalar_writer(scalar: Scalar, schema: Schema) -> Turn:
    """Return what checks a scalar of a state and writes it for a document."""
    check = check_for(scalar, schema)
    match scalar:
        case Primitive(kind="double" | "float"):
            return lambda value: _written_float(check(value))
        case Logical(unit="nanos"):
            return check
        case Logical(kind="timestamp", unit="millis"):
            return lambda value: write_millis(check(value))
        case Logical(kind="timestamp", text_form="rfc3339"):
            return lambda value: write_rfc3339(check(value))
        case Logical(kind="timestamp"):
            return lambda value: write_micros(check(value))
        case Logical(kind="local-timestamp"):
            return lambda value: write_local(check(value))
        case Json():
            return lambda value: copied(check(value))
        case Primitive(kind="bytes") | Logical() | Reference():
            return lambda value: _builtin(check(value))
        case Primitive():
            return check


def _builtin(value: object) -> JsonValue:
    builtin: JsonValue = msgspec.to_builtins(value)
    return builtin


def copied(value: JsonValue) -> JsonValue:
    """Return a JSON value that shares no list or dict with ``value``."""
    if isinstance(value, dict):
        return {key: copied(item) for key, item in value.items()}
    if isinstance(value, list):
        return [copied(item) for item in value]
    return value


def _after(read: Turn, check: Turn) -> Turn:
    return lambda value: check(read(value))


def _text_reader(read: Callable[[str], Any], expected: str) -> Turn:
    def read_text(value: Any) -> Any:
        if not isinstance(value, str):
            raise mismatch(expected, value)
        try:
            return read(value)
        except (ValueError, ArithmeticError, msgspec.ValidationError):
            raise mismatch(expected, value) from None

    return read_text


def _duration(value: Any) -> exact.Duration:
    try:
        return msgspec.convert(value, exact.Duration)
    except msgspec.ValidationError:
        raise mismatch("a duration", value) from None


def _converter(kind: type[object]) -> Callable[[str], object]:
    return lambda text: msgspec.convert(text, kind)


def _logical_reader(logical: Logical) -> Callable[[str], Any]:
    match logical.kind:
        case "uuid":
            return UUID
        case "date":
            return dt.date.fromisoformat
        case "time":
            return _in_unit(dt.time.fromisoformat, logical)
        case "timestamp":
            return _in_unit(read_instant, logical)
        case "local-timestamp":
            return _in_unit(read_local, logical)
        case "duration":
            return _converter(dt.timedelta)
        case "calendar-duration":
            return _converter(exact.Duration)
        case "decimal":
            return Decimal


def _in_unit(read: Callable[[str], Any], logical: Logical) -> Callable[[str], Any]:
    if logical.unit != "millis":
        return read
    return lambda text: truncate_to_millis(read(text))


def _float(value: Any) -> Any:
    if isinstance(value, str) and value in _FLOATS:
        return _FLOATS[value]
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueMismatch(f"{value} is no JSON number")
    return value


def _single(value: float) -> float:
    rounded: float = _SINGLE.unpack(_SINGLE.pack(value))[0]
    return rounded


def _written_float(value: float) -> float | str:
    if math.isfinite(value):
        return value
    return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
