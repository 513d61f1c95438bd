"""instar's own stores pass the suite that is shipped for everybody's stores."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from pathlib import Path

import pytest

from instar.store import FileStore, MemoryStore, SQLiteStore, Store
from instar.store.conformance import StoreContract

LIMIT = StoreContract.blob_limit


class ClosingContract(StoreContract):
    """Closes what a test opened."""

    @pytest.fixture(autouse=True)
    def _opened(self, tmp_path: Path) -> Iterator[None]:
        self.place = tmp_path / "store"
        self.stores: list[Store] = []
        yield
        for store in self.stores:
            store.close()

    def make_store(self) -> Store:
        self.stores.append(self.open())
        return self.stores[-1]

    @abstractmethod
    def open(self) -> Store: ...


class TestMemoryStore(ClosingContract):
    def open(self) -> Store:
        return self.stores[0] if self.stores else MemoryStore(blob_limit=LIMIT)


class TestFileStore(ClosingContract):
    def open(self) -> Store:
        return FileStore(self.place, blob_limit=LIMIT)


class TestSQLiteStore(ClosingContract):
    def open(self) -> Store:
        return SQLiteStore(self.place.with_suffix(".db"), blob_limit=LIMIT)
