"""An SQLite store where nothing can be written is read, and never past what others write.

Nothing is simulated: the places are a read-only mount of a folder, which only root can make, and a
folder without the right to write, which root does not heed. What cannot be made here is skipped.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from time import monotonic
from typing import Self

import pytest
from typer.testing import CliRunner

import instar
from instar.cli.main import app
from instar.errors import StoreError
from instar.store import SQLiteStore
from instar.store.sqlite_pool import ConnectionPool

MOUNT = shutil.which("mount")
NAMES = ("s.db", "odd ?#%41 name.db")


def make(path: Path) -> None:
    """A store with one state, one document and one deleted key."""
    with SQLiteStore(path) as store:
        store.put("a", b"one", expected=0, write_id="w1")
        store.put("b", b"two", expected=0, write_id="w2")
        store.delete("b", expected=1, write_id="w3")
        store.put_document("d", b"{}")


WRITER = """
import sys
from instar.store import SQLiteStore

store = None
for line in sys.stdin:
    blob, expected = line.split()
    store = store or SQLiteStore(sys.argv[1])
    store.put("a", blob.encode(), expected=int(expected), write_id=f"x{expected}")
    print("done", flush=True)
store.close()
"""


class Writer:
    """Saves the state "a" in another process: in one, SQLite would share what a reader opened.

    It opens the store at the first save.
    """

    def __init__(self, path: Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", WRITER, str(path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def put(self, blob: bytes, expected: int) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{blob.decode()} {expected}\n")
        self._process.stdin.flush()
        assert self._process.stdout.readline() == "done\n"

    def close(self) -> None:
        self._process.communicate()
        assert self._process.returncode == 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._process.poll() is None:
            self.close()


def run_mount(*arguments: str) -> bool:
    return MOUNT is not None and not subprocess.run([MOUNT, *arguments], check=False).returncode


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """Where a store is made and written."""
    folder = tmp_path / "source"
    folder.mkdir()
    return folder


@pytest.fixture
def mount(source: Path, tmp_path: Path) -> Iterator[Path]:
    """The same folder, mounted so that nothing can be written."""
    folder = tmp_path / "mount"
    folder.mkdir()
    if os.name == "nt" or os.geteuid() or not run_mount("--bind", str(source), str(folder)):
        pytest.skip("a read-only mount cannot be made here")
    try:
        assert run_mount("-o", "remount,bind,ro", str(folder))
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


@pytest.fixture
def no_right(source: Path) -> Iterator[Path]:
    """A folder that its owner may not write."""
    for name in NAMES:
        make(source / name)
    source.chmod(0o500)
    if os.access(source, os.W_OK):
        pytest.skip("rights of folders do not hold here")
    yield source
    source.chmod(0o700)


def assert_is_read(path: Path) -> None:
    with SQLiteStore(path, create=False) as store:
        assert [(entry.key, entry.blob) for entry in store.scan()] == [("a", b"one")]
        assert store.get("b") is None
        assert list(store.documents()) == ["d"]
        assert store.get_document("d") == b"{}"


@pytest.mark.parametrize("name", NAMES)
def test_a_store_on_a_read_only_mount_is_read(source: Path, mount: Path, name: str) -> None:
    """States, deleted keys and documents are read, and no file is made."""
    make(source / name)
    assert_is_read(mount / name)
    assert [path.name for path in source.iterdir()] == [name]


@pytest.mark.parametrize("name", NAMES)
def test_a_store_in_a_folder_without_rights_is_read(no_right: Path, name: str) -> None:
    """The same without a mount."""
    assert_is_read(no_right / name)


def test_a_link_leads_to_a_store_on_a_read_only_mount(
    source: Path, mount: Path, tmp_path: Path
) -> None:
    """What decides is the folder of the file, not that of a link to it."""
    make(source / "s.db")
    link = tmp_path / "link.db"
    link.symlink_to(mount / "s.db")
    assert_is_read(link)


def test_a_write_says_that_the_store_can_only_be_read(source: Path, mount: Path) -> None:
    """Every kind of write is a StoreError with a mend, and changes nothing."""
    make(source / "s.db")
    with SQLiteStore(mount / "s.db") as store:
        for write in (
            lambda: store.put("c", b"", expected=0, write_id="w"),
            lambda: store.delete("a", expected=1, write_id="w"),
            lambda: store.put_document("e", b"{}"),
        ):
            with pytest.raises(StoreError, match="can only be read") as caught:
                write()
            assert "writable" in str(caught.value)
    assert_is_read(source / "s.db")


def test_an_empty_file_on_a_read_only_mount_becomes_no_store(source: Path, mount: Path) -> None:
    """It is refused at once, and not tried until the timeout."""
    (source / "s.db").touch()
    before = monotonic()
    with pytest.raises(StoreError, match="can only be read"):
        SQLiteStore(mount / "s.db", timeout=60)
    assert monotonic() - before < 30


def test_a_live_log_is_read_on_a_read_only_mount(source: Path, mount: Path) -> None:
    """What a writer elsewhere has in its log alone is seen, and so is what it writes next."""
    with Writer(source / "s.db") as writer:
        writer.put(b"one", expected=0)
        assert (source / "s.db-wal").stat().st_size
        with SQLiteStore(mount / "s.db") as reader:
            assert [entry.blob for entry in reader.scan()] == [b"one"]
            writer.put(b"two", expected=1)
            assert [entry.blob for entry in reader.scan()] == [b"two"]


def test_a_writer_that_begins_later_is_seen(source: Path, mount: Path) -> None:
    """A reader that met no log sees a write, be it in the log alone or in the file."""
    make(source / "s.db")
    with SQLiteStore(mount / "s.db") as reader:
        assert [entry.blob for entry in reader.scan()] == [b"one"]
        for revision in (1, 2):
            blob = b"%d" % revision
            with Writer(source / "s.db") as writer:
                writer.put(blob, expected=revision)
            assert not (source / "s.db-wal").exists()
            assert [entry.blob for entry in reader.scan()] == [blob]
        with Writer(source / "s.db") as writer:
            writer.put(b"live", expected=3)
            assert (source / "s.db-wal").stat().st_size
            assert [entry.blob for entry in reader.scan()] == [b"live"]


@pytest.mark.parametrize("is_closed", [False, True])
def test_a_write_during_a_read_is_told(source: Path, mount: Path, is_closed: bool) -> None:
    """What was read while somebody wrote is not handed out, whether or not the log is left."""
    make(source / "s.db")
    with (
        closing(ConnectionPool(mount / "s.db", timeout=1)) as pool,
        Writer(source / "s.db") as writer,
    ):
        with pytest.raises(StoreError, match="somebody wrote"):
            read_while_it_is_written(pool, writer, is_closed)
        with pool.connection() as connection:
            found = connection.execute("SELECT blob FROM instar_state WHERE key = 'a'").fetchall()
        assert found == [(b"two",)]


def read_while_it_is_written(pool: ConnectionPool, writer: Writer, is_closed: bool) -> None:
    with pool.connection() as connection:
        connection.execute("SELECT * FROM instar_state").fetchall()
        writer.put(b"two", expected=1)
        if is_closed:
            writer.close()


@pytest.mark.parametrize("suffix", ["-wal", "-journal"])
def test_a_log_that_cannot_be_read_is_not_passed_over(
    source: Path, mount: Path, suffix: str
) -> None:
    """A log that a killed writer left is a StoreError with a mend, never an older state."""
    log = left_log if suffix == "-wal" else left_journal
    log(source)
    with pytest.raises(StoreError) as caught:
        SQLiteStore(mount / "s.db", create=False)
    assert f"s.db{suffix} holds writes" in str(caught.value)
    assert "copy both files" in str(caught.value)


def left_log(folder: Path) -> None:
    """A database whose newest state is in its log, without the index of the log."""
    (folder / "live").mkdir()
    with SQLiteStore(folder / "live" / "s.db") as writer:
        writer.put("a", b"one", expected=0, write_id="w1")
        for name in ("s.db", "s.db-wal"):
            shutil.copy(folder / "live" / name, folder / name)


def left_journal(folder: Path) -> None:
    """A database in the midst of a transaction with the older kind of log."""
    (folder / "live").mkdir()
    path = folder / "live" / "s.db"
    make(path)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
        connection.execute("PRAGMA cache_size = 1")
        connection.execute("BEGIN")
        for number in range(50):
            row = (str(number), b"x" * 4000)
            connection.execute("INSERT INTO instar_state VALUES (?, 1, 'w', ?)", row)
        for name in ("s.db", "s.db-journal"):
            shutil.copy(folder / "live" / name, folder / name)
        connection.execute("ROLLBACK")


def test_an_empty_log_holds_nothing_back(source: Path, mount: Path) -> None:
    """A log of no bytes is as none."""
    make(source / "s.db")
    (source / "s.db-wal").touch()
    assert_is_read(mount / "s.db")
    assert (source / "s.db-wal").exists()


SCHEMA = '{"type": "record", "name": "Note", "fields": [{"name": "text", "type": "string"}]}'


def test_commands_that_read_work_on_a_read_only_mount(
    source: Path, mount: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """census, documents, inspect and a dry run of prune work; prune says what it could not do."""
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "schemas" / "note"
    folder.mkdir(parents=True)
    (folder / "v1.avsc").write_text(SCHEMA)
    codec = instar.Registry.open("schemas").codec("note")
    with instar.Repository(codec, source / "s.db") as notes:
        for key in ("run/1", "run/2"):
            notes.create(key, codec.from_builtins({"text": "hello"}))
    where = ("--store", f"sqlite:///{mount / 's.db'}")
    prune = ("prune", *where, "--keep", "1")

    def run(*arguments: str) -> tuple[int, str]:
        result = CliRunner().invoke(app, list(arguments))
        return result.exit_code, result.output

    assert run("census", *where)[0] == 0
    assert run("documents", *where)[0] == 0
    code, text = run("inspect", *where, "--key", "run/1")
    assert (code, "hello" in text) == (0, True)
    assert run(*prune)[0] == 0
    code, text = run(*prune, "--delete")
    assert (code, "can only be read" in " ".join(text.split())) == (1, True)
    with instar.Repository(codec, mount / "s.db") as notes:
        assert list(notes.keys()) == ["run/1", "run/2"]
