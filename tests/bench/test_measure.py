"""The measuring harness is right on made-up times, and refuses what would mislead."""

from __future__ import annotations

import gc
import math
from collections.abc import Callable
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from instar.bench.measure import (
    FEWEST_ROUNDS,
    Candidate,
    interval_of,
    measure,
    spread_of,
)
from instar.errors import ConfigError, InstarError


@dataclass
class FakeTime:
    """A clock that only moves when a candidate runs."""

    now: int = 0
    log: list[str] = field(default_factory=list[str])

    def clock(self) -> int:
        return self.now

    def candidate(self, name: str, cost: Callable[[int], int]) -> Candidate:
        """Something that takes ``cost(n)`` nanoseconds in its n-th run."""

        def run() -> None:
            self.now += cost(self.log.count(name))
            self.log.append(name)

        return Candidate(name, run)


def test_median_and_quartiles() -> None:
    """A spread is the median with the quartiles, between the numbers where they fall so."""
    spread = spread_of([1, 2, 3, 4, 100])
    assert (spread.median, spread.lower, spread.upper) == (3, 2, 4)
    assert spread_of([4, 1, 3, 2]).median == 2.5


def test_interval_by_hand() -> None:
    """The interval of ten numbers lies between the second and the ninth (97.9 %)."""
    interval = interval_of([10, 1, 9, 2, 8, 3, 7, 4, 6, 5])
    assert (interval.median, interval.lower, interval.upper) == (5.5, 2, 9)


def test_interval_of_six() -> None:
    """Six numbers are the fewest: their interval is all of them."""
    interval = interval_of([3, 1, 2, 6, 5, 4])
    assert (interval.lower, interval.upper) == (1, 6)


@pytest.mark.parametrize("count", range(1, 6))
def test_interval_of_too_few(count: int) -> None:
    """Fewer than six numbers have no 95 % interval, and are refused."""
    with pytest.raises(ConfigError, match="no 95 % interval"):
        interval_of(list(range(count)))


@given(st.integers(6, 60))
def test_interval_covers(count: int) -> None:
    """The interval holds the median with 95 % probability, and a narrower one would not."""
    interval = interval_of(range(1, count + 1))
    rank = round(interval.lower)
    assert interval.upper == count + 1 - rank

    def missed(ranks: int) -> float:
        return 2 * sum(math.comb(count, number) for number in range(ranks)) / math.ldexp(1, count)

    assert missed(rank) <= 0.05 < missed(rank + 1)


@given(st.lists(st.floats(0, 1e6), min_size=6, max_size=50))
def test_interval_is_around_the_median(numbers: list[float]) -> None:
    """The bounds are numbers of the list, on either side of its median."""
    interval = interval_of(numbers)
    assert interval.lower <= interval.median <= interval.upper
    assert {interval.lower, interval.upper} <= set(numbers)


def test_times_and_ratios() -> None:
    """A candidate that takes three times as long has a ratio of three."""
    time = FakeTime()
    pair = [time.candidate("a", lambda _: 2_000_000), time.candidate("b", lambda _: 6_000_000)]
    found = measure(pair, rounds=9, base="a", clock=time.clock)
    assert found["a"].seconds.median == pytest.approx(0.002)
    assert found["b"].seconds.median == pytest.approx(0.006)
    assert found["b"].ratio.median == pytest.approx(3)
    assert (found["a"].ratio.lower, found["a"].ratio.upper) == (1, 1)


def test_drift_leaves_ratios_alone() -> None:
    """A machine that becomes slower with every round does not change a ratio."""
    time = FakeTime()
    pair = [
        time.candidate("a", lambda n: 1_000_000 * 2**n),
        time.candidate("b", lambda n: 5_000_000 * 2**n),
    ]
    found = measure(pair, rounds=11, base="a", clock=time.clock, sample=0.0)
    assert found["b"].ratio.lower == found["b"].ratio.upper == pytest.approx(5)
    assert found["a"].seconds.upper > 2 * found["a"].seconds.lower


def test_rounds_are_interleaved() -> None:
    """Every round runs each candidate once, and each is first in its turn."""
    time = FakeTime()
    names = ["a", "b", "c"]
    candidates = [time.candidate(name, lambda _: 10_000_000) for name in names]
    measure(candidates, rounds=9, base="a", clock=time.clock)
    timed = time.log[-27:]
    rounds = [timed[start : start + 3] for start in range(0, 27, 3)]
    assert all(sorted(order) == names for order in rounds)
    assert [order[0] for order in rounds] == names * 3


def test_warm_up() -> None:
    """Slow first runs are not counted."""
    time = FakeTime()
    slow_start = time.candidate("a", lambda n: 900_000_000 if n < 2 else 2_000_000)
    found = measure([slow_start], rounds=7, base="a", clock=time.clock)
    assert found["a"].seconds.upper == pytest.approx(0.002)


def test_fast_candidates_are_repeated() -> None:
    """One reading of the clock spans at least a millisecond."""
    time = FakeTime()
    found = measure([time.candidate("a", lambda _: 1000)], rounds=7, base="a", clock=time.clock)
    assert len(time.log) >= 7 * 1000
    assert found["a"].seconds.median == pytest.approx(1e-6)


def test_collection_is_off_and_on_again() -> None:
    """Garbage collection is off while a candidate runs, and as before afterwards."""
    seen: set[bool] = set()
    candidate = Candidate("a", lambda: seen.add(gc.isenabled()))
    assert gc.isenabled()
    measure([candidate], rounds=7, base="a", sample=0.0)
    assert seen == {False}
    assert gc.isenabled()


def test_collection_comes_back_after_an_error() -> None:
    """A candidate that fails leaves garbage collection on."""

    def fail() -> None:
        raise ZeroDivisionError

    with pytest.raises(InstarError, match="ZeroDivisionError"):
        measure([Candidate("a", fail)], rounds=7, base="a")
    assert gc.isenabled()


@pytest.mark.parametrize("rounds", [0, 1, FEWEST_ROUNDS - 1])
def test_too_few_rounds(rounds: int) -> None:
    """Too few rounds are refused before anything runs."""
    time = FakeTime()
    with pytest.raises(ConfigError, match="say nothing of the spread"):
        measure([time.candidate("a", lambda _: 1)], rounds=rounds, base="a", clock=time.clock)
    assert time.log == []


def test_unknown_base() -> None:
    """A base that is no candidate is refused."""
    with pytest.raises(ConfigError, match="no candidate is called b"):
        measure([Candidate("a", int)], rounds=7, base="b")


def test_one_name_twice() -> None:
    """Two candidates of one name are refused, as one would hide the other."""
    with pytest.raises(ConfigError, match="one name"):
        measure([Candidate("a", int), Candidate("a", int)], rounds=7, base="a")
