"""Whether two results differ: a verdict for each row, and how sure it is.

What is compared is the ratio to the base in the same run, not a time: two runs seldom find
the machine in the same state. A difference counts only where it is beyond what the processes
of both runs differ by among themselves, and beyond what two runs of one build may differ by.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import mean, median, variance
from typing import Final, Literal, TypeAlias

from ..errors import ConfigError
from .measure import Spread
from .result import Result, Row, Size, Work
from .student import quantile
from .suite.gather import FEWEST_PROCESSES

Change: TypeAlias = Literal["faster", "slower", "no difference shown"]

_TAIL: Final = 0.9975
"""Of an interval of 99.5 %: on a busy machine, 99 % let more than one row in twenty through."""

_CHANCE: Final = 0.025
"""How often any of all rows may be beyond the margin by chance: what fails a build must be rare."""

DRIFT: Final = math.log(1.02)
"""The logarithm of what two runs of one build may differ by, beyond what their processes show."""

_LARGEST_LOG: Final = 50.0
"""Of a ratio: beyond what any two times from a picosecond to a year give."""

RowKey: TypeAlias = tuple[Work, str, str, int | None, tuple[str, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """One row of both results. ``ratio`` is the second's time by the first's, each taken to the
    base of its own run, with a 99.5 % interval. ``beyond`` says that it is shown to be slower by
    more than the margin, so surely that no row at all would be by chance in 97 of 100 runs.
    """

    work: Work
    peer: str
    payload: str
    version: int | None
    ratio: Spread
    change: Change
    beyond: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SizeVerdict:
    """A size that is not what it was, in bytes; ``beyond`` says larger by more than the margin."""

    peer: str
    payload: str
    before: int
    after: int
    beyond: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Two results, row by row. ``only`` names rows that one of them lacks, and ``notes`` what
    differs in how they were taken.
    """

    margin: float
    verdicts: tuple[Verdict, ...]
    sizes: tuple[SizeVerdict, ...]
    only: tuple[str, ...]
    notes: tuple[str, ...]

    @property
    def beyond(self) -> bool:
        """Whether anything is slower or larger by more than the margin."""
        return self.count_beyond > 0

    @property
    def count_beyond(self) -> int:
        """How many are."""
        return sum(one.beyond for one in self.verdicts) + sum(one.beyond for one in self.sizes)


def compare(before: Result, after: Result, margin: float) -> Comparison:
    """Compare two results; ``margin`` is a share, as 0.05.

    Raises ``ConfigError`` where they cannot be compared: another subject or base, too few
    processes, rows that are none, no row in common, or a margin that is no share.
    """
    if not 0 <= margin < math.inf:  # NaN is no more than any number, so all would pass
        raise ConfigError(f"the margin is {margin}", mend="give a share, such as 0.05")
    _check(before, after)
    for result in (before, after):
        _check_rows(result)
    old, new = ({_key(row): row for row in _kept(result)} for result in (before, after))
    both = [key for key in old if key in new]
    if not both:
        raise ConfigError("the two results have no row in common", mend="run the same command")
    shared = _usual_variance([row for key in both for row in (old[key], new[key])])
    return Comparison(
        margin=margin,
        verdicts=tuple(
            _verdict(old[key], new[key], _Ground(shared, margin, len(both))) for key in both
        ),
        sizes=tuple(_sizes(before.sizes, after.sizes, margin)),
        only=tuple(_named(key) for key in (*old, *new) if not (key in old and key in new)),
        notes=tuple(_notes(before, after)),
    )


