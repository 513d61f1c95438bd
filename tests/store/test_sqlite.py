"""The SQLite store: durability, layouts, files that are not its own, locks, connections."""

from __future__ import annotations

import os
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from threading import Timer
from typing import Any

import pytest

from instar.errors import ConfigError, Conflict, StoreError, StoreLayoutError
from instar.store import SQLiteStore
from instar.store.every_entry import Unreadable, every_entry
from instar.store.sqlite_pool import ConnectionPool
from instar.store.store import Held


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "s.db"


@pytest.fixture
def store(path: Path) -> Iterator[SQLiteStore]:
    with SQLiteStore(path) as store:
        yield store


posix_only = pytest.mark.skipif(os.name == "nt", reason="Windows keeps files that are open")


def change(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        for statement in statements:
            connection.execute(statement)


def test_a_save_survives_a_power_cut(store: SQLiteStore) -> None:
    """The log is written ahead, and synchronised at every commit."""
    pool = ConnectionPool(store.path, timeout=1)
    with closing(pool), pool.connection() as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert connection.execute("PRAGMA synchronous").fetchone() == (2,)


def test_blobs_are_no_text(store: SQLiteStore, path: Path) -> None:
    """A blob with a NUL lies in the file as a BLOB of its full length."""
    store.put("k", b"a\0b", expected=0, write_id="w")
    with closing(sqlite3.connect(path)) as connection:
        rows = connection.execute("SELECT typeof(blob), length(blob) FROM instar_state").fetchall()
    assert rows == [("blob", 3)]


def test_text_is_no_blob(store: SQLiteStore, path: Path) -> None:
    """Nobody can put text where the blob belongs, by hand either."""
    store.put("k", b"one", expected=0, write_id="w")
    with pytest.raises(sqlite3.IntegrityError):
        change(path, "UPDATE instar_state SET blob = 'text'")


@pytest.mark.skipif(os.name == "nt", reason="Windows has no modes")
def test_a_new_database_is_private(store: SQLiteStore, path: Path) -> None:
    """A new database, and the log beside it, can be read by its owner alone."""
    store.put("k", b"one", expected=0, write_id="w")
    modes = {each.name: stat.S_IMODE(each.stat().st_mode) for each in path.parent.iterdir()}
    assert modes == {"s.db": 0o600, "s.db-wal": 0o600, "s.db-shm": 0o600}


def test_opening_and_reading_write_nothing(path: Path) -> None:
    """A store that is there is opened and read without a change to the file."""
    with SQLiteStore(path) as store:
        store.put("k", b"one", expected=0, write_id="w")
    before = path.read_bytes()
    with SQLiteStore(path) as store:
        assert [entry.blob for entry in store.scan()] == [b"one"]
    assert path.read_bytes() == before


def test_another_major_layout_is_refused(path: Path) -> None:
    """A store of another major layout is a StoreLayoutError that says which, and what to do."""
    SQLiteStore(path).close()
    change(path, "UPDATE instar_layout SET major = 2, minor = 3")
    with pytest.raises(StoreLayoutError, match=r"layout 2\.3.*knows 1; use the release"):
        SQLiteStore(path)


def test_a_minor_layout_still_works(path: Path) -> None:
    """What a later minor layout adds does not disturb this release, and survives its saves."""
    SQLiteStore(path).close()
    change(
        path,
        "UPDATE instar_layout SET minor = 9",
        "ALTER TABLE instar_state ADD COLUMN note TEXT DEFAULT 'none'",
        "CREATE TABLE instar_extra (x INTEGER)",
    )
    with SQLiteStore(path) as store:
        store.put("k", b"one", expected=0, write_id="w1")
        change(path, "UPDATE instar_state SET note = 'kept'")
        store.put("k", b"two", expected=1, write_id="w2")
        assert [entry.blob for entry in store.scan()] == [b"two"]
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT note FROM instar_state").fetchall() == [("kept",)]


def test_a_store_of_layout_1_0_gains_documents(path: Path) -> None:
    """A store that an older release made has no document, is not changed to say so, and then
    keeps what is put; its states stay, and it is of layout 1.1.
    """
    with SQLiteStore(path) as store:
        store.put("k", b"one", expected=0, write_id="w")
    change(path, "DROP TABLE instar_document", "UPDATE instar_layout SET minor = 0")
    with SQLiteStore(path) as store:
        assert store.get_document("d") is None
        assert list(store.documents()) == []
        with closing(sqlite3.connect(path)) as connection:
            assert connection.execute("SELECT minor FROM instar_layout").fetchall() == [(0,)]
        assert store.put_document("d", b"{}") == b"{}"
        assert store.put_document("d", b"[]") == b"{}"
    with SQLiteStore(path) as store:
        assert store.get_document("d") == b"{}"
        assert [entry.blob for entry in store.scan()] == [b"one"]
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT * FROM instar_layout").fetchall() == [(1, 1)]


def test_a_document_that_was_put_as_text_is_refused(path: Path) -> None:
    """Nobody can put text where a document belongs, by hand either."""
    SQLiteStore(path).close()
    with pytest.raises(sqlite3.IntegrityError):
        change(path, "INSERT INTO instar_document VALUES ('d', 'text')")


def test_a_file_of_another_kind_is_refused(path: Path) -> None:
    """A file that is no database is a StoreLayoutError, and stays as it is."""
    path.write_text("my thesis, chapter 1 " * 100)
    with pytest.raises(StoreLayoutError, match="not an SQLite database"):
        SQLiteStore(path)
    assert path.read_text().startswith("my thesis")


def test_a_database_of_another_program_is_refused(path: Path) -> None:
    """Somebody else's database is a StoreLayoutError, and stays as it is."""
    change(path, "CREATE TABLE birds (name TEXT)")
    before = path.read_bytes()
    with pytest.raises(StoreLayoutError, match="another program"):
        SQLiteStore(path)
    assert path.read_bytes() == before


def test_a_store_without_its_layout_is_refused(path: Path) -> None:
    """A store whose layout was emptied by hand is not guessed at."""
    SQLiteStore(path).close()
    change(path, "DELETE FROM instar_layout")
    with pytest.raises(StoreLayoutError):
        SQLiteStore(path)


def test_a_missing_file_is_made_only_if_asked(tmp_path: Path) -> None:
    """Without create, a file that is not there is a StoreError, and is not made."""
    with pytest.raises(StoreError, match="no store here"):
        SQLiteStore(tmp_path / "none.db", create=False)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_is_no_database(tmp_path: Path) -> None:
    """A path that is a folder is a StoreError that names it."""
    with pytest.raises(StoreError, match=tmp_path.name):
        SQLiteStore(tmp_path)


def test_a_held_database_is_waited_for_and_named(path: Path) -> None:
    """A writer that waits longer than the timeout gets a StoreError; readers do not wait."""
    with (
        SQLiteStore(path, timeout=0.05) as store,
        closing(sqlite3.connect(path, isolation_level=None)) as other,
    ):
        store.put("k", b"one", expected=0, write_id="w1")
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match=r"held the database for 0\.05 s"):
            store.put("k", b"two", expected=1, write_id="w2")
        assert [entry.blob for entry in store.scan()] == [b"one"]
        other.execute("ROLLBACK")
        assert store.put("k", b"two", expected=1, write_id="w2") == 2


