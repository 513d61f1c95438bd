"""The page in a real browser: it loads in silence, is drawn, sorts, and fits a phone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from browser import Browser, browser, find_browser

from instar.bench.page import write_page
from instar.bench.result import Result

MEDIANS = (
    "[...document.querySelectorAll('#times tbody td:nth-child(5)')].map(c => +c.dataset.value)"
)
HEAD = "document.querySelectorAll('#times thead th')[4]"


@pytest.fixture(scope="module")
def shown(result: Result, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """A browser that has the page open."""
    path = find_browser()
    if path is None:
        pytest.skip("there is no Chromium here to look at the page with")
    folder = tmp_path_factory.mktemp("page")
    write_page(result, folder / "page.html")
    with browser(path, folder / "profile") as started:
        started.open(folder / "page.html")
        yield started


def test_it_loads_in_silence(shown: Browser) -> None:
    """Nothing is said on the console, nothing is thrown, nothing but the file is asked for."""
    shown.run("1")
    assert shown.told("Runtime.consoleAPICalled") == []
    assert shown.told("Runtime.exceptionThrown") == []
    assert shown.told("Log.entryAdded") == []
    asked = [event["request"]["url"] for event in shown.told("Network.requestWillBeSent")]
    assert [Path(url).name for url in asked] == ["page.html"]


def test_charts_are_drawn(shown: Browser) -> None:
    """Every chart has marks that take up room within it."""
    script = """
        [...document.querySelectorAll('figure')].map(figure => {
            const outer = figure.getBoundingClientRect();
            const marks = [...figure.querySelectorAll('[data-value]')];
            return marks.filter(mark => {
                const box = mark.getBoundingClientRect();
                return box.width > 0 && box.height > 0 && box.left >= outer.left - 1
                    && box.right <= outer.right + 1 && box.bottom <= outer.bottom + 1;
            }).length / marks.length;
        })"""
    found = shown.run(script)
    assert len(found) > 10
    assert found == [1] * len(found)


def test_a_click_sorts(shown: Browser) -> None:
    """A click sorts by the column, a second one the other way round, and aria-sort says so."""
    shown.run(f"{HEAD}.querySelector('button').click()")
    first = shown.run(MEDIANS)
    assert first == sorted(first)
    assert len(set(first)) > 10
    assert shown.run(f"{HEAD}.getAttribute('aria-sort')") == "ascending"
    shown.run(f"{HEAD}.querySelector('button').click()")
    assert shown.run(MEDIANS) == sorted(first, reverse=True)
    assert shown.run(f"{HEAD}.getAttribute('aria-sort')") == "descending"
    assert shown.run("document.querySelectorAll('#times [aria-sort]').length") == 1


def test_the_keyboard_sorts(shown: Browser) -> None:
    """Enter on a heading sorts, and what has no number comes last."""
    head = "document.querySelectorAll('#bytes thead th')[3]"
    shown.run(f"{head}.querySelector('button').focus()")
    for wanted in ("ascending", "descending"):
        shown.press("Enter")
        assert shown.run(f"{head}.getAttribute('aria-sort')") == wanted
        cells = shown.run(
            "[...document.querySelectorAll('#bytes tbody td:nth-child(4)')].map(c => c.textContent)"
        )
        numbers = [int(cell.replace(",", "")) for cell in cells if cell != "-"]
        assert numbers == sorted(numbers, reverse=wanted == "descending")
        assert cells[: len(numbers)].count("-") == 0 < cells.count("-")


def test_a_choice_narrows_the_table(shown: Browser, result: Result) -> None:
    """Choosing one kind of work shows its rows alone, and choosing all shows all."""
    script = """(value => {
        const select = document.querySelector("[data-choice=work]");
        select.value = value;
        select.dispatchEvent(new Event("change", {bubbles: true}));
        return [...document.querySelectorAll("#times tbody tr")]
            .filter(row => row.offsetHeight).map(row => row.dataset.work);
    })"""
    found = shown.run(f"{script}('migrate')")
    assert found == ["migrate"] * sum(row.work == "migrate" for row in result.rows)
    assert len(shown.run(f"{script}('')")) == len(result.rows)


def test_it_fits_a_phone(shown: Browser) -> None:
    """At 360 pixels the page does not scroll sideways, and a wide table does in its own box."""
    size = {"width": 360, "height": 740, "deviceScaleFactor": 1, "mobile": True}
    shown.call("Emulation.setDeviceMetricsOverride", **size)
    try:
        assert shown.run("innerWidth") == 360
        assert shown.run("document.documentElement.scrollWidth") == 360
        box = "document.querySelector('#times').parentElement"
        assert shown.run(f"{box}.scrollWidth > {box}.clientWidth")
        sizes = "[...document.querySelectorAll('.panel svg')].map(svg => svg.clientWidth)"
        assert min(shown.run(sizes)) > 300
    finally:
        shown.call("Emulation.clearDeviceMetricsOverride")


def test_dark_and_light(shown: Browser) -> None:
    """The ground is dark where the reader prefers that, and the writing bright."""
    grounds: dict[str, tuple[int, int]] = {}
    for scheme in ("light", "dark"):
        feature = {"name": "prefers-color-scheme", "value": scheme}
        shown.call("Emulation.setEmulatedMedia", features=[feature])
        style = "getComputedStyle(document.body)"
        first = "match(/\\d+/)[0]"
        grounds[scheme] = (
            int(shown.run(f"{style}.backgroundColor.{first}")),
            int(shown.run(f"{style}.color.{first}")),
        )
    assert grounds["light"][0] - grounds["light"][1] > 100
    assert grounds["dark"][1] - grounds["dark"][0] > 100
