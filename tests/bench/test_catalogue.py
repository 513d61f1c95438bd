"""Every peer of the catalogue does the whole work, or says why it is not there."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from instar.bench.catalogue import Entry, find_entry
from instar.bench.catalogue.rows import ENTRIES
from instar.bench.peers import Peer, Versions, check_peer
from instar.bench.suite.lot import own_entries
from instar.codec.engines import engines
from instar.errors import ConfigError


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)
def test_peers_do_the_work(entry: Entry, versions: Versions, states: list[Any]) -> None:
    """Every peer that is installed gives the whole of two states back, under its row's name."""
    if missing := entry.missing():
        pytest.skip(missing)
    with entry.circumstances():
        peer = entry.peer(versions)
        check_peer(peer, states)
    assert peer.name == entry.name
    assert (peer.gives == "dicts") == entry.name.endswith(", dicts")


def test_names_are_told_apart() -> None:
    """No two rows have one name."""
    names = [entry.name for entry in ENTRIES]
    assert len(names) == len(set(names))


def test_ours_in_each_format_by_each_engine() -> None:
    """instar has ten rows: five formats, two engines."""
    ours = {(entry.format, entry.engine) for entry in ENTRIES if entry.ours}
    assert len(ours) == 10


@pytest.mark.skipif("kernel" not in engines(), reason="there is no kernel here")
def test_engines_differ(versions: Versions, states: list[Any]) -> None:
    """The row of the library engine is not run by the kernel."""
    kernel, library = (find_entry(f"instar avro, {name}") for name in ("kernel", "library"))
    kinds: list[bool] = []
    for entry in (kernel, library):
        with entry.circumstances():
            peer = entry.peer(versions)
            peer.load(peer.dump(states[0]))
        kinds.append(peer.load.__self__._whole is not None)  # pyright: ignore[reportFunctionMemberAccess]
    assert kinds == [True, False]


def test_missing() -> None:
    """A peer whose library is not there says which."""
    entry = replace(find_entry("json"), needs=("no_such_library", "no.such.module"))
    assert entry.missing() == "no_such_library, no.such.module is not installed"


def test_unknown_peer() -> None:
    """A name that no row has is refused with those that there are."""
    with pytest.raises(ConfigError, match="no peer 'jsn'") as caught:
        find_entry("jsn")
    assert "msgspec json" in str(caught.value.mend)


MODULE = """\
from instar.bench.catalogue import Entry, find_entry

OWN = Entry("own json", "own", find_entry("json").make)
NUMBER = 1
"""


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own_peers_of_a_test.py").write_text(MODULE)
    return tmp_path


def test_own(module: Path) -> None:
    """A peer of a user's is found in the working folder."""
    (entry,) = own_entries(("own_peers_of_a_test:OWN",))
    assert entry.name == "own json"


@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("own_peers_of_a_test:NONE", "there is no peer"),
        ("own_peers_of_a_test:NUMBER", "is no peer but int"),
        ("own_peers_of_a_test", "there is no peer"),
        ("no_module_of_a_test:OWN", "No module named"),
        (":OWN", "there is no peer"),
    ],
)
def test_own_is_no_peer(module: Path, name: str, what: str) -> None:
    """Whatever else stands in its place is refused."""
    with pytest.raises(ConfigError, match=what):
        own_entries((name,))


def test_pickle_is_read_by_names_alone(versions: Versions, states: list[Any]) -> None:
    """What the pickle peer stores names no module of the subject's, as it has none."""
    peer: Peer = find_entry("pickle").peer(versions)
    assert type(states[0]).__module__.encode() not in peer.dump(states[0])
