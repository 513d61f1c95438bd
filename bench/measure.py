"""Times several candidates side by side, so that what disturbs one disturbs all of them.

Every round times each candidate once, in an order that moves on by one, and ratios are taken
within a round: a machine that slows down half-way changes both sides of a ratio. Garbage
collection is off while a candidate runs, and done between the rounds.
"""

from __future__ import annotations

import gc
import math
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from statistics import median, quantiles
from time import perf_counter_ns
from typing import Any, Final

from ..errors import ConfigError, InstarError

FEWEST_ROUNDS: Final = 7
"""Fewer say too little of the spread, and six are the fewest with a 95 % interval at all."""

_CONFIDENCE: Final = 0.95
_WARM_UP: Final = 3

Clock = Callable[[], int]
"""Nanoseconds from some fixed moment."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """Something to time: ``run`` does the work once."""

    name: str
    run: Callable[[], Any]


@dataclass(frozen=True, slots=True)
class Spread:
    """The median of some numbers, with a lower and an upper bound beside it."""

    median: float
    lower: float
    upper: float


@dataclass(frozen=True, slots=True)
class Timing:
    """What one candidate took.

    ``seconds`` is for one run, with the quartiles of the rounds; ``ratio`` is to the base
    in the same round, with a 95 % interval of its median.
    """

    name: str
    seconds: Spread
    ratio: Spread


def measure(
    candidates: Sequence[Candidate],
    *,
    rounds: int,
    base: str,
    sample: float = 0.001,
    clock: Clock = perf_counter_ns,
) -> dict[str, Timing]:
    """Time the candidates, by name.

    ``base`` names the one that ratios are taken to. A fast candidate is run several times in
    a round, so that one reading of the clock spans at least ``sample`` seconds. Raises
    ``ConfigError`` for fewer than ``FEWEST_ROUNDS`` rounds, or names that do not fit.
    """
    _check(candidates, rounds, base)
    times = time_rounds(candidates, rounds=rounds, sample=sample, clock=clock)
    return {name: _timing(name, found, times[base]) for name, found in times.items()}


def time_rounds(
    candidates: Sequence[Candidate], *, rounds: int, sample: float, clock: Clock
) -> dict[str, list[float]]:
    """Nanoseconds of one run of each candidate in each round, by name."""
    with _no_collection():
        repeats = {c.name: _repeats(c, round(sample * 1e9), clock) for c in candidates}
        return _time_rounds(candidates, repeats, rounds, clock)


def _check(candidates: Sequence[Candidate], rounds: int, base: str) -> None:
    names = [candidate.name for candidate in candidates]
    check_rounds(rounds)
    if len(set(names)) < len(names):
        raise ConfigError("two candidates have one name", where=", ".join(names))
    if base not in names:
        raise ConfigError(f"no candidate is called {base}", mend=f"name one of {', '.join(names)}")


def check_rounds(rounds: int) -> None:
    """Raise ``ConfigError`` for fewer rounds than say anything."""
    if rounds < FEWEST_ROUNDS:
        raise ConfigError(
            f"{rounds} rounds say nothing of the spread", mend=f"give {FEWEST_ROUNDS} or more"
        )


@contextmanager
def _no_collection() -> Generator[None]:
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _repeats(candidate: Candidate, sample: int, clock: Clock) -> int:
    """How often to run in one round; found while the candidate warms up."""
    fastest = min(_time(candidate, 1, clock) for _ in range(_WARM_UP))
    return max(1, math.ceil(sample / max(fastest, 1.0)))


def _time_rounds(
    candidates: Sequence[Candidate], repeats: Mapping[str, int], rounds: int, clock: Clock
) -> dict[str, list[float]]:
    times: dict[str, list[float]] = {candidate.name: [] for candidate in candidates}
    for number in range(rounds):
        gc.collect()
        first = number % len(candidates)
        for candidate in (*candidates[first:], *candidates[:first]):
            found = _time(candidate, repeats[candidate.name], clock)
            times[candidate.name].append(found)
    return times


def _time(candidate: Candidate, repeats: int, clock: Clock) -> float:
    """Nanoseconds of one run. Raises ``InstarError`` for what the candidate raises."""
    run = candidate.run
    start = clock()
    try:
        for _ in range(repeats):
            run()
    except (Exception, SystemExit) as error:
        raise InstarError(
            f"it was checked, and then raised {type(error).__name__}: {error}",
            where=candidate.name,
            mend="leave it out",
        ) from error
    return (clock() - start) / repeats


def _timing(name: str, times: Sequence[float], base: Sequence[float]) -> Timing:
    seconds = spread_of([nanoseconds / 1e9 for nanoseconds in times])
    # A clock that stands still gives zeros, which have no ratio.
    ratios = [own / max(other, 1e-3) for own, other in zip(times, base, strict=True)]
    return Timing(name, seconds, interval_of(ratios))


def spread_of(numbers: Sequence[float]) -> Spread:
    """The median of ``numbers`` with their lower and upper quartile, at least two."""
    lower, middle, upper = quantiles(numbers, n=4, method="inclusive")
    return Spread(middle, lower, upper)


def interval_of(numbers: Sequence[float]) -> Spread:
    """The median of ``numbers`` with an interval that holds the true one 95 times in 100.

    The interval lies between two of the numbers themselves, by the binomial distribution of
    how many fall below the true median (Conover, Practical Nonparametric Statistics,
    section 3.2), so it needs no assumption about how times are distributed. Raises
    ``ConfigError`` for fewer than six numbers, which cannot give it.
    """
    ordered, rank = sorted(numbers), _rank(len(numbers))
    return Spread(median(ordered), ordered[rank - 1], ordered[-rank])


def _rank(count: int) -> int:
    """The largest rank from either end whose interval is still sure enough."""
    missed, rank = 0.0, 0
    while rank < count:
        missed += 2 * math.comb(count, rank) / 2**count
        if missed > 1 - _CONFIDENCE:
            break
        rank += 1
    if not rank:
        raise ConfigError(f"{count} numbers give no 95 % interval", mend="give 6 or more")
    return rank
