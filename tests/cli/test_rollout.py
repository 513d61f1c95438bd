from __future__ import annotations

from pathlib import Path

import pytest
from cli.place import Run
from fleet.staff import Colleague, LossyColleague

from instar.fleet.simulate import simulation

COMMAND = ("rollout", "simulate", "job", "--from", "1", "--to", "2", "--processes", "2")


@pytest.fixture
def together(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The programs of the fleet run in this process."""
    monkeypatch.setattr(simulation, "Process", Colleague)


def test_real_processes(run: Run, project: Path) -> None:
    """Processes of both versions go through all stages, and lose nothing."""
    done = run(*COMMAND, "--operations", "35")
    assert (done.code, done.err) == (0, "")
    for stage in ("all old", "mixed, pinned", "all new", "rollback, mixed", "all old again"):
        assert f"\n  {stage} " in done.out
    assert done.out.splitlines()[-1].startswith("35 operations, ")
    assert done.out.endswith(", 0 losses; seed 0\n")
    assert max(map(len, done.out.splitlines())) <= 80


def test_a_loss_is_explained(run: Run, together: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is said who lost which field of which state, and how to see it again; exit code 1."""
    monkeypatch.setattr(simulation, "Process", LossyColleague)
    done = run(*COMMAND, "--operations", "100", "--seed", "3")
    assert done.code == 1
    assert "\nLost: state-" in done.out
    assert "(version 1, writes 1)\n  a value is lost: log\n    expected [" in done.out
    again = next(line for line in done.out.splitlines() if line.startswith("  again: instar "))
    assert run(*again.removeprefix("  again: instar ").split()).out == done.out


def test_json(run: Run, together: None) -> None:
    """--json has every stage and every loss."""
    found = run(*COMMAND, "--operations", "30", "--format", "json", "--json").json
    assert found["total"]["operations"] == 30
    assert found["total"]["losses"] == 0
    assert found["losses"] == []
    assert [stage["versions"] for stage in found["stages"][:3]] == [[1, 1], [2, 1], [2, 1]]
    assert [stage["written"] for stage in found["stages"][:3]] == [1, 1, 2]
    assert (found["subject"], found["from"], found["to"], found["format"]) == ("job", 1, 2, "json")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (("nobody", "--from", "1", "--to", "2"), "there is no subject"),
        (("job", "--from", "2", "--to", "2"), "a rollout goes up"),
        (("job", "--from", "1", "--to", "9"), "there is no version 9"),
        (("job", "--from", "1", "--to", "2", "--processes", "1"), "--processes"),
        (("job", "--from", "1", "--to", "2", "--seconds", "1", "--store", "a.db"), "--store"),
        (("job",), "--from"),
    ],
)
def test_misuse(run: Run, project: Path, given: tuple[str, ...], message: str) -> None:
    """What cannot be tried is an error in words; exit code 2."""
    done = run("rollout", "simulate", *given)
    assert done.code == 2
    assert message in done.err
