"""Every number of a result, as tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ..measure import Spread
from ..result import Memory, Result, Row, Scale, Size, Tie
from ..table import time_text
from .findings import Findings
from .grid import Cell, Column, grid, grid_row
from .markup import Markup, element, join
from .words import SHORT, interval_text, quartiles_text, rank_text, times_text

_TIMES: Final = (
    Column("peer"),
    Column("work"),
    Column("state"),
    Column("gives"),
    Column("median", number=True),
    Column("quartiles", number=True),
    Column("ratio", number=True),
    Column("95 % interval", number=True),
    Column("rank", number=True),
    Column("to"),
)
_BYTES: Final = (
    Column("peer"),
    Column("state"),
    Column("bytes", number=True),
    Column("with zstd", number=True),
    Column("memory held", number=True),
    Column("peak beyond", number=True),
    Column("blocks", number=True),
)
_GROWTH: Final = (
    Column("peer"),
    Column("work"),
    Column("exponent of time", number=True),
    Column("95 % interval", number=True),
    Column("exponent of memory", number=True),
    Column("verdict"),
)
_TIES: Final = (Column("work"), Column("state"), Column("gives"), Column("no difference shown"))


def times_table(found: Findings) -> Markup:
    """All rows that were timed, with the choices that narrow them down."""
    rows = [_times_row(found, row) for row in found.result.rows]
    table = grid("Every time that was taken", _TIMES, rows, id_="times")
    return join((_choices(found.result), table))


def _choices(result: Result) -> Markup:
    """What is shown of the table; the script of the page makes them work, and visible."""
    offered = (
        ("work", dict.fromkeys(row.work for row in result.rows)),
        ("state", dict.fromkeys(row.payload for row in result.rows)),
        ("gives", dict.fromkeys(row.gives for row in result.rows)),
    )
    selects = (_select(name, list(values)) for name, values in offered)
    return element("p", *selects, class_="choices", hidden=True)


def _select(name: str, values: Sequence[str]) -> Markup:
    options = [
        element("option", "all", value=""),
        *(element("option", value, value=value) for value in values),
    ]
    return element("label", f"{name} ", element("select", *options, data_choice=name))


def _times_row(found: Findings, row: Row) -> Markup:
    seconds, ratio = row.seconds, row.ratio
    cells = (
        Cell(found.label(row.peer)),
        Cell(_work(row)),
        Cell(row.payload),
        Cell(SHORT[row.gives]),
        Cell(time_text(seconds.median), seconds.median),
        Cell(quartiles_text(seconds), _width(seconds)),
        Cell(times_text(ratio.median), ratio.median),
        Cell(interval_text(ratio), _width(ratio)),
        Cell(rank_text(row.rank), None if row.rank is None else sum(row.rank) / 2),
        Cell(row.base),
    )
    ours = "ours" if found.is_ours(row.peer) else None
    return grid_row(
        _TIMES, cells, class_=ours, data_work=row.work, data_state=row.payload, data_gives=row.gives
    )


def _work(row: Row) -> str:
    version = f" from version {row.version}" if row.version is not None else ""
    paths = f" {', '.join(row.paths)}" if row.paths else ""
    return f"{row.work}{version}{paths}"


def _width(spread: Spread) -> float:
    return spread.upper - spread.lower


def bytes_table(found: Findings) -> Markup:
    """Sizes and memory, a row for each peer and payload."""
    memory = {(one.peer, one.payload): one for one in found.result.memory}
    sizes = {(one.peer, one.payload): one for one in found.result.sizes}
    rows = [
        _bytes_row(found, *key, sizes.get(key), memory.get(key))
        for key in dict.fromkeys((*sizes, *memory))
    ]
    return grid("Bytes stored, and memory that hydrating takes", _BYTES, rows, id_="bytes")


def _bytes_row(
    found: Findings, peer: str, payload: str, size: Size | None, memory: Memory | None
) -> Markup:
    cells = (
        Cell(found.label(peer)),
        Cell(payload),
        *_size_cells(size),
        *_memory_cells(memory),
    )
    return grid_row(_BYTES, cells, class_="ours" if found.is_ours(peer) else None)


def _size_cells(size: Size | None) -> Sequence[Cell]:
    return [_count(None)] * 2 if size is None else [_count(size.raw), _count(size.zstd)]


def _memory_cells(memory: Memory | None) -> Sequence[Cell]:
    if memory is None:
        return [_count(None)] * 3
    return [_count(number) for number in (memory.held, memory.extra, memory.blocks)]


def _count(number: int | None) -> Cell:
    return Cell("-") if number is None else Cell(f"{number:,}", number)


def growth_table(found: Findings) -> Markup:
    """The exponents of growth; 1 is linear."""
    rows = [_growth_row(found, scale) for scale in found.result.scales]
    return grid("How time and memory grow: 1 is linear", _GROWTH, rows, id_="growth")


def _growth_row(found: Findings, scale: Scale) -> Markup:
    cells = (
        Cell(found.label(scale.peer)),
        Cell(scale.work),
        Cell(times_text(scale.time.median), scale.time.median),
        Cell(interval_text(scale.time), _width(scale.time)),
        Cell(times_text(scale.memory), scale.memory),
        Cell("worse than linear" if scale.worse else "not shown to be worse than linear"),
    )
    return grid_row(_GROWTH, cells)


def ties_table(found: Findings) -> Markup:
    """The rankings that are refused."""
    rows = [_ties_row(tie) for tie in found.result.ties]
    return grid("No difference shown, so no order is given", _TIES, rows, id_="ties")


def _ties_row(tie: Tie) -> Markup:
    version = f" from version {tie.version}" if tie.version is not None else ""
    peers = "; ".join(tie.peers)
    cells = (Cell(f"{tie.work}{version}"), Cell(tie.payload), Cell(SHORT[tie.gives]), Cell(peers))
    return grid_row(_TIES, cells)
