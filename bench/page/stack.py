"""Cold starts: one bar for each format, made of the phases of a new process."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from ..result import ColdStart
from ..table import time_text
from .axis import Axis, linear_axis
from .drawing import TICK_ROOM, WIDTH, block_swatch, columns, legend, panel, panels, rule, text
from .markup import Markup, element, join
from .words import cut, quartiles_text, time_tick

_RIGHT: Final = 296
_ROW: Final = 40
_SHADES: Final = 6


def cold_charts(starts: Sequence[ColdStart]) -> Markup:
    """A panel for each payload that was started with: peers beneath each other."""
    payloads = dict.fromkeys(start.payload for start in starts)
    drawn = (_panel(p, [start for start in starts if start.payload == p]) for p in payloads)
    names = dict.fromkeys(phase.name for start in starts for phase in start.phases)
    keys = legend(*((block_swatch(_shade(place)), name) for place, name in enumerate(names)))
    return join((keys, panels(drawn)))


def _shade(place: int) -> str:
    return f"phase{place % _SHADES}"


def _panel(payload: str, starts: list[ColdStart]) -> Markup:
    bottom = 4 + _ROW * len(starts)
    longest = max(max(start.total.upper, _whole(start)) for start in starts)
    axis = linear_axis(longest, 0, _RIGHT, TICK_ROOM + 14)
    axis_name = text("processor time of a new process", _RIGHT / 2, bottom + 34, "axis", "middle")
    bars = [m for row, start in enumerate(starts) for m in _bar(axis, start, 4 + _ROW * row)]
    drawn = (*columns(axis, 4, bottom, time_tick), *bars, axis_name)
    return panel(payload, "; ".join(map(_said, starts)), bottom + 42, drawn)


def _whole(start: ColdStart) -> float:
    return sum(phase.seconds.median for phase in start.phases)


def _bar(axis: Axis, start: ColdStart, y: float) -> Iterator[Markup]:
    yield text(cut(start.peer, 40), 0, y + 14, "name ours")
    done = 0.0
    for place, phase in enumerate(start.phases):
        seconds = phase.seconds.median
        left, done = axis.place(done), done + seconds
        tip = f"{start.peer}, {phase.name}: {time_text(seconds)} ({quartiles_text(phase.seconds)})"
        yield element(
            "rect",
            element("title", tip),
            x=left,
            y=y + 19,
            width=max(axis.place(done) - left, 0.5),
            height=14,
            class_=f"piece {_shade(place)}",
            data_value=repr(seconds),
        )
    ends = (axis.place(start.total.lower), axis.place(start.total.upper))
    yield rule(ends[0], y + 36, ends[1], y + 36, "whisker other")
    yield text(time_text(start.total.median), WIDTH, y + 30, "value", "end")


def _said(start: ColdStart) -> str:
    phases = ", ".join(f"{one.name} {time_text(one.seconds.median)}" for one in start.phases)
    return f"{start.peer} {time_text(start.total.median)} in all: {phases}"
