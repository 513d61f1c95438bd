"""Times candidates as a task says."""

from __future__ import annotations

from collections.abc import Sequence

from ..measure import Candidate, Spread, spread_of, time_rounds
from ..measures import CLOCK
from .task import Task


def seconds(task: Task, candidates: Sequence[Candidate]) -> dict[str, tuple[float, ...]]:
    """Seconds of one run in each round, by name."""
    times = time_rounds(candidates, rounds=task.rounds, sample=task.sample, clock=CLOCK)
    return {name: tuple(one / 1e9 for one in found) for name, found in times.items()}


def overhead(task: Task) -> Spread:
    """What timing itself adds to one run, in seconds: that of a candidate with no work."""
    return spread_of(seconds(task, [Candidate("nothing", _nothing)])["nothing"])


def _nothing() -> None:
    """No work."""
