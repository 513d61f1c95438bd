"""Times as text of a format: the directives of ``strftime`` that are digits everywhere."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from fractions import Fraction

from ...errors import MigrationError
from .calendar import clock, date_of, days_of
from .moments import NANOS, RANGES, Sort
from .quantity import Quantity, Ratio
from .values import refuse

_MOST = 100
_DIRECTIVE = re.compile(r"%(.?)", re.DOTALL)
_DIGITS: Mapping[str, str] = {
    "Y": "[0-9]{4}",
    "m": "[0-9]{2}",
    "d": "[0-9]{2}",
    "j": "[0-9]{3}",
    "H": "[0-9]{2}",
    "M": "[0-9]{2}",
    "S": "[0-9]{2}",
    "f": "[0-9]{1,6}",
    "z": "[Zz]|[+-][0-9]{2}:?[0-9]{2}",
}
_STEPS = {"f": "micros", "S": "seconds", "M": "minutes", "H": "hours"}
_DATED: frozenset[Sort] = frozenset({"timestamp", "local-timestamp", "date"})


def check_format(text: str) -> None:
    """Raise MigrationError for a directive that is none or stands twice, and a long format."""
    if len(text) > _MOST:
        raise MigrationError(f"a format has more than {_MOST} characters", mend="shorten it")
    names = [name for name in _DIRECTIVE.findall(text) if name != "%"]
    for name in names:
        if name not in _DIGITS:
            raise MigrationError(
                f"the format {text!r} has %{name}, which is not the same everywhere or is unknown",
                mend=f"there are %{' %'.join(_DIGITS)} and %%",
            )
        if names.count(name) > 1:
            raise MigrationError(
                f"the format {text!r} has %{name} twice", mend="name each part once"
            )


def formatted(text: str, kind: Sort, utc: bool) -> Quantity:
    """Text of a format as amounts of nanoseconds.

    Raises MigrationError where the format does not say what this kind of time is.
    """
    names = set(_DIRECTIVE.findall(text)) - {"%"}
    _check_parts(text, names, kind, utc)
    pattern = re.compile(_pattern(text))
    unit = next((step for name, step in _STEPS.items() if name in names), "days")
    low, high = RANGES[kind]

    def read(value: str) -> Ratio:
        found = pattern.fullmatch(value) if len(value) <= len(text) * 8 else None
        if found is None:
            refuse(value, f"is not of the format {text}")
        parts = found.groupdict()
        return (days_of(parts) * NANOS["days"] if kind in _DATED else 0) + clock(parts), 1

    step = NANOS[unit]
    written = "how the text was written (offset, zeros)" if names & {"f", "z"} else ""
    what = {"micros": "microsecond"}.get(unit, unit.removesuffix("s"))
    return Quantity(
        read, _shown(text, kind, step), Fraction(step), -(-low // step), high // step, what, written
    )


def _check_parts(text: str, names: set[str], kind: Sort, utc: bool) -> None:
    day = names & set("Ymdj")
    wanted = [set("Ymd"), set("Yj")] if kind in _DATED else [set[str]()]
    time = names & set("HMSf")
    is_prefix = time == set("HMSf"[: len(time)])
    if kind == "duration" or day not in wanted or not is_prefix or (kind == "time" and not time):
        raise MigrationError(
            f"the format {text!r} does not say a {kind}",
            mend="a date has %Y with %m and %d, or with %j; a time has %H, then %M, %S and %f",
        )
    if kind == "date" and time:
        raise MigrationError(
            f"the format {text!r} has a time, and a date has none", mend="leave the time out"
        )
    if (kind == "timestamp") != ("z" in names) and not (kind == "timestamp" and utc):
        raise MigrationError(
            f"the format {text!r} and the type {kind} do not agree on an offset",
            mend="a timestamp has %z, or utc=True; nothing else has",
        )


def _pattern(text: str) -> str:
    """The regular expression of a format: digits where it has directives."""
    parts: list[str] = []
    end = 0
    for found in _DIRECTIVE.finditer(text):
        name = found[1]
        parts.append(re.escape(text[end : found.start()]))
        parts.append("%" if name == "%" else f"(?P<{name}>{_DIGITS[name]})")
        end = found.end()
    return "".join((*parts, re.escape(text[end:])))


def _shown(text: str, kind: Sort, step: int) -> Callable[[int], str]:
    def show(steps: int) -> str:
        days, nanos = divmod(steps * step, NANOS["days"])
        parts = _clock_parts(nanos)
        if kind in _DATED:
            date = date_of(days)
            parts |= {"Y": f"{date.year:04}", "m": f"{date.month:02}", "d": f"{date.day:02}"}
            parts["j"] = f"{date.timetuple().tm_yday:03}"
        return _DIRECTIVE.sub(lambda found: parts[found[1]], text)

    return show


def _clock_parts(nanos: int) -> dict[str, str]:
    seconds, rest = divmod(nanos, NANOS["seconds"])
    minutes, second = divmod(seconds, 60)
    parts = {"H": f"{minutes // 60:02}", "M": f"{minutes % 60:02}", "S": f"{second:02}"}
    return parts | {"f": f"{rest // 1000:06}", "z": "+0000", "%": "%"}
