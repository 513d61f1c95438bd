"""Makes rows of the times of several processes: medians, ratios, and how sure they are."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from statistics import mean, median, stdev
from typing import Final, TypeAlias

from ..measure import Spread, interval_of, spread_of
from ..result import Row, Tie
from ..student import quantile
from .task import Key, Lot, Timed

FEWEST_PROCESSES: Final = 3
"""Fewer say nothing of how a time differs from process to process."""

_TAIL: Final = 0.975
_TIE: Final = 2

_Group: TypeAlias = tuple[object, ...]


def rows(lots: Sequence[Lot]) -> tuple[Row, ...]:
    """A row for each key that every process has timed, in the order of the first."""
    by_key: dict[Key, list[Timed]] = defaultdict(list)
    for lot in lots:
        for timed in lot.timed:
            by_key[timed.key].append(timed)
    whole = [found for found in by_key.values() if len(found) == len(lots)]
    return tuple(_ranked([_row(found) for found in whole]))


def _row(found: Sequence[Timed]) -> Row:
    first = found[0]
    times = tuple(timed.seconds for timed in found)
    return Row(
        work=first.key.work,
        peer=first.key.peer,
        gives=first.gives,
        payload=first.key.payload,
        base=first.base,
        seconds=spread_of([one for each in times for one in each]),
        ratio=ratio_of([_ratios(timed) for timed in found]),
        version=first.key.version,
        paths=first.key.paths,
        times=times,
        logs=tuple(math.log(median(_ratios(timed))) for timed in found),
    )


def _ratios(timed: Timed) -> list[float]:
    pairs = zip(timed.seconds, timed.base_seconds, strict=True)
    # A clock that stands still gives zeros, which have no ratio and no logarithm.
    return [max(own, 1e-12) / max(base, 1e-12) for own, base in pairs]


def ratio_of(processes: Sequence[Sequence[float]]) -> Spread:
    """The ratio that the rounds of some processes show, with a 95 % interval.

    The wider of two: that of the median of all rounds, which needs no assumption, and
    Student's of the medians of the processes, which allows for what differs between these.
    """
    within = interval_of([ratio for rounds in processes for ratio in rounds])
    if len(processes) < FEWEST_PROCESSES:
        return within
    logs = [math.log(median(rounds)) for rounds in processes]
    half = quantile(_TAIL, len(logs) - 1) * stdev(logs) / math.sqrt(len(logs))
    middle = mean(logs)
    return Spread(
        within.median,
        min(within.lower, math.exp(middle - half)),
        max(within.upper, math.exp(middle + half)),
    )


def _group(row: Row) -> _Group:
    return row.work, row.payload, row.gives, row.version


def _groups(found: Iterable[Row]) -> list[list[Row]]:
    """Rows that stand for the same work, with the same end."""
    by_group: dict[_Group, list[Row]] = defaultdict(list)
    for row in found:
        if row.work not in ("migrate", "project"):  # each of these has a base of its own
            by_group[_group(row)].append(row)
    return list(by_group.values())


def _ranked(found: list[Row]) -> Iterator[Row]:
    ranks = {
        id(row): rank
        for group in _groups(found)
        for row, rank in zip(group, ranks_of([one.ratio for one in group]), strict=True)
    }
    for row in found:
        yield replace(row, rank=ranks.get(id(row)))


def ranks_of(ratios: Sequence[Spread]) -> list[tuple[int, int]]:
    """The best and the worst place that each can have, counted from 1.

    One stands before another only where its interval ends before the other's begins.
    """
    return [
        (
            1 + sum(other.upper < one.lower for other in ratios),
            len(ratios) - sum(one.upper < other.lower for other in ratios),
        )
        for one in ratios
    ]


def ties(found: Iterable[Row]) -> Iterator[Tie]:
    """The rankings that are refused: runs of neighbours whose intervals overlap."""
    for group in _groups(found):
        ordered = sorted(group, key=lambda row: row.ratio.median)
        run = ordered[:1]
        for row in ordered[1:]:
            if row.ratio.lower <= max(one.ratio.upper for one in run):
                run.append(row)
                continue
            yield from _tie(run)
            run = [row]
        yield from _tie(run)


def _tie(run: Sequence[Row]) -> Iterator[Tie]:
    if len(run) >= _TIE:
        first = run[0]
        yield Tie(
            work=first.work,
            payload=first.payload,
            gives=first.gives,
            peers=tuple(row.peer for row in run),
            version=first.version,
        )
