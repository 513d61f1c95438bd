"""The time to hydrate against the size of the state, on log axes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from ..result import Row
from ..table import time_text
from .axis import Axis, log_axis
from .drawing import TICK_ROOM, legend, line_swatch, panels
from .findings import Findings
from .lines import BOTTOM, LEFT, RIGHT, TOP, Line, Mark, Side, line_chart
from .markup import Markup, join
from .words import ends_of, family_text, quartiles_text, size_tick, time_tick

_LEVEL_ROOM: Final = 24.0


def growth_charts(found: Findings) -> Markup:
    """Hydration by the size of the payload: a panel for each family, on the same axes."""
    sizes = {one.label: float(one.size) for one in found.result.payloads}
    rows = [row for row in found.result.rows if row.work == "hydrate" and row.payload in sizes]
    x = _sizes(sizes.values(), "size of the state as JSON (log scale)")
    y = _times(end for row in rows for end in ends_of(row.seconds))
    families = found.families(row.peer for row in rows)
    drawn = (
        line_chart(family_text(one), x, y, _family(found, rows, sizes, one)) for one in families
    )
    return join((_legend(), panels(drawn)))


def _legend() -> Markup:
    return legend(
        (line_swatch("circle", "ours"), "instar"),
        (line_swatch("square", "ours second"), "instar, its other engine"),
        (line_swatch("circle", "other"), "others, to typed objects"),
        (line_swatch("triangle", "other hollow"), "others, to less than typed objects"),
        (line_swatch("circle", "unsafe"), "unsafe"),
    )


def _family(
    found: Findings, rows: Sequence[Row], sizes: dict[str, float], family: str
) -> list[Line]:
    names = dict.fromkeys(row.peer for row in rows if found.peer(row.peer).family == family)
    first = next((name for name in names if found.is_ours(name)), "")
    return [_line(found, [row for row in rows if row.peer == name], sizes, first) for name in names]


def _line(found: Findings, rows: Sequence[Row], sizes: dict[str, float], first: str) -> Line:
    name, role = rows[0].peer, found.role(rows[0].peer)
    full = rows[0].gives == "objects"
    second = role == "ours" and name != first
    marks = sorted((_row_mark(row, sizes[row.payload]) for row in rows), key=lambda one: one.x)
    style = f"{role} second" if second else role if full else f"{role} hollow"
    shape = "square" if second else "circle" if full else "triangle"
    return Line(_short(found, name), style, shape, tuple(marks))


def _short(found: Findings, name: str) -> str:
    """The name without its family, which stands above the chart."""
    family = found.peer(name).family
    return name.replace(f" {family}", "", 1) if found.is_ours(name) else found.label(name)


def _row_mark(row: Row, size: float) -> Mark:
    took = f"{time_text(row.seconds.median)} ({quartiles_text(row.seconds)})"
    tip = f"{row.peer}, {row.payload}: {took}"
    return Mark(size, row.seconds.median, row.seconds.lower, row.seconds.upper, tip)


def _sizes(values: Iterable[float], name: str) -> Side:
    axis: Axis = log_axis(values, LEFT + 8, RIGHT - 8, TICK_ROOM)
    return Side(axis, name, size_tick)


def _times(values: Iterable[float]) -> Side:
    return Side(
        log_axis(values, BOTTOM, TOP, _LEVEL_ROOM), "time to hydrate (log scale)", time_tick
    )
