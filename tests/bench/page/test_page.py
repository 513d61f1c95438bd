"""The page is safe, needs nothing beside itself, and says plainly what is to be known."""

from __future__ import annotations

import os
import re
from base64 import b64encode
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest
from bench_results import HOSTILE, LABELS, OURS
from html_nodes import Node, parse

from instar.bench.measure import Spread
from instar.bench.page import check_place, render, write_page
from instar.bench.result import Result, Row
from instar.errors import ConfigError

ROOT = Path(__file__).resolve().parents[3]
STYLE = (ROOT / "bench" / "page" / "page.css").read_text(encoding="utf-8")


def test_hostile_names_are_text(text: str, page: Node) -> None:
    """A name that looks like markup is shown as it is, and makes no element."""
    assert HOSTILE not in text
    assert len(page.all("script")) == 1
    assert not page.all("b") or all("alert" not in one.text for one in page.all("script"))
    assert page.all("h1")[0].text == HOSTILE
    assert HOSTILE in [cell.text for cell in page.all("th")]
    assert HOSTILE in [one.text for one in page.all("figcaption")]
    assert HOSTILE in [one.attributes.get("value") for one in page.all("option")]


def test_only_its_own_script_may_run(page: Node) -> None:
    """The page forbids everything but its own script, known by its digest, and its own style."""
    digest = b64encode(sha256(page.all("script")[0].text.encode()).digest()).decode()
    policy = next(m for m in page.all("meta") if "http-equiv" in m.attributes)
    wanted = f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'"
    assert policy.attributes["content"] == wanted


def test_nothing_is_loaded(text: str, page: Node) -> None:
    """No element, style or script refers to anything outside the page."""
    for name in ("link", "img", "image", "iframe", "object", "embed", "use", "base", "a"):
        assert not page.all(name)
    assert not re.search(r"https?:|url\(|@import|@font-face|fetch\(|XMLHttp", text)
    attributes = [name for node in everything(page) for name in node.attributes]
    assert not {"src", "href", "xlink:href", "srcset", "style"} & set(attributes)
    assert not [name for name in attributes if name.startswith("on")]


def everything(node: Node) -> list[Node]:
    return [node, *(one for child in node.children for one in everything(child))]


def test_every_chart_has_words(page: Node) -> None:
    """A chart has a title, a text that says its numbers, and a name for each axis it needs."""
    figures = page.all("figure")
    assert len(figures) > 10
    for figure in figures:
        title = figure.all("figcaption")[0].text
        drawing = figure.all("svg")[0]
        assert drawing.attributes["role"] == "img"
        said = drawing.attributes["aria-label"] or ""
        assert said.startswith(f"{title}. ")
        assert re.search(r"\d", said.removeprefix(title))
        assert [one.text for one in figure.all("text", "axis")]


@pytest.mark.parametrize(
    ("heading", "names"),
    [
        ("Time by format and size", ["time of one run (log scale)"]),
        ("Size by format", ["bytes of one state"]),
        ("Migration cost by age", ["times as long as a current blob (log scale)",
                                   "versions older than the current one"]),
        ("Hydration against payload size", ["time to hydrate (log scale)",
                                            "size of the state as JSON (log scale)"]),
        ("Cold start", ["processor time of a new process"]),
    ],
)  # fmt: skip
def test_axes(page: Node, heading: str, names: list[str]) -> None:
    """An axis says what it counts, and its ticks say in which unit."""
    for figure in page.section(heading).all("figure"):
        assert [one.text for one in figure.all("text", "axis")] == names
        ticks = [one.text for one in figure.all("text", "tick")]
        assert len(ticks) >= 2
        assert all(re.fullmatch(r"0|\d+|[\d.,]+( (ns|µs|ms|s|B|KB|MB|GB)|x)", t) for t in ticks)


