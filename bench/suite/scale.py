"""How time and memory grow with a state, from one item to ten thousand."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from ..catalogue import Entry
from ..measure import Candidate, Spread, check_rounds, interval_of, spread_of
from ..memory import Footprint, footprint
from ..payload import Chosen
from ..peers import Versions
from ..result import Point, Scale
from .contenders import Checks, Contender, field
from .rounds import seconds
from .task import Task

ITEMS: Final = (1, 10, 100, 1000, 10_000)
"""How many items the states have."""

LINEAR: Final = 1.25
"""An exponent above this, shown by the whole of its interval, is worse than linear.

Not 1: larger states leave the processor's caches and need fresh pages of memory, which costs
every peer up to 1.1, and 1.2 where other programs press on the same caches. What grows with
the square of a state comes near 2.
"""

_FITTED: Final = 3
"""How many of the points an exponent is fitted to: in the smaller ones fixed costs show."""


@dataclass(frozen=True, slots=True)
class _Measured:
    """One contender at one size."""

    items: int
    contender: Contender
    footprint: Footprint

    @property
    def name(self) -> str:
        return f"{self.contender.entry.name} {self.items}"


def scales(
    task: Task,
    versions: Versions,
    payloads: Sequence[Chosen],
    entries: Sequence[Entry],
    advance: Callable[[], None] = lambda: None,
) -> tuple[Scale, ...]:
    """How hydration by ``entries`` grows over ``payloads``, the smallest first.

    All sizes are timed in turns. A peer that is too slow at the largest is left out.
    """
    check_rounds(task.rounds)
    points: dict[str, list[_Measured]] = {entry.name: [] for entry in entries}
    for payload in reversed(payloads):  # the largest first: it says who is too slow
        found = field(entries, versions, payload, Checks(patient=task.named))
        able = {one.entry.name for one in found.contenders}
        points = {name: each for name, each in points.items() if name in able}
        for one in found.contenders:
            if one.entry.name in points:
                used = footprint(one.hydrate().run)
                points[one.entry.name].insert(0, _Measured(payload.items, one, used))
        advance()
    whole = [one for each in points.values() for one in each]
    times = seconds(task, [Candidate(one.name, one.contender.hydrate().run) for one in whole])
    return tuple(_scale(name, each, times) for name, each in points.items())


def _scale(name: str, each: Sequence[_Measured], times: dict[str, tuple[float, ...]]) -> Scale:
    sizes = [len(one.contender.blob) for one in each]
    rounds = list(zip(*(times[one.name] for one in each), strict=True))
    time = interval_of([exponent(sizes, round_) for round_ in rounds])
    memory = exponent(sizes, [one.footprint.held + one.footprint.extra for one in each])
    return Scale(
        work="hydrate",
        peer=name,
        points=tuple(
            Point(
                items=one.items,
                size=len(one.contender.blob),
                seconds=spread_of(times[one.name]),
                held=one.footprint.held,
                peak=one.footprint.held + one.footprint.extra,
            )
            for one in each
        ),
        time=time,
        memory=memory,
        worse=is_worse(time, memory),
    )


def is_worse(time: Spread, memory: float) -> bool:
    """Whether the exponents show a growth that is worse than linear."""
    return time.lower > LINEAR or memory > LINEAR


def exponent(sizes: Sequence[float], taken: Sequence[float]) -> float:
    """The slope of log ``taken`` over log ``sizes`` by least squares, over the last points."""
    logs = [
        (math.log(size), math.log(max(took, 1e-12)))
        for size, took in zip(sizes[-_FITTED:], taken[-_FITTED:], strict=True)
    ]
    middle_x = sum(x for x, _ in logs) / len(logs)
    middle_y = sum(y for _, y in logs) / len(logs)
    spread = sum((x - middle_x) ** 2 for x, _ in logs)
    return sum((x - middle_x) * (y - middle_y) for x, y in logs) / spread if spread else 0.0
