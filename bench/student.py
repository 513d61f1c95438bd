"""Student's t distribution: how far a mean of a few numbers may be off."""

from __future__ import annotations

import math
from functools import cache
from typing import Final

_STEPS: Final = 400
_FAR: Final = 1000.0


@cache
def quantile(level: float, degrees: int) -> float:
    """What t stays below with the probability ``level``, from 0.5 to 0.99999.

    Found by halving, on the distribution integrated by Simpson's rule.
    """
    low, high = 0.0, _FAR
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if _below(middle, degrees) < level else (low, middle)
    return (low + high) / 2


def _below(t: float, degrees: int) -> float:
    # With t = sqrt(degrees) tan(angle), the density is a power of a cosine, and bounded.
    width = math.atan(t / math.sqrt(degrees)) / _STEPS
    heights = [math.cos(width * place) ** (degrees - 1) for place in range(_STEPS + 1)]
    area = heights[0] + heights[-1] + 4 * sum(heights[1:-1:2]) + 2 * sum(heights[2:-1:2])
    return 0.5 + _density(degrees) * area * width / 3


def _density(degrees: int) -> float:
    half = degrees / 2
    return math.exp(math.lgamma(half + 1 / 2) - math.lgamma(half)) / math.sqrt(math.pi)
