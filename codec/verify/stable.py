"""The same blob gives the same state each time, and is left as it was."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from .lab import Lab, Refused, attempt
from .law import Broken, Case, Law, Settings
from .totals import case


def _cases(lab: Lab, settings: Settings) -> Sequence[Case]:
    del settings
    routes = [route for low, high in lab.pairs() for route in ((low, high), (high, low))]
    return [case(lab, route, partial(_trial, lab, *route)) for route in routes]


def _trial(lab: Lab, source: int, target: int, state: Any) -> Broken | None:
    blob = attempt(lab.codec(source).encode, state)
    if isinstance(blob, Refused):
        return None
    return _repeated(lab, source, target, state, blob) or _changed(lab, source, target, blob)


def _repeated(lab: Lab, source: int, target: int, state: Any, blob: bytes) -> Broken | None:
    decode, given = lab.codec(target).decode, bytearray(blob)
    first, second = attempt(decode, given), attempt(decode, given)
    difference = _difference(lab, target, first, second)
    what = f"the second read gives another state: {difference}" if difference else ""
    if bytes(given) != blob:
        what = "reading changes the blob"
    if not what:
        return None
    return Broken(
        what,
        lab.to_json(source, state),
        lab.to_json(target, first),
        lab.to_json(target, second),
    )


def _changed(lab: Lab, source: int, target: int, blob: bytes) -> Broken | None:
    """A function may write into what it is given, which other fields may share."""
    given, before = (attempt(lab.codec(source).decode, blob) for _ in range(2))
    if isinstance(given, Refused):
        return None
    attempt(lab.step(source, target), given)
    difference = lab.walk(source).first_difference(before, given)
    if difference is None:
        return None
    return Broken(
        f"the migration changes the state that it is given: {difference}",
        lab.to_json(source, before),
        lab.to_json(source, before),
        lab.to_json(source, given),
    )


def _difference(lab: Lab, version: int, first: Any, second: Any) -> str:
    if isinstance(first, Refused) or isinstance(second, Refused):
        same = str(first) == str(second) and type(first) is type(second)
        return "" if same else "only one of the two is refused"
    return str(lab.walk(version).first_difference(first, second) or "")


DETERMINISTIC = Law(
    "deterministic",
    "The same blob gives the same state each time, and reading leaves its input as it was.",
    _cases,
)
