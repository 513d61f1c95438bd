"""What a run has to say in words: what is worse than it should be, and who is not the fastest."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from operator import itemgetter
from typing import Final

from ..result import LeftOut, Method, PeerNote, Row, Scale

_MUCH: Final = 2.0
"""How many times a current blob an old one may take before it is worth a sentence."""

OURS: Final = "instar "
"""How the names of instar's own peers begin, and no others."""

_VERBS: Final = {
    "hydrate": "hydrate typed objects",
    "dehydrate": "dehydrate typed objects",
}

MOST_OVERHEAD: Final = 0.01
"""The share of what it times that the bench itself may take."""


def defects(scales: Iterable[Scale], left_out: Iterable[LeftOut], own: Sequence[str]) -> list[str]:
    """What makes the exit code 1: growth worse than linear, a user's peer that is not timed."""
    grown = [
        f"{scale.peer}: {scale.work} grows worse than the state: exponent of time"
        f" {scale.time.median:.2f} [{scale.time.lower:.2f}-{scale.time.upper:.2f}],"
        f" of memory {scale.memory:.2f}"
        for scale in scales
        if scale.worse
    ]
    unfit = [
        f"{one.peer} was not timed{f' on {one.payload}' if one.payload else ''}: {one.why}"
        for one in left_out
        if one.peer in own
    ]
    return grown + unfit


def notes(rows: Sequence[Row], peers: Sequence[PeerNote], method: Method) -> list[str]:
    """Sentences that a reader should not have to find in the numbers."""
    return [*_fastest(rows, peers), *_old(rows), *_parts(rows), *_overhead(rows, method)]


def _fastest(rows: Sequence[Row], peers: Sequence[PeerNote]) -> Iterator[str]:
    """Where another is faster than instar to or from typed objects, in any kind of bytes."""
    families = {peer.name: peer.family for peer in peers}
    beaten: dict[tuple[str, str, str, str], list[float]] = defaultdict(list)
    for work in _VERBS:
        typed = [row for row in rows if row.gives == "objects" and row.work == work]
        for payload in dict.fromkeys(row.payload for row in typed):
            here = [row for row in typed if row.payload == payload]
            for family in ("", *dict.fromkeys(families[row.peer] for row in here)):
                group = [row for row in here if family in ("", families[row.peer])]
                ours = [row for row in group if row.peer.startswith(OURS)]
                best = min(group, key=_ratio)
                if ours and best.ratio.upper < min(row.ratio.lower for row in ours):
                    own = min(ours, key=_ratio)
                    times = own.ratio.median / max(best.ratio.median, 1e-12)
                    beaten[work, family, best.peer, own.peer].append(times)
    for (work, family, best_name, own_name), times_ in beaten.items():
        yield (
            f"{best_name} is the fastest to {_VERBS[work]}{f' in {family}' if family else ''}:"
            f" {own_name} takes {_range(times_)} times as long."
        )


def _range(numbers: Sequence[float]) -> str:
    """``1.27``, or ``1.27 to 1.48``."""
    least, most = f"{min(numbers):.2f}", f"{max(numbers):.2f}"
    return least if least == most else f"{least} to {most}"


def _ratio(row: Row) -> float:
    return row.ratio.median


def _old(rows: Sequence[Row]) -> Iterator[str]:
    """Formats whose old blobs cost much more than current ones, at their worst."""
    worst: dict[str, Row] = {}
    for row in rows:
        if row.work == "migrate" and row.ratio.lower > _MUCH:
            before = worst.get(row.peer)
            if before is None or row.ratio.median > before.ratio.median:
                worst[row.peer] = row
    for row in worst.values():
        yield (
            f"{row.peer}: a blob of version {row.version} takes {row.ratio.median:.1f} times as"
            f" long to read as a current one ({row.payload})."
        )


def _parts(rows: Sequence[Row]) -> Iterator[str]:
    slow = [row for row in rows if row.work == "project" and row.ratio.lower > 1]
    for peer in dict.fromkeys(row.peer for row in slow):
        worst = max((row for row in slow if row.peer == peer), key=_ratio)
        yield (
            f"{peer}: projecting {', '.join(worst.paths)} takes {worst.ratio.median:.2f} times as"
            f" long as hydrating the whole state ({worst.payload})."
        )


def _overhead(rows: Sequence[Row], method: Method) -> Iterator[str]:
    """One sentence for each payload: of a small state it would be dozens."""
    shares: dict[str, list[tuple[float, Row]]] = defaultdict(list)
    for row in rows:
        share = method.left_over / max(row.seconds.median, 1e-12)
        if share > MOST_OVERHEAD:
            shares[row.payload].append((share, row))
    for found in shares.values():
        share, row = max(found, key=itemgetter(0))
        more = f", and more than {MOST_OVERHEAD:.0%} in {len(found)} rows" if found[1:] else ""
        yield (
            f"{row.peer}, {row.work}, {row.payload}: {share:.1%} of the time may be the bench's"
            f" own{more}."
        )
