"""The measures of reading old blobs: beside current ones, and beside what others do."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from statistics import median
from typing import Any, TypeAlias

from ..codec.tag import Format
from .measure import Candidate, interval_of, time_rounds
from .measures import CLOCK, Effort, Entries, Entry, Found, Ground, Targets, Trial, contest
from .migration_kinds import Kind
from .migration_peers import MakeReader, check_reader
from .migration_states import Chain, Oldest
from .peer_runs import target_at
from .states import LABELS
from .ten_versions import MESSAGES

_Row: TypeAlias = Callable[[str, float | None, Oldest], Entry]
_Run: TypeAlias = Callable[[], Any]


def beside_current(kind: Kind, format_: Format) -> Entries:
    """The oldest blob beside a current one of the same state."""
    return _rows(kind, lambda size, target, old: contest(size, target, *old.loads(format_)))


def calls_beside_current(kind: Kind, format_: Format) -> Entries:
    """The migration's function alone, called as often, beside reading a current blob."""

    def row(size: str, target: float | None, old: Oldest) -> Entry:
        return contest(size, target, old.calls(), old.loads(format_)[1])

    return _rows(kind, row)


def beside_current_less_calls(kind: Kind, format_: Format) -> Entries:
    """The oldest blob, without the time of the bare calls, beside a current one."""
    return _rows(
        kind, lambda size, target, old: less(size, target, old.calls(), *old.loads(format_))
    )


def beside_reader(kind: Kind, format_: Format, make: MakeReader) -> Entries:
    """The oldest blob beside what another way of reading takes for the same old state."""

    def row(size: str, target: float | None, old: Oldest) -> Entry:
        reader = make(old.chain)
        check_reader(reader, old.chain)
        load = partial(reader.load, reader.dump(old))
        return contest(size, target, old.loads(format_)[0], load)

    return _rows(kind, row)


def less(size: str, target: float | None, part: _Run, ours: _Run, peer: _Run) -> Trial:
    """A trial of ``ours`` less ``part`` of it, beside ``peer``: all three are timed in turns."""
    candidates = [Candidate("ours", ours), Candidate("part", part), Candidate("peer", peer)]

    def run(effort: Effort) -> Found:
        times = time_rounds(candidates, rounds=effort.rounds, sample=effort.sample, clock=CLOCK)
        rest = [whole - own for whole, own in zip(times["ours"], times["part"], strict=True)]
        ratios = [own / max(other, 1e-3) for own, other in zip(rest, times["peer"], strict=True)]
        return Found(interval_of(ratios), median(rest) / 1e9, median(times["peer"]) / 1e9)

    return Trial(size, target, run)


def _rows(kind: Kind, row: _Row) -> Entries:
    def entries(ground: Ground, targets: Targets) -> Iterator[Entry]:
        del ground
        chain = Chain.open(kind)
        for place, (size, messages) in enumerate(zip(LABELS, MESSAGES, strict=True)):
            yield row(size, target_at(place, targets), chain.oldest(messages))

    return entries
