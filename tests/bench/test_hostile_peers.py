"""A peer that a user adds may do anything: it is told in words, and hurts no other."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from instar.bench.catalogue import Entry, find_entry
from instar.bench.measure import Candidate, time_rounds
from instar.bench.measures import CLOCK
from instar.bench.payload import made_up
from instar.bench.payload.made import MadeUp
from instar.bench.peers import Peer, Versions, check_peer
from instar.bench.suite import Effort, Task
from instar.bench.suite.contenders import Checks, field
from instar.bench.suite.lot import own_entries
from instar.bench.suite.run import run_lots
from instar.codec.registry import Registry
from instar.errors import ConfigError, InstarError, ValueMismatch

ROOT = Path(__file__).resolve().parents[2]
MODULE = """
import sys
from instar.bench.catalogue import Entry
from instar.bench.peers import Peer

def entry(name, load=lambda codec, blob: codec.decode(blob)):
    def make(versions):
        codec = versions.codec("json")
        return Peer("", "objects", codec.encode, lambda blob: load(codec, blob))
    return Entry(name, "own", make)

def loud(codec, blob):
    print("hello")
    return codec.decode(blob)

def leave(codec, blob):
    sys.exit(3)

LOUD, LEAVES = entry("loud", loud), entry("leaves", leave)
TAKEN, FAKE, BLANK, STEERS = map(entry, ("msgspec json", "instar fake", " ", "a\\x1b[31m"))
"""


def mutating(versions: Versions) -> Peer:
    """Sets what it is given to what it stores, the second time as the first."""
    codec = versions.codec("json")

    def dump(state: Any) -> bytes:
        state.name = "mine"
        return codec.encode(state)

    return Peer("", "objects", dump, codec.decode)


def test_changes_the_state(versions: Versions, states: list[Any]) -> None:
    """A peer that changes the state is refused, and the others have the state as it was."""
    payload = made_up(versions, [1])[0]
    entries = [Entry("mutates", "own", mutating), find_entry("msgspec json")]
    found = field(entries, versions, payload, Checks())
    assert [one.why for one in found.left_out] == ["it changes the state that it is to store"]
    codec = versions.codec("json")
    assert found.contenders[0].value == codec.from_builtins(payload.document)
    with pytest.raises(ValueMismatch):
        check_peer(mutating(versions), [codec.decode(codec.encode(one)) for one in states])


def test_no_peer(versions: Versions) -> None:
    """What makes a peer has to give one."""
    make: Any = str
    found = field([Entry("none", "own", make)], versions, made_up(versions, [1])[0], Checks())
    assert found.left_out[0].why == "what makes it gives str, and no Peer"


def test_raises_while_timed() -> None:
    """A candidate that raises only later ends the run with its name, and no traceback."""
    left = iter(range(5))
    with pytest.raises(InstarError, match="then raised StopIteration") as caught:
        time_rounds([Candidate("tired", lambda: next(left))], rounds=7, sample=0.001, clock=CLOCK)
    assert caught.value.where == "tired"


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The working folder has peers of all kinds."""
    (tmp_path / "hostile_peers.py").write_text(MODULE)
    (tmp_path / "hostile_syntax.py").write_text("x = (")
    (tmp_path / "hostile_exit.py").write_text("import sys\nsys.exit(4)")
    monkeypatch.chdir(tmp_path)


@pytest.mark.usefixtures("module")
@pytest.mark.parametrize(
    ("names", "what"),
    [
        (["hostile_peers:TAKEN"], "there is a peer called msgspec json already"),
        (["hostile_peers:LOUD", "hostile_peers:LOUD"], "there is a peer called loud already"),
        (["hostile_peers:FAKE"], "would be taken for one of instar's own"),
        (["hostile_peers:BLANK"], "is no name to print"),
        (["hostile_peers:STEERS"], "is no name to print"),
        (["hostile_syntax:X"], "importing it raises SyntaxError"),
        (["hostile_exit:X"], "importing it raises SystemExit"),
    ],
)
def test_names_and_modules(names: list[str], what: str) -> None:
    """A name that another has or that none can print is refused, as is a module that fails."""
    with pytest.raises(ConfigError, match=what):
        own_entries(tuple(names))


@pytest.mark.usefixtures("module")
def test_prints_and_leaves(versions: Versions) -> None:
    """In another process, what a peer prints and its exit are not taken for the answer."""
    task = Task(
        schemas=str(ROOT / "schemas"),
        migrations=str(ROOT / "migrations"),
        subject="agent_state",
        version=3,
        older=(),
        payloads=tuple(made_up(versions, [1])),
        peers=("msgspec json",),
        own=("hostile_peers:LOUD", "hostile_peers:LEAVES"),
        works=("hydrate",),
        base="msgspec json",
        rounds=7,
        sample=1e-6,
    )
    (lot,) = run_lots(task, Effort(1, seconds=1e-6))
    assert {one.key.peer for one in lot.timed} == {"msgspec json", "loud"}
    assert [(one.peer, one.why) for one in lot.left_out] == [("leaves", "SystemExit: 3")]


@pytest.mark.parametrize("seconds", [float("nan"), float("inf"), 0.0, -1.0])
def test_seconds(versions: Versions, seconds: float) -> None:
    """A time that is none, or without an end, is refused."""
    task = Task(
        schemas="", migrations=None, subject="", version=1, older=(), payloads=(), peers=(),
        base="", rounds=7, sample=1.0,
    )  # fmt: skip
    with pytest.raises(ConfigError, match="seconds are no time"):
        run_lots(task, Effort(1, seconds))


def small(tmp_path: Path, fields: str) -> Versions:
    """A subject whose record has just these fields."""
    (tmp_path / "s").mkdir()
    schema = f'{{"type": "record", "name": "S", "fields": [{fields}]}}'
    (tmp_path / "s" / "v1.avsc").write_text(schema)
    return Versions.latest(Registry.open(tmp_path), "s")


def test_few_states(tmp_path: Path) -> None:
    """Of a subject with two states each is checked with the other."""
    maker = MadeUp.of(small(tmp_path, '{"name": "on", "type": "boolean"}'))
    states = [{"on": True}, {"on": False}]
    assert [maker.other(one) for one in states] == states[::-1]


def test_one_state(tmp_path: Path) -> None:
    """A subject with one state cannot be measured, and that is what the error says."""
    versions = small(tmp_path, "")
    with pytest.raises(ConfigError, match="no other state was found"):
        field([find_entry("msgspec json")], versions, made_up(versions, [1])[0], Checks())
