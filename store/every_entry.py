"""All entries of a store, for bulk work: those that cannot be read stop nothing, and are told."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self, TypeVar

from ..errors import InstarError, StoreError
from .store import Entry, Store

E = TypeVar("E", bound=InstarError)


@dataclass(frozen=True, slots=True)
class Unreadable:
    """An entry that could not be read, or not be written or deleted, and why."""

    key: str
    error: InstarError

    @classmethod
    def of(cls, key: str, error: InstarError) -> Self:
        """The same without what hangs on ``error``, so that many can be kept."""
        return cls(key, bare(error))


def every_entry(store: Store, prefix: str = "") -> Iterator[Entry | Unreadable]:
    """A scan that goes on behind an entry that the store cannot read, and gives it in its place.

    The store names such an entry in ``StoreError.key``. Where it names none, or one that the scan
    has passed or was not asked for, nobody could tell what lies between: the StoreError is raised.
    """
    after = ""
    while True:
        try:
            for entry in store.scan(prefix, after):
                after = entry.key
                yield entry
        except StoreError as error:
            if not (error.key > after and error.key.startswith(prefix)):
                if after:
                    error.add_note(f"the scan stopped behind the key {after!r}")
                raise
            after = error.key
            failed = Unreadable.of(after, error)
        else:
            return
        yield failed


def bare(error: E) -> E:
    """``error`` without what hangs on it: the frames of a traceback hold the blob."""
    error.__cause__ = error.__context__ = None
    because = getattr(error, "because", None)
    if isinstance(because, InstarError):
        bare(because)
    return error.with_traceback(None)
