"""Scalars that are an amount: exact fractions of whole numbers, and back.

Numbers count ones; times count nanoseconds (:mod:`.moments`). A float is the number that its
shortest text says: 19.99 is 1999/100, and not the binary fraction beside it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any, TypeAlias

import msgspec

from ...errors import NotExpressible
from ...schemas.model import Logical, Primitive
from ..casts import integer_range
from .rounding import ROUND, Rounding
from .rule import Scalar
from .values import fit, refuse

Ratio: TypeAlias = tuple[int, int]
"""A number over a positive one."""

_FLOAT_DIGITS = 15
"""So many decimal digits come back from a double as they were (C's ``DBL_DIG``)."""


class Quantity(msgspec.Struct, frozen=True):
    """How values of one type are amounts.

    ``step`` is what they are whole multiples of, ``None`` for floats. ``build`` makes a value
    from a number of steps (from the amount, for floats), and refuses what is out of range.
    ``low`` and ``high`` are the ends of the range, in steps; ``None`` where they are unknown.
    ``written`` is what a value has besides its amount, in words, and ``what`` names the values.
    """

    read: Callable[[Any], Ratio]
    build: Callable[[Any], Any]
    step: Fraction | None
    low: int | None = None
    high: int | None = None
    what: str = ""
    written: str = ""
    is_single: bool = False

    def writer(self, rounding: Rounding | None) -> Callable[[int, int], Any]:
        """A function that makes a value from an amount, or refuses what is no whole step."""
        if self.step is None:
            return lambda number, divisor: self.build(_divided(number, divisor))
        scale, unit = self.step.denominator, self.step.numerator
        build = self.build
        if rounding is not None:
            nearest = ROUND[rounding]
            return lambda number, divisor: build(nearest(number * scale, divisor * unit))

        def write(number: int, divisor: int) -> Any:
            steps, rest = divmod(number * scale, divisor * unit)
            if rest:
                amount = _shown(Fraction(number, divisor))
                raise NotExpressible(f"{amount} is no whole {self.what}")
            return build(steps)

        return write

    def holds_exactly(self, step: Fraction, low: Fraction, high: Fraction) -> bool:
        """Whether each multiple of ``step`` between two ends is a value, or refused."""
        if self.step is not None:
            return (step / self.step).denominator == 1
        places = _places(step.denominator)
        largest = max(abs(low), abs(high)) * 10**places
        return not self.is_single and places <= _FLOAT_DIGITS and largest < 10**_FLOAT_DIGITS


def _divided(number: int, divisor: int) -> float:
    try:
        return number / divisor
    except OverflowError:
        refuse(f"a number of {len(str(abs(number))) - len(str(divisor))} digits", "is no float")


def _shown(amount: Fraction) -> str:
    """An amount as decimal digits where they end."""
    places = _places(amount.denominator)
    if places > _FLOAT_DIGITS:
        return str(amount)
    digits = f"{abs(amount.numerator) * 10**places // amount.denominator:0{places + 1}}"
    whole, rest = (digits[:-places], digits[-places:]) if places else (digits, "")
    return f"{'-' if amount < 0 else ''}{whole}{'.' if rest else ''}{rest}"


def _places(denominator: int) -> int:
    """The decimal places of fractions with this denominator; many where they do not end."""
    for places in range(_FLOAT_DIGITS + 1):
        if 10**places % denominator == 0:
            return places
    return _FLOAT_DIGITS + 1


def number(type_: Scalar) -> Quantity | None:
    """The amounts of a number type: ints, floats and decimals; ``None`` for another type."""
    match type_:
        case Primitive(kind="int" | "long"):
            low, high = integer_range(type_)
            one = Fraction(1)
            return Quantity(_of_int, fit(type_), one, low, high, "number")
        case Primitive(kind="float" | "double"):
            return Quantity(
                _of_float, fit(type_), None, what="float", is_single=type_.kind == "float"
            )
        case Logical(kind="decimal"):
            return _decimal(type_)
        case _:
            return None


def _decimal(type_: Logical) -> Quantity:
    scale = type_.scale
    most = 10 ** (type_.precision or 0) - 1

    def build(steps: int) -> Decimal:
        if abs(steps) > most:
            refuse(_plain(steps, scale), f"has more than {type_.precision} digits")
        return Decimal(_plain(steps, scale))

    what = f"number at {scale} decimal places"
    return Quantity(_of_decimal, build, Fraction(1, 10**scale), -most, most, what)


def _plain(steps: int, scale: int) -> str:
    return f"{steps}E-{scale}"


def _of_int(value: int) -> Ratio:
    return value, 1


def _of_float(value: float) -> Ratio:
    if not math.isfinite(value):
        refuse(value, "is no number")
    return Decimal(repr(float(value))).as_integer_ratio()


def _of_decimal(value: Decimal) -> Ratio:
    if not value.is_finite():
        refuse(value, "is no number")
    return value.as_integer_ratio()
