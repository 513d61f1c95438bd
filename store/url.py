"""From the address of a store to the store."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final, cast
from urllib.parse import unquote

from ..errors import ConfigError
from .files import FileStore
from .memory import MemoryStore
from .sqlite import SQLiteStore
from .store import Store, check_path, system_refused

_SQLITE_SUFFIXES: Final = frozenset({".db", ".sqlite", ".sqlite3"})
_METHODS: Final = (
    *("get", "put", "delete", "scan"),
    *("get_document", "put_document", "documents", "close"),
)
# One letter is a Windows drive.
_SCHEME: Final = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+):(.*)", re.DOTALL)


def open_store(url: str | Path | Store, *, create: bool = True) -> Store:
    """The store at ``url``; a store itself is returned as it is.

    ``memory:`` is new each time. ``file:///folder`` (also ``files:``) is a file store.
    ``sqlite:///relative.db`` and ``sqlite:////absolute.db`` are an SQLite store. A plain path is
    SQLite where it is a file or ends in .db, .sqlite or .sqlite3, and else a file store. Without
    ``create`` a missing store is an error. Raises ConfigError for any other address and for what
    is none, and what the store raises.
    """
    if isinstance(url, Path):
        return _open_path(url, create)
    if not isinstance(url, str):
        return _checked(url)
    match = _SCHEME.fullmatch(url)
    if match is None:
        if not url:
            raise ConfigError("the address of the store is empty", mend="name a file or a folder")
        return _open_path(Path(url), create)
    opener = _OPENERS.get(match[1].lower())
    if opener is None:
        raise ConfigError(
            f"no store is called {match[1]!r}", mend=f"known are {', '.join(sorted(_OPENERS))}"
        )
    return opener(match[2], create)


def _checked(store: object) -> Store:
    """``store``, if it has the methods of one. Raises ConfigError."""
    if isinstance(store, type) or not all(
        callable(getattr(store, name, None)) for name in _METHODS
    ):
        raise ConfigError(
            f"this is neither a store nor the address of a store: {type(store).__name__}",
            mend="give text such as 'sqlite:///agents.db', a Path, or a store",
        )
    return cast("Store", store)


def _open_path(path: Path, create: bool) -> Store:
    if not path.parts:
        raise ConfigError(
            "the working folder itself is no store",
            where=str(path),
            mend="name a file or a folder in it",
        )
    if _is_database(path):
        return SQLiteStore(path, create=create)
    return FileStore(path, create=create)


def _is_database(path: Path) -> bool:
    check_path(str(path))
    try:
        return path.is_file() or (path.suffix in _SQLITE_SUFFIXES and not path.is_dir())
    except OSError as error:
        raise system_refused(error, str(path)) from error


def _open_memory(rest: str, _create: bool) -> Store:
    if rest.strip("/"):
        raise ConfigError(f"memory: takes no {rest!r}", mend="write memory:")
    return MemoryStore()


def _open_files(rest: str, create: bool) -> Store:
    path = rest.removeprefix("//localhost") if rest.startswith("//localhost/") else rest
    path = path.removeprefix("//")
    if not path or (path != rest and not path.startswith("/")):
        raise ConfigError(
            f"file:{rest} names no folder here", mend="write file:///absolute/folder or a path"
        )
    return FileStore(unquote(path), create=create)


def _open_sqlite(rest: str, create: bool) -> Store:
    path = rest.removeprefix("///")
    if not path or path.startswith("//") or path == ":memory:" or "?" in path:
        raise ConfigError(
            f"sqlite:{rest} names no file",
            mend="write sqlite:///relative.db or sqlite:////absolute.db, and options in Python",
        )
    return SQLiteStore(path, create=create)


_OPENERS: Final[Mapping[str, Callable[[str, bool], Store]]] = MappingProxyType(
    {"memory": _open_memory, "file": _open_files, "files": _open_files, "sqlite": _open_sqlite}
)
