"""Stores for blobs, and the repository that keeps typed states in them."""

from __future__ import annotations

from .census import Census
from .files import FileStore
from .memory import MemoryStore
from .prune import PrunedGroup, PruneReport
from .repository import Repository
from .sqlite import SQLiteStore
from .store import Entry, Store
from .url import open_store

__all__ = [
    "Census",
    "Entry",
    "FileStore",
    "MemoryStore",
    "PruneReport",
    "PrunedGroup",
    "Repository",
    "SQLiteStore",
    "Store",
    "open_store",
]
