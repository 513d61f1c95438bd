"""Tables that scroll in a box of their own and can be sorted by every column."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .markup import Markup, element


@dataclass(frozen=True, slots=True)
class Column:
    """A heading; ``number`` columns stand at the right and sort by value."""

    name: str
    number: bool = False


@dataclass(frozen=True, slots=True)
class Cell:
    """What is shown, and the number that it is sorted by; None sorts last."""

    shown: str
    value: float | None = None


def grid(
    name: str, columns: Sequence[Column], rows: Iterable[Markup], id_: str | None = None
) -> Markup:
    """A table under its name, in a box that can be scrolled with the keyboard, too."""
    head = element("thead", element("tr", *map(_heading, columns)))
    table = element("table", element("caption", name), head, element("tbody", *rows), id=id_)
    return element("div", table, class_="box", tabindex="0", role="region", aria_label=name)


def grid_row(
    columns: Sequence[Column], cells: Sequence[Cell], **attributes: str | bool | None
) -> Markup:
    """A row, whose first cell names it."""
    pairs = zip(columns, cells, strict=True)
    made = [_cell(column, cell, first=place == 0) for place, (column, cell) in enumerate(pairs)]
    return element("tr", *made, **attributes)


def _heading(column: Column) -> Markup:
    button = element("button", column.name, type="button")
    return element("th", button, scope="col", class_="number" if column.number else None)


def _cell(column: Column, cell: Cell, *, first: bool) -> Markup:
    value = None if cell.value is None else repr(cell.value)
    class_ = "number" if column.number else None
    if first:
        return element("th", cell.shown, scope="row", data_value=value)
    return element("td", cell.shown, class_=class_, data_value=value)
