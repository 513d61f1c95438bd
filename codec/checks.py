"""Whether a Python value is one that a scalar type can hold: strict, nothing is coerced.

Each check takes a value and returns it, or raises :class:`ValueMismatch`. The same checks
run before every encode, in every format, so that what is written can be read.
"""

from __future__ import annotations

import datetime as dt
import math
import struct
import uuid
from collections.abc import Callable
from decimal import Decimal
from typing import Any, TypeAlias

from ..migrations.casts import integer_range
from ..schemas.levels import levels
from ..schemas.model import Fixed, Json, Logical, Primitive, Reference, Schema
from . import exact
from .json_values import MAX_DEPTH, check_json
from .mismatch import mismatch
from .times import EPOCH, duration_to_micros

Check: TypeAlias = Callable[[Any], Any]

_MILLI = 1000
_SINGLE = struct.Struct("<f")
_LAST_YEARS = (1, 9999)
_FIRST = dt.datetime.min.replace(tzinfo=dt.UTC) - EPOCH
_LAST = dt.datetime.max.replace(tzinfo=dt.UTC) - EPOCH


def check_for(scalar: Primitive | Logical | Json | Reference, schema: Schema) -> Check:
    """The check of a scalar type. A reference must be to a fixed type."""
    match scalar:
        case Primitive() | Logical():
            return check_scalar(scalar)
        case Json():
            return _json(scalar, schema)
        case Reference():
            fixed = schema.types[scalar.name]
            if not isinstance(fixed, Fixed):
                raise TypeError(f"{scalar.name} is no fixed type")
            return check_scalar(fixed)


def check_scalar(scalar: Primitive | Logical | Fixed) -> Check:
    """The check of a scalar type that needs no schema to know what it is."""
    match scalar:
        case Primitive():
            return _primitive(scalar)
        case Logical():
            return _logical(scalar)
        case Fixed():
            return _fixed(scalar)


def _primitive(primitive: Primitive) -> Check:
    match primitive.kind:
        case "null":
            return _null
        case "boolean":
            return _of(bool, "a bool")
        case "int" | "long":
            return _integer(primitive)
        case "float":
            return _single
        case "double":
            return _double
        case "bytes":
            return _of(bytes, "bytes")
        case "string":
            return _string


def _of(kind: type, words: str) -> Check:
    def check(value: Any) -> Any:
        if type(value) is not kind:
            raise mismatch(words, value)
        return value

    return check


def _null(value: Any) -> None:
    if value is not None:
        raise mismatch("None", value)


def _integer(primitive: Primitive) -> Check:
    low, high = integer_range(primitive)
    name = primitive.wire or primitive.kind

    def check(value: Any) -> int:
        if type(value) is not int:
            raise mismatch(f"an int ({name})", value)
        if not low <= value <= high:
            raise mismatch(f"an int from {low} to {high} ({name})", value)
        return value

    return check


def _double(value: Any) -> float:
    if type(value) is float:
        return value
    # A whole number is fine where a float is meant, if the float can hold it exactly.
    if type(value) is int and abs(value) <= 2**1023 and int(float(value)) == value:
        return float(value)
    raise mismatch("a float", value)


def _single(value: Any) -> float:
    number = _double(value)
    if math.isfinite(number):
        try:
            single: float = _SINGLE.unpack(_SINGLE.pack(number))[0]
        except OverflowError:
            raise mismatch("a float of 32 bits", value) from None
        # A float is meant to be rounded to its type; a whole number is not.
        if type(value) is int and single != value:
            raise mismatch("a whole number that a float of 32 bits holds exactly", value)
    return number


def _string(value: Any) -> str:
    if type(value) is not str:
        raise mismatch("a str", value)
    if not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError:
            raise mismatch("text without lone surrogates", value) from None
    return value


def _fixed(fixed: Fixed) -> Check:
    def check(value: Any) -> bytes:
        if type(value) is not bytes or len(value) != fixed.size:
            raise mismatch(f"{fixed.size} bytes", value)
        return value

    return check


