"""What is made of times: ratios with intervals, ranks, and rankings that are refused."""

from __future__ import annotations

import math
from statistics import NormalDist

import pytest

from instar.bench.measure import Spread
from instar.bench.result import Work
from instar.bench.student import quantile
from instar.bench.suite import Lot, Timed
from instar.bench.suite.gather import ranks_of, ratio_of, rows, ties
from instar.bench.suite.task import Key


def spread(middle: float, half: float) -> Spread:
    return Spread(middle, middle - half, middle + half)


def timed(peer: str, seconds: tuple[float, ...], work: Work = "hydrate") -> Timed:
    key = Key(work=work, peer=peer, payload="p")
    base = (1.0,) * len(seconds)
    return Timed(key=key, gives="objects", base="b", seconds=seconds, base_seconds=base)


def lot(*found: Timed) -> Lot:
    return Lot(
        timed=found, fit=(), peers=(), left_out=(), sizes=(), memory=(), overhead=spread(0, 0)
    )


@pytest.mark.parametrize(
    ("degrees", "wanted"), [(1, 12.706), (2, 4.303), (4, 2.776), (8, 2.306), (30, 2.042)]
)
def test_student(degrees: int, wanted: float) -> None:
    """Quantiles are those of the printed tables."""
    assert quantile(0.975, degrees) == pytest.approx(wanted, abs=0.001)


def test_student_of_many() -> None:
    """With many degrees of freedom, t is normal."""
    assert quantile(0.995, 5000) == pytest.approx(NormalDist().inv_cdf(0.995), rel=0.001)


def test_ratio_within_one_process() -> None:
    """One process gives the interval of its rounds."""
    assert ratio_of([[0.9, 1.0, 1.0, 1.0, 1.0, 1.0, 1.1]]) == Spread(1.0, 0.9, 1.1)


def test_ratio_across_processes() -> None:
    """Processes that differ make the interval wider than their rounds alone do."""
    same = ratio_of([[1.0] * 7] * 5)
    assert same == Spread(1.0, 1.0, 1.0)
    drifting = ratio_of([[each] * 7 for each in (0.8, 0.9, 1.0, 1.1, 1.2)])
    half = 2.776 * 0.1589 / math.sqrt(5)
    assert math.log(drifting.upper / drifting.lower) / 2 == pytest.approx(half, abs=0.01)
    assert drifting.median == 1.0


def test_ranks() -> None:
    """A place is given only where no interval overlaps; otherwise a range of places is."""
    ratios = [spread(1, 0.1), spread(2, 0.2), spread(2.1, 0.2), spread(5, 1)]
    assert ranks_of(ratios) == [(1, 1), (2, 3), (2, 3), (4, 4)]


def test_ranks_of_a_chain() -> None:
    """One that overlaps both its neighbours may have any of the three places."""
    ratios = [spread(1, 0.3), spread(1.5, 0.3), spread(2, 0.3)]
    assert ranks_of(ratios) == [(1, 2), (1, 3), (2, 3)]


def test_rows_of_several_lots() -> None:
    """A row has the times of all processes; one that a process did not time is left out."""
    first = lot(timed("a", (1.0,) * 7), timed("b", (2.0,) * 7), timed("c", (3.0,) * 7))
    second = lot(timed("a", (1.1,) * 7), timed("b", (2.2,) * 7))
    a, b = rows([first, second])
    assert (a.peer, a.rank, b.peer, b.rank) == ("a", (1, 1), "b", (2, 2))
    assert b.times == ((2.0,) * 7, (2.2,) * 7)
    assert b.logs == (math.log(2.0), math.log(2.2))
    assert a.seconds.median == pytest.approx(1.05)


def test_ties() -> None:
    """Neighbours whose intervals overlap are a ranking that is refused; migrations have none."""
    wide = (0.9, 1.0, 1.0, 1.0, 1.0, 1.0, 1.2)
    near = (0.9, 1.1, 1.1, 1.1, 1.1, 1.1, 1.2)
    found = rows([lot(timed("a", wide), timed("b", near), timed("c", (9.0,) * 7))])
    (tie,) = ties(found)
    assert tie.peers == ("a", "b")
    old = rows([lot(timed("a", wide, "migrate"), timed("b", near, "migrate"))])
    assert list(ties(old)) == []
    assert [row.rank for row in old] == [None, None]