def _check(before: Result, after: Result) -> None:
    if before.subject.name != after.subject.name:
        raise ConfigError(
            f"their subjects are {before.subject.name} and {after.subject.name}",
            mend="run both on the same subject",
        )
    if before.method.base != after.method.base:
        raise ConfigError(
            f"their bases are {before.method.base} and {after.method.base}",
            mend="run both with the same --base",
        )
    fewest = min(before.method.processes, after.method.processes)
    if fewest < FEWEST_PROCESSES:
        raise ConfigError(
            f"{fewest} process says nothing of how times differ from process to process"
            if fewest == 1
            else f"{fewest} processes say nothing of how times differ between them",
            mend=f"run both with --processes {FEWEST_PROCESSES} or more",
        )


def _check_rows(result: Result) -> None:
    """A file that was cut or edited has rows that no run has written."""
    for row in _kept(result):
        if len(row.logs) != result.method.processes:
            what = f"{len(row.logs)} of {result.method.processes} processes"
        elif any(abs(log) > _LARGEST_LOG for log in row.logs):
            what = "a ratio that no clock can show"
        else:
            continue
        raise ConfigError(
            f"a row has {what}", where=_named(_key(row)), mend="write the result anew with --json"
        )


def _kept(result: Result) -> Iterable[Row]:
    """Rows that say anything: the base itself is 1 in every run."""
    return (row for row in result.rows if row.peer != row.base)


def _key(row: Row) -> RowKey:
    return row.work, row.peer, row.payload, row.version, row.paths


def _named(key: RowKey) -> str:
    work, peer, payload, version, _ = key
    return f"{work}{'' if version is None else f' from {version}'}, {peer}, {payload}"


def _usual_variance(rows: Iterable[Row]) -> float:
    """The variance between processes that a row usually has: few processes may show less."""
    return median(variance(row.logs) for row in rows)


@dataclass(frozen=True, slots=True)
class _Ground:
    """What all rows share: their usual variance, the margin, and how many there are."""

    usual: float
    margin: float
    rows: int


def _verdict(before: Row, after: Row, ground: _Ground) -> Verdict:
    middle = mean(after.logs) - mean(before.logs)
    own = sum(max(variance(r.logs), ground.usual) / len(r.logs) for r in (before, after))
    degrees = 2 * (min(len(before.logs), len(after.logs)) - 1)
    half, sure = (
        quantile(level, degrees) * math.sqrt(own) + DRIFT
        for level in (_TAIL, 1 - _CHANCE / ground.rows)
    )
    ratio = Spread(math.exp(middle), math.exp(middle - half), math.exp(middle + half))
    return Verdict(
        work=after.work,
        peer=after.peer,
        payload=after.payload,
        version=after.version,
        ratio=ratio,
        change=change_of(ratio),
        # Bonferroni's bound, and never less sure than the verdict itself.
        beyond=middle - max(half, sure) > math.log1p(ground.margin),
    )


def change_of(ratio: Spread) -> Change:
    """What a ratio shows: a difference only where its whole interval lies on one side of 1."""
    if ratio.upper < 1:
        return "faster"
    return "slower" if ratio.lower > 1 else "no difference shown"


def _sizes(before: Sequence[Size], after: Sequence[Size], margin: float) -> Iterable[SizeVerdict]:
    old = {(one.peer, one.payload): one.raw for one in before}
    for one in after:
        was = old.get((one.peer, one.payload))
        if was is not None and was != one.raw:
            yield SizeVerdict(
                peer=one.peer,
                payload=one.payload,
                before=was,
                after=one.raw,
                beyond=one.raw > was * (1 + margin),
            )


def _notes(before: Result, after: Result) -> Iterable[str]:
    old, new = before.environment, after.environment
    facts = [
        ("the version", str(before.subject.version), str(after.subject.version)),
        ("the processor", old.cpu, new.cpu),
        ("Python", old.python, new.python),
        ("the engine", old.engine, new.engine),
        *(
            (name, old.versions.get(name, "none"), new.versions.get(name, "none"))
            for name in sorted({*old.versions, *new.versions})
        ),
        ("the clock", before.method.clock, after.method.clock),
    ]
    for what, was, now in facts:
        if was != now:
            yield f"{what} differs: {was}, then {now}"
