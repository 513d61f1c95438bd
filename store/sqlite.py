"""The embedded default store: one SQLite file, for any number of threads and processes."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from ..errors import ConfigError, Conflict, StoreError
from .documents import check_document
from .sqlite_documents import document_names, get_document, put_document
from .sqlite_layout import open_layout
from .sqlite_pool import ConnectionPool
from .sqlite_rows import Row, entry_of, held_of, key_of
from .store import (
    BLOB_LIMIT,
    KEY_LIMIT,
    WRITE_ID_LIMIT,
    Entry,
    Held,
    absolute_path,
    check_key,
    check_scan,
    check_write,
    next_revision,
)

_ROW_OVERHEAD: Final = KEY_LIMIT + WRITE_ID_LIMIT + 64

_GET: Final = """
    SELECT key, blob, revision, write_id FROM instar_state WHERE key = ? AND blob IS NOT NULL
"""
# One lower bound: of two, SQLite seeks by the wrong one, and walks from there at every step.
_NEXT: Final = """
    SELECT key, blob, revision, write_id FROM instar_state
    WHERE key >= ? AND key <> ? AND blob IS NOT NULL ORDER BY key LIMIT 1
"""
# In the index alone, so that a row that cannot be read has its key read all the same.
_NEXT_KEY: Final = """
    SELECT key FROM instar_state WHERE key >= ? AND key <> ? ORDER BY key LIMIT 1
"""
_HELD: Final = "SELECT revision, write_id, blob IS NOT NULL FROM instar_state WHERE key = ?"
_WRITE: Final = """
    INSERT INTO instar_state (key, revision, write_id, blob)
    VALUES (:key, :revision, :write_id, :blob)
    ON CONFLICT (key) DO UPDATE SET revision = :revision, write_id = :write_id, blob = :blob
    WHERE revision = :before
"""


class SQLiteStore:
    """Keeps blobs in one SQLite file at ``path``, which is made where it is missing.

    Writes are durable when they return (write-ahead log, full synchronisation). ``timeout`` is how
    long to wait for another writer, in seconds; ``blob_limit`` the size of the largest blob, in
    bytes; without ``create`` a missing store is an error. A file that is deleted or replaced while
    the store is open is a StoreError for whoever reads or writes. Raises StoreLayoutError for a
    file that holds anything else, ConfigError for what is no path and for a ``blob_limit`` beyond
    SQLite's own, and StoreError.
    """

    def __init__(
        self,
        path: Path | str,
        *,
        timeout: float = 10.0,
        blob_limit: int = BLOB_LIMIT,
        create: bool = True,
    ) -> None:
        self.path: Final = absolute_path(path)
        self._blob_limit = blob_limit
        self._pool = ConnectionPool(self.path, timeout)
        try:
            open_layout(self._pool, create=create)
            self._check_limit()
        except BaseException:
            self._pool.close()
            raise

    def __repr__(self) -> str:
        return f"SQLiteStore({str(self.path)!r})"

    def get(self, key: str) -> Entry | None:
        """As ``Store.get``."""
        check_key(key)
        return self._one(_GET, key)

    def put(self, key: str, blob: bytes, *, expected: int, write_id: str) -> int:
        """As ``Store.put``."""
        check_write(key, expected, write_id, blob, self._blob_limit)
        return self._write(key, blob, expected, write_id)

    def delete(self, key: str, *, expected: int, write_id: str) -> None:
        """As ``Store.delete``."""
        check_write(key, expected, write_id)
        self._write(key, None, expected, write_id)

    def scan(self, prefix: str = "", after: str = "") -> Iterator[Entry]:
        """As ``Store.scan``; one short query for each entry, so it holds up no writer.

        A row that cannot be read is a StoreError with its ``key``: a scan after it goes on
        behind it.
        """
        check_scan(prefix, after)
        entry = self._next(prefix, after)
        while entry is not None and entry.key.startswith(prefix):
            yield entry
            entry = self._next(prefix, entry.key)

    def get_document(self, name: str) -> bytes | None:
        """As ``Store.get_document``."""
        check_document(name)
        with self._pool.connection() as connection:
            return get_document(connection, name)

    def put_document(self, name: str, content: bytes) -> bytes:
        """As ``Store.put_document``."""
        check_document(name, content)
        with self._pool.transaction() as connection:
            return put_document(connection, name, content)

    def documents(self) -> Iterator[str]:
        """As ``Store.documents``."""
        with self._pool.connection() as connection:
            return iter(document_names(connection))

    def close(self) -> None:
        """Close all connections; later calls raise StoreError."""
        self._pool.close()

    def _next(self, prefix: str, after: str) -> Entry | None:
        try:
            return self._one(_NEXT, max(prefix, after), after)
        except StoreError:
            # Where no key can be told either, it is the whole store that fails, and that is raised.
            return self._next_by_key(prefix, after)

    def _next_by_key(self, prefix: str, after: str) -> Entry | None:
        """The same one key after the other, deleted ones too, to name the one at fault."""
        while (key := self._key(prefix, after)) is not None and key.startswith(prefix):
            try:
                entry = self._one(_GET, key)
            except StoreError as error:
                error.key = key
                raise
            if entry is not None:
                return entry
            after = key
        return None

    def _key(self, prefix: str, after: str) -> str | None:
        row = self._row(_NEXT_KEY, max(prefix, after), after)
        # What is no text comes after all that is, and begins with nothing.
        is_over = row is not None and not isinstance(row[0], str) and bool(prefix)
        return None if is_over else key_of(row, self.path)

    def _one(self, query: str, *values: str) -> Entry | None:
        return entry_of(self._row(query, *values), self.path)

    def _row(self, query: str, *values: str) -> Row | None:
        with self._pool.connection() as connection:
            row: Row | None = connection.execute(query, values).fetchone()
        return row

    def _write(self, key: str, blob: bytes | None, expected: int, write_id: str) -> int:
        with self._pool.transaction() as connection:
            held = _held(connection, key, self.path)
            revision = next_revision(key, held, expected, write_id, live=blob is not None)
            before = held.revision if held else 0
            if revision != before:
                row = {
                    "key": key,
                    "revision": revision,
                    "write_id": write_id,
                    "blob": blob,
                    "before": before,
                }
                # Some network drives grant one lock twice: then the row itself still decides.
                if connection.execute(_WRITE, row).rowcount != 1:
                    raise Conflict(key, expected, revision)
        return revision

    def _check_limit(self) -> None:
        with self._pool.connection() as connection:
            most = connection.getlimit(sqlite3.SQLITE_LIMIT_LENGTH) - _ROW_OVERHEAD
        if self._blob_limit > most:
            raise ConfigError(
                f"blob_limit is {self._blob_limit} bytes, and this SQLite takes {most}",
                where=str(self.path),
                mend="lower blob_limit",
            )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
        /,
    ) -> None:
        self.close()


def _held(connection: sqlite3.Connection, key: str, path: Path) -> Held | None:
    return held_of(key, connection.execute(_HELD, (key,)).fetchone(), path)
