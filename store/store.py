"""The contract of a store: blobs under keys, each at a revision, written by compare-and-set."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Final, NamedTuple, Protocol, Self
from uuid import uuid4

from ..errors import ConfigError, Conflict, InvalidKey, LimitExceeded, NoSuchKey, StoreError

BLOB_LIMIT: Final = 256 * 1024 * 1024
"""Bytes in the largest blob that a store takes unless it is told otherwise."""

KEY_LIMIT: Final = 255
"""Bytes of UTF-8 in the longest key."""

WRITE_ID_LIMIT: Final = 64
"""Characters in the longest write id."""


@dataclass(frozen=True, slots=True)
class Entry:
    """What a store holds under one key.

    ``revision`` counts the writes to the key, deletions included; ``write_id`` names the write
    that put ``blob`` there.
    """

    key: str
    blob: bytes
    revision: int
    write_id: str


class Store(Protocol):
    """Keeps blobs under keys for many writers at once.

    A revision belongs to one key and only ever grows, across deletions too, so a writer that
    comes late always meets a ``Conflict``. A write is whole or absent, whenever its process dies.
    A ``StoreError`` that is none of its leaves says that the outcome is unknown: the same write
    may be tried again with the same write id.
    """

    def get(self, key: str) -> Entry | None:
        """The entry under ``key``, or None. Raises InvalidKey and StoreError."""
        ...

    def put(self, key: str, blob: bytes, *, expected: int, write_id: str) -> int:
        """Write ``blob`` and return its revision.

        ``expected`` is the revision that the caller read, or 0 for a key that must not exist.
        Where the newest write is already the one that ``write_id`` names, nothing happens and its
        revision is returned. Raises Conflict, InvalidKey, LimitExceeded, StoreError, and
        ConfigError for a blob that is no bytes and for what is no revision.
        """
        ...

    def delete(self, key: str, *, expected: int, write_id: str) -> None:
        """Remove the entry at revision ``expected``; repeating a deletion does nothing.

        Raises Conflict, NoSuchKey (``expected`` 0 and nothing there), InvalidKey, StoreError, and
        ConfigError for what is no revision.
        """
        ...

    def scan(self, prefix: str = "", after: str = "") -> Iterator[Entry]:
        """The entries whose key begins with ``prefix`` and is greater than ``after``.

        They come in the order of the keys' code points. Others may write meanwhile: each entry is
        whole, an entry that stays is met exactly once, one that comes or goes is met or not.
        Raises InvalidKey for what is no text, or holds a lone surrogate, and StoreError.
        """
        ...

    def get_document(self, name: str) -> bytes | None:
        """The document under ``name``, or None. Raises InvalidKey and StoreError."""
        ...

    def put_document(self, name: str, content: bytes) -> bytes:
        """Keep ``content`` under ``name`` unless a document is there; what is there now.

        Documents lie beside the states: no scan meets them, no key is one of their names, and
        none is ever changed. A name is 1 to 64 of ``[a-z0-9-]``. Raises InvalidKey, StoreError,
        LimitExceeded for more than 4 MiB, and ConfigError for content that is no bytes.
        """
        ...

    def documents(self) -> Iterator[str]:
        """The names of all documents, in the order of their code points. Raises StoreError.

        Others may put documents meanwhile: one that is there is named once, one that comes is
        named or not.
        """
        ...

    def close(self) -> None:
        """Let go of files and connections; later calls raise StoreError."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
        /,
    ) -> None: ...


class Held(NamedTuple):
    """What a store knows of a key before a write; ``live`` is False once it was deleted."""

    revision: int
    write_id: str
    live: bool


def next_revision(key: str, held: Held | None, expected: int, write_id: str, *, live: bool) -> int:
    """The revision that a write gets; equal to ``held.revision`` where it had already happened.

    ``live`` is True for a put and False for a deletion. Raises Conflict and NoSuchKey.
    """
    if held is None:
        held = Held(0, "", live=False)
    if held.live == live and held.write_id == write_id:
        return held.revision
    found = held.revision if held.live else 0
    if found != expected:
        raise Conflict(key, expected, found)
    if not (live or found):
        raise NoSuchKey(key)
    return held.revision + 1


