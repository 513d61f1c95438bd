"""What a measure is: instar's work beside a peer's, on several sizes, and what is aimed at."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from time import get_clock_info, perf_counter_ns, thread_time_ns
from typing import Any, Final, TypeAlias

from .measure import FEWEST_ROUNDS, Candidate, Clock, Spread, measure
from .states import States


@dataclass(frozen=True, slots=True)
class Effort:
    """How much is run: ``sample`` seconds, at least, in each of so many rounds."""

    rounds: int
    sample: float


# Candidates only compute, in one thread: so the time that other programs take is left out.
# Where that clock is coarse, as on Windows, it would say nothing.
_FINE = get_clock_info("thread_time").resolution <= 1e-6  # noqa: PLR2004 - a microsecond
CLOCK: Final[Clock] = thread_time_ns if _FINE else perf_counter_ns

FULL: Final = Effort(31, 0.005)
QUICK: Final = Effort(FEWEST_ROUNDS, 0.001)


@dataclass(frozen=True, slots=True)
class Found:
    """What a trial gave: a ratio, or another number for which less is better.

    ``ours`` and ``peer`` are median seconds of one run, where a time was taken.
    """

    ratio: Spread
    ours: float | None = None
    peer: float | None = None


@dataclass(frozen=True, slots=True)
class Trial:
    """One row to be measured: ``run`` does it."""

    size: str
    target: float | None
    run: Callable[[Effort], Found]


@dataclass(frozen=True, slots=True)
class Skipped:
    """One row that cannot be measured here, and why."""

    size: str
    target: float | None
    why: str


Entry: TypeAlias = Trial | Skipped


@dataclass(frozen=True, slots=True)
class Ground:
    """What measures run on: the sample, the sample with ids that repeat, and real data.

    ``real`` is the reason where there is none.
    """

    plain: Sequence[States]
    repeating: Sequence[States]
    real: States | str


Targets: TypeAlias = tuple[float, ...]
"""For 1.5, 30 and 600 KB, or one for all sizes; none where nothing is aimed at."""


Entries: TypeAlias = Callable[[Ground, Targets], Iterator[Entry]]
"""Makes the rows of a measure: each is set up, and its peer checked, as it is asked for."""


@dataclass(frozen=True, slots=True)
class Measure:
    """One question: ``ours`` and ``peer`` say what stands beside what."""

    number: int
    ours: str
    peer: str
    targets: Targets
    entries: Entries


def contest(
    size: str, target: float | None, ours: Callable[[], Any], peer: Callable[[], Any]
) -> Trial:
    """A trial of two candidates that are timed in turns, by the time of the processor."""

    def run(effort: Effort) -> Found:
        candidates = [Candidate("ours", ours), Candidate("peer", peer)]
        found = measure(
            candidates, rounds=effort.rounds, base="peer", sample=effort.sample, clock=CLOCK
        )
        ours_took, peer_took = (found[name].seconds.median for name in ("ours", "peer"))
        return Found(found["ours"].ratio, ours_took, peer_took)

    return Trial(size, target, run)


@dataclass(frozen=True, slots=True)
class Finding:
    """A row of the table: the measure and size, and what was found or why nothing was."""

    measure: Measure
    size: str
    target: float | None
    found: Found | None
    why: str = ""

    @property
    def met(self) -> bool | None:
        """Whether the median is at the target or below; None where one of the two is missing."""
        if self.found is None or self.target is None:
            return None
        return self.found.ratio.median <= self.target


def findings(measures: Sequence[Measure], ground: Ground, effort: Effort) -> Iterator[Finding]:
    """Run the measures in order, each row as it is asked for.

    Raises ``ValueMismatch`` for a peer that does not do the whole work.
    """
    for one in measures:
        for entry in one.entries(ground, one.targets):
            if isinstance(entry, Skipped):
                yield Finding(one, entry.size, entry.target, None, entry.why)
            else:
                yield Finding(one, entry.size, entry.target, entry.run(effort))
