"""The tables of an SQLite store: made in a new file, checked in one that is there."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from time import monotonic, sleep
from typing import Final

from ..errors import StoreError, StoreLayoutError
from .sqlite_documents import TABLE
from .sqlite_pool import ConnectionPool

_MAJOR: Final = 1
_MINOR: Final = 1
_PAUSE: Final = 0.01

_TABLES: Final = (
    "CREATE TABLE instar_layout (major INTEGER NOT NULL, minor INTEGER NOT NULL)",
    # The blob of a deleted key is NULL; its row keeps the revision. Text would stop at a NUL.
    """
    CREATE TABLE instar_state (
        key TEXT PRIMARY KEY NOT NULL,
        revision INTEGER NOT NULL,
        write_id TEXT NOT NULL,
        blob BLOB CHECK (typeof(blob) IN ('blob', 'null'))
    )
    """,
    TABLE,
)


def open_layout(pool: ConnectionPool, *, create: bool) -> None:
    """Check that the file of ``pool`` is a store, or make it one where it is empty or missing.

    A store that is there is only read. Raises StoreLayoutError for any other file and for another
    major layout, and StoreError for a missing store that is not to be made.
    """
    with pool.translated():
        if not pool.path.exists():
            if not create:
                raise StoreError(
                    "there is no store here", where=str(pool.path), mend="check the path"
                )
            _make_private_file(pool.path)
    with pool.connection() as connection:
        empty = _is_empty(connection)
    if empty:
        _make_tables(pool)
    with pool.connection() as connection:
        _check(connection, pool.path)


def _make_private_file(path: Path) -> None:
    # SQLite gives the mode of this file to its log beside it. Empty, it is a valid database.
    path.parent.mkdir(parents=True, exist_ok=True)
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))


def _is_empty(connection: sqlite3.Connection) -> bool:
    row: tuple[int] = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    return row == (0,)


def _make_tables(pool: ConnectionPool) -> None:
    with pool.connection() as connection:
        _use_write_ahead_log(connection, monotonic() + pool.timeout)
    with pool.transaction() as connection:
        if _is_empty(connection):
            for statement in _TABLES:
                connection.execute(statement)
            connection.execute("INSERT INTO instar_layout VALUES (?, ?)", (_MAJOR, _MINOR))


def _use_write_ahead_log(connection: sqlite3.Connection, deadline: float) -> None:
    # SQLite does not wait here, so two processes that make one store would fail without the loop.
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            is_final = error.sqlite_errorname.startswith("SQLITE_READONLY")
            if is_final or monotonic() > deadline:
                raise
            sleep(_PAUSE)
        else:
            return


def _check(connection: sqlite3.Connection, path: Path) -> None:
    names = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
    if not names >= {"instar_layout", "instar_state"}:
        raise StoreLayoutError(
            "the database belongs to another program", where=str(path), mend="name another file"
        )
    major, minor = connection.execute("SELECT max(major), max(minor) FROM instar_layout").fetchone()
    if major != _MAJOR:
        raise StoreLayoutError(
            f"the store has layout {major}.{minor}, and this release knows {_MAJOR}",
            where=str(path),
            mend="use the release of instar that wrote it, or copy it into a new store",
        )
