"""Bulk work over a store that cannot read all of its entries: nothing ends, nothing is hidden."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st
from store.fleet_subject import blob_at, codec_at

from instar.errors import (
    Conflict,
    InvalidKey,
    LimitExceeded,
    StoreError,
    StoreLayoutError,
    TruncatedBlob,
)
from instar.store import Entry, FileStore, MemoryStore, Repository, SQLiteStore, Store
from instar.store.census import UnreadableRow
from instar.store.every_entry import Unreadable, every_entry
from instar.store.file_names import stem_of

KEYS = [f"a/{number}" for number in range(6)]
OLD = blob_at(1, note="n")
Damage: TypeAlias = Callable[[Path, str], None]


def damage_file(folder: Path, key: str) -> None:
    (folder / f"{stem_of(key)}.blob").write_bytes(b"\xff")


def damage_row(path: Path, key: str) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE instar_state SET revision = 'x' WHERE key = ?", (key,))


@pytest.fixture(params=["files", "sqlite"])
def made(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Store, Damage, Path]]:
    """A store, and what makes it unable to read one key."""
    path = tmp_path / "s"
    with FileStore(path) if request.param == "files" else SQLiteStore(path) as store:
        for key in KEYS:
            store.put(key, OLD, expected=0, write_id="w")
        yield store, damage_file if request.param == "files" else damage_row, path


places = pytest.mark.parametrize(
    "bad", [(0,), (3,), (5,), (2, 3), (0, 1), (4, 5), (0, 2, 5), tuple(range(6))]
)


def damaged(made: tuple[Store, Damage, Path], bad: tuple[int, ...]) -> tuple[Store, list[str]]:
    store, damage, path = made
    for number in bad:
        damage(path, KEYS[number])
    return store, [KEYS[number] for number in bad]


@places
def test_what_cannot_be_read_comes_in_its_place(
    made: tuple[Store, Damage, Path], bad: tuple[int, ...]
) -> None:
    """All keys come in order, whichever cannot be read; those come with their error."""
    store, lost = damaged(made, bad)
    found = list(every_entry(store))
    assert [each.key for each in found] == KEYS
    failed = [each for each in found if isinstance(each, Unreadable)]
    assert [each.key for each in failed] == lost
    assert all(isinstance(each.error, StoreLayoutError) for each in failed)
    assert all(each.error.__traceback__ is None for each in failed)
    assert [each.key for each in every_entry(store, "a/3")] == ["a/3"]


@places
def test_a_census_counts_it(made: tuple[Store, Damage, Path], bad: tuple[int, ...]) -> None:
    """Each is in a row of the unreadable, with its key; its bytes are not known, and it says so."""
    store, lost = damaged(made, bad)
    census = Repository(codec_at(1), store).census()
    (row,) = census.unreadable
    assert row == UnreadableRow(
        "StoreLayoutError", len(bad), 0, tuple(lost[:5]), row.example, failed=True
    )
    assert (census.count, census.failures) == (6, len(bad))
    assert census.bytes == len(OLD) * (6 - len(bad))
    assert census.to_json()["failures"] == len(bad)
    assert census.to_json()["unreadable"][0]["failed"] is True


@places
def test_a_rewrite_leaves_and_names_it(
    made: tuple[Store, Damage, Path], bad: tuple[int, ...]
) -> None:
    """All others are written at the write version, once."""
    store, lost = damaged(made, bad)
    new: Repository[Any] = Repository(codec_at(2), store)
    report = new.rewrite()
    assert [each.key for each in report.failures] == lost
    assert (report.rewritten, report.unreadable, report.conflicts) == (6 - len(bad), (), ())
    assert (report.count, report.is_clean) == (6, False)
    assert new.rewrite().current == 6 - len(bad)


@places
def test_a_prune_leaves_and_names_it(
    made: tuple[Store, Damage, Path], bad: tuple[int, ...]
) -> None:
    """The newest that can be read stays, and so does what cannot."""
    store, lost = damaged(made, bad)
    report = Repository(codec_at(1), store).prune(keep=1)
    good = [key for key in KEYS if key not in lost]
    assert [each.key for each in report.failures] == lost
    assert (report.kept, report.deleted, report.stopped) == (
        len(good[-1:]),
        len(good[:-1]),
        None,
    )
    assert [each.key for each in every_entry(store)] == sorted([*lost, *good[-1:]])


@places
def test_a_scan_collects_it(made: tuple[Store, Damage, Path], bad: tuple[int, ...]) -> None:
    """With ``errors``, all others are given; without, the first of them is raised."""
    store, lost = damaged(made, bad)
    repository: Repository[Any] = Repository(codec_at(1), store)
    errors: list[Unreadable] = []
    assert [key for key, _ in repository.scan(errors=errors)] == sorted(set(KEYS) - set(lost))
    assert [each.key for each in errors] == lost
    with pytest.raises(StoreLayoutError) as caught:
        list(repository.scan())
    assert caught.value.key == lost[0]


def test_blobs_that_cannot_be_read_are_other_rows() -> None:
    """What the store gave has its size, beside what it could not give under the same error."""

    class Cut(MemoryStore):
        def scan(self, prefix: str = "", after: str = "") -> Iterator[Entry]:
            for entry in super().scan(prefix, after):
                if entry.key == "b":
                    raise named("b", TruncatedStore("the answer is cut"))
                yield entry

    class TruncatedStore(StoreError):
        """Has the name of an error of blobs."""

    TruncatedStore.__name__ = TruncatedBlob.__name__
    store = Cut()
    for key in "abc":
        store.put(key, OLD[:-1], expected=0, write_id="w")
    census = Repository(codec_at(1), store).census()
    assert [(row.failed, row.count, row.bytes, row.keys) for row in census.unreadable] == [
        (False, 2, 2 * len(OLD[:-1]), ("a", "c")),
        (True, 1, 0, ("b",)),
    ]


def named(key: str, error: StoreError) -> StoreError:
    error.key = key
    return error


class Failing(MemoryStore):
    """Fails at the keys it is told to, with the key that it is told to name."""

    def __init__(self, at: dict[str, str], keys: list[str]) -> None:
        super().__init__()
        self.at = at
        for key in keys:
            self.put(key, OLD, expected=0, write_id="w")

    def scan(self, prefix: str = "", after: str = "") -> Iterator[Entry]:
        for entry in super().scan(prefix, after):
            if entry.key in self.at:
                raise named(self.at[entry.key], StoreError("the disk is gone"))
            yield entry


@pytest.mark.parametrize("name", ["", "a/1", "a/0", "b", "A"])
def test_where_nobody_can_tell_what_is_behind_it_ends(name: str) -> None:
    """An error without a key, or with one that was passed or not asked for, is no way on.

    What reports says so, and what counts raises: a part of a census looks like a whole one.
    """
    store = Failing({"a/2": name}, KEYS)
    seen: list[str] = []
    with pytest.raises(StoreError, match="the disk is gone") as caught:
        seen += [each.key for each in every_entry(store, "a/")]
    assert caught.value.__notes__ == ["the scan stopped behind the key 'a/1'"]
    report = Repository(codec_at(1), store).prune(keep=1, prefix="a/")
    assert (type(report.stopped), report.failures, report.left) == (StoreError, (), 2)
    new: Repository[Any] = Repository(codec_at(2), store)
    with pytest.raises(StoreError, match="the disk is gone"):
        new.rewrite("a/")
    with pytest.raises(StoreError, match="the disk is gone"):
        list(new.scan("a/", errors=[]))


def test_a_census_of_a_part_is_none() -> None:
    """Where nothing behind an entry can be read, the count is not given."""
    with pytest.raises(StoreError, match="the disk is gone"):
        Repository(codec_at(1), Failing({"a/2": ""}, KEYS)).census()


@given(
    st.sets(st.text("ab/", min_size=1, max_size=4), max_size=10),
    st.sets(st.text("ab/", min_size=1, max_size=4), max_size=10),
    st.text("ab/", max_size=2),
)
def test_every_key_comes_once_and_in_order(keys: set[str], bad: set[str], prefix: str) -> None:
    """Whatever cannot be read: each key with the prefix is given or named, and no other."""
    store = Failing({key: key for key in bad}, sorted(keys))
    found = list(every_entry(store, prefix))
    assert [each.key for each in found] == sorted(key for key in keys if key.startswith(prefix))
    assert {each.key for each in found if isinstance(each, Unreadable)} == {
        key for key in keys & bad if key.startswith(prefix)
    }


@pytest.mark.parametrize("gone", [False, True])
def test_a_store_that_is_lost_meanwhile_is_no_bad_entry(tmp_path: Path, *, gone: bool) -> None:
    """A store that is closed, or whose folder goes, names no key: none of them is at fault."""
    store = FileStore(tmp_path / "s")
    for key in KEYS:
        store.put(key, OLD, expected=0, write_id="w")
    entries = every_entry(store)
    next(entries)
    if gone:
        shutil.rmtree(store.folder)
    else:
        store.close()
    with pytest.raises(StoreError, match="gone" if gone else "closed") as caught:
        list(entries)
    assert caught.value.key == ""


def test_a_bad_prefix_is_told() -> None:
    """What is no text begins no scan."""
    wrong: Any = 5
    with pytest.raises(InvalidKey):
        list(every_entry(MemoryStore(), wrong))


class Refusing(MemoryStore):
    """Refuses to write one key, as it is told to."""

    error: Exception | None = None

    def put(self, key: str, blob: bytes, *, expected: int, write_id: str) -> int:
        if key == "a/2" and self.error is not None:
            raise self.error
        return super().put(key, blob, expected=expected, write_id=write_id)


@pytest.mark.parametrize(
    ("error", "where"),
    [
        (StoreError("the disk is full"), "failures"),
        (StoreLayoutError("another release"), "failures"),
        (InvalidKey("no key"), "failures"),
        (LimitExceeded("the blob has 9 bytes, and this store takes 8"), "unreadable"),
        (Conflict("a/2", 1, 2), "conflicts"),
    ],
)
def test_a_save_that_fails_stops_no_other(error: Exception, where: str) -> None:
    """What a rewrite cannot save is in the report with its reason, and the rest is rewritten."""
    store = Refusing()
    for key in KEYS:
        store.put(key, OLD, expected=0, write_id="w")
    store.error = error
    report = Repository(codec_at(2), store).rewrite()
    named = {"failures": report.failures, "unreadable": report.unreadable}
    found = {name: [(each.key, each.error) for each in named[name]] for name in named}
    assert report.conflicts == (("a/2",) if where == "conflicts" else ())
    assert found == {name: [("a/2", error)] if name == where else [] for name in named}
    assert (report.rewritten, report.count) == (5, 6)
    assert report.is_clean == (where == "conflicts")
