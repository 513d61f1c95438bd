"""A rule that multiplies and adds: other units, percent, cents."""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction

from ...errors import MigrationError
from .linear import Linear
from .linear_rule import LinearRule
from .quantity import number
from .rounding import Rounding, check_rounding
from .rule import Scalar
from .values import unrelated

_NUMBER = re.compile(r"-?[0-9]{1,400}(?:\.[0-9]{1,400}|/[0-9]{1,400})?")


class Scale(LinearRule, frozen=True, tag="scale"):
    """``newer = older * factor + offset``, in exact fractions, and the inverse on the way down.

    ``factor`` and ``offset`` are text: ``"0.01"``, ``"1/3"``. An amount that the target cannot
    hold exactly is refused, or rounded by ``rounding``; a float is the nearest in any case.
    """

    factor: str = "1"
    offset: str = "0"
    rounding: Rounding | None = None

    def __post_init__(self) -> None:
        if _fraction(self.factor) == 0:
            raise MigrationError("a factor of 0 makes all numbers one", mend="use add and remove")
        _fraction(self.offset)
        check_rounding(self.rounding)

    def linear(self, source: Scalar, target: Scalar, forward: bool) -> Linear:
        """The way between two number types; see :class:`LinearRule`."""
        old, new = number(source), number(target)
        if old is None or new is None:
            mend = "it is for whole numbers, floats and decimals"
            raise unrelated("scale(...)", source, target, mend)
        factor, offset = _fraction(self.factor), _fraction(self.offset)
        if not forward:
            factor, offset = 1 / factor, -offset / factor
        return Linear(old, new, factor, offset, self.rounding)


def scale(
    factor: float | str | Decimal | Fraction = 1,
    offset: float | str | Decimal | Fraction = 0,
    *,
    rounding: Rounding | None = None,
) -> Scale:
    """A rule that multiplies by ``factor`` and then adds ``offset``: ``scale("0.01")``.

    Whole numbers, floats and decimals, also from one to another. ``rounding`` is
    ``"half-even"``, ``"half-up"``, ``"floor"``, ``"ceiling"`` or ``"toward-zero"``; without it
    what is not whole is refused. Raises MigrationError for a factor of 0 or no number.
    """
    return Scale(_text(factor), _text(offset), rounding)


def _text(value: float | str | Decimal | Fraction) -> str:
    """A number as plain text, without an exponent."""
    if isinstance(value, float):
        value = Decimal(repr(value))
    return format(value, "f") if isinstance(value, Decimal) else str(value)


def _fraction(text: str) -> Fraction:
    if not _NUMBER.fullmatch(text):
        raise _no_number(text)
    try:
        return Fraction(text)
    except ZeroDivisionError:
        raise _no_number(text) from None


def _no_number(text: str) -> MigrationError:
    return MigrationError(f"{text!r} is no number", mend='write it as "0.01", "-40" or "1/3"')
