"""What one process of the bench measures, and which peers it refuses."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from instar.bench.catalogue import Entry, find_entry
from instar.bench.measure import FEWEST_ROUNDS
from instar.bench.payload import made_up
from instar.bench.peers import Peer, Versions
from instar.bench.result import LeftOut
from instar.bench.suite import Effort, Task, contenders, run_lots
from instar.bench.suite.contenders import Checks, Field, field
from instar.bench.suite.lot import run_lot
from instar.bench.suite.old import old_state
from instar.bench.suite.parts import simple_paths
from instar.codec.engines import engine
from instar.errors import ConfigError, InstarError

ROOT = Path(__file__).resolve().parents[2]
OURS = f"instar avro, {engine().name}"
BASE = "msgspec json"
pytestmark = pytest.mark.usefixtures("few_objects")


@pytest.fixture(scope="session")
def task(versions: Versions) -> Task:
    """Few peers on the smallest state, in the fewest rounds that are let pass."""
    return Task(
        schemas=str(ROOT / "schemas"),
        migrations=str(ROOT / "migrations"),
        subject="agent_state",
        version=3,
        older=(1, 2),
        payloads=tuple(made_up(versions, [1])),
        peers=(OURS, BASE, "json, dicts", "protobuf, copied"),
        paths=("id", "status"),
        base=BASE,
        rounds=FEWEST_ROUNDS,
        sample=0.0,
    )


def fit(versions: Versions, task: Task, entry: Entry) -> Field:
    return field([entry], versions, task.payloads[0], Checks())


def honest() -> Entry:
    return find_entry("msgspec msgpack")


def changed(load: Any, **changes: Any) -> Entry:
    """An honest peer with another way to load: ``load`` is given what it would give."""

    def make(versions: Versions) -> Peer:
        peer = honest().peer(versions)
        return replace(peer, load=lambda blob: load(peer.load(blob)), **changes)

    return Entry("own", "own", make)


def refused(found: Field) -> str:
    assert found.contenders == ()
    (one,) = found.left_out
    assert one.payload == found.payload.label
    return one.why


def test_honest_peer(versions: Versions, task: Task) -> None:
    """A peer that gives the whole state back is timed."""
    assert len(fit(versions, task, changed(lambda state: state)).contenders) == 1


def test_wrong_value(versions: Versions, task: Task) -> None:
    """A peer that returns a wrong value is caught."""

    def load(state: Any) -> Any:
        state.retries += 1
        return state

    assert "whole state" in refused(fit(versions, task, changed(load)))


def test_less_work(versions: Versions, task: Task) -> None:
    """A peer that does less work, dicts where objects are claimed, is caught."""

    def load(state: Any) -> Any:
        return {name: getattr(state, name) for name in state.__struct_fields__}

    assert "gives dict, and claims objects" in refused(fit(versions, task, changed(load)))


def test_learnt_by_heart(versions: Versions, task: Task) -> None:
    """A peer that keeps what it gave is caught."""
    kept: list[Any] = []

    def load(state: Any) -> Any:
        kept.append(state)
        return kept[0]

    assert "gave before" in refused(fit(versions, task, changed(load)))


def test_broken_peer(versions: Versions, task: Task) -> None:
    """What a library raises is the reason why it is left out."""

    def load(state: Any) -> Any:
        raise OverflowError("too large")

    assert refused(fit(versions, task, changed(load))) == "OverflowError: too large"


def test_too_slow(versions: Versions, task: Task, monkeypatch: pytest.MonkeyPatch) -> None:
    """A peer that takes too long is left out, unless it was asked for; a slow start is none."""
    now = [0]
    monkeypatch.setattr(contenders, "CLOCK", lambda: now[0])
    delays: list[int] = []

    def load(state: Any) -> Any:
        now[0] += delays.pop(0) if delays else 1
        return state

    delays[:] = [10**9]
    assert fit(versions, task, changed(load)).left_out == ()
    delays[:] = [10**9, 10**8, 10**9]
    assert refused(fit(versions, task, changed(load))).startswith("one hydration takes 0.10 s")
    delays[:] = [10**9] * 3
    patient = field([changed(load)], versions, task.payloads[0], Checks(patient=True))
    assert patient.left_out == ()


def test_not_installed(versions: Versions, task: Task) -> None:
    """A peer that is not installed is listed as such."""
    found = fit(versions, task, replace(honest(), needs=("no_such_library",)))
    assert found.left_out == (
        LeftOut(
            peer="msgspec msgpack",
            why="no_such_library is not installed",
            payload=task.payloads[0].label,
            installed=False,
        ),
    )


def test_lot(task: Task) -> None:
    """A lot has times of every work, for each peer that can do it."""
    lot = run_lot(task)
    rows = {(one.key.work, one.key.peer, one.key.version) for one in lot.timed}
    both = {(work, name, None) for work in ("dehydrate", "round trip") for name in task.peers[:3]}
    assert rows == {
        *both,
        *(("hydrate", name, None) for name in task.peers),
        ("migrate", OURS, 1),
        ("migrate", OURS, 2),
        ("project", OURS, None),
    }
    assert {len(one.seconds) for one in lot.timed} == {FEWEST_ROUNDS}
    assert {one.gives for one in lot.timed if one.key.peer == "json, dicts"} == {"dicts"}
    assert next(one for one in lot.timed if one.key.work == "migrate").base == f"{OURS}, version 3"
    assert [one.peer for one in lot.sizes] == [one.peer for one in lot.memory] == [*task.peers]
    assert lot.left_out == ()


def test_later_lot(task: Task) -> None:
    """A later process times what the first found fit, and measures no memory again."""
    label = task.payloads[0].label
    lot = run_lot(replace(task, works=("hydrate",), fit=((BASE, label), (OURS, label))))
    assert [one.key.peer for one in lot.timed] == [OURS, BASE]
    assert lot.memory == lot.sizes == ()


def test_own_process(task: Task) -> None:
    """Several processes give several lots, of the same rows."""
    done: list[int] = []
    small = replace(task, works=("hydrate",), peers=(BASE,))
    lots = run_lots(small, Effort(2), lambda: done.append(1))
    assert len(lots) == len(done) == 2
    assert [one.key for one in lots[0].timed] == [one.key for one in lots[1].timed]
    assert lots[0].sizes
    assert not lots[1].sizes


def test_error_of_a_process(task: Task) -> None:
    """An error in another process is told as it would be in this one."""
    with pytest.raises(ConfigError, match="it was not chosen") as caught:
        run_lots(replace(task, base="pickle"), Effort(2))
    assert caught.value.mend == "name another with --base"
    with pytest.raises(InstarError):
        run_lots(replace(task, subject="none"), Effort(2))


@pytest.mark.skipif(sys.platform == "win32", reason="modules end the process with a signal")
def test_process_that_dies(task: Task, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A peer that ends its process is no traceback of ours."""
    (tmp_path / "dies_of_a_test.py").write_text("import os\nos._exit(9)\n")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ConfigError, match="exit code 9"):
        run_lots(replace(task, own=("dies_of_a_test:PEER",)), Effort(2))


