"""The table of hydration fits in 100 columns and says what was found; JSON says it whole."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import instar
from instar.bench import peer_runs
from instar.bench.hydration import main
from instar.bench.measure import Spread
from instar.bench.measures import Finding, Found
from instar.bench.measures_table import MEASURES
from instar.bench.report import HEADINGS, cells, line, plain, ratio_text
from instar.errors import ConfigError

RATIO = Spread(0.5, 0.4, 0.6)


def finding(found: Found | None = None, why: str = "") -> Finding:
    return Finding(MEASURES[0], "1.5 KB", 0.45, found, why)


@pytest.mark.parametrize(
    ("ratio", "text"),
    [
        (Spread(0.8012, 0.79, 0.9), "0.801 [0.790-0.900]"),
        (Spread(28.11, 9.456, 134.6), "28.1 [9.46-135]"),
        (Spread(0.00512, 0.0099, 0.01), "0.0051 [0.0099-0.010]"),
        (Spread(0, 0, 0), "0.0000 [0.0000-0.0000]"),
    ],
)
def test_ratio_text(ratio: Spread, text: str) -> None:
    """A ratio has three digits or so, small ones too, since some targets are small."""
    assert ratio_text(ratio) == text


def test_cells() -> None:
    """A row says measure, peer, size, ratio, target and whether it is met."""
    assert cells(finding(Found(RATIO)))[3:] == ("1.5 KB", "0.500 [0.400-0.600]", "0.45", "no")
    assert cells(finding(Found(Spread(0.4, 0.4, 0.4))))[-1] == "yes"


def test_reasons() -> None:
    """A reason stands in the row where it fits; a long one is told below the table."""
    assert cells(finding(why="not built"))[4:] == ("not built", "0.45", "-")
    assert cells(finding(why="there is no compiler on this machine"))[4] == "skipped, see below"


def test_every_row_fits() -> None:
    """No row is wider than 100 columns or runs into the next column, however it came out."""
    widest = Found(Spread(0.0012, 0.0011, 0.0013))
    for measure in MEASURES:
        for size in ("600 KB", "123 KB real"):
            row = cells(Finding(measure, size, max(measure.targets), widest))
            assert len(line(row)) <= 100
            assert [cell for cell in row if f"{cell}" not in line(row)] == []
            assert line(row).split("  ")[0].strip() == row[0]
    assert len(line(HEADINGS)) <= 100


def test_plain() -> None:
    """JSON has the ratio with its bounds, the seconds and the reason."""
    measured = plain(finding(Found(RATIO, 0.5, 1.0)))
    assert measured["ratio"] == {"median": 0.5, "lower": 0.4, "upper": 0.6}
    assert (measured["seconds"], measured["peer_seconds"]) == (0.5, 1.0)
    assert (measured["target"], measured["met"], measured["why"]) == (0.45, False, None)
    missing = plain(finding(why="not built"))
    assert (missing["ratio"], missing["met"], missing["why"]) == (None, None, "not built")


@pytest.mark.usefixtures("few_objects")
def test_table(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """The command prints the measures that were asked for, and what they depend on."""
    main(["--quick", "--only", "1", "13", "15", "--real", str(tmp_path)])
    heading, *rest = capsys.readouterr().out.splitlines()
    assert heading == line(HEADINGS)
    rows = rest[: rest.index("")]
    assert [row.split()[0] for row in rows] == ["1", "1", "1", "1", "13", "13", "15"]
    assert "there is no real data" in rows[3]
    assert f"engine {instar.engine().name}" in "\n".join(rest)
    assert max(map(len, [heading, *rest])) <= 100


def test_long_reasons(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A reason that does not fit in its row is told in full below the table, once."""
    why = "the deep copy in C cannot be built: there is no compiler"

    def refuse(_: object) -> None:
        raise ConfigError(why)

    monkeypatch.setattr(peer_runs, "deep_copier", refuse)
    main(["--quick", "--only", "3", "--real", str(tmp_path)])
    text = capsys.readouterr().out
    assert text.count("skipped, see below") == 3
    assert text.count(f"3: {why}") == 1


@pytest.mark.usefixtures("few_objects")
def test_json(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """With --json the same comes as one JSON object."""
    main(["--quick", "--json", "--only", "15", "--real", str(tmp_path)])
    found = json.loads(capsys.readouterr().out)
    assert found["engine"] == instar.engine().name
    (row,) = found["rows"]
    assert (row["measure"], row["size"], row["target"]) == (15, "1.5 KB", 0.15)
    assert row["ratio"]["lower"] <= row["ratio"]["median"] <= row["ratio"]["upper"]
    assert row["seconds"] > 0
    assert row["peer_seconds"] > 0


def test_engine_is_told(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The engine that ran is told, also where it was forced."""
    monkeypatch.setenv("INSTAR_ENGINE", "library")
    main(["--quick", "--json", "--only", "15", "--real", str(tmp_path)])
    assert json.loads(capsys.readouterr().out)["engine"] == "library"
