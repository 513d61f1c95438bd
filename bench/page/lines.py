"""A chart of lines, whose names can stand at their ends: no legend has to be looked up then."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from .axis import Axis
from .drawing import WIDTH, columns, levels, mark, panel, rule, text
from .markup import Markup, element
from .words import cut

LEFT: Final = 46
RIGHT: Final = 210
"""Where lines end that have their names beside them."""
WIDE: Final = WIDTH - 8
"""Where those end whose names are in a legend."""
TOP: Final = 26
BOTTOM: Final = 216
_LABEL: Final = 11.5
"""Units between two names."""
_NAME: Final = 23


@dataclass(frozen=True, slots=True)
class Mark:
    """A number and where it stands, with the two ends of its spread; ``tip`` says it in words."""

    x: float
    y: float
    lower: float
    upper: float
    tip: str


@dataclass(frozen=True, slots=True)
class Line:
    """Marks that belong together. ``style`` are classes, and ``shape`` is that of the marks.

    ``named`` says that the name stands beside the last of them.
    """

    name: str
    style: str
    shape: str
    marks: tuple[Mark, ...]
    named: bool = True


@dataclass(frozen=True, slots=True)
class Side:
    """One axis with its name, and how its ticks are written."""

    axis: Axis
    name: str
    label: Callable[[float], str]


def line_chart(
    title: str, x: Side, y: Side, lines: Sequence[Line], reference: float | None = None
) -> Markup:
    """A panel of lines; ``reference`` is a height that they are compared with."""
    right = x.axis.end + 8
    drawn = [
        *columns(x.axis, TOP, BOTTOM, x.label),
        *levels(y.axis, LEFT, right, y.label),
        text(y.name, 0, 12, "axis"),
        text(x.name, (LEFT + right) / 2, BOTTOM + 32, "axis", "middle"),
    ]
    if reference is not None:
        drawn.append(rule(LEFT, y.axis.place(reference), right, y.axis.place(reference), "base"))
    for line in lines:
        drawn.extend(_line(line, x.axis, y.axis))
    drawn.extend(_names(lines, x.axis, y.axis))
    return panel(title, _alternative(x, y, lines), BOTTOM + 40, drawn)


def _line(line: Line, x: Axis, y: Axis) -> Iterator[Markup]:
    points = [(x.place(one.x), y.place(one.y)) for one in line.marks]
    path = " ".join(f"{px:.2f},{py:.2f}" for px, py in points)
    yield element("polyline", points=path, class_=f"line {line.style}")
    for one, (px, py) in zip(line.marks, points, strict=True):
        yield rule(px, y.place(one.lower), px, y.place(one.upper), f"whisker {line.style}")
        yield mark(line.shape, (px, py), line.style, one.y, one.tip)


def _names(lines: Iterable[Line], x: Axis, y: Axis) -> Iterator[Markup]:
    """Names beside the last marks, moved apart where they would lie on each other."""
    named = ((line.marks[-1], line) for line in lines if line.named)
    ends = sorted(named, key=lambda end: y.place(end[0].y))
    places = _apart([y.place(end.y) + 4 for end, _ in ends])
    for (end, line), place in zip(ends, places, strict=True):
        left = RIGHT + 12
        yield element(
            "polyline",
            points=f"{x.place(end.x) + 6:.2f},{y.place(end.y):.2f} {left - 3},{place - 4:.2f}",
            class_="leader",
        )
        role = line.style.partition(" ")[0]
        yield text(cut(line.name, _NAME), left, place, f"name small {role}")


def _apart(places: Sequence[float]) -> list[float]:
    """The sorted places, so far apart that names fit, within the height of the chart."""
    moved: list[float] = []
    for place in places:
        moved.append(max(place, moved[-1] + _LABEL) if moved else place)
    floor = BOTTOM + 4.0
    for number in range(len(moved) - 1, -1, -1):
        moved[number] = min(moved[number], floor)
        floor = moved[number] - _LABEL
    return moved


def _alternative(x: Side, y: Side, lines: Iterable[Line]) -> str:
    said = (
        f"{line.name}: " + ", ".join(f"{y.label(one.y)} at {x.label(one.x)}" for one in line.marks)
        for line in lines
    )
    return f"{y.name}, by {x.name}. " + "; ".join(said)
