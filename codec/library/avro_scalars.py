"""Scalars as Avro carries them (specification 1.12), read and written, with their checks."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping
from decimal import Decimal
from functools import partial
from typing import Any

from ...errors import ValueMismatch
from ...schemas.model import Fixed, Json, Logical, Primitive, Reference, Schema
from .. import times
from ..checks import check_for, decimal_digits, json_room
from ..json_values import json_to_text, text_to_json
from .source import Scalar

Convert = Callable[[Any], Any]

_READ_MICROS: Mapping[str, Convert] = {
    "time": times.micros_to_time,
    "timestamp": times.micros_to_timestamp,
    "local-timestamp": times.micros_to_local,
    "duration": times.micros_to_duration,
}
_WRITE_MICROS: Mapping[str, Convert] = {
    "time": times.time_to_micros,
    "timestamp": times.timestamp_to_micros,
    "local-timestamp": times.local_to_micros,
    "duration": times.duration_to_micros,
}


def reader(scalar: Scalar, schema: Schema) -> Convert | None:
    """A function from what fastavro reads to the Python value; ``None`` means: as it is."""
    match scalar:
        case Primitive(wire="uint64" | "fixed64"):
            return lambda raw: raw % 2**64
        case Primitive(wire="uint32" | "fixed32"):
            return check_for(scalar, schema)
        case Primitive() | Reference() | Logical(unit="nanos"):
            return None
        case Json():
            check = check_for(scalar, schema)
            if scalar.well_known:
                return lambda raw: check(text_to_json(raw))
            return partial(text_to_json, room=json_room(scalar, schema))
        case Logical():
            return _logical_reader(scalar)


def writer(scalar: Scalar, schema: Schema) -> Convert | None:
    """A function from a checked Python value to what fastavro writes."""
    match scalar:
        case Primitive(wire="uint64" | "fixed64"):
            return lambda value: value - 2**64 if value >= 2**63 else value
        case Primitive() | Reference() | Logical(unit="nanos"):
            return None
        case Json():
            return json_to_text
        case Logical():
            return _logical_writer(scalar, schema)


def _logical_reader(logical: Logical) -> Convert:
    match logical.kind:
        case "uuid":
            return _bytes_to_uuid if isinstance(logical.base, Reference) else _text_to_uuid
        case "date":
            return times.days_to_date
        case "calendar-duration":
            return times.bytes_to_duration
        case "decimal":
            return _decimal_reader(logical)
        case _:
            read = _READ_MICROS[logical.kind]
            return (lambda raw: read(raw * 1000)) if logical.unit == "millis" else read


def _logical_writer(logical: Logical, schema: Schema) -> Convert:
    match logical.kind:
        case "uuid":
            return (lambda value: value.bytes) if isinstance(logical.base, Reference) else str
        case "date":
            return times.date_to_days
        case "calendar-duration":
            return times.duration_to_bytes
        case "decimal":
            return _decimal_writer(logical, schema)
        case _:
            write = _WRITE_MICROS[logical.kind]
            return (lambda value: write(value) // 1000) if logical.unit == "millis" else write


def _text_to_uuid(text: str) -> uuid.UUID:
    try:
        return uuid.UUID(text)
    except ValueError:
        raise ValueMismatch(f"{text[:60]!r} is no UUID") from None


def _bytes_to_uuid(raw: bytes) -> uuid.UUID:
    return uuid.UUID(bytes=raw)


def _decimal_reader(logical: Logical) -> Convert:
    precision, scale = logical.precision or 0, logical.scale

    def read(raw: bytes) -> Decimal:
        number = int.from_bytes(raw, "big", signed=True)
        # Through text, because arithmetic would round to the context's precision.
        value = Decimal(f"{number}E-{scale}")
        if decimal_digits(value, scale) > precision:
            raise ValueMismatch(f"{value} has more than {precision} digits")
        return value

    return read


def _decimal_writer(logical: Logical, schema: Schema) -> Convert:
    size = _fixed_size(logical, schema)

    def write(value: Decimal) -> bytes:
        number = _unscaled(value, logical.scale)
        length = size or (number + (number < 0)).bit_length() // 8 + 1
        try:
            return number.to_bytes(length, "big", signed=True)
        except OverflowError:
            raise ValueMismatch(f"{value} does not fit {length} bytes") from None

    return write


def _fixed_size(logical: Logical, schema: Schema) -> int | None:
    if not isinstance(logical.base, Reference):
        return None
    fixed = schema.types[logical.base.name]
    return fixed.size if isinstance(fixed, Fixed) else None


def _unscaled(value: Decimal, scale: int) -> int:
    sign, digits, exponent = value.as_tuple()
    shift = int(exponent) + scale
    number = int("".join(map(str, digits)))
    scaled: int = number * 10**shift if shift >= 0 else number // 10**-shift
    return -scaled if sign else scaled
