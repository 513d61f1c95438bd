"""A store in the memory of one process, for tests and throw-away state."""

from __future__ import annotations

from collections.abc import Iterator
from threading import Lock
from types import TracebackType
from typing import NamedTuple, Self

from .documents import check_document
from .store import (
    BLOB_LIMIT,
    Entry,
    Held,
    check_key,
    check_scan,
    check_write,
    closed,
    next_revision,
)


class _Slot(NamedTuple):
    held: Held
    blob: bytes


class MemoryStore:
    """Keeps blobs in a dict. Threads may share it; a forked process gets a copy of its own.

    ``blob_limit`` is the size of the largest blob, in bytes.
    """

    def __init__(self, *, blob_limit: int = BLOB_LIMIT) -> None:
        self._blob_limit = blob_limit
        self._slots: dict[str, _Slot] = {}
        self._documents: dict[str, bytes] = {}
        self._lock = Lock()
        self._closed = False

    def __repr__(self) -> str:
        return f"MemoryStore(blob_limit={self._blob_limit})"

    def get(self, key: str) -> Entry | None:
        """The entry under ``key``, or None. Raises InvalidKey, and StoreError once closed."""
        check_key(key)
        slot = self._open_slots().get(key)
        if slot is None or not slot.held.live:
            return None
        return Entry(key, slot.blob, slot.held.revision, slot.held.write_id)

    def put(self, key: str, blob: bytes, *, expected: int, write_id: str) -> int:
        """As ``Store.put``."""
        check_write(key, expected, write_id, blob, self._blob_limit)
        return self._write(key, blob, expected, write_id, live=True)

    def delete(self, key: str, *, expected: int, write_id: str) -> None:
        """As ``Store.delete``."""
        check_write(key, expected, write_id)
        self._write(key, b"", expected, write_id, live=False)

    def _write(self, key: str, blob: bytes, expected: int, write_id: str, *, live: bool) -> int:
        with self._lock:
            slots = self._open_slots()
            held = slots[key].held if key in slots else None
            revision = next_revision(key, held, expected, write_id, live=live)
            if held is None or revision != held.revision:
                slots[key] = _Slot(Held(revision, write_id, live), blob)
        return revision

    def scan(self, prefix: str = "", after: str = "") -> Iterator[Entry]:
        """As ``Store.scan``."""
        check_scan(prefix, after)
        with self._lock:
            keys = sorted(
                key for key in self._open_slots() if key.startswith(prefix) and key > after
            )
        for key in keys:
            entry = self.get(key)
            if entry is not None:
                yield entry

    def get_document(self, name: str) -> bytes | None:
        """As ``Store.get_document``."""
        check_document(name)
        self._open_slots()
        return self._documents.get(name)

    def put_document(self, name: str, content: bytes) -> bytes:
        """As ``Store.put_document``."""
        check_document(name, content)
        with self._lock:
            self._open_slots()
            return self._documents.setdefault(name, content)

    def documents(self) -> Iterator[str]:
        """As ``Store.documents``."""
        with self._lock:
            self._open_slots()
            return iter(sorted(self._documents))

    def _open_slots(self) -> dict[str, _Slot]:
        if self._closed:
            raise closed("memory:")
        return self._slots

    def close(self) -> None:
        """Refuse later calls and forget everything."""
        self._closed = True
        self._slots = {}
        self._documents = {}

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
