"""Residue follows its record, and nothing shows it."""

from __future__ import annotations

import copy
import gc
import importlib
import os
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from instar import Record, read_residue, strip_residue
from instar.codec.record import residue_of, set_residue


class Leaf(Record, frozen=True):  # pyright: ignore[reportGeneralTypeIssues] - msgspec can
    """A record that cannot be changed."""

    text: str = ""


class Tree(Record):
    """A record with records in all places."""

    number: int
    leaves: list[Leaf] = msgspec.field(default_factory=list[Leaf])
    named: dict[str, Leaf] = msgspec.field(default_factory=dict[str, Leaf])
    left: Tree | None = None


def leaf(text: str, residue: bytes) -> Leaf:
    made = Leaf(text=text)
    set_residue(made, residue)
    return made


def tree() -> Tree:
    inner = Tree(number=2, leaves=[leaf("d", b"4")])
    made = Tree(number=1, leaves=[leaf("a", b"1"), Leaf(text="b")], named={"k": leaf("c", b"2")})
    made.left = inner
    set_residue(made, b"0")
    return made


EVERYWHERE = {"": b"0", "leaves[0]": b"1", "named['k']": b"2", "left.leaves[0]": b"4"}


def test_it_is_found_by_path() -> None:
    """Every record with residue is named, in the order of the state."""
    assert read_residue(tree()) == EVERYWHERE
    assert list(read_residue(tree())) == list(EVERYWHERE)


def test_nothing_shows_it() -> None:
    """Equality, hash, text, fields and what msgspec writes are those of the attributes."""
    plain, carrying = Leaf(text="a"), leaf("a", b"1")
    assert plain == carrying
    assert hash(plain) == hash(carrying)
    assert repr(plain) == repr(carrying)
    assert [field.name for field in msgspec.structs.fields(Leaf)] == ["text"]
    assert msgspec.structs.asdict(carrying) == msgspec.to_builtins(carrying) == {"text": "a"}
    assert msgspec.json.encode(carrying) == b'{"text":"a"}'
    assert Leaf.__struct_fields__ == ("text",)


def test_it_costs_one_pointer() -> None:
    """A record is its header, the slot and its attributes."""
    assert Leaf.__basicsize__ == object.__basicsize__ + 2 * tuple.__itemsize__
    assert not hasattr(Leaf(), "__dict__")


COPIES = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "replace": lambda state: state.__replace__(),
    "pickle": lambda state: pickle.loads(pickle.dumps(state)),  # noqa: S301 - made here
    "the oldest pickle": lambda state: pickle.loads(pickle.dumps(state, 2)),  # noqa: S301 - as above
    "copy.replace": getattr(copy, "replace", copy.copy),
}


@pytest.mark.parametrize("how", COPIES)
def test_copies_carry_it(how: str) -> None:
    """Whatever copies a record copies its residue, and that of what is copied along."""
    state = tree()
    made = COPIES[how](state)
    assert made == state
    assert made is not state
    assert read_residue(made) == EVERYWHERE


def test_replace_keeps_it_beside_a_change() -> None:
    """Another value for an attribute leaves the residue alone."""
    made = leaf("a", b"1").__replace__(text="b")
    assert (made.text, residue_of(made)) == ("b", b"1")
    with pytest.raises(TypeError):
        made.__replace__(other=1)


def test_copies_of_a_deep_copy_are_shared_as_they_were() -> None:
    """A record that stands in two places is one record afterwards, too."""
    shared = leaf("a", b"1")
    made = copy.deepcopy(Tree(number=1, leaves=[shared, shared]))
    assert made.leaves[0] is made.leaves[1] is not shared


MODULE = """
from instar import Record

class Carrier(Record):
    number: int
    inner: "Carrier | None" = None
"""
PROGRAM = """
import pickle, sys
from instar import read_residue

state = pickle.loads(sys.stdin.buffer.read())
state.number = 9
sys.stdout.buffer.write(pickle.dumps((read_residue(state), state)))
"""


def test_it_goes_to_another_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A pickle that a second process reads and writes again has it still."""
    (tmp_path / "carriers.py").write_text(MODULE)
    monkeypatch.syspath_prepend(tmp_path)
    carrier: Any = importlib.import_module("carriers").Carrier
    state = carrier(number=1, inner=carrier(number=2))
    set_residue(state.inner, b"1")
    run = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        input=pickle.dumps(state),
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        check=True,
    )
    found, again = pickle.loads(run.stdout)  # noqa: S301 - made by our program
    assert found == read_residue(again) == {"inner": b"1"}
    assert again == carrier(number=9, inner=carrier(number=2))


def test_edits_of_a_list_move_it() -> None:
    """It stands where its record stands, and is gone with it."""
    state = tree()
    state.leaves.reverse()
    state.leaves.append(state.named.pop("k"))
    assert read_residue(state) == {
        "": b"0",
        "leaves[1]": b"1",
        "leaves[2]": b"2",
        "left.leaves[0]": b"4",
    }
    state.leaves.clear()
    state.left = None
    assert read_residue(state) == {"": b"0"}


def test_strip_drops_all_of_it() -> None:
    """In place, of records that are frozen too, and of a state that holds itself."""
    state = tree()
    state.left = state
    strip_residue(state)
    assert read_residue(state) == {}
    set_residue(state, b"")
    assert residue_of(state) is None


def test_what_msgspec_does_not_carry() -> None:
    """The one copy that nobody can take part in; should msgspec change, say so in the docs."""
    assert residue_of(msgspec.structs.replace(leaf("a", b"1"))) is None


def test_the_collector_need_not_know() -> None:
    """Residue refers to nothing, so a record that is not tracked stays so, and is freed."""
    state = leaf("a", bytes(1000))
    assert gc.get_referents(residue_of(state)) == []
    before = sys.getrefcount(b := bytes(2000))
    for _ in range(100):
        leaf("a", b)
    assert sys.getrefcount(b) == before
