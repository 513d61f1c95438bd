"""Size by format: a bar for each kind of bytes, as stored and compressed, from nothing on."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Final

from ..result import Size
from .axis import Axis, linear_axis
from .drawing import TICK_ROOM, block_swatch, columns, legend, panel, panels, text
from .findings import Findings, common_name
from .markup import Markup, element, join
from .words import cut, size_tick, sizes_text

_LEFT: Final = 156
_RIGHT: Final = 346
_ROW: Final = 22
_NAME: Final = 24


def size_charts(found: Findings) -> Markup:
    """A panel for each payload, smallest first."""
    payloads = [one.label for one in found.result.payloads]
    drawn = (_panel(found, label, kinds) for label in payloads if (kinds := _kinds(found, label)))
    return join((_legend(), panels(drawn)))


def _legend() -> Markup:
    return legend(
        (block_swatch("bar ours"), "instar, as stored"),
        (block_swatch("bar other"), "others, as stored"),
        (block_swatch("bar zstd"), "the same with zstd"),
    )


def _kinds(found: Findings, payload: str) -> list[list[Size]]:
    """The sizes of a payload, together where peers store the same kind of bytes as many."""
    kinds: dict[tuple[object, ...], list[Size]] = defaultdict(list)
    for size in found.result.sizes:
        if size.payload == payload:
            peer = found.peer(size.peer)
            kinds[peer.ours, peer.family, size.raw, size.zstd].append(size)
    return sorted(kinds.values(), key=lambda each: each[0].raw)


def _panel(found: Findings, payload: str, kinds: list[list[Size]]) -> Markup:
    bottom = 8 + _ROW * len(kinds)
    axis = linear_axis(max(each[0].raw for each in kinds), _LEFT, _RIGHT, TICK_ROOM + 12)
    bars = [
        mark for row, each in enumerate(kinds) for mark in _bar(found, axis, each, 8 + _ROW * row)
    ]
    name = text("bytes of one state", (_LEFT + _RIGHT) / 2, bottom + 34, "axis", "middle")
    said = "; ".join(f"{_names(each)} {sizes_text(each[0].raw, each[0].zstd)}" for each in kinds)
    return panel(payload, said, bottom + 42, (*columns(axis, 4, bottom, size_tick), *bars, name))


def _bar(found: Findings, axis: Axis, each: list[Size], y: float) -> Iterator[Markup]:
    size, role = each[0], found.role(each[0].peer)
    label = _label(found, [one.peer for one in each])
    yield text(cut(label, _NAME), 8, y + 13, f"name {role}")
    yield _rect(axis, size.raw, (y + 3, 13), f"bar {role}", _tip(each, size.raw, "as stored"))
    if size.zstd is not None:
        yield _rect(axis, size.zstd, (y + 7, 5), "bar zstd", _tip(each, size.zstd, "with zstd"))


def _label(found: Findings, names: list[str]) -> str:
    """The name of a bar. An engine is not in it: both of instar's store the same bytes."""
    if found.is_ours(names[0]):
        return names[0].partition(", ")[0]
    return found.label(names[0]) if len(names) == 1 else common_name(names)


def _tip(each: list[Size], size: int, how: str) -> str:
    return f"{_names(each)}: {size:,} bytes {how}"


def _names(each: list[Size]) -> str:
    return " and ".join(one.peer for one in each)


def _rect(axis: Axis, size: int, band: tuple[float, float], class_: str, tip: str) -> Markup:
    width, (y, height) = axis.place(size) - _LEFT, band
    return element(
        "rect",
        element("title", tip),
        x=_LEFT,
        y=y,
        width=width,
        height=height,
        rx=1.5,
        class_=class_,
        data_value=str(size),
    )