@pytest.mark.parametrize("rounds", [0, 1, FEWEST_ROUNDS - 1])
def test_too_few_rounds(task: Task, rounds: int) -> None:
    """A timing with too few rounds is refused, with the reason."""
    with pytest.raises(ConfigError, match="say nothing of the spread"):
        run_lots(replace(task, rounds=rounds), Effort(1))


def test_no_process(task: Task) -> None:
    """No process measures nothing."""
    with pytest.raises(ConfigError, match="0 processes"):
        run_lots(task, Effort(0))


def test_unfit_base(task: Task) -> None:
    """Ratios to a peer that is not timed are refused."""
    with pytest.raises(ConfigError, match="it was not chosen"):
        run_lot(replace(task, peers=(OURS,)))


def test_old_state(versions: Versions, task: Task) -> None:
    """The old blob is the payload as the older version has it."""
    found = fit(versions, task, honest())
    old = old_state(versions, Versions(versions.registry, "agent_state", 2), found)
    assert old.id == found.state.id
    assert len(old.messages) == 1
    assert not hasattr(old, "parent_id")


def test_simple_paths(versions: Versions) -> None:
    """What is projected, if nothing else is said, are the first and last plain field."""
    assert simple_paths(versions.registry.subject("agent_state").types(3)) == ("id", "parent_id")


def test_wrong_path(task: Task) -> None:
    """A path that is not there is an error of ours."""
    with pytest.raises(InstarError, match="nowhere"):
        run_lot(replace(task, works=("project",), paths=("nowhere",)))
