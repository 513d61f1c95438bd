from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest
from cli.place import MIGRATION, write_schema
from fleet.staff import Colleague, Crashing, LossyColleague

from instar.errors import ConfigError, InstarError, MigrationMismatch, NoSuchSubject
from instar.fleet.simulate import simulation as module
from instar.fleet.simulate.process import Process
from instar.fleet.simulate.simulation import Simulation, simulate
from instar.fleet.simulate.stages import stages
from instar.fleet.simulate.wire import Load, Start
from instar.store import open_store


@pytest.fixture
def plan(project: Path, monkeypatch: pytest.MonkeyPatch) -> Simulation:
    """A rollout from 1 to 2 by programs in this process."""
    monkeypatch.setattr(module, "Process", Colleague)
    return Simulation(
        project / "schemas", project / "migrations", "job", 1, 2, processes=3, operations=120
    )


@pytest.mark.parametrize(
    ("old", "new", "format_"), [(1, 2, "avro"), (2, 3, "json"), (1, 3, "protobuf")]
)
def test_nothing_is_lost(plan: Simulation, old: int, new: int, format_: str) -> None:
    """A rollout and its rollback lose nothing, and everything was tried that can go wrong."""
    report = simulate(replace(plan, old=old, new=new, format=format_))
    assert report.losses == []
    assert (report.rollouts, report.total.operations, report.total.losses) == (1, 120, 0)
    assert report.total.conflicts > 0
    assert len(report.stages) == len(list(stages(old, new, 3)))


def test_python_does_not_travel(plan: Simulation) -> None:
    """What a function made newer is refused by old code, which is no loss."""
    report = simulate(replace(plan, old=2, new=3, operations=200))
    switched = next(counts for stage, counts in report.stages if stage.name == "mixed, switched")
    assert switched.refusals["NewerVersion"] > 0
    assert report.losses == []


def test_a_seed_replays(plan: Simulation) -> None:
    """The same seed does the same, and another one does not."""
    first, again, other = (simulate(replace(plan, seed=seed)) for seed in (4, 4, 5))
    assert [counts for _, counts in first.stages] == [counts for _, counts in again.stages]
    assert [counts for _, counts in first.stages] != [counts for _, counts in other.stages]


def test_seconds_go_on(plan: Simulation, monkeypatch: pytest.MonkeyPatch) -> None:
    """For some seconds, rollouts follow each other with the next seed each."""
    times = iter([0.0, 1.0, 2.0, 9.0])
    monkeypatch.setattr(module, "monotonic", lambda: next(times))
    report = simulate(replace(plan, operations=7), seconds=5)
    assert report.rollouts == 3
    assert report.total.operations == 21


def test_a_lossy_program_is_caught(plan: Simulation, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program that drops residue is found out, with the field that is lost."""
    monkeypatch.setattr(module, "Process", LossyColleague)
    report = simulate(plan)
    assert report.total.losses == len(report.losses) > 0
    assert "log" in {loss.path for loss in report.losses}
    first = report.losses[0]
    assert first.what == "a value is lost"
    assert "(version 1, writes 1)" in first.process


def test_a_crash_is_a_finding(plan: Simulation, monkeypatch: pytest.MonkeyPatch) -> None:
    """An error that is none of instar's is no refusal."""
    monkeypatch.setattr(module, "Process", Crashing)
    report = simulate(replace(plan, operations=14))
    assert {loss.what for loss in report.losses} == {"a crash: KeyError: 'lost'"}
    assert not report.total.refusals


@pytest.mark.parametrize("seed", [1, 3])
def test_a_late_save_may_be_refused(plan: Simulation, tmp_path: Path, seed: int) -> None:
    """What the version written cannot hold is refused before the store finds a conflict."""
    for version, kind in enumerate(("int", "long"), start=1):
        write_schema(
            tmp_path / "wider" / "job", version, [{"name": "n", "type": kind, "default": 0}]
        )
    wider = replace(plan, schemas=tmp_path / "wider", migrations=None, processes=4, operations=600)
    report = simulate(replace(wider, seed=seed))
    assert report.losses == []
    assert report.total.refusals["NotExpressible"] > 0
    assert report.total.conflicts > 0


def test_what_cannot_be_upgraded_is_told_once(plan: Simulation, project: Path) -> None:
    """A state that a function does not take is one finding, however long it is in the store."""
    (step,) = (project / "migrations").rglob("*.py")
    step.write_text(MIGRATION.replace("first, _, last", "1 / (not name)\n    first, _, last"))
    report = simulate(replace(plan, old=2, new=3))
    told = [loss for loss in report.losses if loss.what.startswith("it cannot be upgraded: ")]
    assert told
    keys = [loss.key for loss in report.losses]
    assert all(keys.count(loss.key) == 1 for loss in told)


def test_a_process_that_ends(tmp_path: Path) -> None:
    """A process that is gone is an error with its last words."""
    start = Start("schemas", None, "job", 1, 1, "avro", str(tmp_path))
    with (
        Process("process 1", start, (sys.executable, "-c", "exit('no room')")) as process,
        pytest.raises(InstarError, match="process 1: it has ended with exit code 1: no room"),
    ):
        process.ask(Load("key"))


def test_misuse(plan: Simulation, tmp_path: Path) -> None:
    """What cannot be tried is said before any process starts."""
    for wrong, message in (
        ({"old": 2}, "goes up"),
        ({"processes": 1}, "no fleet"),
        ({"store": "memory:"}, "cannot share"),
    ):
        with pytest.raises(ConfigError, match=message):
            simulate(replace(plan, **wrong))
    with pytest.raises(NoSuchSubject):
        simulate(replace(plan, new=9))


def test_no_way_down(project: Path) -> None:
    """Where nothing leads back to the old version, new code cannot be pinned to it."""
    fields = [{"name": "steps", "type": "long"}]
    write_schema(project / "schemas" / "job", 2, fields)
    (project / "schemas" / "job" / "v3.avsc").unlink()
    with pytest.raises(MigrationMismatch, match="name has no default"):
        simulate(Simulation(project / "schemas", None, "job", 1, 2))


def test_a_store_in_use_is_refused(plan: Simulation, tmp_path: Path) -> None:
    """A simulation never works among states that are somebody's."""
    store = open_store(tmp_path / "mine.db")
    store.put("mine", b"state", expected=0, write_id="w")
    store.close()
    with pytest.raises(ConfigError, match="holds states"):
        simulate(replace(plan, store=str(tmp_path / "mine.db")))


def test_a_store_of_ones_own(plan: Simulation, tmp_path: Path) -> None:
    """A folder will do as well as SQLite, and keeps what was written last."""
    report = simulate(replace(plan, store=str(tmp_path / "states"), operations=40))
    assert report.losses == []
    store = open_store(tmp_path / "states")
    assert list(store.scan())
    store.close()
