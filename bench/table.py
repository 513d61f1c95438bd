"""Size and time of every peer on one state, as rows of numbers and of text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..codec.extras import import_zstandard
from ..errors import MissingExtra
from .measure import Candidate, Spread, Timing, measure
from .peers import Gives, Peer, check_peer


@dataclass(frozen=True, slots=True)
class Row:
    """One peer: sizes in bytes, ``zstd`` where zstandard is installed; times of one run."""

    name: str
    gives: Gives
    bytes: int
    zstd: int | None
    hydrate: Timing
    dehydrate: Timing


def compare(peers: Sequence[Peer], states: Sequence[Any], *, rounds: int, base: str) -> list[Row]:
    """Check every peer with all ``states``, then time it on the first.

    ``base`` names the peer that ratios are taken to. Raises ``ValueMismatch`` for a peer that
    does not do the whole work, and what ``measure`` raises.
    """
    for peer in peers:
        check_peer(peer, states)
    values = {peer.name: peer.value(states[0]) for peer in peers}
    blobs = {peer.name: peer.dump(values[peer.name]) for peer in peers}
    loads = [Candidate(peer.name, _bound(peer.load, blobs[peer.name])) for peer in peers]
    dumps = [Candidate(peer.name, _bound(peer.dump, values[peer.name])) for peer in peers]
    hydrate = measure(loads, rounds=rounds, base=base)
    dehydrate = measure(dumps, rounds=rounds, base=base)
    return [_row(peer, blobs[peer.name], hydrate, dehydrate) for peer in peers]


def _bound(work: Any, argument: Any) -> Any:
    return lambda: work(argument)


def _row(peer: Peer, blob: bytes, hydrate: dict[str, Timing], dehydrate: dict[str, Timing]) -> Row:
    name = peer.name
    return Row(name, peer.gives, len(blob), _zstd(blob), hydrate[name], dehydrate[name])


def _zstd(blob: bytes) -> int | None:
    try:
        zstandard = import_zstandard()
    except MissingExtra:
        return None
    return len(zstandard.ZstdCompressor().compress(blob))


def columns(base: str) -> tuple[str, ...]:
    """The headings of ``cells``; all but the first stand above numbers.

    Times are medians, and ``±`` is half the interquartile range of the one before it.
    """
    return "format", "bytes", "zstd", "hydrate", "±", f"ratio to {base}", "dehydrate"


def cells(row: Row) -> tuple[str, ...]:
    """The row as text, with the ratio's interval in brackets; at most 76 columns in a table."""
    seconds = row.hydrate.seconds
    return (
        row.name if row.gives != "dicts" else f"{row.name}, to dicts",
        f"{row.bytes:,}",
        "-" if row.zstd is None else f"{row.zstd:,}",
        time_text(seconds.median),
        spread_text(seconds),
        ratio_text(row.hydrate.ratio),
        time_text(row.dehydrate.seconds.median),
    )


def time_text(seconds: float) -> str:
    """A time of three digits, in microseconds or milliseconds: ``1.24 ms``."""
    micros, millis = seconds * 1e6, seconds * 1e3
    return f"{_three_digits(micros)} µs" if millis < 1 else f"{_three_digits(millis)} ms"


def spread_text(spread: Spread) -> str:
    """Half the width of a spread as a share of its median: ``3%``."""
    return f"{(spread.upper - spread.lower) / 2 / max(spread.median, 1e-12):.0%}"


def ratio_text(ratio: Spread) -> str:
    """A ratio with its interval: ``1.80 [1.73-1.92]``."""
    middle, lower, upper = map(_three_digits, (ratio.median, ratio.lower, ratio.upper))
    return f"{middle} [{lower}-{upper}]"


def _three_digits(number: float) -> str:
    decimals = 2 - min(len(str(int(number))) - 1, 2)
    return f"{number:,.{decimals}f}"
