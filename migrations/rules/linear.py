"""One amount from another by a factor and an offset: what scales, ticks and units share."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import msgspec

from ...errors import NotExpressible
from .quantity import Quantity
from .rounding import Rounding
from .rule import Change


class Linear(msgspec.Struct, frozen=True):
    """``target = source * factor + offset``, exact or by ``rounding``. A float is the nearest
    to the exact amount in any case.
    """

    source: Quantity
    target: Quantity
    factor: Fraction = Fraction(1)
    offset: Fraction = Fraction(0)
    rounding: Rounding | None = None

    def change(self) -> Change:
        """The function."""
        plain = self._finite()
        if self.source.step is not None:
            return plain
        if self.target.step is not None:
            return plain

        def changed(value: Any) -> Any:
            return plain(value) if math.isfinite(value) else value * float(self._sign())

        return changed

    def _finite(self) -> Change:
        read, write = self.source.read, self.target.writer(self.rounding)
        common = math.lcm(self.factor.denominator, self.offset.denominator)
        times, plus = int(self.factor * common), int(self.offset * common)

        def changed(value: Any) -> Any:
            number, divisor = read(value)
            return write(number * times + divisor * plus, divisor * common)

        return changed

    def _sign(self) -> int:
        return 1 if self.factor > 0 else -1

    def losses(self) -> str:
        """What is lost besides what is refused."""
        rounded = "" if self._is_exact() else self._rounded()
        return "; ".join(part for part in (self.source.written, rounded) if part)

    def _rounded(self) -> str:
        if self.target.step is None:
            return f"digits beyond those of a float{' of 32 bits' if self.target.is_single else ''}"
        return "" if self.rounding is None else f"rounded to a whole {self.target.what}"

    def _is_exact(self) -> bool:
        """Whether every amount of the source is one of the target, or out of its range."""
        if self.source.step is None:
            keeps = self.factor == 1 and self.offset == 0 and self.target.step is None
            return keeps and (self.source.is_single or not self.target.is_single)
        multiple = self.source.step * self.factor
        common = math.gcd(
            multiple.numerator * self.offset.denominator,
            self.offset.numerator * multiple.denominator,
        )
        step = Fraction(common, multiple.denominator * self.offset.denominator)
        low, high = self._ends()
        return self.target.holds_exactly(step, low, high)

    def _ends(self) -> tuple[Fraction, Fraction]:
        """The least and the greatest amount after the change, or the reverse."""
        step = self.source.step or Fraction(0)
        low, high = (step * (end or 0) for end in (self.source.low, self.source.high))
        return low * self.factor + self.offset, high * self.factor + self.offset

    def refuses(self) -> str:
        """Which values are refused."""
        parts: list[str] = []
        if self.source.step is None and self.target.step is not None:
            parts.append("NaN, infinities and numbers that are too large")
        elif not self._fits():
            parts.append("what is out of range")
        if self.target.step is not None and self.rounding is None and not self._is_exact():
            parts.append(f"what is no whole {self.target.what}")
        return ", ".join(parts)

    def _fits(self) -> bool:
        if self.source.step is None:
            narrows = self.target.is_single and not self.source.is_single
            return abs(self.factor) <= 1 and self.offset == 0 and not narrows
        low, high = sorted(self._ends())
        # Without a rounding what is beyond by less than a step is no whole step, and no end.
        inward: tuple[tuple[Fraction, Rounding], ...] = ((low, "ceiling"), (high, "floor"))
        try:
            for end, way in inward:
                self.target.writer(self.rounding or way)(end.numerator, end.denominator)
        except NotExpressible:
            return False
        return True
