"""What SQLite gave for a row, checked: anybody can write to a database."""

from __future__ import annotations

from pathlib import Path
from typing import TypeAlias

from ..errors import StoreLayoutError
from .store import Entry, Held

Row: TypeAlias = tuple[object, ...]
"""The columns of a row, of whatever types."""


def key_of(row: Row | None, path: Path) -> str | None:
    """The key of a row of the database at ``path``. Raises StoreLayoutError where it is no text."""
    if row is None:
        return None
    if not isinstance(row[0], str):
        raise _foreign(row[0], "a key that is no text", path)
    return row[0]


def entry_of(row: Row | None, path: Path) -> Entry | None:
    """The entry in a row of key, blob, revision and write id. Raises StoreLayoutError."""
    key = key_of(row, path)
    if row is None or key is None:
        return None
    if not isinstance(row[1], bytes):
        raise _foreign(key, "a blob that is no bytes", path)
    return Entry(key, row[1], *_checked(key, row[2], row[3], path))


def held_of(key: str, row: Row | None, path: Path) -> Held | None:
    """What a row of revision, write id and whether it is live says. Raises StoreLayoutError."""
    return None if row is None else Held(*_checked(key, row[0], row[1], path), bool(row[2]))


def _checked(key: str, revision: object, write_id: object, path: Path) -> tuple[int, str]:
    if not isinstance(revision, int) or revision < 1:
        raise _foreign(key, f"the revision {revision!r}", path)
    if not isinstance(write_id, str):
        raise _foreign(key, "a write id that is no text", path)
    return revision, write_id


def _foreign(key: object, what: str, path: Path) -> StoreLayoutError:
    error = StoreLayoutError(
        f"the row of {key!r} has {what}, as no store writes it",
        where=str(path),
        mend="correct or remove it with SQLite's own tools",
    )
    error.key = key if isinstance(key, str) else ""
    return error
