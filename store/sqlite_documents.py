"""The documents of an SQLite store, in a table that stores of layout 1.0 gain when one is put."""

from __future__ import annotations

import sqlite3
from typing import Final

TABLE: Final = """
    CREATE TABLE IF NOT EXISTS instar_document (
        name TEXT PRIMARY KEY NOT NULL,
        content BLOB NOT NULL CHECK (typeof(content) = 'blob')
    )
"""

_HAS_TABLE: Final = (
    "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = 'instar_document'"
)
_GET: Final = "SELECT content FROM instar_document WHERE name = ?"
_PUT: Final = "INSERT INTO instar_document (name, content) VALUES (?, ?) ON CONFLICT DO NOTHING"
_NAMES: Final = "SELECT name FROM instar_document ORDER BY name"
_STAMP: Final = """
    UPDATE instar_layout SET minor = max(minor, 1) WHERE major = 1 AND minor < 1
"""


def get_document(connection: sqlite3.Connection, name: str) -> bytes | None:
    """The document ``name``, or None."""
    if not has_table(connection):
        return None
    row: tuple[bytes] | None = connection.execute(_GET, (name,)).fetchone()
    return None if row is None else row[0]


def put_document(connection: sqlite3.Connection, name: str, content: bytes) -> bytes:
    """Put a document where there is none, within a transaction; the one that is there now."""
    if not has_table(connection):
        connection.execute(TABLE)
        connection.execute(_STAMP)
    connection.execute(_PUT, (name, content))
    kept: tuple[bytes] = connection.execute(_GET, (name,)).fetchone()
    return kept[0]


def document_names(connection: sqlite3.Connection) -> list[str]:
    """The names of all documents, in the order of their code points."""
    if not has_table(connection):
        return []
    return [name for (name,) in connection.execute(_NAMES)]


def has_table(connection: sqlite3.Connection) -> bool:
    """Whether the store has a place for documents; one that a release before made has none."""
    row: tuple[int] = connection.execute(_HAS_TABLE).fetchone()
    return row == (1,)
