"""A result of the bench as tables of 80 columns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from textwrap import fill
from typing import Final

from ..bench.peers import Gives
from ..bench.result import ColdStart, Memory, Result, Row, Scale, Size, Work
from ..bench.table import ratio_text, spread_text, time_text
from .output import count, heading, line, table, width

_KINDS: Final[tuple[tuple[Gives, str], ...]] = (
    ("objects", "- typed objects -"),
    ("models", "- own models -"),
    ("dicts", "- dicts, not typed -"),
    ("message", "- not read yet -"),
)
_ALSO: Final[tuple[Work, ...]] = ("dehydrate", "round trip")
_KIB: Final = 1024


def tell(result: Result) -> None:
    """Print all of it."""
    _tell_circumstances(result)
    for payload in result.payloads:
        heading(f"{payload.label} ({payload.origin})")
        _tell_times(result, payload.label)
        _tell_sizes(result, payload.label)
        _tell_parts(result, payload.label)
    engine = result.environment.engine
    _tell_cold(result.cold, engine)
    _tell_scales(result.scales, engine)
    _tell_words(result)


def _tell_circumstances(result: Result) -> None:
    subject, method, where = result.subject, result.method, result.environment
    heading(f"{subject.name}, version {subject.version} ({subject.source})")
    versions = ", ".join(f"{name} {found}" for name, found in where.versions.items())
    _say(f"{where.cpu}, {where.cores} cores, {where.system}, {where.python}")
    _say(f"The engine in use is the {where.engine}: {where.why}. {versions}.")
    _say(
        f"{count(method.processes, 'process', 'processes')} of {method.rounds} rounds,"
        f" all peers in turns; medians by {method.clock}. Warm-up: {method.warm_up}."
        f" Garbage collection: {method.collector}."
        f" Ratios, to {method.base} in the same round, have a 95% interval. Of each time,"
        f" {method.overhead * 1e9:.0f} ns were taken off for the call itself. Every peer was"
        " checked first to give back the whole state. A rank is among those that give the same,"
        " and a range, as 4-6, where intervals do not tell them apart."
    )


def _tell_times(result: Result, payload: str) -> None:
    rows: dict[tuple[Work, str], Row] = {
        (row.work, row.peer): row for row in result.rows if row.payload == payload
    }
    lines: list[tuple[str, ...]] = []
    for gives, title in _KINDS:
        group = [r for r in rows.values() if r.work == "hydrate" and r.gives == gives]
        if group:
            lines.append((title, *[""] * 5))
            lines += [_time_cells(row, rows) for row in _sorted(group)]
    headings = ("peer", "rank", "hydrate", "ratio", "dehydrate", "both")
    if lines:
        table(headings, lines, right=headings[1:])
        line()


def _time_cells(row: Row, rows: dict[tuple[Work, str], Row]) -> tuple[str, ...]:
    others = (rows.get((work, row.peer)) for work in _ALSO)
    return (
        row.peer,
        rank_text(row.rank),
        time_text(row.seconds.median),
        ratio_text(row.ratio),
        *("-" if other is None else time_text(other.seconds.median) for other in others),
    )


def rank_text(rank: tuple[int, int] | None) -> str:
    """The place of a row: ``3``, or ``4-6`` where intervals do not tell it from others."""
    if rank is None:
        return "-"
    best, worst = rank
    return str(best) if best == worst else f"{best}-{worst}"


def _sorted(rows: Iterable[Row]) -> list[Row]:
    return sorted(rows, key=lambda row: row.ratio.median)


def _tell_sizes(result: Result, payload: str) -> None:
    memory = {one.peer: one for one in result.memory if one.payload == payload}
    sizes = sorted((s for s in result.sizes if s.payload == payload), key=lambda one: one.raw)
    base = next((one.raw for one in sizes if one.peer == result.method.base), 0)
    headings = ("peer", "bytes", "of base", "zstd", "KiB held", "KiB extra", "blocks")
    lines = [_size_cells(one, base, memory.get(one.peer)) for one in sizes]
    if lines:
        table(headings, lines, right=headings[1:])
        line()


def _size_cells(size: Size, base: int, memory: Memory | None) -> tuple[str, ...]:
    taken = (
        ("-",) * 3
        if memory is None
        else (f"{memory.held / _KIB:,.1f}", f"{memory.extra / _KIB:,.1f}", f"{memory.blocks:,}")
    )
    return (
        size.peer,
        f"{size.raw:,}",
        f"{size.raw / base:.0%}" if base else "-",
        "-" if size.zstd is None else f"{size.zstd:,}",
        *taken,
    )


def _tell_parts(result: Result, payload: str) -> None:
    """Old blobs and projections, by the engine in use; a file of JSON has both."""
    rows = [row for row in result.rows if row.payload == payload]
    rows = [row for row in rows if row.peer.endswith(f", {result.environment.engine}")]
    old = [row for row in rows if row.work == "migrate"]
    some = [row for row in rows if row.work == "project"]
    if old:
        headings = ("migrate on read", "from version", "time", "ratio to a current blob")
        table(headings, [_part_cells(row, str(row.version)) for row in old], right=headings[1:])
        line()
    if some:
        titles = (f"project {', '.join(some[0].paths)}", "time", "ratio to the whole")
        table(titles, [_part_cells(row) for row in some], right=titles[1:])


def _part_cells(row: Row, *more: str) -> tuple[str, ...]:
    return row.peer, *more, time_text(row.seconds.median), ratio_text(row.ratio)


def _tell_cold(starts: Sequence[ColdStart], engine: str) -> None:
    if not starts:
        return
    phases = [phase.name for phase in starts[0].phases]
    names = [phase.removesuffix(" instar").replace("open the ", "") for phase in phases]
    heading("Cold start: a new process up to its first state, in ms")
    lines = [
        (
            start.peer.removesuffix(f", {engine}"),
            *(f"{phase.seconds.median * 1e3:.1f}" for phase in start.phases),
            f"{start.total.median * 1e3:.1f}",
            spread_text(start.total),
        )
        for start in starts
    ]
    headings = ("peer", *names, "all", "±")
    table(headings, lines, right=headings[1:])


def _tell_scales(scales: Sequence[Scale], engine: str) -> None:
    if not scales:
        return
    heading("Scale: exponents of the bytes (1 is linear), and time by items")
    items = [f"{point.items:,}" for point in scales[0].points]
    headings = ("peer", "time", "memory", *items)
    lines = [
        (
            scale.peer.removesuffix(f", {engine}"),
            f"{scale.time.median:.2f}",
            f"{scale.memory:.2f}",
            *(time_text(point.seconds.median) for point in scale.points),
        )
        for scale in scales
    ]
    table(headings, lines, right=headings[1:])


def _tell_words(result: Result) -> None:
    for title, sentences in (
        ("Left out", list(_left_out_texts(result))),
        ("To know", [*result.notes, *_peer_notes(result)]),
        ("Found", list(result.findings)),
    ):
        if sentences:
            heading(title)
            for sentence in sentences:
                _say(sentence, first="- ")


def _left_out_texts(result: Result) -> Iterator[str]:
    places: dict[tuple[str, str], list[str]] = {}
    for one in result.left_out:
        places.setdefault((one.peer, one.why), []).append(one.payload)
    for (peer, why), labels in places.items():
        whole = labels == [""] or len(labels) == len(result.payloads)
        yield f"{peer}: {why}" if whole else f"{peer} ({'; '.join(labels)}): {why}"


def _peer_notes(result: Result) -> Iterator[str]:
    for peer in result.peers:
        if peer.note.startswith("UNSAFE"):
            yield f"{peer.name}: {peer.note}"


def _say(text: str, first: str = "") -> None:
    for part in fill(
        text, width() - 2, initial_indent=f"  {first}", subsequent_indent="  " + " " * len(first)
    ).splitlines():
        line(part)
