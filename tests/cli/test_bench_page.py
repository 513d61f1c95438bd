from __future__ import annotations

from pathlib import Path

import pytest
from cli.place import Run

from instar.bench.page import render
from instar.bench.result import Result
from instar.bench.result_file import read_result

SAMPLE = Path(__file__).resolve().parents[1] / "bench" / "sample_result.json"


def test_page(run: Run, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """--html writes what was measured as a page, beside the table."""
    result = read_result(SAMPLE)

    def measured(*_: object) -> Result:
        return result

    monkeypatch.setattr("instar.bench.whole_run.run_bench", measured)
    done = run("bench", "--html", "run.html")
    assert (done.code, done.err) == (0, "")
    assert "agent_state, version 3" in done.out
    assert (project / "run.html").read_text(encoding="utf-8") == render(result)


def test_page_nowhere(run: Run, project: Path) -> None:
    """A page that cannot be written is found before anything is measured."""
    done = run("bench", "--html", "none/run.html")
    assert done.code == 2
    assert "none/run.html" in done.err
    assert "cannot be written" in done.err


def test_no_page_of_a_comparison(run: Run, project: Path) -> None:
    """A comparison has no page, and says so."""
    done = run("bench", "--compare", "a.json", "b.json", "--html", "run.html")
    assert done.code == 2
    assert "--compare writes no page" in done.err