def new_write_id() -> str:
    """A write id that no other write carries."""
    return uuid4().hex


def check_key(key: object) -> str:
    """``key``, if every store can hold it: 1 to 255 bytes of UTF-8 without NUL. Or InvalidKey."""
    key = _text(key, "key")
    if not key:
        raise InvalidKey("the key is empty", mend="name the state")
    if "\0" in key:
        raise InvalidKey("the key holds a NUL character", where=repr(key), mend="leave it out")
    size = len(key.encode())
    if size > KEY_LIMIT:
        raise InvalidKey(
            f"the key takes {size} bytes of UTF-8, and {KEY_LIMIT} is the most",
            where=repr(key),
            mend="shorten it, or keep the long name in the state",
        )
    return key


def check_scan(prefix: object, after: object) -> None:
    """Raise InvalidKey where a scan begins at what is no text, or holds a lone surrogate."""
    _text(prefix, "prefix")
    _text(after, "key to scan after")


def _text(text: object, role: str) -> str:
    """``text``, if it is text that UTF-8 can hold. Raises InvalidKey."""
    if not isinstance(text, str):
        raise InvalidKey(
            f"a {role} is text, and this one is {type(text).__name__}", where=repr(text)
        )
    try:
        text.encode()
    except UnicodeEncodeError:
        raise InvalidKey(
            f"the {role} holds a lone surrogate, which is half a character",
            where=repr(text),
            mend="decode the text that it came from as what it was",
        ) from None
    return text


def check_write(
    key: object, expected: object, write_id: object, blob: object = b"", limit: int = BLOB_LIMIT
) -> None:
    """Raise what is wrong with a write that can be known before it.

    InvalidKey; ConfigError for a blob that is no bytes and for what is no revision;
    LimitExceeded for a blob of more than ``limit`` bytes; StoreError for a bad write id.
    """
    key = check_key(key)
    _check_blob(key, blob, limit)
    if not isinstance(expected, int) or isinstance(expected, bool) or expected < 0:
        raise ConfigError(
            f"expected is {expected!r}, which is no revision",
            where=key,
            mend="give the integer that was read, or 0 for a new key",
        )
    _check_write_id(key, write_id)


def _check_blob(key: str, blob: object, limit: int) -> None:
    if not isinstance(blob, bytes):
        raise ConfigError(
            f"a blob is bytes, and this one is {type(blob).__name__}",
            where=key,
            mend="encode the state first",
        )
    if len(blob) > limit:
        raise LimitExceeded(
            f"the blob has {len(blob)} bytes, and this store takes {limit}",
            where=key,
            mend="keep large parts outside the state, or open the store with a larger blob_limit",
        )


def _check_write_id(key: str, write_id: object) -> None:
    if (
        not isinstance(write_id, str)
        or not 0 < len(write_id) <= WRITE_ID_LIMIT
        or not (write_id.isascii() and write_id.isprintable())
    ):
        raise StoreError(
            f"{write_id!r} is no write id",
            where=key,
            mend=f"give 1 to {WRITE_ID_LIMIT} printable ASCII characters, as new_write_id() does",
        )


def absolute_path(path: object) -> Path:
    """``path``, text or a Path, from the root. Raises ConfigError, or StoreError if it has none."""
    if not isinstance(path, str | Path):
        raise ConfigError(
            f"the path of a store is text or a Path, and this is {type(path).__name__}",
            where=repr(path),
        )
    check_path(str(path))
    try:
        return Path(path).absolute()
    except OSError as error:
        raise system_refused(error, str(path)) from error


def check_path(path: str) -> None:
    """Raise ConfigError for a path that no system takes."""
    try:
        fits = b"\0" not in os.fsencode(path)
    except UnicodeEncodeError:
        fits = False
    if not fits:
        raise ConfigError(
            "this is no path: it holds a NUL or half a character", where=repr(path), mend="check it"
        )


def system_refused(error: OSError, where: str) -> StoreError:
    """The error of a system that refuses what opening a store needs."""
    return StoreError(
        f"the system refused: {error.strerror or error}",
        where=where,
        mend="check the path and its rights",
    )


def closed(where: str) -> StoreError:
    """The error of a call that comes after ``close``."""
    return StoreError("the store is closed", where=where, mend="open it again")
