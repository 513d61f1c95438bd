"""A rule between times and numbers that count them: epoch seconds, milliseconds of a duration."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal, TypeAlias

from .linear import Linear
from .linear_rule import LinearRule
from .moments import NANOS, moment
from .quantity import number
from .rounding import Rounding, check_rounding
from .rule import Scalar, check_choice
from .values import unrelated

TickUnit: TypeAlias = Literal["nanos", "micros", "millis", "seconds", "minutes", "hours", "days"]


class Ticks(LinearRule, frozen=True, tag="ticks"):
    """A number of ``unit``, since 1970 (timestamp, date), since midnight (time), or of a
    duration. Which of the two is the number, the types say. A local timestamp counts as if it
    were UTC.

    What the target cannot hold exactly is refused, or rounded by ``rounding``.
    """

    unit: TickUnit
    rounding: Rounding | None = None

    def __post_init__(self) -> None:
        check_choice("unit", self.unit, NANOS)
        check_rounding(self.rounding)

    def linear(self, source: Scalar, target: Scalar, forward: bool) -> Linear:
        """The way between a number and a time; see :class:`LinearRule`."""
        del forward
        unit = Fraction(NANOS[self.unit])
        count, time = number(source), moment(target)
        if count is not None and time is not None:
            return Linear(count, time, unit, rounding=self.rounding)
        time, count = moment(source), number(target)
        if time is not None and count is not None:
            return Linear(time, count, 1 / unit, rounding=self.rounding)
        mend = "it joins a number and a timestamp, date, time or duration"
        raise unrelated("ticks(...)", source, target, mend)


def ticks(unit: TickUnit, *, rounding: Rounding | None = None) -> Ticks:
    """A rule between times and counted time, in either order: ``ticks("seconds")``.

    The unit is ``"nanos"``, ``"micros"``, ``"millis"``, ``"seconds"``, ``"minutes"``,
    ``"hours"`` or ``"days"``; numbers are whole, floats or decimals.
    """
    return Ticks(unit, rounding)
