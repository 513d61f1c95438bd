"""Addresses of stores."""

from __future__ import annotations

from pathlib import Path
from typing import Any

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


def test_the_working_folder_is_no_address(tmp_path: Path) -> None:
    """The working folder is refused for what it is, and not as an empty address."""
    for address in (".", "./", Path()):
        with pytest.raises(ConfigError, match="working folder"):
            open_store(address)
    with pytest.raises(ConfigError, match="is empty"):
        open_store("")


@pytest.mark.parametrize("address", [5, None, b"a.db", object(), MemoryStore, {}])
def test_what_is_no_address_is_told_what_one_is(address: Any) -> None:
    """What is neither text nor a path nor a store is a ConfigError with an example."""
    with pytest.raises(ConfigError, match=r"address of a store.*sqlite:///agents\.db"):
        open_store(address)


@pytest.mark.parametrize("kind", [FileStore, SQLiteStore])
@pytest.mark.parametrize("path", [5, None, b"a.db"])
def test_what_is_no_path_is_a_config_error(kind: type[Any], path: Any) -> None:
    """A store whose path is neither text nor a Path is a ConfigError."""
    with pytest.raises(ConfigError, match="path of a store"):
        kind(path)


NO_PATHS = ["a\0b", "a\0b.db", "sqlite:///a\0b.db", "files:a\0b", "files:a%00b", Path("a\0b.db")]


@pytest.mark.parametrize("address", [*NO_PATHS, "a\ud800.db", "a\ud800", "sqlite:///a\ud800"])
def test_a_path_that_no_system_takes(address: str | Path, tmp_path: Path) -> None:
    """A NUL or half a character in an address is a ConfigError, and nothing is made."""
    with pytest.raises(ConfigError, match="no path"):
        open_store(address)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("create", [True, False])
@pytest.mark.parametrize("address", ["{}.db", "sqlite:///{}.db", "{}", "files:{}", "{}/a.db"])
def test_a_path_that_the_system_refuses(address: str, create: bool) -> None:
    """What the system says of a path is a StoreError with its reason."""
    with pytest.raises(StoreError, match=r"xxx.*the system refused: \w+"):
        open_store(address.format("x" * 300), create=create)


def test_a_working_folder_that_is_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A relative path is a StoreError where the system cannot say what it is relative to."""

    def gone(_path: Path) -> Path:
        raise FileNotFoundError(2, "No such file or directory")

    monkeypatch.setattr(Path, "absolute", gone)
    with pytest.raises(StoreError, match="No such file"):
        open_store("a.db")
