"""Typed states in a store: load, save, edit, update, with compare-and-set throughout."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Generic, Protocol, Self, TypeVar

from ..errors import ConfigError, Conflict, InstarError, NoSuchKey
from .census import Census, take_census
from .retries import pause, persist
from .store import Entry, Store, new_write_id
from .url import open_store

T = TypeVar("T")
_ATTEMPTS = 10


class StateCodec(Protocol[T]):
    """What a repository needs of a codec; ``instar.codec.codec.Codec`` is the real one."""

    def encode(self, state: T, /) -> bytes:
        """The blob of a state. Raises InstarError."""
        ...

    def decode(self, blob: bytes, /) -> T:
        """The state in a blob, at the latest version. Raises InstarError."""
        ...


@dataclass(frozen=True, slots=True)
class Loaded(Generic[T]):
    """A state as it was read: ``revision`` is what a save must expect, ``blob`` what was stored."""

    key: str
    state: T
    revision: int
    blob: bytes


@dataclass(frozen=True, slots=True)
class Unreadable:
    """An entry that a scan could not decode, and why."""

    key: str
    error: InstarError


class Repository(Generic[T]):
    """States of one type in one store, each under a key.

    ``store`` is a store or its address (see ``open_store``); one that was opened here is closed
    here. Reading never writes: an old blob stays as it is until somebody saves the state. Every
    save names the revision that it replaces, so nobody overwrites what they have not read; states
    are encoded before the store is touched. Threads may share a repository.
    """

    def __init__(self, codec: StateCodec[T], store: str | Path | Store) -> None:
        self.codec = codec
        self.store: Store = open_store(store)
        self._owns_store = self.store is not store

    def load(self, key: str) -> T:
        """The state under ``key``. Raises NoSuchKey, StoreError and what decoding raises."""
        return self.load_entry(key).state

    def get(self, key: str) -> T | None:
        """The state under ``key``, or None where there is none. Raises as ``load``."""
        entry = self.store.get(key)
        return None if entry is None else self._decode(entry)

    def load_entry(self, key: str) -> Loaded[T]:
        """The state under ``key`` with its revision and blob. Raises as ``load``."""
        entry = self.store.get(key)
        if entry is None:
            raise NoSuchKey(key)
        return Loaded(key, self._decode(entry), entry.revision, entry.blob)

    def save(self, key: str, state: T, *, expected: int) -> int:
        """Write ``state`` over revision ``expected``, 0 for a new key; the new revision.

        Raises Conflict, LimitExceeded, StoreError and what encoding raises.
        """
        return self._put(key, self.codec.encode(state), expected)

    def create(self, key: str, state: T) -> int:
        """Write ``state`` under a key that does not exist; its revision. Raises as ``save``."""
        return self.save(key, state, expected=0)

    @contextmanager
    def edit(self, key: str) -> Generator[T]:
        """Load a state for the ``with`` block, which changes it in place; save it on exit.

        An exception in the block writes nothing, and so does a state that encodes to the very
        bytes that are stored. An unchanged state of an older version is saved at the write
        version. Python cannot run a block twice, so a save by somebody else meanwhile raises
        Conflict; where many edit one key, ``update`` repeats the change by itself. Raises as
        ``load`` and ``save``.
        """
        loaded = self.load_entry(key)
        yield loaded.state
        self._put_changed(loaded, loaded.state)

    def update(self, key: str, change: Callable[[T], T | None], *, attempts: int = _ATTEMPTS) -> T:
        """Load, change and save a state, again from the start where somebody saved meanwhile.

        ``change`` changes the state in place, or returns another one; it may run several times.
        The state that was saved is returned. Raises Conflict after ``attempts`` lost races, what
        ``change`` raises, and as ``edit``.
        """
        if attempts < 1:
            raise ConfigError(f"{attempts} attempts are none", mend="give 1 or more")
        lost = 0
        while True:
            loaded = self.load_entry(key)
            changed = change(loaded.state)
            state = loaded.state if changed is None else changed
            try:
                self._put_changed(loaded, state)
            except Conflict:
                lost += 1
                if lost >= attempts:
                    raise
                pause(lost)
            else:
                return state

    def delete(self, key: str, *, expected: int) -> None:
        """Remove the state at revision ``expected``. Raises Conflict and StoreError."""
        write_id = new_write_id()
        persist(lambda: self.store.delete(key, expected=expected, write_id=write_id))

    def keys(self, prefix: str = "") -> Iterator[str]:
        """The keys that begin with ``prefix``, in order. Raises StoreError."""
        return (entry.key for entry in self.store.scan(prefix))

    def scan(
        self, prefix: str = "", *, errors: list[Unreadable] | None = None
    ) -> Iterator[tuple[str, T]]:
        """Keys and states in the order of the keys.

        An entry that cannot be decoded raises, or is appended to ``errors`` where that is given.
        """
        for entry in self.store.scan(prefix):
            try:
                state = self._decode(entry)
            except InstarError as error:
                if errors is None:
                    raise
                errors.append(Unreadable(entry.key, error))
            else:
                yield entry.key, state

    def census(self, subjects: Mapping[int, str] | None = None) -> Census:
        """Count the whole store by subject, format, version and framing; see ``take_census``."""
        return take_census(self.store.scan(), subjects)

    def close(self) -> None:
        """Close the store if it was opened here."""
        if self._owns_store:
            self.store.close()

    def _put_changed(self, loaded: Loaded[T], state: T) -> None:
        blob = self.codec.encode(state)
        if blob != loaded.blob:
            self._put(loaded.key, blob, loaded.revision)

    def _put(self, key: str, blob: bytes, expected: int) -> int:
        write_id = new_write_id()
        return persist(lambda: self.store.put(key, blob, expected=expected, write_id=write_id))

    def _decode(self, entry: Entry) -> T:
        try:
            return self.codec.decode(entry.blob)
        except InstarError as error:
            error.add_note(f"while reading the key {entry.key!r}")
            raise

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
