"""Dates and times as the integers that binary formats carry, and back.

All arithmetic is on integers and floors, so that instants before 1970 are exact. The
formats are those of the Avro specification (1.12, "Logical Types").
"""

from __future__ import annotations

import datetime as dt
import struct

from ..errors import ValueMismatch
from . import exact

EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)
_LOCAL_EPOCH = dt.datetime(1970, 1, 1)  # noqa: DTZ001 - local timestamps have no zone
_EPOCH_ORDINAL = dt.date(1970, 1, 1).toordinal()
_DAY = 86_400_000_000
_NANOS = 1000
_DURATION = struct.Struct("<III")
_MICROSECOND = dt.timedelta(microseconds=1)


def timestamp_to_micros(value: dt.datetime) -> int:
    """Microseconds since 1970-01-01 UTC of an aware datetime."""
    return (value - EPOCH) // _MICROSECOND


def micros_to_timestamp(micros: int) -> dt.datetime:
    """The aware datetime, in UTC, of microseconds since 1970."""
    try:
        return EPOCH + dt.timedelta(microseconds=micros)
    except OverflowError:
        raise ValueMismatch(f"{micros} microseconds since 1970 is no year 1 to 9999") from None


def local_to_micros(value: dt.datetime) -> int:
    """Microseconds since 1970-01-01 of a naive datetime, in its own unnamed zone."""
    return (value - _LOCAL_EPOCH) // _MICROSECOND


def micros_to_local(micros: int) -> dt.datetime:
    """The naive datetime of microseconds since 1970."""
    try:
        return _LOCAL_EPOCH + dt.timedelta(microseconds=micros)
    except OverflowError:
        raise ValueMismatch(f"{micros} microseconds since 1970 is no year 1 to 9999") from None


def time_to_micros(value: dt.time) -> int:
    """Microseconds since midnight."""
    seconds = (value.hour * 60 + value.minute) * 60 + value.second
    return seconds * 1_000_000 + value.microsecond


def micros_to_time(micros: int) -> dt.time:
    """The time of day of microseconds since midnight."""
    if not 0 <= micros < _DAY:
        raise ValueMismatch(f"{micros} microseconds is no time of day")
    return (_LOCAL_EPOCH + dt.timedelta(microseconds=micros)).time()


def date_to_days(value: dt.date) -> int:
    """Days since 1970-01-01."""
    return value.toordinal() - _EPOCH_ORDINAL


def days_to_date(days: int) -> dt.date:
    """The date of days since 1970-01-01."""
    try:
        return dt.date.fromordinal(days + _EPOCH_ORDINAL)
    except (ValueError, OverflowError):
        raise ValueMismatch(f"{days} days since 1970 is no year 1 to 9999") from None


def duration_to_micros(value: dt.timedelta) -> int:
    """Microseconds of a timedelta."""
    return value // _MICROSECOND


def micros_to_duration(micros: int) -> dt.timedelta:
    """The timedelta of microseconds."""
    try:
        return dt.timedelta(microseconds=micros)
    except OverflowError:
        raise ValueMismatch(f"{micros} microseconds is too long for a timedelta") from None


def nanos_to_micros(nanos: int) -> int:
    """Microseconds of nanoseconds, which must be whole."""
    micros, rest = divmod(nanos, _NANOS)
    if rest:
        raise ValueMismatch(f"{nanos} nanoseconds are no whole microseconds")
    return micros


def micros_to_nanos(micros: int) -> int:
    """Nanoseconds of microseconds; a caller checks that 64 bits hold them."""
    return micros * _NANOS


def duration_to_bytes(value: exact.Duration) -> bytes:
    """The 12 bytes of Avro's duration."""
    return _DURATION.pack(value.months, value.days, value.millis)


def bytes_to_duration(raw: bytes) -> exact.Duration:
    """Avro's duration of its 12 bytes."""
    months, days, millis = _DURATION.unpack(raw)
    return exact.Duration(months=months, days=days, millis=millis)