def test_the_row_decides_where_locks_lie(
    store: SQLiteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A row that changes between check and write, as on a drive with broken locks, conflicts."""
    store.put("k", b"one", expected=0, write_id="w1")

    def held(connection: sqlite3.Connection, *_: object) -> Held:
        connection.execute("UPDATE instar_state SET revision = 2")
        return Held(1, "w1", live=True)

    with monkeypatch.context() as patch:
        patch.setattr("instar.store.sqlite._held", held)
        with pytest.raises(Conflict):
            store.put("k", b"two", expected=1, write_id="w2")
    assert [entry.blob for entry in store.scan()] == [b"one"]


def test_a_new_store_waits_for_another_maker(path: Path) -> None:
    """A process that opens a new file while another one is making the store waits for it."""
    with closing(sqlite3.connect(path, isolation_level=None, check_same_thread=False)) as other:
        other.execute("BEGIN IMMEDIATE")
        release = Timer(0.2, other.execute, ["ROLLBACK"])
        release.start()
        with SQLiteStore(path) as store:
            assert store.put("k", b"one", expected=0, write_id="w") == 1
        release.join()


def test_a_lost_table_is_a_store_error(store: SQLiteStore, path: Path) -> None:
    """What SQLite refuses leaves as a StoreError with the path, never as sqlite3.Error."""
    change(path, "DROP TABLE instar_state")
    with pytest.raises(StoreError, match=r"s\.db: SQLite refused: no such table"):
        store.get("k")


def test_a_limit_beyond_sqlite_is_refused(path: Path) -> None:
    """A blob limit that SQLite could not keep is refused when the store opens."""
    with pytest.raises(ConfigError, match="blob_limit"):
        SQLiteStore(path, blob_limit=2**40)


def test_an_interrupted_write_is_rolled_back(store: SQLiteStore) -> None:
    """An exception inside a write, from a signal for example, undoes it and frees the lock."""
    with closing(ConnectionPool(store.path, timeout=1)) as pool:
        with pytest.raises(KeyboardInterrupt):
            interrupted_write(pool)
        assert store.put("k", b"one", expected=0, write_id="w") == 1


def interrupted_write(pool: ConnectionPool) -> None:
    with pool.transaction() as connection:
        connection.execute("INSERT INTO instar_state VALUES ('k', 1, 'w', x'00')")
        raise KeyboardInterrupt


def test_one_caller_after_another_shares_a_connection(
    store: SQLiteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Connections are lent and come back, so calls in turn open no new one."""

    def connect(*_args: object, **_kwargs: object) -> None:
        pytest.fail("a connection was opened")

    monkeypatch.setattr(sqlite3, "connect", connect)
    for number in range(5):
        store.put(f"k{number}", b"", expected=0, write_id="w")
    assert len(list(store.scan())) == 5


@posix_only
def test_a_deleted_file_takes_no_save(store: SQLiteStore, path: Path) -> None:
    """Once the file is deleted, saves and reads raise StoreError, and no new file is made."""
    store.put("k", b"one", expected=0, write_id="w1")
    path.unlink()
    refused = r"s\.db: the database is gone.*open the store again"
    with pytest.raises(StoreError, match=refused):
        store.put("k", b"two", expected=1, write_id="w2")
    with pytest.raises(StoreError, match=refused):
        store.delete("k", expected=1, write_id="w3")
    with pytest.raises(StoreError, match=refused):
        store.get("k")
    with pytest.raises(StoreError, match=refused):
        list(store.scan())
    assert not path.exists()


@posix_only
def test_a_replaced_file_takes_no_save(store: SQLiteStore, path: Path) -> None:
    """A store whose file was replaced raises StoreError until it is opened again."""
    store.put("k", b"one", expected=0, write_id="w1")
    other = path.with_name("other.db")
    with SQLiteStore(other) as backup:
        backup.put("k", b"restored", expected=0, write_id="w")
    other.replace(path)
    with pytest.raises(StoreError, match="another file is in its place"):
        store.put("k", b"two", expected=1, write_id="w2")
    with pytest.raises(StoreError, match="another file is in its place"):
        store.get("k")


@posix_only
def test_a_new_connection_does_not_join_another_file(store: SQLiteStore, path: Path) -> None:
    """A connection that is opened later is to the file of the first one, or to none."""
    with closing(ConnectionPool(store.path, timeout=1)) as pool, pool.connection():
        path.rename(path.with_name("moved.db"))
        SQLiteStore(path).close()
        with pytest.raises(StoreError, match="another file is in its place"), pool.connection():
            pytest.fail("it was lent")
        path.unlink()
        with pytest.raises(StoreError, match="gone"), pool.connection():
            pytest.fail("it was lent")
        assert not path.exists()


@posix_only
def test_a_file_that_goes_during_a_save(store: SQLiteStore, path: Path) -> None:
    """A save whose file went before it was done does not report success."""

    with (
        closing(ConnectionPool(store.path, timeout=1)) as pool,
        pytest.raises(StoreError, match="gone"),
        pool.transaction(),
    ):
        path.unlink()


@posix_only
def test_a_file_that_goes_while_a_connection_opens(
    store: SQLiteStore, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A connection that met another file is closed, and not lent."""
    opened: list[sqlite3.Connection] = []
    connect = sqlite3.connect

    def replaced(*args: Any, **kwargs: Any) -> sqlite3.Connection:
        path.rename(path.with_name("moved.db"))
        opened.append(connect(*args, **kwargs))
        return opened[-1]

    with closing(ConnectionPool(store.path, timeout=1)) as pool, pool.connection():
        monkeypatch.setattr(sqlite3, "connect", replaced)
        with pytest.raises(StoreError, match="another file is in its place"), pool.connection():
            pytest.fail("it was lent")
    with pytest.raises(sqlite3.ProgrammingError):
        opened[0].execute("SELECT 1")


@posix_only
def test_a_file_that_comes_back_is_the_same(store: SQLiteStore, path: Path) -> None:
    """A file that was moved away and back is used again, with all that was saved."""
    store.put("k", b"one", expected=0, write_id="w1")
    moved = path.rename(path.with_name("moved.db"))
    with pytest.raises(StoreError, match="gone"):
        store.get("k")
    moved.rename(path)
    assert store.put("k", b"two", expected=1, write_id="w2") == 2


@pytest.mark.parametrize(
    "change_to",
    ["revision = 'x'", "revision = 0", "revision = -1", "revision = 1.5", "write_id = x'00'"],
)
def test_a_row_that_no_store_wrote_is_an_error(
    store: SQLiteStore, path: Path, change_to: str
) -> None:
    """Columns of other types are a StoreLayoutError with the key, for readers and writers."""
    for key in "abc":
        store.put(key, b"one", expected=0, write_id="w")
    change(path, "UPDATE instar_state SET " + change_to + " WHERE key = 'b'")  # noqa: S608
    for call in (
        lambda: store.get("b"),
        lambda: store.put("b", b"two", expected=1, write_id="w2"),
        lambda: store.delete("b", expected=1, write_id="w2"),
        lambda: list(store.scan()),
        lambda: list(store.scan("b")),
    ):
        with pytest.raises(StoreLayoutError, match="as no store writes it") as caught:
            call()
        assert caught.value.key == "b"
    assert [entry.key for entry in store.scan(after="b")] == ["c"]
    assert [entry.key for entry in store.scan("a")] == ["a"]


def test_a_blob_that_is_text_is_an_error(store: SQLiteStore, path: Path) -> None:
    """Text in the place of a blob, where a check was turned off, is told with its key."""
    store.put("a", b"one", expected=0, write_id="w")
    change(path, "PRAGMA ignore_check_constraints = 1", "UPDATE instar_state SET blob = 'one'")
    with pytest.raises(StoreLayoutError, match="'a' has a blob that is no bytes"):
        store.get("a")


def test_a_key_that_is_no_text_ends_a_scan(store: SQLiteStore, path: Path) -> None:
    """It comes behind all others, is of no prefix, and cannot be passed over in silence."""
    for key in "abc":
        store.put(key, b"one", expected=0, write_id="w")
    change(path, "UPDATE instar_state SET key = x'61' WHERE key = 'b'")
    found = store.scan()
    assert [next(found).key, next(found).key] == ["a", "c"]
    with pytest.raises(StoreLayoutError, match="b'a' has a key that is no text") as caught:
        next(found)
    assert caught.value.key == ""
    assert [entry.key for entry in store.scan("a")] == ["a"]
    assert [entry.key for entry in store.scan("c")] == ["c"]
    change(path, "UPDATE instar_state SET key = CAST(x'62ff' AS TEXT) WHERE key = x'61'")
    with pytest.raises(StoreError, match="UTF-8"):
        list(store.scan())


def test_a_damaged_page_keeps_no_other_from_being_read(path: Path) -> None:
    """Where SQLite finds the pages of one blob damaged, its key is named; deleted keys are not."""
    with SQLiteStore(path) as store:
        for key in ("a", "b", "c", "d", "e"):
            store.put(key, key.encode() * 50_000, expected=0, write_id="w")
        store.delete("b", expected=1, write_id="w2")
    change(path, "PRAGMA wal_checkpoint(TRUNCATE)")
    content = bytearray(path.read_bytes())
    # An overflow page begins with the number of the next one, and holds the blob and no more.
    page = content.index(b"c" * 4092) - 4
    assert page % 4096 == 0
    content[page : page + 4] = b"\xff\xff\xff\xff"
    path.write_bytes(content)
    with SQLiteStore(path) as store:
        found = list(every_entry(store))
        assert [each.key for each in found] == ["a", "c", "d", "e"]
        (bad,) = (each for each in found if isinstance(each, Unreadable))
        assert (bad.key, type(bad.error)) == ("c", StoreError)
        assert "malformed" in str(bad.error)
        assert [each.key for each in every_entry(store, "b")] == []


def test_a_scan_takes_as_many_steps_as_there_are_states(
    store: SQLiteStore, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each step of a scan seeks where the one before ended, with a prefix and without."""
    steps = 0

    def step() -> int:
        nonlocal steps
        steps += 1
        return 0

    connect = sqlite3.connect

    def counting(*arguments: Any, **options: Any) -> sqlite3.Connection:
        connection = connect(*arguments, **options)
        connection.set_progress_handler(step, 1)
        return connection

    def taken(prefix: str) -> int:
        nonlocal steps
        with SQLiteStore(path) as counted:
            steps = 0
            assert len(list(counted.scan(prefix))) == 50 * rounds
        return steps

    costs: list[dict[str, int]] = []
    for rounds in (1, 4):
        for number in range(50 * rounds):
            held = store.get(f"a/{number}")
            if held is None:
                store.put(f"a/{number}", b"", expected=0, write_id="w")
        with monkeypatch.context() as patch:
            patch.setattr(sqlite3, "connect", counting)
            costs.append({prefix: taken(prefix) for prefix in ("", "a/")})
    few, many = costs
    assert all(0 < many[prefix] < 5 * few[prefix] for prefix in few)
