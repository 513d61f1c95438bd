"""A rule between times of different units or kinds."""

from __future__ import annotations

from .linear import Linear
from .linear_rule import LinearRule
from .moments import moment, sort
from .rounding import Rounding, check_rounding
from .rule import Scalar
from .values import unrelated

_DATED = {"timestamp", "local-timestamp", "date"}


class Retime(LinearRule, frozen=True, tag="retime"):
    """The same time in another unit, or of another kind.

    Timestamps, local timestamps and dates become each other as if all were UTC; a date is
    midnight. What the target cannot hold exactly is refused, or rounded by ``rounding``.
    """

    rounding: Rounding | None = None

    def __post_init__(self) -> None:
        check_rounding(self.rounding)

    def linear(self, source: Scalar, target: Scalar, forward: bool) -> Linear:
        """The way between two types of time; see :class:`LinearRule`."""
        del forward
        old, new = moment(source), moment(target)
        kinds = {sort(source), sort(target)}
        if old is None or new is None or not (len(kinds) == 1 or kinds <= _DATED):
            mend = "it joins timestamps and dates, times of day, or durations"
            raise unrelated("retime(...)", source, target, mend)
        return Linear(old, new, rounding=self.rounding)


def retime(*, rounding: Rounding | None = None) -> Retime:
    """A rule between times of different units or kinds: ``retime(rounding="floor")``.

    Without ``rounding`` a time that is finer than the target is refused.
    """
    return Retime(rounding)
