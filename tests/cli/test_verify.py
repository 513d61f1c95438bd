from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from cli.place import Run
from cli.test_docs import section

from instar.codec.verify.run import LAWS

FEW = ("--max-examples", "20")


def test_laws_that_hold(run: Run, project: Path) -> None:
    """Each law has a line that says that it holds, and the exit code is 0."""
    done = run("verify", *FEW, "--law", "upgrade-total", "--law", "fused")
    assert done.code == 0
    assert re.search(
        r"^job\n  upgrade-total +holds  \(3 routes, \d+ states\)$", done.out, re.MULTILINE
    )
    assert re.search(r"^  fused +holds  \(2 routes, \d+ states\)$", done.out, re.MULTILINE)
    assert re.search(r"\nevery law holds: \d+ states tried, seed 0\n$", done.out)
    assert done.err == ""


def test_broken_law(run: Run, project: Path) -> None:
    """A broken law is told with its purpose, the states, and how to repeat it."""
    done = run("verify", "job", *FEW, "--law", "round-trip", "--seed", "3")
    assert done.code == 1
    assert "  round-trip       BROKEN at 2 -> 3 -> 2  (3 routes, " in done.out
    told = done.out.partition("\nround-trip: job 2 -> 3 -> 2\n")[2]
    assert told.startswith("  Up and down again gives what was there: down(up(x)) == x")
    assert "  name: expected '', found ' '\n  state:\n    {\n      \"name\": \"\",\n" in told
    assert "  again: instar verify job --law round-trip --seed 3\n" in told
    assert re.search(r"\n1 case broken: \d+ states tried, seed 3\n$", told)


def test_json(run: Run, project: Path) -> None:
    """--json has each case: law, route, format, how many states, and what breaks it."""
    done = run("verify", *FEW, "--law", "round-trip", "--json")
    assert done.code == 1
    assert done.json["seed"] == 0
    first, second, third = done.json["laws"]
    assert (first["law"], first["subject"], first["format"]) == ("round-trip", "job", "avro")
    assert (first["route"], first["broken"]) == ([1, 2, 1], None)
    assert first["examples"] >= 20
    assert second["route"] == [2, 3, 2]
    assert second["broken"] == {
        "what": "name: expected '', found ' '",
        "example": {"name": "", "steps": 0, "log": []},
        "expected": {"name": "", "steps": 0, "log": []},
        "found": {"name": " ", "steps": 0, "log": []},
    }
    assert third["passed_over"] == "a hop of it breaks the law"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nope"], "there is no subject 'nope'"),
        (["--law", "nope"], "there is no law 'nope'"),
        (["--max-examples", "0"], "--max-examples"),
    ],
)
def test_misuse(run: Run, project: Path, arguments: list[str], said: str) -> None:
    """What cannot be asked for is misuse."""
    done = run("verify", *arguments)
    assert done.code == 2
    assert said in done.err


def test_what_cannot_be_run_is_told(
    run: Run, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A format or an engine that is not there is named, with the reason."""
    monkeypatch.setitem(sys.modules, "yaml", None)
    monkeypatch.setenv("INSTAR_ENGINE", "library")
    done = run("verify", *FEW, "--law", "pairs")
    assert done.code == 0
    assert "    without the kernel: INSTAR_ENGINE asks for it\n" in done.out
    assert "    without yaml: the yaml format needs PyYAML; pip install" in done.out


def test_without_hypothesis(run: Run, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without hypothesis, it says how to install it."""
    monkeypatch.setitem(sys.modules, "hypothesis", None)
    done = run("verify")
    assert done.code == 2
    assert "generating states needs hypothesis" in done.err
    assert "pip install 'instar[test]'" in done.err


def test_every_law_is_documented() -> None:
    """The reference lists each law with its purpose."""
    rows = re.findall(r"^\| `([a-z-]+)` \| (.*) \|$", section("verify"), re.MULTILINE)
    assert [row for row in rows if not row[0].startswith("--")] == [
        (law.id, law.purpose) for law in LAWS
    ]
