"""Numbers of Avro's logical types against their JSON form."""

from __future__ import annotations

import datetime as dt
import struct
from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from uuid import UUID

import msgspec

from ..model import JsonValue, Logical

_EPOCH = dt.datetime(1970, 1, 1)  # noqa: DTZ001  # the zone is added where there is one
_DAY_ZERO = _EPOCH.date()
_MICROS = dt.timedelta(microseconds=1)
_DURATION = struct.Struct("<III")
DURATION_PARTS = ("months", "days", "millis")
"""The parts of Avro's duration, in order."""
_PER_UNIT = {"millis": 1000, "micros": 1}


def number_to_json(logical: Logical, number: int) -> str | int:
    """The JSON form of a date, time, timestamp or duration that Avro holds as ``number``.

    Raises ValueError where Python has no such date or time.
    """
    if logical.unit == "nanos":
        return number
    try:
        return _builtin(_moment(logical, number))
    except OverflowError:
        raise ValueError(f"{number} is out of range for {logical.kind}") from None


def duration_to_json(raw: bytes) -> dict[str, JsonValue]:
    """The JSON form of Avro's duration: three unsigned 32-bit numbers, little-endian."""
    return dict(zip(DURATION_PARTS, _DURATION.unpack(raw), strict=True))


def json_to_duration(parts: Mapping[str, JsonValue]) -> bytes:
    """The bytes that Avro holds for a duration in JSON form.

    Raises ValueError where it lacks a part or one is out of range.
    """
    try:
        return _DURATION.pack(*(parts[part] for part in DURATION_PARTS))
    except (struct.error, KeyError):
        raise ValueError(f"{parts} is no duration") from None


def text_to_number(logical: Logical, text: str) -> int:
    """The number that Avro holds for a date, time, timestamp or duration in JSON form.

    Raises ValueError where ``text`` is not of that form.
    """
    match logical.kind:
        case "date":
            return (msgspec.convert(text, dt.date) - _DAY_ZERO).days
        case "time":
            moment = dt.datetime.combine(_DAY_ZERO, msgspec.convert(text, dt.time))
            return _in_unit(logical, moment.replace(tzinfo=None) - _EPOCH)
        case "duration":
            return _in_unit(logical, msgspec.convert(text, dt.timedelta))
        case "timestamp":
            aware = msgspec.convert(text, dt.datetime)
            return _in_unit(logical, aware - _EPOCH.replace(tzinfo=dt.UTC))
        case _:
            return _in_unit(logical, msgspec.convert(text, dt.datetime) - _EPOCH)


def _moment(logical: Logical, number: int) -> dt.date | dt.time | dt.datetime | dt.timedelta:
    if logical.kind == "date":
        return _DAY_ZERO + dt.timedelta(days=number)
    span = dt.timedelta(microseconds=number * _PER_UNIT[logical.unit or "micros"])
    match logical.kind:
        case "duration":
            return span
        case "time":
            if not dt.timedelta(0) <= span < dt.timedelta(days=1):
                raise ValueError(f"{number} is no time of day")
            return (_EPOCH + span).time()
        case "timestamp":
            return (_EPOCH + span).replace(tzinfo=dt.UTC)
        case _:
            return _EPOCH + span


def _in_unit(logical: Logical, span: dt.timedelta) -> int:
    return span // _MICROS // _PER_UNIT[logical.unit or "micros"]


def _builtin(value: object) -> str:
    text: str = msgspec.to_builtins(value)
    return text


def unscaled_to_text(logical: Logical, raw: bytes) -> str:
    """The JSON form of a decimal that Avro holds as big-endian two's complement ``raw``."""
    unscaled = int.from_bytes(raw, "big", signed=True)
    digits = tuple(int(digit) for digit in str(abs(unscaled)))
    return format(Decimal((int(unscaled < 0), digits, -logical.scale)), "f")


def text_to_unscaled(logical: Logical, text: str, size: int | None) -> bytes:
    """The bytes that Avro holds for a decimal in JSON form; ``size`` where they are fixed.

    Raises ValueError where ``text`` is no number, has too many decimals or does not fit.
    """
    try:
        sign, digits, exponent = Decimal(text).as_tuple()
    except InvalidOperation:
        raise ValueError(f"{text!r} is no decimal") from None
    shift = logical.scale + exponent if isinstance(exponent, int) else -1
    if shift < 0:
        raise ValueError(f"{text} does not fit a scale of {logical.scale}")
    unscaled = int("".join(map(str, digits))) * int(10**shift) * (-1 if sign else 1)
    try:
        return unscaled.to_bytes(size or unscaled.bit_length() // 8 + 1, "big", signed=True)
    except OverflowError:
        raise ValueError(f"{text} does not fit {size} bytes") from None


def canonical_uuid(text: str) -> str:
    """The canonical text of a UUID; raises ValueError where ``text`` is none."""
    return str(UUID(text))
