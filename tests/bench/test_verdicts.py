"""Two results are compared row by row, and chance is not taken for a change."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from instar.bench.measure import Spread
from instar.bench.result import Result, Row, Size
from instar.bench.result_file import from_json, read_result, to_json
from instar.bench.verdicts import Verdict, compare
from instar.errors import ConfigError

SAMPLE = Path(__file__).with_name("sample_result.json")
NONE = "no difference shown"


@pytest.fixture(scope="module")
def sample() -> Result:
    """A result of a real run."""
    return read_result(SAMPLE)


def row(name: str, logs: Sequence[float]) -> Row:
    return Row(
        work="hydrate",
        peer=name,
        gives="objects",
        payload="p",
        base="b",
        seconds=Spread(1, 1, 1),
        ratio=Spread(1, 1, 1),
        logs=tuple(logs),
    )


def drawn(
    sample: Result, seed: int, *, noise: float, slower: float = 1.0, rows: int = 60
) -> Result:
    """A result of five processes, each of which is off by chance, as a whole and row by row."""
    chance = random.Random(seed)  # noqa: S311 - no secret
    off = [chance.gauss(0, noise) for _ in range(5)]
    found = [
        row(f"peer {n}", [math.log(1 + n / 9) + each + chance.gauss(0, noise) for each in off])
        for n in range(rows)
    ]
    last = found[-1]
    found[-1] = replace(last, logs=tuple(one + math.log(slower) for one in last.logs))
    method = replace(sample.method, processes=5)
    return replace(sample, method=method, rows=tuple(found), sizes=())


@pytest.mark.parametrize("noise", [0.0, 0.01, 0.05, 0.2])
def test_one_build_twice(sample: Result, noise: float) -> None:
    """Two runs of one build show no difference in 19 of 20 rows, however noisy they are."""
    pairs = [(drawn(sample, n, noise=noise), drawn(sample, n + 100, noise=noise)) for n in range(8)]
    verdicts: list[Verdict] = []
    for before, after in pairs:
        found = compare(before, after, 0.05)
        verdicts += found.verdicts
    shown = sum(one.change != NONE for one in verdicts)
    assert len(verdicts) == 480
    assert shown <= len(verdicts) / 20


def test_slower(sample: Result) -> None:
    """A row that became slower is found, and only that one is beyond the margin."""
    before = drawn(sample, 1, noise=0.01)
    after = drawn(sample, 2, noise=0.01, slower=1.3)
    found = compare(before, after, 0.05)
    (beyond,) = (one for one in found.verdicts if one.beyond)
    assert (beyond.peer, beyond.change) == ("peer 59", "slower")
    assert beyond.ratio.lower < 1.3 < beyond.ratio.upper
    assert found.beyond
    back = compare(after, before, 0.05)
    assert [one.change for one in back.verdicts if one.peer == "peer 59"] == ["faster"]
    assert not back.beyond


def test_margin(sample: Result) -> None:
    """Slower by less than the margin is told, and let pass."""
    after = drawn(sample, 2, noise=0.01, slower=1.3)
    found = compare(drawn(sample, 1, noise=0.01), after, 0.5)
    assert [one.change for one in found.verdicts].count("slower") == 1
    assert not found.beyond


def test_same_file(sample: Result) -> None:
    """A real result differs from itself in nothing; the base, which is always 1, has no row."""
    found = compare(sample, sample, 0.0)
    assert {one.change for one in found.verdicts} == {NONE}
    assert {one.ratio.median for one in found.verdicts} == {1.0}
    assert not found.beyond
    assert found.only == found.notes == ()
    assert sample.method.base not in {one.peer for one in found.verdicts}


def test_sizes(sample: Result) -> None:
    """A size that grew by more than the margin is beyond it; one that did not is not told."""
    sizes = (
        Size(peer="a", payload="p", raw=100, zstd=None),
        Size(peer="b", payload="p", raw=100, zstd=None),
    )
    before = replace(drawn(sample, 1, noise=0.01), sizes=sizes)
    after = replace(before, sizes=(replace(sizes[0], raw=120), sizes[1]))
    (size,) = compare(before, after, 0.05).sizes
    assert (size.peer, size.before, size.after, size.beyond) == ("a", 100, 120, True)
    assert compare(before, after, 0.05).beyond
    assert not compare(after, before, 0.05).beyond


def test_what_differs(sample: Result) -> None:
    """Another Python, and rows that one of the two lacks, are told."""
    before = drawn(sample, 1, noise=0.01)
    where = replace(before.environment, python="CPython 4.0", versions={"msgspec": "9"})
    after = replace(before, environment=where, rows=before.rows[:-1])
    found = compare(before, after, 0.05)
    assert found.only == ("hydrate, peer 59, p",)
    assert any(note.endswith("then CPython 4.0") for note in found.notes)
    assert any(note.startswith("msgspec differs: ") for note in found.notes)


@pytest.mark.parametrize(
    ("changes", "what"),
    [
        ({"base": "json"}, "their bases are"),
        ({"processes": 2}, "2 processes say nothing"),
        ({"processes": 1}, "1 process says nothing"),
    ],
)
def test_refused(sample: Result, changes: dict[str, object], what: str) -> None:
    """Results that say nothing of each other are not compared."""
    method = replace(sample.method, **changes)  # type: ignore[arg-type] # of the fields above
    with pytest.raises(ConfigError, match=what):
        compare(sample, replace(sample, method=method), 0.05)


def test_nothing_in_common(sample: Result) -> None:
    """Two results without a row in common are not equal."""
    with pytest.raises(ConfigError, match="no row in common"):
        compare(sample, replace(sample, rows=()), 0.05)


def test_file_round_trip(sample: Result) -> None:
    """A result is read back as it was written."""
    assert from_json(to_json(sample)) == sample


@pytest.mark.parametrize("text", [b"", b"{}", b"[1]", b"\xff", b'{"form": 1}'])
def test_no_result(tmp_path: Path, text: bytes) -> None:
    """Any other file is refused by name."""
    file = tmp_path / "other.json"
    file.write_bytes(text)
    with pytest.raises(ConfigError, match=r"other\.json.*no result of instar bench"):
        read_result(file)


def test_later_form(sample: Result) -> None:
    """A result of a later form is refused, not guessed at."""
    with pytest.raises(ConfigError, match="its form is 2"):
        from_json(to_json(replace(sample, form=2)))


def test_other_subject(sample: Result) -> None:
    """Results of two subjects are not compared, though their rows have the same names."""
    other = replace(sample, subject=replace(sample.subject, name="other"))
    with pytest.raises(ConfigError, match="their subjects are"):
        compare(sample, other, 0.05)


def test_other_version(sample: Result) -> None:
    """That another version of the subject was measured is told."""
    other = replace(sample, subject=replace(sample.subject, version=1))
    assert "the version differs: 3, then 1" in compare(sample, other, 0.05).notes


@pytest.mark.parametrize("logs", [(), (0.1,), (1e308, 1e308, -1e308), (800.0, 800.0, 800.0)])
def test_rows_that_are_none(sample: Result, logs: tuple[float, ...]) -> None:
    """A row that lacks processes, or has a ratio that cannot be, is refused with its name."""
    rows = tuple(replace(row, logs=logs) for row in sample.rows)
    with pytest.raises(ConfigError, match=r"a row has .*") as caught:
        compare(sample, replace(sample, rows=rows), 0.05)
    assert sample.rows[0].work in caught.value.where


@pytest.mark.parametrize("margin", [float("nan"), float("inf"), -0.1])
def test_margin_that_is_none(sample: Result, margin: float) -> None:
    """A margin that would let all pass is refused."""
    with pytest.raises(ConfigError, match="the margin is"):
        compare(sample, sample, margin)
