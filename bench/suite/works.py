"""Times each kind of work on one payload, all contenders in turns."""

from __future__ import annotations

from collections.abc import Iterator

from ..measure import Candidate
from ..result import Work
from .contenders import Contender, Field
from .old import migrations
from .parts import projections
from .rounds import seconds
from .task import Key, Task, Timed


def timed_works(task: Task, found: Field) -> Iterator[Timed]:
    """The times of all work that ``task`` asks for, on one payload."""
    for work in task.works:
        if work == "migrate":
            yield from migrations(task, found)
        elif work == "project":
            yield from projections(task, found)
        else:
            yield from _timed(work, task, found)


def _timed(work: Work, task: Task, found: Field) -> Iterator[Timed]:
    able = [one for one in found.contenders if work == "hydrate" or not one.entry.reads]
    times = seconds(task, [_candidate(work, one) for one in able])
    for one in able:
        yield Timed(
            key=Key(work=work, peer=one.entry.name, payload=found.payload.label),
            gives=one.peer.gives,
            base=task.base,
            seconds=times[one.entry.name],
            base_seconds=times[task.base],
        )


def _candidate(work: Work, contender: Contender) -> Candidate:
    if work == "hydrate":
        return contender.hydrate()
    return contender.dehydrate() if work == "dehydrate" else contender.round_trip()
