"""Dates and times as amounts of nanoseconds, and back."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, Literal, TypeAlias

from ...schemas.model import Logical
from .quantity import Quantity, Ratio
from .rule import Scalar
from .values import fit, refuse, words

Sort: TypeAlias = Literal["timestamp", "local-timestamp", "date", "time", "duration"]
"""What an amount of nanoseconds counts from: 1970 in UTC, or without a zone; as whole days;
midnight; nothing.
"""

SORTS: tuple[Sort, ...] = ("timestamp", "local-timestamp", "date", "time", "duration")
NANOS: Mapping[str, int] = {
    "nanos": 1,
    "micros": 1000,
    "millis": 10**6,
    "seconds": 10**9,
    "minutes": 60 * 10**9,
    "hours": 3600 * 10**9,
    "days": 86400 * 10**9,
}
"""Nanoseconds of each unit."""

_WORDS = {"nanos": "nanosecond", "micros": "microsecond", "millis": "millisecond", "days": "day"}
_EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)
_LOCAL_EPOCH = dt.datetime(1970, 1, 1)  # noqa: DTZ001 - local timestamps have no zone
_EPOCH_DAY = _EPOCH.toordinal()
_MICRO = dt.timedelta(microseconds=1)
_LONG = 2**63
_DAY = NANOS["days"]
_FIRST = (1 - _EPOCH_DAY) * _DAY
_LAST = (dt.date.max.toordinal() - _EPOCH_DAY + 1) * _DAY - 1

RANGES: Mapping[Sort, tuple[int, int]] = {
    "timestamp": (_FIRST, _LAST),
    "local-timestamp": (_FIRST, _LAST),
    "date": (_FIRST, _LAST),
    "time": (0, _DAY - 1),
    "duration": (-_LONG * 1000, (_LONG - 1) * 1000),
}
"""The least and the greatest nanosecond of each sort, where a type says no more."""


def sort(type_: Scalar) -> Sort | None:
    """What kind of time a type is; ``None`` for another type."""
    if not isinstance(type_, Logical):
        return None
    return next((one for one in SORTS if one == type_.kind), None)


def moment(type_: Scalar) -> Quantity | None:
    """The amounts of a time type, in nanoseconds; ``None`` for another type."""
    kind = sort(type_)
    if kind is None or not isinstance(type_, Logical):
        return None
    unit = _unit(type_, kind)
    least, greatest = (-_LONG, _LONG - 1) if type_.unit == "nanos" else RANGES[kind]
    return Quantity(
        _reader(type_, kind),
        _builder(type_, kind, unit),
        Fraction(NANOS[unit]),
        -(-least // NANOS[unit]),
        greatest // NANOS[unit],
        _WORDS[unit],
    )


def _unit(type_: Logical, kind: Sort) -> str:
    if kind == "date":
        return "days"
    if kind == "duration" and type_.unit != "nanos":
        return "micros"
    return type_.unit or "micros"


def _reader(type_: Logical, kind: Sort) -> Callable[[Any], Ratio]:
    if type_.unit == "nanos":
        return lambda value: (value, 1)
    read = _READ[kind]
    return lambda value: (read(value), 1)


_READ: Mapping[Sort, Callable[[Any], int]] = {
    "timestamp": lambda value: (value - _EPOCH) // _MICRO * 1000,
    "local-timestamp": lambda value: (value - _LOCAL_EPOCH) // _MICRO * 1000,
    "date": lambda value: (value.toordinal() - _EPOCH_DAY) * _DAY,
    "time": lambda value: (
        (value.hour * 3600 + value.minute * 60 + value.second) * 10**9 + value.microsecond * 1000
    ),
    "duration": lambda value: value // _MICRO * 1000,
}


def _builder(type_: Logical, kind: Sort, unit: str) -> Callable[[int], Any]:
    held = fit(type_)
    if type_.unit == "nanos":
        return held
    write, step = _WRITE[kind], NANOS[unit] // 1000
    low, high = RANGES[kind]

    def build(steps: int) -> Any:
        if not low <= steps * NANOS[unit] <= high:
            refuse(steps, f"{unit} is beyond {words(type_)}")
        return write(steps * step)

    return build


def _time(micros: int) -> dt.time:
    return (_LOCAL_EPOCH + micros * _MICRO).time()


_WRITE: Mapping[Sort, Callable[[int], Any]] = {
    "timestamp": lambda micros: _EPOCH + micros * _MICRO,
    "local-timestamp": lambda micros: _LOCAL_EPOCH + micros * _MICRO,
    "date": lambda micros: (_EPOCH + micros * _MICRO).date(),
    "time": _time,
    "duration": lambda micros: micros * _MICRO,
}
"""The value of so many microseconds, which the range holds."""