def test_headings_sort(page: Node) -> None:
    """Every heading of every table is a button in a heading cell."""
    tables = page.all("table")
    assert len(tables) == 5
    for table in tables:
        heads = table.all("thead")[0].all("th")
        assert all(head.attributes["scope"] == "col" for head in heads)
        assert [len(head.all("button")) for head in heads] == [1] * len(heads)
        assert table.all("caption")[0].text
        assert {len(row.children) for row in table.all("tr")} == {len(heads)}


def test_unsafe_and_untyped_peers_are_labelled(page: Node) -> None:
    """Whoever sees a name sees that it is unsafe, and that dicts are no typed objects."""
    figure = page.section("Time by format and size").all("figure")[0]
    assert "pickle (unsafe)" in [one.text for one in figure.all("text", "name")]
    groups = [one.text for one in figure.all("text", "group")]
    assert groups == [
        "to typed objects",
        "to a library's own models",
        "to plain dicts, untyped and unchecked",
    ]
    assert "UNSAFE: runs code" in page.section("Peers").text


def test_what_was_left_out_is_said(page: Node) -> None:
    """A peer that is not installed is listed as such, and any other with its reason."""
    section = page.section("Peers")
    assert [one.text for one in section.all("h3")] == ["Not installed", "Not timed"]
    assert [one.text for one in section.all("li")] == [
        "langgraph, dicts: it is not installed",
        f"yaml on {LABELS[1]}: one hydration takes 0.9 s",
    ]


def test_findings_and_notes_are_said(page: Node, result: Result) -> None:
    """All that is wrong comes first, and all notes are there, some to be unfolded."""
    assert page.all("h2")[0].text == "What is wrong"
    assert [one.text for one in page.section("What is wrong").all("li")] == list(result.findings)
    many = replace(result, notes=tuple(f"note {number}" for number in range(20)))
    section = parse(render(many)).section("What to know before choosing")
    assert [one.text for one in section.all("li")] == list(many.notes)
    assert section.all("summary")[0].text == "12 more"


def test_refusals_to_rank_are_said(page: Node) -> None:
    """No order is claimed where none was shown: in the cards, in a table and by a line."""
    first = page.section("At a glance").all("section")[0]
    assert f"No difference shown: {OURS[0]}; {OURS[1]}" in first.text
    ties = page.all("details")[0]
    assert ties.all("summary")[0].text == "Rankings that are refused: 1"
    assert "; ".join(OURS) in [cell.text for cell in ties.all("td")]
    bracketed = [
        len(figure.all("line", "tie"))
        for figure in page.section("Time by format and size").all("figure")
    ]
    assert bracketed == [1, 0, 0]


def test_one_winner_is_named(result: Result) -> None:
    """Where one is first alone, it is named with its time; no tie is spoken of."""
    page = parse(render(ranked(result, OURS[0])))
    card = page.section("At a glance").all("section")[0]
    assert card.all("dd")[0].text == f"{OURS[0]} 2.10 µs"
    assert "not the fastest" not in card.text


def test_instar_not_the_fastest_is_said(result: Result) -> None:
    """Where another peer is first, that is said, with how much longer instar takes."""
    page = parse(render(ranked(result, "msgspec json")))
    card = page.section("At a glance").all("section")[0]
    assert card.all("dd")[0].text.startswith("msgspec json ")
    behind = card.all("dd", "behind")[0].text
    assert behind == f"instar is not the fastest: {OURS[0]} takes 4.00 times as long (2.10 µs)"


def ranked(result: Result, first: str) -> Result:
    """The result with one peer alone in the first place."""
    return replace(result, rows=tuple(_ranked(row, first) for row in result.rows))


def _ranked(row: Row, first: str) -> Row:
    ratio, rank = (Spread(1, 1, 1), (1, 1)) if row.peer == first else (Spread(4, 4, 4), (2, 4))
    return row if row.rank is None else replace(row, rank=rank, ratio=ratio)


def test_instar_not_the_smallest_is_said(result: Result) -> None:
    """Where another peer stores fewer bytes, that is said, with how many more instar takes."""
    sizes = [replace(s, raw=s.raw + 100) if s.peer in OURS else s for s in result.sizes]
    card = parse(render(replace(result, sizes=tuple(sizes)))).section("At a glance")
    said = [one.text for one in card.all("dd", "behind")]
    assert f"instar is not the smallest: {OURS[0]} takes 74 bytes more" in said


