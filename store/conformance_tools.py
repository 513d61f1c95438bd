"""Short words for the conformance suite; none needs pytest."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Thread
from typing import TypeVar

from ..errors import Conflict, InstarError
from .retries import pause
from .store import Entry, Store, new_write_id

E = TypeVar("E", bound=InstarError)


def same(found: object, wanted: object) -> None:
    """Raise AssertionError unless the two are equal; an assert would vanish under ``-O``."""
    if found != wanted:
        raise AssertionError(f"found {found!r}, wanted {wanted!r}")


def refuses(kind: type[E], call: Callable[[], object]) -> E:
    """The error of class ``kind`` that ``call`` raises; AssertionError where it raises none."""
    try:
        found = call()
    except kind as error:
        return error
    raise AssertionError(f"returned {found!r}, wanted {kind.__name__}")


def put(store: Store, key: str, blob: bytes, expected: int) -> int:
    """Put under a write id of its own; the new revision."""
    return store.put(key, blob, expected=expected, write_id=new_write_id())


def delete(store: Store, key: str, expected: int) -> None:
    """Delete under a write id of its own."""
    store.delete(key, expected=expected, write_id=new_write_id())


def blob_of(store: Store, key: str) -> bytes | None:
    """The blob under ``key``, or None."""
    entry = store.get(key)
    return None if entry is None else entry.blob


def scan(store: Store, prefix: str = "", after: str = "") -> list[Entry]:
    """All entries of a scan; only taking them makes some stores begin it."""
    return list(store.scan(prefix, after))


def add_up(store: Store, key: str, rounds: int) -> None:
    """Add 1 to the decimal number under ``key``, ``rounds`` times, whatever others do meanwhile."""
    lost = 0
    while rounds:
        entry = store.get(key)
        if entry is None:
            raise AssertionError(f"{key!r} vanished")
        try:
            put(store, key, str(int(entry.blob) + 1).encode(), entry.revision)
        except Conflict:
            lost += 1
            pause(lost % 5)
        else:
            rounds -= 1


def run_threads(calls: Sequence[Callable[[], None]]) -> None:
    """Run each call in a thread; raises the first error of any, once all have ended."""
    errors: list[BaseException] = []
    threads = [Thread(target=_noting, args=(call, errors)) for call in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]


def _noting(call: Callable[[], None], errors: list[BaseException]) -> None:
    try:
        call()
    except BaseException as error:  # noqa: BLE001 - it is raised again in the calling thread
        errors.append(error)
