"""Where numbers lie on an axis, which of them have a line, and which are written beside it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

_STEPS: Final = (1.0, 2.0, 5.0)
_LEAST: Final = 1e-12
"""What a clock that stands still would give, nothing, has no logarithm."""


@dataclass(frozen=True, slots=True)
class Axis:
    """An axis from ``low``, drawn at ``start``, to ``high``, at ``end``.

    ``ticks`` are the numbers that have a label, and ``lines`` those that have a line.
    """

    low: float
    high: float
    start: float
    end: float
    ticks: tuple[float, ...]
    lines: tuple[float, ...]
    log: bool

    def place(self, value: float) -> float:
        """The coordinate of a number."""
        share = (self._scaled(value) - self._scaled(self.low)) / self._width()
        return self.start + share * (self.end - self.start)

    def _scaled(self, value: float) -> float:
        return math.log10(max(value, _LEAST / 10)) if self.log else value

    def _width(self) -> float:
        return self._scaled(self.high) - self._scaled(self.low) or 1.0


def log_axis(values: Iterable[float], start: float, end: float, room: float) -> Axis:
    """A logarithmic axis that holds ``values``; labels have ``room`` between them."""
    positive = [max(value, _LEAST) for value in values] or [1.0]
    low = max(step for step in _around(min(positive)) if step <= min(positive) * 1.0001)
    high = min(step for step in _around(max(positive)) if step >= max(positive) * 0.9999)
    if low == high:
        low, high = low / 10, high * 10
    ticks = _log_ticks(low, high, abs(end - start) / room)
    lines = tuple(dict.fromkeys((*_steps(low, high, (1.0,)), *ticks)))
    return Axis(low, high, start, end, ticks, lines, log=True)


def _around(value: float) -> Iterator[float]:
    decade = math.floor(math.log10(value))
    for power in (decade - 1, decade, decade + 1):
        for step in _STEPS:
            yield step * 10.0**power


def _log_ticks(low: float, high: float, most: float) -> tuple[float, ...]:
    """Each of 1, 2, 5, or each power of ten, or every second, as many as there is room for."""
    fine, powers = _steps(low, high, _STEPS), _steps(low, high, (1.0,))
    if len(fine) <= most:
        return fine
    coarse = powers[:: max(1, math.ceil(len(powers) / most))]
    return coarse if len(coarse) > 1 else (low, high)


def _steps(low: float, high: float, steps: Iterable[float]) -> tuple[float, ...]:
    """All numbers between the ends, these included, that are a step times a power of ten."""
    decades = range(math.floor(math.log10(low)) - 1, math.ceil(math.log10(high)) + 1)
    found = (step * 10.0**decade for decade in decades for step in steps)
    return tuple(one for one in found if low * 0.9999 <= one <= high * 1.0001)


def linear_axis(most: float, start: float, end: float, room: float) -> Axis:
    """An axis from nothing to ``most`` or a little more, with labels that have ``room``."""
    wanted = (most or 1.0) / max(1.0, abs(end - start) / room)
    step = min(step for step in _around(wanted) if step >= wanted * 0.9999)
    count = math.ceil((most or 1.0) / step * 0.9999)
    ticks = tuple(step * number for number in range(count + 1))
    return Axis(0.0, ticks[-1], start, end, ticks, ticks, log=False)


def whole_axis(values: Iterable[int], start: float, end: float) -> Axis:
    """An axis of the whole numbers from the least to the largest, with some air at both ends."""
    found = sorted(set(values))
    ticks = tuple(float(number) for number in range(found[0], found[-1] + 1))
    return Axis(found[0] - 0.35, found[-1] + 0.35, start, end, ticks, ticks, log=False)
