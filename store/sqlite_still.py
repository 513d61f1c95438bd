"""An SQLite file where nothing can be written: neither the file nor a log beside it."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from ..errors import StoreError

_LOGS: Final = ("-wal", "-journal")
_NO_PLACE: Final = ("SQLITE_CANTOPEN", "SQLITE_READONLY")

FileState = tuple[int, int, int, int, int]
"""Device, inode, size and both times of a file: they differ once somebody wrote it."""


class StillConnection(sqlite3.Connection):
    """Reads a file without locks and without a log, as it is while nobody writes it.

    SQLite looks for no change in such a file, so ``path`` and ``state`` are kept to tell one.
    """

    path: Path
    state: FileState

    @property
    def is_overtaken(self) -> bool:
        """Whether somebody wrote since the connection was opened. Raises OSError."""
        return _pending_log(self.path) is not None or _state_of(self.path) != self.state


def needs_still(error: sqlite3.Error, path: Path) -> bool:
    """Whether SQLite refuses to read ``path`` because there is no place for a log beside it."""
    name = getattr(error, "sqlite_errorname", "")
    target = _target(path)
    # In a folder that can be written, SQLite has other reasons, such as too many open files.
    return name.startswith(_NO_PLACE) and target.is_file() and not os.access(target.parent, os.W_OK)


def open_still(path: Path) -> StillConnection:
    """A connection that reads ``path`` and nothing beside it.

    Raises StoreError where a log beside it holds writes, which would not be seen.
    """
    target = _target(path)
    # Before the file is opened: what is written after that is told as a change.
    state = _state_of(target)
    if log := _pending_log(target):
        raise StoreError(
            f"{log.name} holds writes that are not in the database yet, and nothing can be written"
            " here to read them",
            where=str(path),
            mend="copy both files to a folder that can be written and read the copy,"
            " or open the store once where it can be written",
        )
    connection = sqlite3.connect(
        f"{target.as_uri()}?mode=ro&immutable=1",
        uri=True,
        isolation_level=None,
        check_same_thread=False,
        factory=StillConnection,
    )
    connection.path, connection.state = target, state
    return connection


@contextmanager
def undisturbed(connection: sqlite3.Connection) -> Generator[None]:
    """Raise StoreError in place of what was read, or of SQLite's error, if somebody wrote."""
    try:
        yield
    except sqlite3.Error as error:
        _check(connection, error)
        raise
    _check(connection, None)


def is_overtaken(connection: sqlite3.Connection) -> bool:
    """Whether ``connection`` would not see what somebody wrote. Raises OSError."""
    return isinstance(connection, StillConnection) and connection.is_overtaken


def _check(connection: sqlite3.Connection, cause: Exception | None) -> None:
    if isinstance(connection, StillConnection) and connection.is_overtaken:
        raise StoreError(
            "somebody wrote the database while it was read where nothing can be written",
            where=str(connection.path),
            mend="read it again",
        ) from cause


def _target(path: Path) -> Path:
    # SQLite has its logs beside what a link leads to.
    return Path(os.path.realpath(path))


def _pending_log(target: Path) -> Path | None:
    """The log that holds writes, or None. Raises OSError."""
    for suffix in _LOGS:
        log = target.with_name(target.name + suffix)
        try:
            if log.stat().st_size:
                return log
        except FileNotFoundError:
            continue
    return None


def _state_of(target: Path) -> FileState:
    found = target.stat()
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns
