"""Fractions made whole, each way that a rule may name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal, TypeAlias

from .rule import check_choice

Rounding: TypeAlias = Literal["half-even", "half-up", "floor", "ceiling", "toward-zero"]
"""How a number is made whole: to the nearest, halves to the even one or away from zero; down;
up; or by cutting off.
"""


def _half_even(number: int, divisor: int) -> int:
    whole, rest = divmod(number, divisor)
    return whole + (2 * rest > divisor or (2 * rest == divisor and whole % 2 == 1))


def _half_up(number: int, divisor: int) -> int:
    whole = (2 * abs(number) + divisor) // (2 * divisor)
    return whole if number >= 0 else -whole


def _floor(number: int, divisor: int) -> int:
    return number // divisor


def _ceiling(number: int, divisor: int) -> int:
    return -(-number // divisor)


def _toward_zero(number: int, divisor: int) -> int:
    whole = abs(number) // divisor
    return whole if number >= 0 else -whole


ROUND: Mapping[Rounding, Callable[[int, int], int]] = {
    "half-even": _half_even,
    "half-up": _half_up,
    "floor": _floor,
    "ceiling": _ceiling,
    "toward-zero": _toward_zero,
}
"""The nearest whole number to number / divisor (which is positive), by the name of the way."""


def check_rounding(rounding: object) -> None:
    """Raise MigrationError for what is no way to round; ``None`` is not to round."""
    if rounding is not None:
        check_choice("rounding", rounding, ROUND)
