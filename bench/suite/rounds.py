"""Times candidates as a task says."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from statistics import median
from typing import Final

from ..measure import Candidate, Spread, spread_of, time_rounds
from ..measures import CLOCK
from .task import Task

_NOTHING: Final = "nothing"
"""A candidate that does no work, called as all others are: a function in C, by way of partial."""


def seconds(task: Task, candidates: Sequence[Candidate]) -> dict[str, tuple[float, ...]]:
    """Seconds of one run in each round, by name, less what calling a run takes by itself."""
    times = time_rounds(
        [Candidate(_NOTHING, partial(len, b"")), *candidates],
        rounds=task.rounds,
        sample=task.sample,
        clock=CLOCK,
    )
    empty = median(times.pop(_NOTHING))
    return {
        name: tuple(rounded(max(one - empty, 0.0) / 1e9) for one in found)
        for name, found in times.items()
    }


def overhead(task: Task) -> Spread:
    """What calling a run takes by itself, in seconds, with the quartiles: :func:`seconds` takes
    the median of it off, so what is left of it in a time is about the distance to a quartile.
    """
    nothing = Candidate(_NOTHING, partial(len, b""))
    times = time_rounds([nothing], rounds=task.rounds, sample=task.sample, clock=CLOCK)
    return spread_of([one / 1e9 for one in times[_NOTHING]])


def rounded(number: float) -> float:
    """``number`` to five digits: more are noise, and make files large."""
    return float(f"{number:.5g}")