def json_room(json: Json, schema: Schema) -> int:
    """How deep a JSON value of the schema may nest, so that the whole state stays in bounds.

    Protobuf's ``Value`` takes three messages for each level, of the hundred that it reads.
    """
    room = MAX_DEPTH - levels(schema)
    return max(0, room // 3 if json.well_known else room)


def _json(json: Json, schema: Schema) -> Check:
    shape: dict[str, type] = {"google.protobuf.Struct": dict, "google.protobuf.ListValue": list}
    outer = shape.get(json.well_known or "")

    room = json_room(json, schema)

    def check(value: Any) -> Any:
        if outer is not None and not isinstance(value, outer):
            raise mismatch(f"a {outer.__name__} of JSON values", value)
        check_json(value, doubles=json.well_known is not None, room=room)
        return value

    return check


def _logical(logical: Logical) -> Check:
    if logical.unit == "nanos":
        return _integer(Primitive("long"))
    match logical.kind:
        case "uuid":
            return _of(uuid.UUID, "a UUID")
        case "date":
            return _of(dt.date, "a date")
        case "time":
            return _without_spare_micros(_naive_time, logical)
        case "timestamp":
            return _without_spare_micros(_aware, logical)
        case "local-timestamp":
            return _without_spare_micros(_naive, logical)
        case "duration":
            return _duration
        case "calendar-duration":
            return _calendar_duration
        case "decimal":
            return _decimal(logical)


def _aware(value: Any) -> dt.datetime:
    if not isinstance(value, dt.datetime) or value.utcoffset() is None:
        raise mismatch("a datetime with a time zone", value)
    # Only at the ends of the calendar can the zone carry the instant beyond them.
    if value.year in _LAST_YEARS and not _FIRST <= value - EPOCH <= _LAST:
        raise mismatch("an instant of the years 1 to 9999 in UTC", value)
    return value


def _duration(value: Any) -> dt.timedelta:
    if not isinstance(value, dt.timedelta):
        raise mismatch("a timedelta", value)
    if not -(2**63) <= duration_to_micros(value) < 2**63:
        raise mismatch("a timedelta of at most 64 bits of microseconds", value)
    return value


def _naive(value: Any) -> dt.datetime:
    if not isinstance(value, dt.datetime) or value.tzinfo is not None:
        raise mismatch("a datetime without a time zone", value)
    return value


def _naive_time(value: Any) -> dt.time:
    if not isinstance(value, dt.time) or value.tzinfo is not None:
        raise mismatch("a time without a time zone", value)
    return value


def _calendar_duration(value: Any) -> exact.Duration:
    if type(value) is not exact.Duration:
        raise mismatch("an exact.Duration", value)
    for part in (value.months, value.days, value.millis):
        _part(part)
    return value


_part = _integer(Primitive("int", "uint32"))


def _without_spare_micros(check: Check, logical: Logical) -> Check:
    if logical.unit != "millis":
        return check

    def whole_millis(value: Any) -> Any:
        if check(value).microsecond % _MILLI:
            raise mismatch("whole milliseconds", value)
        return value

    return whole_millis


def _decimal(logical: Logical) -> Check:
    precision, scale = logical.precision or 0, logical.scale

    def check(value: Any) -> Decimal:
        if not isinstance(value, Decimal) or not value.is_finite():
            raise mismatch("a finite Decimal", value)
        if decimal_digits(value, scale) > precision:
            raise mismatch(f"a Decimal of {precision} digits, {scale} behind the point", value)
        return value

    return check


def decimal_digits(value: Decimal, scale: int) -> int:
    """How many digits ``value`` needs at ``scale``; more than any precision if it is finer."""
    sign, digits, exponent = value.as_tuple()
    del sign
    shift = int(exponent) + scale
    if shift < 0:
        # Trailing zeros carry nothing, so 1.200 fits a scale of 1.
        if any(digits[shift:]) or -shift > len(digits):
            return 0 if not any(digits) else 1 << 31
        digits, shift = digits[:shift], 0
    text = "".join(map(str, digits)).lstrip("0")
    return len(text) + shift if text else 0
