"""The parts of a date and of a time of day as numbers, and as digits."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping

from .moments import NANOS
from .values import refuse

_EPOCH_DAY = dt.date(1970, 1, 1).toordinal()
_MOST_HOURS, _MOST_MINUTES = 23, 59


def days_of(parts: Mapping[str, str]) -> int:
    """Days since 1970 of a year ``Y`` with a month ``m`` and day ``d``, or a day of the year
    ``j``.
    """
    shown = "-".join(parts[part] for part in "Ymdj" if part in parts)
    try:
        if "j" not in parts:
            return dt.date(*(int(parts[part]) for part in "Ymd")).toordinal() - _EPOCH_DAY
        first = dt.date(int(parts["Y"]), 1, 1)
        found = first + dt.timedelta(days=int(parts["j"]) - 1)
    except (ValueError, OverflowError):
        refuse(shown, "is no day of the calendar")
    if found.year != first.year:
        refuse(shown, "is no day of the calendar")
    return found.toordinal() - _EPOCH_DAY


def clock(parts: Mapping[str, str]) -> int:
    """Nanoseconds since midnight of hours ``H``, minutes ``M``, seconds ``S`` and their
    fraction ``f``, less the offset ``z``.
    """
    hours, minutes, seconds = (int(parts.get(part, "0")) for part in "HMS")
    if hours > _MOST_HOURS or minutes > _MOST_MINUTES or seconds > _MOST_MINUTES:
        refuse(":".join(parts[part] for part in "HMS" if part in parts), "is no time of day")
    nanos = int(parts.get("f", "0").ljust(9, "0"))
    whole = hours * NANOS["hours"] + minutes * NANOS["minutes"] + seconds * NANOS["seconds"]
    return whole + nanos - _offset(parts.get("z", "Z"))


def _offset(zone: str) -> int:
    if zone in {"Z", "z"}:
        return 0
    digits = zone.replace(":", "")
    hours, minutes = int(digits[1:3]), int(digits[3:5])
    if hours > _MOST_HOURS or minutes > _MOST_MINUTES:
        refuse(zone, "is no offset from UTC")
    nanos = hours * NANOS["hours"] + minutes * NANOS["minutes"]
    return -nanos if digits[0] == "-" else nanos


def date_of(days: int) -> dt.date:
    """The date of days since 1970; refuses what is before the year 1 or after 9999."""
    try:
        return dt.date.fromordinal(days + _EPOCH_DAY)
    except (ValueError, OverflowError):
        refuse(days, "days since 1970 is no year 1 to 9999")


def shown_date(days: int) -> str:
    """The date of days since 1970, as ``2025-06-01``."""
    return date_of(days).isoformat()


def shown_time(nanos: int) -> str:
    """The time of day, as ``08:00:00``; what is less than a second is left out."""
    minutes, seconds = divmod(nanos // NANOS["seconds"], 60)
    return f"{minutes // 60:02}:{minutes % 60:02}:{seconds:02}"
