"""How time and memory grow from one item to ten thousand, on log axes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final, TypeAlias

from ..payload.chosen import size_text
from ..result import Point, Scale
from ..table import time_text
from .axis import Axis, log_axis
from .drawing import SHAPES, TICK_ROOM, legend, line_swatch, panels
from .lines import BOTTOM, LEFT, TOP, WIDE, Line, Mark, Side, line_chart
from .markup import Markup, join
from .words import size_tick, time_tick

_LEVEL_ROOM: Final = 24.0
_SERIES: Final = 6
_KB: Final = 1000
_At: TypeAlias = Callable[[Point], Mark]


def scale_charts(scales: Sequence[Scale]) -> Markup:
    """Time, time for each kilobyte and peak memory against the bytes of a blob."""
    kinds: tuple[tuple[str, str, Callable[[float], str], _At], ...] = (
        ("Time", "time to hydrate (log scale)", time_tick, _time_mark),
        ("Time for each KB: level is linear", "time (log scale)", time_tick, _pace_mark),
        ("Memory", "peak of one run (log scale)", size_tick, _memory_mark),
    )
    drawn = (
        _chart(scales, title, Side(_level(scales, at), name, tick), at)
        for title, name, tick, at in kinds
    )
    return join((_legend(scales), panels(drawn)))


def _legend(scales: Sequence[Scale]) -> Markup:
    keys = ((line_swatch(*_look(place)), one.peer) for place, one in enumerate(scales))
    return legend(*keys)


def _look(place: int) -> tuple[str, str]:
    return SHAPES[place % len(SHAPES)], f"series{place % _SERIES}"


def _level(scales: Sequence[Scale], at: _At) -> Axis:
    marks = [at(point) for scale in scales for point in scale.points]
    values = (end for mark in marks for end in (mark.lower, mark.y, mark.upper))
    return log_axis(values, BOTTOM, TOP, _LEVEL_ROOM)


def _chart(scales: Sequence[Scale], title: str, y: Side, at: _At) -> Markup:
    sizes = (point.size for scale in scales for point in scale.points)
    axis = log_axis(sizes, LEFT + 8, WIDE - 8, TICK_ROOM)
    x = Side(axis, "bytes of the blob (log scale)", size_tick)
    return line_chart(title, x, y, list(_lines(scales, at)))


def _lines(scales: Sequence[Scale], at: _At) -> Iterator[Line]:
    for place, scale in enumerate(scales):
        shape, style = _look(place)
        yield Line(scale.peer, style, shape, tuple(map(at, scale.points)), named=False)


def _tip(point: Point, what: str) -> str:
    return f"{point.items:,} items, {size_text(point.size)}: {what}"


def _time_mark(point: Point) -> Mark:
    took = point.seconds
    tip = _tip(point, time_text(took.median))
    return Mark(point.size, took.median, took.lower, took.upper, tip)


def _pace_mark(point: Point) -> Mark:
    took, share = point.seconds, _KB / max(point.size, 1)
    tip = _tip(point, f"{time_text(took.median * share)} for each KB")
    return Mark(point.size, took.median * share, took.lower * share, took.upper * share, tip)


def _memory_mark(point: Point) -> Mark:
    tip = _tip(point, f"{point.peak:,} bytes at the peak")
    return Mark(point.size, point.peak, point.peak, point.peak, tip)
