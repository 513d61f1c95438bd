"""What reading blobs of older versions costs, by how many versions old they are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from ..result import Row
from .axis import log_axis, whole_axis
from .drawing import SHAPES, legend, line_swatch, panels
from .findings import Findings
from .lines import BOTTOM, LEFT, TOP, WIDE, Line, Mark, Side, line_chart
from .markup import Markup, join
from .words import ends_of, family_text, interval_text, ratio_tick, times_text

_LEVEL_ROOM: Final = 24.0
_ASIDE: Final = 0.07
"""How far marks of one age stand apart, in versions, so that none hides another."""


def age_charts(found: Findings) -> Markup:
    """A panel for each family, on the same axes; the thick line is a current blob."""
    rows = [row for row in found.result.rows if row.work == "migrate" and row.version is not None]
    ratios = [1.0, *(end for row in rows for end in ends_of(row.ratio))]
    ages = [_age(found, row) for row in rows]
    x = Side(whole_axis(ages, LEFT, WIDE - 8), "versions older than the current one", _count)
    axis = log_axis(ratios, BOTTOM, TOP, _LEVEL_ROOM)
    y = Side(axis, "times as long as a current blob (log scale)", ratio_tick)
    families = found.families(row.peer for row in rows)
    drawn = (
        line_chart(family_text(one), x, y, list(_lines(found, rows, one)), reference=1.0)
        for one in families
    )
    return join((_legend(found, rows), panels(drawn)))


def _legend(found: Findings, rows: Sequence[Row]) -> Markup:
    """The state by colour and mark, and by the line who reads."""
    there = {row.payload for row in rows}
    states = [one.label for one in found.result.payloads]
    keys = [
        (line_swatch(SHAPES[place % len(SHAPES)], f"series{place % len(SHAPES)}"), label)
        for place, label in enumerate(states)
        if label in there
    ]
    endings = dict.fromkeys(_engine(row.peer) for row in rows)
    engines = [
        (line_swatch("none", "other second" if place else "other"), name)
        for place, name in enumerate(endings)
    ]
    return legend(*keys, *engines)


def _engine(peer: str) -> str:
    return peer.partition(", ")[2] or peer


def _age(found: Findings, row: Row) -> int:
    assert row.version is not None
    return found.result.subject.version - row.version


def _count(number: float) -> str:
    return f"{number:.0f}"


def _lines(found: Findings, rows: Sequence[Row], family: str) -> Iterator[Line]:
    """One for each peer and payload."""
    own = [row for row in rows if found.peer(row.peer).family == family]
    peers = list(dict.fromkeys(row.peer for row in own))
    payloads = [one.label for one in found.result.payloads]
    pairs = [(payload, peer) for payload in payloads for peer in peers]
    for place, (payload, peer) in enumerate(pairs):
        each = [row for row in own if (row.peer, row.payload) == (peer, payload)]
        aside = (place - (len(pairs) - 1) / 2) * _ASIDE
        marks = sorted((_mark(found, row, aside) for row in each), key=lambda one: one.x)
        number = payloads.index(payload) % len(SHAPES)
        second = " second" if peers.index(peer) else ""
        if marks:
            name = f"{peer}, {payload}"
            style = f"series{number}{second}"
            yield Line(name, style, SHAPES[number], tuple(marks), named=False)


def _mark(found: Findings, row: Row, aside: float) -> Mark:
    ratio = row.ratio
    tip = (
        f"{row.peer}, {row.payload}, version {row.version}: {times_text(ratio.median)} times"
        f" as long (95 %: {interval_text(ratio)})"
    )
    return Mark(_age(found, row) + aside, ratio.median, ratio.lower, ratio.upper, tip)
