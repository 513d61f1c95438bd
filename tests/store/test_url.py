"""Addresses of stores."""

from __future__ import annotations

from pathlib import Path

import pytest

from instar.errors import ConfigError, StoreError
from instar.store import FileStore, MemoryStore, SQLiteStore, open_store


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_memory_is_new_each_time() -> None:
    """memory: opens another store each time."""
    one, two = open_store("memory:"), open_store("memory://")
    assert isinstance(one, MemoryStore)
    assert one is not two


def test_a_store_is_returned_as_it_is() -> None:
    """A store in place of an address is the store."""
    store = MemoryStore()
    assert open_store(store) is store


@pytest.mark.parametrize(
    ("address", "place"),
    [
        ("sqlite:///a.db", "a.db"),
        ("sqlite:///sub/folder/a.db", "sub/folder/a.db"),
        ("sqlite:a.db", "a.db"),
        ("SQLite:///a%20b", "a%20b"),
        ("a.db", "a.db"),
        ("a.sqlite", "a.sqlite"),
        ("sub/a.sqlite3", "sub/a.sqlite3"),
        (Path("a.db"), "a.db"),
    ],
)
def test_sqlite_addresses(address: str | Path, place: str, tmp_path: Path) -> None:
    """Three slashes and a relative path, or a plain path with a suffix of SQLite."""
    with open_store(address) as store:
        assert isinstance(store, SQLiteStore)
        assert store.path == tmp_path / place


@pytest.mark.parametrize(
    ("address", "place"), [("sub", "sub"), ("files:sub/x", "sub/x"), (Path("sub"), "sub")]
)
def test_folder_addresses(address: str | Path, place: str, tmp_path: Path) -> None:
    """A plain path without suffix, or files: and a path, is a file store."""
    with open_store(address) as store:
        assert isinstance(store, FileStore)
        assert store.folder == tmp_path / place


def test_absolute_addresses(tmp_path: Path) -> None:
    """Absolute paths: four slashes for SQLite, a file: URL as pathlib writes it for folders."""
    with open_store(f"sqlite:///{tmp_path}/a.db") as store:
        assert isinstance(store, SQLiteStore)
        assert store.path == tmp_path / "a.db"
    folder = tmp_path / "with space"
    for address in (folder.as_uri(), folder.as_uri().replace("file://", "files://localhost")):
        with open_store(address) as store:
            assert isinstance(store, FileStore)
            assert store.folder == folder


def test_a_path_is_what_it_already_is(tmp_path: Path) -> None:
    """A file is SQLite whatever its name, and a folder is a file store whatever its name."""
    SQLiteStore("plain").close()
    FileStore("folder.db").close()
    with open_store("plain") as one, open_store("folder.db") as two:
        assert isinstance(one, SQLiteStore)
        assert isinstance(two, FileStore)


def test_an_unknown_scheme_lists_the_known() -> None:
    """An unknown scheme is a ConfigError with the known ones, and without the password."""
    with pytest.raises(ConfigError, match="files, memory, sqlite") as caught:
        open_store("postgres://me:secret@host/db")
    assert "postgres" in str(caught.value)
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    "address",
    [
        "",
        ".",
        "memory:/x",
        "sqlite:",
        "sqlite://",
        "sqlite:///",
        "sqlite://host/a.db",
        "sqlite:///:memory:",
        "sqlite:///a.db?timeout=3",
        "file://host/folder",
        "file:",
        "file://",
    ],
)
def test_a_bad_address_is_a_config_error(address: str, tmp_path: Path) -> None:
    """An address that names nothing is a ConfigError, and makes nothing."""
    with pytest.raises(ConfigError):
        open_store(address)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("address", ["none.db", "none", "sqlite:///none.db", "files:none"])
def test_a_mistyped_path_is_no_new_store(address: str, tmp_path: Path) -> None:
    """Without create, an address where nothing is raises StoreError and makes nothing."""
    with pytest.raises(StoreError, match="no store here"):
        open_store(address, create=False)
    assert list(tmp_path.iterdir()) == []