def test_method_and_environment_are_said(page: Node, result: Result) -> None:
    """The page says how it was measured, on what, and the command that does it again."""
    method, environment = page.section("Method"), page.section("Environment")
    assert method.all("code")[0].text == result.method.command
    for fact in (
        "thread time",
        "9 in each",
        "5, one after",
        "3 runs",
        "off while timing",
        "23 ns",
        "take 2 ns",
    ):
        assert fact in method.text
    for fact in ("A processor, 4 cores", "CPython 3.11", "kernel: it is installed", "0.20"):
        assert fact in environment.text


def test_a_result_of_nothing(result: Result) -> None:
    """A result without rows is a page all the same, without charts."""
    empty = replace(
        result, payloads=(), peers=(), left_out=(), rows=(), sizes=(), memory=(), cold=(),
        scales=(), ties=(), findings=(), notes=(),
    )  # fmt: skip
    page = parse(render(empty))
    assert [one.text for one in page.all("h2")] == ["Method", "Environment"]


def test_a_clock_that_stands_still(result: Result) -> None:
    """Times of nothing have no logarithm, and a page all the same."""
    still = Spread(0, 0, 0)
    rows = tuple(replace(row, seconds=still, ratio=still) for row in result.rows)
    page = parse(render(replace(result, rows=rows)))
    assert page.section("Time by format and size").all("path", "mark")


def test_write_page(tmp_path: Path, result: Result) -> None:
    """A file holds the page, whatever was in it; a name that is no text is written escaped."""
    file = tmp_path / "page.html"
    file.write_text("before" * 10**6)
    odd = replace(result, notes=(os.fsdecode(b"\xff"),))
    write_page(odd, file)
    written = file.read_text(encoding="utf-8")
    assert written.endswith("</html>\n")
    assert r"<li>\udcff</li>" in written


def test_write_page_where_there_is_no_folder(tmp_path: Path, result: Result) -> None:
    """A file that cannot be written is an error that names it."""
    with pytest.raises(ConfigError, match="cannot be written") as caught:
        write_page(result, tmp_path / "none" / "page.html")
    assert caught.value.where == str(tmp_path / "none" / "page.html")


def colours(style: str) -> dict[str, str]:
    return dict(re.findall(r"--([\w-]+): (#[0-9a-f]{3,6})", style))


def luminance(colour: str) -> float:
    """How bright a colour is, as WCAG 2 has it."""
    digits = colour.removeprefix("#")
    digits = digits if len(digits) == 6 else "".join(2 * digit for digit in digits)
    parts = [int(digits[place : place + 2], 16) / 255 for place in (0, 2, 4)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    dark, bright = sorted((luminance(one), luminance(other)))
    return (bright + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("theme", [0, 1, 2], ids=["light", "dark", "print"])
def test_contrast(theme: int) -> None:
    """Text has 4.5 to 1 on its ground and marks have 3 to 1, in light, in dark and on paper."""
    block = re.findall(r":root \{(.*?)\}", STYLE, flags=re.DOTALL)[theme]
    found = colours(block)
    for ground in ("paper", "card", "warn-paper", "mark"):
        for name in ("ink", "quiet", "ours", "warn"):
            assert contrast(found[name], found[ground]) >= 4.5, (name, ground)
    for name in ("other", "p0", "p1", "p2", "p3", "p4", "p5"):
        assert contrast(found[name], found["paper"]) >= 3, name
    for name in ("ours-soft", "other-soft", "warn-soft"):
        assert contrast(found["ink"], found[name]) >= 3, name


def test_place_is_checked_before(tmp_path: Path) -> None:
    """A place where no page can be written is found before anything is measured."""
    check_place(tmp_path / "page.html")
    for wrong in (tmp_path, tmp_path / "none" / "page.html"):
        with pytest.raises(ConfigError, match="cannot be written"):
            check_place(wrong)
