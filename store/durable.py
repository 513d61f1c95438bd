"""Replaces a file so that a crash at any moment leaves the old content or the new, whole."""

from __future__ import annotations

import os
import stat
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import sleep
from typing import Final

TEMP_SUFFIX: Final = ".temp"
"""What is added to the name of a file while its new content is written."""

_NEW_FILE_MODE: Final = 0o600
# Windows refuses to replace a file while somebody reads it: about half a second in all.
_REPLACE_PAUSES: Final = (0.005, 0.01, 0.02, 0.05, 0.1, 0.3)


@contextmanager
def naming(path: Path | str) -> Generator[None]:
    """Let an OSError name ``path``, in place of a file that nobody asked for, or of none."""
    try:
        yield
    except OSError as error:
        error.filename = str(path)
        raise


def replace_file(path: Path, parts: Sequence[bytes]) -> None:
    """Put ``parts``, one after the other, into the file at ``path``.

    Follows a symbolic link to its target, keeps the mode of a file that is there, and gives 0600
    to a new one. The caller keeps other writers of ``path`` away. Raises OSError that names
    ``path``; the old file is then as it was.
    """
    with naming(path):
        _replace_target(Path(os.path.realpath(path)), parts)


def _replace_target(target: Path, parts: Sequence[bytes]) -> None:
    temp = target.with_name(target.name + TEMP_SUFFIX)
    try:
        _write_through(temp, parts, _mode_of(target))
        _replace(temp, target)
    except BaseException:
        temp.unlink(missing_ok=True)
        raise
    sync_folder(target.parent)


def _mode_of(target: Path) -> int:
    try:
        return stat.S_IMODE(target.stat().st_mode)
    except FileNotFoundError:
        return _NEW_FILE_MODE


def _write_through(temp: Path, parts: Sequence[bytes], mode: int) -> None:
    # What a killed writer left may have any mode, or be a link: never write into it.
    temp.unlink(missing_ok=True)
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    with os.fdopen(os.open(temp, flags, _NEW_FILE_MODE), "wb") as file:
        file.writelines(parts)
        file.flush()
        temp.chmod(mode)
        os.fsync(file.fileno())


def _replace(temp: Path, target: Path) -> None:
    for pause in _REPLACE_PAUSES:
        try:
            temp.replace(target)
        except PermissionError:
            sleep(pause)
        else:
            return
    temp.replace(target)


def sync_folder(folder: Path) -> None:
    """Make the names in ``folder`` survive a power cut, where the system can. Raises OSError."""
    if os.name == "nt":  # a folder cannot be opened there, and names are journalled
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
