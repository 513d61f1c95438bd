"""What all charts are drawn with: a panel with its title, text, grid lines and marks.

A panel is 360 units wide, which is the width of a phone: there it is shown as it is, and
where there is room several stand side by side. So no text in it ever gets too small.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final

from .axis import Axis
from .markup import Markup, element

WIDTH: Final = 360
TICK_ROOM: Final = 42.0
"""Units between two labels below an axis."""


def panel(title: str, alternative: str, height: float, marks: Iterable[Markup]) -> Markup:
    """A figure of one chart. ``alternative`` says in words what it shows."""
    drawing = element(
        "svg",
        *marks,
        viewBox=f"0 0 {WIDTH} {height:.0f}",
        role="img",
        aria_label=f"{title}. {alternative}",
    )
    return element("figure", element("figcaption", title), drawing, class_="panel")


def panels(found: Iterable[Markup]) -> Markup:
    """Panels side by side where there is room."""
    return element("div", *found, class_="panels")


def text(content: str, x: float, y: float, class_: str = "", anchor: str = "start") -> Markup:
    """A line of text."""
    return element("text", content, x=x, y=y, class_=class_ or None, text_anchor=anchor)


def rule(x1: float, y1: float, x2: float, y2: float, class_: str) -> Markup:
    """A straight line."""
    return element("line", x1=x1, y1=y1, x2=x2, y2=y2, class_=class_)


def columns(
    axis: Axis, top: float, bottom: float, label: Callable[[float], str]
) -> Iterator[Markup]:
    """Grid lines that stand, with labels below them."""
    for line in map(axis.place, axis.lines):
        yield rule(line, top, line, bottom, "grid")
    for tick in axis.ticks:
        yield text(label(tick), axis.place(tick), bottom + 14, "tick", "middle")


def levels(
    axis: Axis, left: float, right: float, label: Callable[[float], str]
) -> Iterator[Markup]:
    """Grid lines that lie, with labels at their left."""
    for line in map(axis.place, axis.lines):
        yield rule(left, line, right, line, "grid")
    for tick in axis.ticks:
        yield text(label(tick), left - 6, axis.place(tick) + 4, "tick", "end")


def mark(shape: str, at: tuple[float, float], class_: str, value: float, tip: str) -> Markup:
    """A mark with the number that it stands for, and a text for whoever points at it."""
    return element(
        "path",
        element("title", tip),
        d=_path(shape, *at),
        class_=f"mark {class_}",
        data_value=repr(value),
    )


def legend(*entries: tuple[Markup, str]) -> Markup:
    """What the marks of a chart mean."""
    return element("p", *(element("span", key, label) for key, label in entries), class_="legend")


def key(*marks: Markup, width: int = 16) -> Markup:
    """A small drawing for a legend; its middle is at half the width, 8."""
    return element(
        "svg", *marks, viewBox=f"0 0 {width} 16", width=width, height=16, aria_hidden="true"
    )


def swatch(shape: str, class_: str) -> Markup:
    """The mark of a series, for a legend."""
    return key(element("path", d=_path(shape, 8, 8), class_=f"mark {class_}"))


def line_swatch(shape: str, class_: str) -> Markup:
    """A line with its mark, for a legend."""
    line = rule(0, 8, 26, 8, f"line {class_}")
    return key(line, element("path", d=_path(shape, 13, 8), class_=f"mark {class_}"), width=26)


def block_swatch(class_: str) -> Markup:
    """A filled square, for a legend."""
    return key(element("rect", x=2, y=3, width=11, height=11, rx=2, class_=class_))


def _path(shape: str, x: float, y: float) -> str:
    match shape:
        case "diamond":
            return f"M{x:.2f} {y - 5:.2f}l5 5l-5 5l-5 -5z"
        case "square":
            return f"M{x - 3.6:.2f} {y - 3.6:.2f}h7.2v7.2h-7.2z"
        case "none":
            return ""
        case "triangle":
            return f"M{x:.2f} {y - 4.8:.2f}l4.6 8.2h-9.2z"
        case _:
            return f"M{x - 4:.2f} {y:.2f}a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z"


SHAPES: Final = ("circle", "square", "triangle", "diamond")
