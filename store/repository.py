"""Typed states in a store: load, save, edit, update, with compare-and-set throughout."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Generic, Literal, Protocol, Self, TypeAlias, TypeVar, get_args

from ..codec.codec import Codec
from ..errors import ConfigError, Conflict, InstarError, NoSuchKey
from ..schemas.arguments import check_argument, wrong_argument
from .census import Census, take_census
from .every_entry import Unreadable, every_entry
from .fetching import FetchingCodec
from .prune import PrunedGroup, PruneReport, prune
from .retries import pause, persist
from .rewrite import RewriteReport, rewrite
from .store import Entry, Store, new_write_id
from .url import open_store

T = TypeVar("T")
_ATTEMPTS = 10
WriteBack: TypeAlias = Literal["never", "on_save", "on_read"]
"""When a blob of an older version is written anew though nobody changed its state."""


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


class Repository(Generic[T]):
    """States of one type in one store, each under a key.

    ``store`` is a store or its address (see ``open_store``); one that was opened here is closed
    here. Every save names the revision that it replaces, so nobody overwrites what they have not
    read; states are encoded before the store is touched. Threads may share a repository.

    The first save puts the schemas that this process knows into the store. Blobs of newer versions
    are read by what others have put there, and raise NewerVersion where that is not enough: the
    blob is as it was, and newer code, or a later try, can read it.

    ``write_back`` says when the blob of an older version is replaced though its state is not
    changed: ``never``, ``on_save`` by ``edit`` and ``update``, or ``on_read`` by loading too.
    A newer blob is only replaced once its state is changed. Raises ConfigError.
    """

    def __init__(
        self,
        codec: StateCodec[T],
        store: str | Path | Store,
        *,
        write_back: WriteBack = "on_save",
    ) -> None:
        _check_codec(codec)
        _check_write_back(write_back, codec)
        self.codec = codec
        self.write_back: WriteBack = write_back
        self.store: Store = open_store(store)
        self._owns_store = self.store is not store
        self._fetching: FetchingCodec[T] | None = None
        if isinstance(codec, Codec):
            self._fetching = FetchingCodec(codec, self.store)
        self._codec: StateCodec[T] = self._fetching or codec

    def load(self, key: str) -> T:
        """The state under ``key``. Raises NoSuchKey, StoreError and what decoding raises.

        With ``write_back="on_read"``, an older blob is replaced by compare-and-set; where that
        fails, the state is given all the same.
        """
        return self.load_entry(key).state

    def get(self, key: str) -> T | None:
        """The state under ``key``, or None where there is none. Raises as ``load``."""
        entry = self.store.get(key)
        return None if entry is None else self._read(entry).state

    def load_entry(self, key: str) -> Loaded[T]:
        """The state under ``key`` with its revision and blob. Raises as ``load``."""
        return self._read(self._entry(key))

    def save(self, key: str, state: T, *, expected: int) -> int:
        """Write ``state`` over revision ``expected``, 0 for a new key; the new revision.

        Raises Conflict, LimitExceeded, StoreError and what encoding raises.
        """
        return self._put(key, self._codec.encode(state), expected)

    def create(self, key: str, state: T) -> int:
        """Write ``state`` under a key that does not exist; its revision. Raises as ``save``."""
        return self.save(key, state, expected=0)

    @contextmanager
    def edit(self, key: str) -> Generator[T]:
        """Load a state for the ``with`` block, which changes it in place; save it on exit.

        An exception in the block writes nothing, and so does a state that encodes to the very
        bytes that are stored. An unchanged state of an older version is saved at the write
        version, unless ``write_back`` is ``never``; one of a newer version is not. Python cannot
        run a block twice, so a save by somebody else meanwhile raises Conflict; where many edit
        one key, ``update`` repeats the change by itself. Raises as ``load`` and ``save``.
        """
        loaded, unchanged = self._begin(key)
        yield loaded.state
        self._put_changed(loaded, unchanged, loaded.state)

    def update(self, key: str, change: Callable[[T], T | None], *, attempts: int = _ATTEMPTS) -> T:
        """Load, change and save a state, again from the start where somebody saved meanwhile.

        ``change`` changes the state in place, or returns another one; it may run several times.
        The state that was saved is returned. Raises Conflict after ``attempts`` lost races, what
        ``change`` raises, and as ``edit``.
        """
        check_argument("attempts", attempts, int, "1 or more")
        if attempts < 1:
            raise ConfigError(f"{attempts} attempts are none", mend="give 1 or more")
        if not callable(change):
            raise wrong_argument("change", change, "a function of the state")
        lost = 0
        while True:
            loaded, unchanged = self._begin(key)
            changed = change(loaded.state)
            state = loaded.state if changed is None else changed
            try:
                self._put_changed(loaded, unchanged, state)
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
        """Keys and states in the order of the keys; writes nothing back.

        An entry that cannot be read or decoded raises, or is appended to ``errors`` where that is
        given. Raises StoreError where the store fails altogether.
        """
        if errors is not None:
            check_argument("errors", errors, list, "a list, to which they are appended")
        return self._scan(prefix, errors)

    def _scan(self, prefix: str, errors: list[Unreadable] | None) -> Iterator[tuple[str, T]]:
        if errors is None:
            for entry in self.store.scan(prefix):
                yield entry.key, self._decode(entry)
            return
        for found in every_entry(self.store, prefix):
            if isinstance(found, Unreadable):
                errors.append(found)
                continue
            try:
                state = self._decode(found)
            except InstarError as error:
                errors.append(Unreadable.of(found.key, error))
            else:
                yield found.key, state

    def rewrite(self, prefix: str = "") -> RewriteReport:
        """Write every state of another version, older or newer, at the write version.

        Each by compare-and-set on the blob that was read. What cannot be read, or not be
        expressed at the write version, stays as it is and is named in the report, and so is
        what the store cannot read or write. Raises StoreError where nothing behind an entry can
        be read, and ConfigError where the codec is none of a registry.
        """
        if self._fetching is None:
            raise _needs_versions("rewrite", self.codec)
        return rewrite(
            every_entry(self.store, prefix),
            self._decode,
            self._fetching.is_current,
            lambda entry, state: self._put(entry.key, self._codec.encode(state), entry.revision),
        )

    def prune(
        self,
        *,
        keep: int,
        prefix: str = "",
        separator: str = "/",
        dry_run: bool = False,
        on_group: Callable[[PrunedGroup], object] | None = None,
    ) -> PruneReport:
        """Delete all but the last ``keep`` states of each group of keys; see ``PruneReport``.

        Keys are of one group where the same stands before their last ``separator``; a key without
        one is left. Keys of one text and a number behind it, such as ``run-7/9`` and
        ``run-7/10``, are ordered by the number, and others by code points: the last is the
        newest. What this process cannot read is neither deleted nor counted as kept. Deleting is
        by compare-and-set on the revision that was read. ``on_group`` is called as each group is
        settled. Where the store fails, the report says so, and nothing is raised. Raises
        ConfigError, and InvalidKey for a bad ``prefix``.
        """
        return prune(
            self.store,
            self._decode,
            keep=keep,
            prefix=prefix,
            separator=separator,
            dry_run=dry_run,
            on_group=on_group,
        )

    def census(self, subjects: Mapping[int, str] | None = None) -> Census:
        """Count the whole store by subject, format, version and framing; see ``take_census``.

        What the codec and the store know of fingerprints is known; ``subjects`` adds more. Raises
        StoreError where nothing behind an entry can be read, since a part is no census.
        """
        if subjects is not None:
            check_argument("subjects", subjects, Mapping, "a dict of subjects by fingerprint")
        entries = every_entry(self.store)
        if self._fetching is None:
            return take_census(entries, subjects)
        return self._fetching.census(entries, subjects or {})

    def close(self) -> None:
        """Close the store if it was opened here."""
        if self._owns_store:
            self.store.close()

    def _entry(self, key: str) -> Entry:
        entry = self.store.get(key)
        if entry is None:
            raise NoSuchKey(key)
        return entry

    def _read(self, entry: Entry) -> Loaded[T]:
        """The state of an entry, which may be written back."""
        loaded = self._loaded(entry)
        fetching = self._fetching
        if self.write_back == "on_read" and fetching and fetching.is_older(entry.blob):
            return self._written_back(loaded)
        return loaded

    def _written_back(self, loaded: Loaded[T]) -> Loaded[T]:
        """The same once its blob is replaced, or as it was where that is refused."""
        # Somebody else saved, or the store or the state does not let it: reading goes on.
        with suppress(InstarError):
            blob = self._codec.encode(loaded.state)
            revision = self._put(loaded.key, blob, loaded.revision)
            return Loaded(loaded.key, loaded.state, revision, blob)
        return loaded

    def _begin(self, key: str) -> tuple[Loaded[T], bytes]:
        """A state to be edited, and the blob that says afterwards that it was not."""
        loaded = self._loaded(self._entry(key))
        is_newer = self._fetching is not None and self._fetching.is_newer(loaded.blob)
        unchanged = loaded.blob
        if is_newer or self.write_back == "never":
            # What cannot be encoded as it was read has to be changed before it is saved.
            with suppress(InstarError):
                unchanged = self._codec.encode(loaded.state)
        return loaded, unchanged

    def _put_changed(self, loaded: Loaded[T], unchanged: bytes, state: T) -> None:
        blob = self._codec.encode(state)
        if blob not in (loaded.blob, unchanged):
            self._put(loaded.key, blob, loaded.revision)

    def _put(self, key: str, blob: bytes, expected: int) -> int:
        self._register()
        write_id = new_write_id()
        return persist(lambda: self.store.put(key, blob, expected=expected, write_id=write_id))

    def _register(self) -> None:
        """Let the schemas be there before the first blob that needs them."""
        if self._fetching is not None:
            for problem in persist(self._fetching.register):
                # The state is saved: those who know its version can read it.
                warnings.warn(f"{problem}", RuntimeWarning, stacklevel=2)

    def _loaded(self, entry: Entry) -> Loaded[T]:
        return Loaded(entry.key, self._decode(entry), entry.revision, entry.blob)

    def _decode(self, entry: Entry) -> T:
        try:
            return self._codec.decode(entry.blob)
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


def _check_codec(codec: object) -> None:
    for name in ("encode", "decode"):
        if isinstance(codec, type) or not callable(getattr(codec, name, None)):
            raise wrong_argument("codec", codec, "one of registry.codec(subject)")


def _check_write_back(write_back: object, codec: object) -> None:
    if write_back not in get_args(WriteBack):
        raise ConfigError(
            f"there is no write_back {write_back!r}",
            mend=f"known are {', '.join(get_args(WriteBack))}",
        )
    if write_back == "on_read" and not isinstance(codec, Codec):
        raise _needs_versions("write_back on_read", codec)


def _needs_versions(what: str, codec: object) -> ConfigError:
    return ConfigError(
        f"{what} needs to know which blobs are older",
        where=type(codec).__name__,
        mend="use a codec of a registry",
    )
