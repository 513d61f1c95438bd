"""Time by format and size: a row for each peer, a panel for each payload, on a log axis."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ..result import Row, Tie
from ..table import time_text
from .axis import Axis, log_axis
from .drawing import TICK_ROOM, WIDTH, columns, key, legend, mark, panel, panels, rule, swatch, text
from .findings import Findings
from .markup import Markup, join
from .words import GIVES, cut, ends_of, quartiles_text, time_tick

_LEFT: Final = 156
_RIGHT: Final = 300
_ROW: Final = 19
_HEAD: Final = 24
_NAME: Final = 24


def time_charts(found: Findings) -> Markup:
    """Panels with the time to hydrate and to dehydrate, in groups of what hydrating gives."""
    payloads = [one.label for one in found.result.payloads if found.rows("hydrate", one.label)]
    return join((_legend(), panels(_Panel(found, label).drawn() for label in payloads)))


def _legend() -> Markup:
    bracket = key(rule(8, 1, 8, 15, "tie"))
    return legend(
        (swatch("circle", "ours"), "hydrate, instar"),
        (swatch("circle", "other"), "hydrate, others"),
        (swatch("circle", "unsafe"), "hydrate, unsafe"),
        (swatch("diamond", "other hollow"), "dehydrate"),
        (bracket, "no difference shown in hydrating"),
    )


class _Panel:
    """One payload; ``y`` is how far down the drawing has come."""

    def __init__(self, found: Findings, payload: str) -> None:
        self.found, self.payload = found, payload
        self.back = {row.peer: row for row in found.rows("dehydrate", payload)}
        self.groups = {gives: found.rows("hydrate", payload, gives) for gives in GIVES}
        there = found.rows("hydrate", payload)
        times = [row.seconds.median for row in self.back.values()]
        times.extend(end for row in there for end in ends_of(row.seconds))
        self.axis: Axis = log_axis(times, _LEFT + 6, _RIGHT - 6, TICK_ROOM)
        self.y = 0.0

    def drawn(self) -> Markup:
        """The panel."""
        marks = [
            each for gives, rows in self.groups.items() if rows for each in self._group(gives, rows)
        ]
        grid = columns(self.axis, 6, self.y + 6, time_tick)
        name = text(
            "time of one run (log scale)", (_LEFT + _RIGHT) / 2, self.y + 38, "axis", "middle"
        )
        return panel(self.payload, self._alternative(), self.y + 46, (*grid, *marks, name))

    def _group(self, gives: str, rows: list[Row]) -> Iterator[Markup]:
        self.y += _HEAD
        yield text(f"to {GIVES[rows[0].gives]}", 0, self.y - 4, "group")
        places: dict[str, float] = {}
        for row in rows:
            self.y += _ROW
            places[row.peer] = self.y - 6
            yield from self._row(row, self.y - 6)
        for tie in self.found.result.ties:
            if (tie.work, tie.payload, tie.gives) == ("hydrate", self.payload, gives):
                yield from _bracket(tie, places)

    def _row(self, row: Row, y: float) -> Iterator[Markup]:
        role = self.found.role(row.peer)
        yield text(cut(self.found.label(row.peer), _NAME), 8, y + 4, f"name {role}")
        yield rule(_LEFT, y, _RIGHT, y, "track")
        if row.peer in self.back:
            yield self._mark("diamond", self.back[row.peer], y, f"{role} hollow")
        left, right = (self.axis.place(end) for end in (row.seconds.lower, row.seconds.upper))
        yield rule(left, y, right, y, f"whisker {role}")
        yield self._mark("circle", row, y, role)
        yield text(time_text(row.seconds.median), WIDTH, y + 4, "value", "end")

    def _mark(self, shape: str, row: Row, y: float, class_: str) -> Markup:
        seconds = row.seconds
        took = f"{time_text(seconds.median)} (quartiles {quartiles_text(seconds)})"
        tip = f"{row.peer}, {row.work}: {took}"
        at = self.axis.place(seconds.median), y
        return mark(shape, at, class_, seconds.median, tip)

    def _alternative(self) -> str:
        return "; ".join(self._said(row) for rows in self.groups.values() for row in rows)

    def _said(self, row: Row) -> str:
        name, took = self.found.label(row.peer), time_text(row.seconds.median)
        return f"{name} {took} to hydrate{self._dehydrate(row)}"

    def _dehydrate(self, row: Row) -> str:
        back = self.back.get(row.peer)
        return f", {time_text(back.seconds.median)} to dehydrate" if back else ""


def _bracket(tie: Tie, places: dict[str, float]) -> Iterator[Markup]:
    """A line beside the names that no order was shown of."""
    ys = [places[name] for name in tie.peers if name in places]
    if ys:
        yield rule(2, min(ys) - 6, 2, max(ys) + 6, "tie")
