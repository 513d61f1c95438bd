"""What the page says is what the result holds."""

from __future__ import annotations

import math
import re
from dataclasses import replace

import pytest
from bench_results import LABELS, OURS, PEERS
from html_nodes import Node, parse

from instar.bench.page import render
from instar.bench.result import Result
from instar.bench.table import time_text


def table(page: Node, name: str) -> list[list[Node]]:
    """The cells of a table's rows, headings aside."""
    found = next(one for one in page.all("table") if one.attributes.get("id") == name)
    rows = found.all("tbody")[0].all("tr")
    return [[cell for cell in row.children if cell.name in ("th", "td")] for row in rows]


def marks(node: Node, class_: str = "mark", name: str = "path") -> list[Node]:
    return [one for one in node.all(name, class_) if one.value() is not None]


def test_every_time_is_in_the_table(page: Node, result: Result) -> None:
    """Each row of the result is a row of the table, in order, with its exact numbers."""
    rows = table(page, "times")
    assert len(rows) == len(result.rows)
    for row, cells in zip(result.rows, rows, strict=True):
        assert cells[0].text.removesuffix(" (unsafe)") == row.peer
        assert cells[1].text.startswith(row.work)
        assert cells[2].text == row.payload
        assert cells[4].value() == row.seconds.median
        assert cells[4].text == time_text(row.seconds.median)
        assert cells[6].value() == row.ratio.median
        assert cells[9].text == row.base


def test_versions_and_paths_are_in_the_table(page: Node) -> None:
    """Work on old blobs says of which version, and a projection says what it reads."""
    works = {cells[1].text for cells in table(page, "times")}
    assert {"migrate from version 1", "migrate from version 2", "project id, x"} <= works


def test_ranks_are_given_as_found(page: Node) -> None:
    """A rank is one place, or the places that no difference was shown between, or none."""
    ranks = {(cells[0].text, cells[1].text): cells[8].text for cells in table(page, "times")}
    assert ranks[OURS[0], "hydrate"] == "1 to 2"
    assert ranks["msgspec json", "hydrate"] == "3"
    assert ranks[OURS[0], "project id, x"] == "-"


def test_sizes_and_memory_are_in_the_table(page: Node, result: Result) -> None:
    """Every peer and payload has its bytes and memory, and a dash where there is no number."""
    rows = table(page, "bytes")
    assert len(rows) == len(result.sizes)
    for size, memory, cells in zip(result.sizes, result.memory, rows, strict=True):
        found = [cell.value() for cell in cells[2:]]
        assert found == [size.raw, size.zstd, memory.held, memory.extra, memory.blocks]
        assert cells[2].text == f"{size.raw:,}"
        assert (cells[3].text == "-") == (size.zstd is None)


def test_growth_is_in_the_table(page: Node, result: Result) -> None:
    """Exponents and verdicts stand as the result has them."""
    rows = table(page, "growth")
    found = [(cells[2].value(), cells[4].value(), cells[5].text) for cells in rows]
    assert found == [
        (1.04, 0.99, "not shown to be worse than linear"),
        (1.24, 1.01, "worse than linear"),
    ]
    assert len(result.scales) == len(rows)


def test_marks_of_times(page: Node, result: Result) -> None:
    """The chart of times has a mark for each hydration and each dehydration."""
    drawn = page.section("Time by format and size").all("figure")
    assert len(drawn) == len(LABELS)
    for figure, label in zip(drawn, LABELS, strict=True):
        wanted = [
            row.seconds.median
            for row in result.rows
            if row.payload == label and row.work in ("hydrate", "dehydrate")
        ]
        assert sorted(one.value() or 0 for one in marks(figure)) == sorted(wanted)


def test_marks_lie_where_their_numbers_say(page: Node) -> None:
    """On a log axis the distance of two marks is the logarithm of their ratio, times a constant."""
    for figure in page.section("Time by format and size").all("figure"):
        drawn = [one for one in marks(figure) if "hollow" not in one.classes]
        at = [float(re.findall(r"M([\d.]+)", str(one.attributes["d"]))[0]) for one in drawn]
        logs = [math.log(one.value() or 0) for one in drawn]
        slopes = [(x - at[0]) / (log - logs[0]) for x, log in zip(at[1:], logs[1:], strict=True)]
        assert slopes == pytest.approx([slopes[0]] * len(slopes), rel=0.02)
        assert slopes[0] > 0


def test_bars_of_sizes(page: Node, result: Result) -> None:
    """Bars have all sizes, begin at nothing, and are as long as their numbers say."""
    figures = page.section("Size by format").all("figure")
    for figure, label in zip(figures, LABELS, strict=True):
        bars = marks(figure, "bar", "rect")
        sizes = [size for size in result.sizes if size.payload == label]
        wanted = [number for size in sizes for number in (size.raw, size.zstd) if number]
        assert sorted(bar.value() or 0 for bar in bars) == sorted(wanted)
        units = [float(bar.attributes["width"] or 0) / (bar.value() or 1) for bar in bars]
        assert units == pytest.approx([units[0]] * len(units), rel=0.02)


def test_peers_with_the_same_bytes_share_a_bar(result: Result) -> None:
    """Two peers that store as many bytes of a kind have one bar with what their names share."""
    sizes = [replace(size, raw=77, zstd=55) for size in result.sizes if size.peer in OURS]
    text = render(replace(result, sizes=tuple(sizes)))
    figure = parse(text).section("Size by format").all("figure")[0]
    assert [one.text for one in figure.all("text", "name")] == ["instar avro"]


def test_lines_of_old_blobs(page: Node, result: Result) -> None:
    """Every ratio of an old blob has a mark, and a line says what a current one takes."""
    section = page.section("Migration cost by age")
    wanted = [row.ratio.median for row in result.rows if row.work == "migrate"]
    assert sorted(one.value() or 0 for one in marks(section)) == sorted(wanted)
    assert all(figure.all("line", "base") for figure in section.all("figure"))


def test_lines_against_size(page: Node, result: Result) -> None:
    """Every hydration has a mark in the chart against payload size, too."""
    section = page.section("Hydration against payload size")
    wanted = [row.seconds.median for row in result.rows if row.work == "hydrate"]
    assert sorted(one.value() or 0 for one in marks(section)) == sorted(wanted)
    lines = [one for one in section.all("polyline") if "leader" not in one.classes]
    assert len(lines) == len(PEERS)


def test_lines_of_growth(page: Node, result: Result) -> None:
    """Time and memory of every point of a scale have their marks."""
    time, _, memory = page.section("Growth").all("figure")
    points = [point for scale in result.scales for point in scale.points]
    assert sorted(one.value() or 0 for one in marks(time)) == sorted(
        point.seconds.median for point in points
    )
    assert sorted(one.value() or 0 for one in marks(memory)) == sorted(p.peak for p in points)


def test_pieces_of_cold_starts(page: Node, result: Result) -> None:
    """A cold start has a piece for each phase, one behind the other, and its total."""
    section = page.section("Cold start")
    pieces = marks(section, "piece", "rect")
    wanted = [phase.seconds.median for start in result.cold for phase in start.phases]
    assert [one.value() for one in pieces] == wanted
    first = [one.attributes for one in pieces[: len(result.cold[0].phases)]]
    ends = [float(one["x"] or 0) + float(one["width"] or 0) for one in first]
    assert ends[:-1] == pytest.approx([float(one["x"] or 0) for one in first[1:]], abs=0.02)
    totals = [one.text for one in section.all("text", "value")]
    assert totals == [time_text(start.total.median) for start in result.cold]
