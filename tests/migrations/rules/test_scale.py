"""Rules that multiply and add."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rule_samples import BOOLEAN, BYTES, DECIMAL, DOUBLE, FLOAT, INT, LONG, SPAN, STRING

from instar.errors import MigrationError, NotExpressible
from instar.migrations import scale
from instar.migrations.rules import Scalar, Scale
from instar.migrations.rules.rounding import ROUND, Rounding
from instar.schemas.model import Logical


@pytest.mark.parametrize(
    ("rule", "source", "target", "value", "expected"),
    [
        (scale("0.01"), INT, DOUBLE, 1999, 19.99),
        (scale(100), DOUBLE, INT, 19.99, 1999),
        (scale(100), DOUBLE, INT, 0.29, 29),
        (scale(1000), INT, LONG, 2**31 - 1, 2147483647000),
        (scale("0.01"), LONG, DECIMAL, 1999, Decimal("19.99")),
        (scale(100), DECIMAL, INT, Decimal("19.90"), 1990),
        (scale("1.8", 32), DOUBLE, DOUBLE, 36.6, 97.88),
        (scale("5/9"), INT, INT, 18, 10),
        (scale(0.1), INT, DOUBLE, 3, 0.3),
        (scale(Decimal("1E-3")), INT, DOUBLE, 5, 0.005),
        (scale(Fraction(1, 4)), INT, INT, -8, -2),
        (scale(-2), DOUBLE, DOUBLE, math.inf, -math.inf),
        (scale(10, rounding="floor"), DOUBLE, INT, -0.25, -3),
        (scale("0.1", rounding="half-even"), INT, INT, 25, 2),
    ],
)
def test_change(rule: Scale, source: Scalar, target: Scalar, value: Any, expected: Any) -> None:
    """Results are exact: a float is the decimal number that it is written as."""
    found = rule.bind(source, target, forward=True)(value)
    assert found == expected
    assert type(found) is type(expected)


def test_way_down() -> None:
    """The way down subtracts and divides."""
    assert scale("1.8", 32).bind(DOUBLE, INT, forward=False)(212.0) == 100


@pytest.mark.parametrize(
    ("rule", "source", "target", "value", "reason"),
    [
        (scale("0.01"), INT, INT, 150, "1.5 is no whole number"),
        (scale("0.01"), INT, INT, -5, "^-0.05 is no whole number"),
        (scale("1/3"), INT, INT, -5, "^-5/3 is no whole number"),
        (scale("0.001"), INT, DECIMAL, 5, "no whole number at 2 decimal places"),
        (scale(2), INT, INT, 2**30, "2147483648 is beyond int"),
        (scale(1000), INT, DECIMAL, 10**6, "has more than 9 digits"),
        (scale(1), DOUBLE, INT, math.nan, "nan is no number"),
        (scale(1), DOUBLE, LONG, 1e300, "is beyond long"),
        (scale(10), DOUBLE, DOUBLE, 1e308, "is no float"),
        (scale(1), DOUBLE, FLOAT, 1e39, "is beyond float"),
    ],
)
def test_refused(rule: Scale, source: Scalar, target: Scalar, value: Any, reason: str) -> None:
    """What the target does not hold exactly is refused."""
    with pytest.raises(NotExpressible, match=reason):
        rule.bind(source, target, forward=True)(value)


@pytest.mark.parametrize(
    ("rule", "source", "target", "lost", "refused"),
    [
        (scale(1000), INT, LONG, "", ""),
        (scale("0.01"), INT, INT, "", "what is no whole number"),
        (scale("0.01", rounding="floor"), INT, INT, "rounded to a whole number", ""),
        (scale(1000, rounding="floor"), INT, LONG, "", ""),
        (scale("0.01"), INT, DOUBLE, "", ""),
        (scale("0.01"), LONG, DOUBLE, "digits beyond those of a float", ""),
        (scale("1/3"), INT, DOUBLE, "digits beyond those of a float", ""),
        (scale(1), DOUBLE, DOUBLE, "", ""),
        (scale(1), INT, FLOAT, "digits beyond those of a float of 32 bits", ""),
        (scale(1), LONG, INT, "", "what is out of range"),
        (scale(1), INT, DECIMAL, "", "what is out of range"),
    ],
)
def test_words(rule: Scale, source: Scalar, target: Scalar, lost: str, refused: str) -> None:
    """What is rounded is lost; what is not whole or out of range is refused."""
    assert rule.losses(source, target, forward=True) == lost
    assert rule.refuses(source, target, forward=True) == refused


@pytest.mark.parametrize(("digits", "lost"), [(15, ""), (16, "digits beyond those of a float")])
def test_digits_of_a_float(digits: int, lost: str) -> None:
    """A double gives back fifteen digits, and not always more."""
    decimal = Logical("decimal", BYTES, precision=digits, scale=2)
    assert scale(1).losses(decimal, DOUBLE, forward=True) == lost


@pytest.mark.parametrize("other", [STRING, BOOLEAN, SPAN])
def test_types(other: Scalar) -> None:
    """Only numbers are scaled."""
    with pytest.raises(MigrationError, match=r"scale\(...\) does not lead"):
        scale(2).bind(INT, other, forward=True)
    with pytest.raises(MigrationError, match="does not lead from"):
        scale(2).bind(other, INT, forward=True)


@pytest.mark.parametrize("factor", [0, "0.00", "1/0", "x", "", "1e5", "9" * 500, math.nan, True])
def test_factor(factor: Any) -> None:
    """A factor is a number, and not zero."""
    with pytest.raises(MigrationError, match=r"no number|a factor of 0"):
        scale(factor)


@given(st.sampled_from(sorted(ROUND)), st.integers(), st.integers(1, 50))
def test_rounding(way: Rounding, number: int, divisor: int) -> None:
    """Rounding is what the decimal module and Python's own functions say."""
    exact = Fraction(number, divisor)
    expected = {
        "half-even": round(exact),
        "half-up": int(math.copysign(1, number)) * math.floor(abs(exact) + Fraction(1, 2)),
        "floor": math.floor(exact),
        "ceiling": math.ceil(exact),
        "toward-zero": math.trunc(exact),
    }
    assert ROUND[way](number, divisor) == expected[way]
