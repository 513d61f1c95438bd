"""Connections to one SQLite file, for any thread, and never across a fork."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from ..errors import InstarError, StoreError, StoreLayoutError
from .sqlite_still import is_overtaken, needs_still, open_still, undisturbed
from .store import closed, system_refused

# Windows deletes and replaces no file that is open.
_FILES_STAY: Final = os.name == "nt"
_READ_ONLY: Final = frozenset({"SQLITE_READONLY", "SQLITE_READONLY_DIRECTORY"})


class ConnectionPool:
    """Lends each connection to one caller at a time, and opens one more where none is idle.

    All are to the file that the first one met. SQLite itself goes on with a file that was deleted
    or replaced since, and loses what is written there. Where nothing can be written, the file is
    read all the same. ``timeout`` is how long SQLite waits for another writer, in seconds.
    """

    def __init__(self, path: Path, timeout: float) -> None:
        self.path = path
        self.timeout = timeout
        self._idle: list[sqlite3.Connection] = []
        self._inherited: list[sqlite3.Connection] = []
        self._process = os.getpid()
        self._file: tuple[int, int] | None = None
        self._closed = False

    @contextmanager
    def connection(self) -> Generator[sqlite3.Connection]:
        """A connection in autocommit mode. Errors of SQLite leave as StoreError."""
        with self.translated():
            connection = self._take()
            try:
                with undisturbed(connection):
                    yield connection
            finally:
                self._give_back(connection)

    @contextmanager
    def transaction(self) -> Generator[sqlite3.Connection]:
        """A connection that holds the write lock; commits on exit, rolls back on any exception.

        Raises StoreError where the file went before the commit was done.
        """
        with self.connection() as connection:
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.execute("COMMIT")
                self._check_file()
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise

    def close(self) -> None:
        """Close what is idle, and what is lent once it comes back."""
        self._forget_parent()
        self._closed = True
        while self._idle:
            self._idle.pop().close()

    def _take(self) -> sqlite3.Connection:
        self._forget_parent()
        if self._closed:
            raise closed(str(self.path))
        if self._file is not None:
            self._check_file()
        while True:
            try:
                connection = self._idle.pop()
            except IndexError:
                return self._connect()
            if not is_overtaken(connection):
                return connection
            connection.close()

    def _give_back(self, connection: sqlite3.Connection) -> None:
        if self._closed:
            connection.close()
        else:
            self._idle.append(connection)

    def _forget_parent(self) -> None:
        # SQLite forbids a child to use or to close what its parent opened, so it is kept aside.
        if self._process != os.getpid():
            self._inherited += self._idle
            self._idle = []
            self._process = os.getpid()

    def _connect(self) -> sqlite3.Connection:
        connection = self._open()
        try:
            # Not before: an overlay gives a file another identity when it is first opened to write.
            self._file = self._file or self._found_file()
            self._check_file()
        except BaseException:
            connection.close()
            raise
        return connection

    def _open(self) -> sqlite3.Connection:
        try:
            return self._open_shared()
        except sqlite3.OperationalError as error:
            if not needs_still(error, self.path):
                raise
            return open_still(self.path)

    def _open_shared(self) -> sqlite3.Connection:
        connection = sqlite3.connect(
            self.path, timeout=self.timeout, isolation_level=None, check_same_thread=False
        )
        try:
            # In WAL mode only FULL makes a commit survive a power cut.
            connection.execute("PRAGMA synchronous = FULL")
            # The first read: only now SQLite looks for the log, or makes one.
            connection.execute("PRAGMA schema_version").fetchone()
        except BaseException:
            connection.close()
            raise
        return connection

    def _check_file(self) -> None:
        found = self._found_file()
        if found != self._file and not _FILES_STAY:
            raise StoreError(
                "the database is gone" if found is None else "another file is in its place",
                where=str(self.path),
                mend="open the store again once nobody moves its file, and save once more",
            )

    def _found_file(self) -> tuple[int, int] | None:
        """The device and inode of the file, or None where there is none. Raises OSError."""
        try:
            found = self.path.stat()
        except FileNotFoundError:
            return None
        return found.st_dev, found.st_ino

    @contextmanager
    def translated(self) -> Generator[None]:
        """Turn errors of SQLite and of the system into StoreError or StoreLayoutError."""
        try:
            yield
        except sqlite3.Error as error:
            raise self._translate(error) from error
        except OSError as error:
            raise system_refused(error, str(self.path)) from error

    def _translate(self, error: sqlite3.Error) -> InstarError:
        where = str(self.path)
        name = getattr(error, "sqlite_errorname", "")
        if name == "SQLITE_NOTADB":
            return StoreLayoutError(
                "the file is not an SQLite database", where=where, mend="name another file"
            )
        if name.startswith("SQLITE_BUSY"):
            return StoreError(
                f"another process held the database for {self.timeout:g} s",
                where=where,
                mend="try again, or open the store with a longer timeout",
            )
        if name in _READ_ONLY:
            return StoreError(
                "the store can only be read, since the database or its folder is not writable",
                where=where,
                mend="write where both can be written; what was stored is as it was",
            )
        return StoreError(
            f"SQLite refused: {error}",
            where=where,
            mend="check space, rights and path; what was stored is as it was",
        )
