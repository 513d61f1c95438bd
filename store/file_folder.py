"""The folder of a file store: marked when it is made, checked when it is opened, its locks."""

from __future__ import annotations

import re
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from ..errors import StoreError, StoreLayoutError
from .durable import replace_file

_LOCK_FOLDER: Final = "locks"
_LOCK_POLL: Final = 0.002

_MARKER: Final = "instar-store.txt"
_MAJOR: Final = 1
_TEXT: Final = f"instar file store, layout {_MAJOR}.0\n"
_PATTERN: Final = re.compile(r"instar file store, layout (\d+)\.(\d+)\n")


def open_folder(folder: Path, *, create: bool, timeout: float) -> None:
    """Check that ``folder`` is a file store, or make it one where it is empty or missing.

    Raises StoreLayoutError for a folder of something else, StoreError for a missing store that is
    not to be made, and OSError. ``timeout`` is how long to wait for another maker, in seconds.
    """
    marker = folder / _MARKER
    if not marker.exists():
        # The second look is for a process that made the store, and wrote to it, since the first.
        if _holds_other_files(folder) and not marker.exists():
            raise _foreign(folder, "the folder holds other files")
        if not create:
            raise StoreError("there is no store here", where=str(folder), mend="check the path")
        _make(folder, marker, timeout)
    _check(marker.read_text(encoding="utf-8", errors="replace"), folder)


def check_folder(folder: Path) -> None:
    """Raise StoreError where the store that was opened in ``folder`` is there no more."""
    if not (folder / _MARKER).exists():
        raise StoreError(
            "the store is gone",
            where=str(folder),
            mend="put the folder back, or open it again to begin a new store",
        )


def _holds_other_files(folder: Path) -> bool:
    if not folder.exists():
        return False
    return any(
        path.name != _LOCK_FOLDER and not path.name.startswith(_MARKER) for path in folder.iterdir()
    )


def _make(folder: Path, marker: Path, timeout: float) -> None:
    (folder / _LOCK_FOLDER).mkdir(parents=True, exist_ok=True)
    with locked(folder, "marker", timeout):
        if not marker.exists():
            replace_file(marker, (_TEXT.encode(),))


def _check(text: str, folder: Path) -> None:
    match = _PATTERN.fullmatch(text)
    if match is None:
        raise _foreign(folder, f"{_MARKER} is not one that a store writes")
    if int(match[1]) != _MAJOR:
        raise StoreLayoutError(
            f"the store has layout {match[1]}.{match[2]}, and this release knows {_MAJOR}",
            where=str(folder),
            mend="use the release of instar that wrote it, or copy it into a new store",
        )


def _foreign(folder: Path, what: str) -> StoreLayoutError:
    return StoreLayoutError(what, where=str(folder), mend="name an empty or a new folder")


@contextmanager
def locked(folder: Path, name: str, timeout: float) -> Generator[None]:
    """Hold the lock ``name`` of the store in ``folder`` against all other threads and processes.

    Raises StoreError after ``timeout`` seconds, and OSError.
    """
    from filelock import FileLock, Timeout  # noqa: PLC0415 - only writers pay for the import

    lock = FileLock(folder / _LOCK_FOLDER / name, timeout=timeout)
    try:
        lock.acquire(poll_interval=_LOCK_POLL)
    except Timeout:
        raise StoreError(
            f"another writer held the lock for {timeout:g} s",
            where=lock.lock_file,
            mend="try again",
        ) from None
    try:
        yield
    finally:
        lock.release()
