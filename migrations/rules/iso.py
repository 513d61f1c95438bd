"""Times as text of ISO 8601: the forms of RFC 3339, and a little beside them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from fractions import Fraction

from .calendar import clock, days_of, shown_date, shown_time
from .moments import NANOS, RANGES, Sort
from .quantity import Quantity, Ratio
from .values import refuse

_MOST = 64
_DATE = r"(?P<Y>[0-9]{4})-(?P<m>[0-9]{2})-(?P<d>[0-9]{2})"
_TIME = r"(?P<H>[0-9]{2}):(?P<M>[0-9]{2})(?::(?P<S>[0-9]{2})(?:[.,](?P<f>[0-9]{1,9}))?)?"
_ZONE = r"(?P<z>[Zz]|[+-][0-9]{2}:?[0-9]{2})"
# Not compiled before they are used, because every import of instar passes here.
_FORMS: Mapping[Sort, str] = {
    "timestamp": f"{_DATE}[Tt ]{_TIME}{_ZONE}?",
    "local-timestamp": f"{_DATE}[Tt ]{_TIME}",
    "date": _DATE,
    "time": _TIME,
    "duration": (
        r"(?P<sign>[+-]?)P(?=[0-9T])(?:(?P<days>[0-9]{1,9})D)?"
        r"(?:T(?=[0-9])(?:(?P<hours>[0-9]{1,12})H)?(?:(?P<minutes>[0-9]{1,12})M)?"
        r"(?:(?P<seconds>[0-9]{1,12})(?:[.,](?P<f>[0-9]{1,9}))?S)?)?"
    ),
}


def iso(kind: Sort, utc: bool) -> Quantity:
    """Text of one kind of time as amounts of nanoseconds."""
    step = NANOS["days"] if kind == "date" else 1
    low, high = RANGES[kind]
    pattern, amount = re.compile(_FORMS[kind]), _AMOUNTS[kind]

    def read(text: str) -> Ratio:
        found = pattern.fullmatch(text) if len(text) <= _MOST else None
        if found is None:
            refuse(text, f"is no {kind} of ISO 8601")
        parts = {name: part for name, part in found.groupdict().items() if part is not None}
        if kind == "timestamp" and not utc and "z" not in parts:
            refuse(text, "has no offset from UTC")
        return amount(parts), 1

    written = "" if kind == "date" else "how the text was written (offset, zeros)"
    what = "day" if kind == "date" else "nanosecond"
    return Quantity(read, _SHOWN[kind], Fraction(step), low // step, high // step, what, written)


def _date(parts: Mapping[str, str]) -> int:
    return days_of(parts) * NANOS["days"]


def _instant(parts: Mapping[str, str]) -> int:
    return _date(parts) + clock(parts)


def _duration(parts: Mapping[str, str]) -> int:
    units = ("days", "hours", "minutes", "seconds")
    whole = sum(int(parts.get(unit, "0")) * NANOS[unit] for unit in units)
    nanos = whole + int(parts.get("f", "0").ljust(9, "0"))
    return -nanos if parts["sign"] == "-" else nanos


_AMOUNTS: Mapping[Sort, Callable[[Mapping[str, str]], int]] = {
    "timestamp": _instant,
    "local-timestamp": _instant,
    "date": _date,
    "time": clock,
    "duration": _duration,
}


def _fraction(nanos: int) -> str:
    """Six digits where they do, nine where they do not, none for nothing."""
    if nanos % 1000:
        return f".{nanos:09}"
    return f".{nanos // 1000:06}" if nanos else ""


def _shown_clock(nanos: int) -> str:
    return f"{shown_time(nanos)}{_fraction(nanos % NANOS['seconds'])}"


def _shown_local(nanos: int) -> str:
    days, rest = divmod(nanos, NANOS["days"])
    return f"{shown_date(days)}T{_shown_clock(rest)}"


def _shown_duration(nanos: int) -> str:
    """As msgspec writes it: days and seconds, without zeros at the end."""
    days, rest = divmod(abs(nanos), NANOS["days"])
    seconds, rest = divmod(rest, NANOS["seconds"])
    fraction = f".{rest:09}".rstrip("0") if rest else ""
    time = f"T{seconds}{fraction}S" if seconds or rest else ""
    day = f"{days}D" if days or not time else ""
    return f"{'-' if nanos < 0 else ''}P{day}{time}"


# From nanoseconds, but for a date from days.
_SHOWN: Mapping[Sort, Callable[[int], str]] = {
    "timestamp": lambda nanos: f"{_shown_local(nanos)}Z",
    "local-timestamp": _shown_local,
    "date": shown_date,
    "time": _shown_clock,
    "duration": _shown_duration,
}
