"""A whole run of the bench, from what a user asks for to a result."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from statistics import median
from typing import Any, Final

from ..codec.engines import engine
from .catalogue import Entry, find_entry
from .environment import environment
from .measure import FEWEST_ROUNDS, Spread, check_rounds
from .measures import CLOCK
from .payload import Chosen, MadeUp
from .payload.chosen import grown, main_list
from .peers import Versions
from .result import LeftOut, Method, Payload, Result, Subject
from .suite import Effort, Lot, Task, run_lots
from .suite.cold import cold_starts
from .suite.contenders import Checks, field
from .suite.findings import defects, notes
from .suite.gather import rows, ties
from .suite.lot import own_entries
from .suite.rounds import rounded
from .suite.scale import ITEMS, scales

BASE: Final = "msgspec json"
"""The peer that ratios are taken to, if no other is named: always there, and to typed objects."""

COLD_ROUNDS: Final = FEWEST_ROUNDS

Advance = Callable[[str], None]
"""Called with what was done, after each part of a run."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What is to be run beyond the task; ``command`` is how a user can run it again."""

    effort: Effort
    source: str
    command: str
    cold: bool = True
    scale: bool = False


def steps(asked: Asked) -> int | None:
    """How often ``run_bench`` will call ``advance``; None where that depends on the clock."""
    if asked.effort.seconds is not None:
        return None
    return asked.effort.processes + asked.cold * COLD_ROUNDS + asked.scale * len(ITEMS)


def run_bench(
    versions: Versions, task: Task, asked: Asked, advance: Advance = lambda _: None
) -> Result:
    """Measure all of it. ``versions`` are those of the task, opened here.

    Raises ``ConfigError`` for too few rounds or a base that is not fit, and what opening the
    schemas in another process raises.
    """
    check_rounds(task.rounds)
    lots = run_lots(task, asked.effort, lambda: advance("Timing in turns"))
    found = rows(lots)
    result = Result(
        environment=environment(),
        method=_method(task, asked, lots),
        subject=_subject(versions, asked),
        payloads=tuple(_payload(versions, one) for one in task.payloads),
        peers=lots[0].peers,
        left_out=_left_out(lots),
        rows=found,
        sizes=lots[0].sizes,
        memory=lots[0].memory,
        ties=tuple(ties(found)),
    )
    result = replace(result, notes=tuple(notes(found, result.peers, result.method)))
    if asked.cold:
        result = replace(result, cold=_cold(versions, task, advance))
    if asked.scale:
        result = replace(result, scales=_scales(versions, task, advance))
    own = [entry.name for entry in own_entries(task.own)]
    return replace(result, findings=tuple(defects(result.scales, result.left_out, own)))


def _cold(versions: Versions, task: Task, advance: Advance) -> Any:
    payload = task.payloads[0]
    entries = [entry for entry in _entries(task) if entry.engine == engine().name]
    found = field(entries, versions, payload, Checks(patient=True))
    return cold_starts(task, found, COLD_ROUNDS, lambda: advance("Cold starts"))


def _scales(versions: Versions, task: Task, advance: Advance) -> Any:
    payloads = scale_payloads(versions, task.payloads)
    wanted = [e for e in _entries(task) if e.engine == engine().name or e.name == task.base]
    return scales(task, versions, payloads, wanted, lambda: advance("Growing"))


def _entries(task: Task) -> list[Entry]:
    return [*(find_entry(name) for name in task.peers), *own_entries(task.own)]


def scale_payloads(versions: Versions, given: Sequence[Chosen]) -> list[Chosen]:
    """States of 1 to 10 000 items: made up, or of the user's largest state, cut or repeated.

    None where there is no list to grow.
    """
    maker, largest = MadeUp.of(versions), given[-1]
    if largest.origin != maker.origin:
        whole = main_list(largest.document)
        made = [(n, grown(largest.document, n)) for n in ITEMS] if whole else []
    else:
        made = [(n, maker.document(n)) for n in ITEMS] if maker.grows else []
    return [
        Chosen(
            f"{n} items",
            largest.origin,
            n,
            doc,
            largest.other if largest.other != doc else maker.other(doc),
        )
        for n, doc in made
    ]


def _method(task: Task, asked: Asked, lots: Sequence[Lot]) -> Method:
    return Method(
        processes=len(lots),
        rounds=task.rounds,
        sample=task.sample,
        clock=f"{CLOCK.__name__.removesuffix('_ns')}: {_CLOCKS[CLOCK.__name__]}",
        warm_up="3 runs of each, after its check",
        collector="off while timing, run between rounds",
        base=task.base,
        overhead=rounded(median(lot.overhead.median for lot in lots)),
        left_over=rounded(max(_left_over(lot.overhead) for lot in lots)),
        command=asked.command,
    )


def _left_over(overhead: Spread) -> float:
    return max(overhead.upper - overhead.median, overhead.median - overhead.lower)


_CLOCKS: Final = {
    "thread_time_ns": "the processor's time of this thread",
    "perf_counter_ns": "the time of day",
}


def _subject(versions: Versions, asked: Asked) -> Subject:
    chain = versions.registry.subject(versions.subject).chain
    return Subject(
        name=versions.subject,
        version=versions.version,
        versions=tuple(chain.versions),
        source=asked.source,
    )


def _payload(versions: Versions, one: Chosen) -> Payload:
    codec = versions.codec("json")
    size = len(codec.encode(codec.from_builtins(one.document)))
    return Payload(label=one.label, origin=one.origin, size=size, items=one.items)


def _left_out(lots: Sequence[Lot]) -> tuple[LeftOut, ...]:
    """What the first process left out, and what others met later: nothing is dropped silently."""
    found = {(one.peer, one.payload): one for lot in lots for one in lot.left_out}
    return tuple(found.values())
