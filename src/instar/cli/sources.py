"""Where commands read from: files, standard input, stores."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from pathlib import Path

from ..errors import ConfigError, NoSuchKey, StoreError
from ..store.durable import naming
from ..store.store import Store
from ..store.url import open_store
from .output import is_open


def check_files(files: Iterable[Path]) -> None:
    """Raise ConfigError for the first path that is no file that can be read."""
    for path in files:
        if path.is_dir():
            raise ConfigError("this is a folder", where=str(path), mend="name the files in it")
        if not path.exists():
            raise ConfigError("there is no such file", where=str(path), mend="check the path")
        if not os.access(path, os.R_OK):
            raise ConfigError("the file may not be read", where=str(path), mend="check its mode")


def check_writable(path: Path) -> None:
    """Raise ConfigError where no file can be written, before a long run is made for it."""
    if path.is_dir():
        raise ConfigError("this is a folder", where=str(path), mend="name a file in it")
    if not path.parent.is_dir():
        raise ConfigError("its folder is not there", where=str(path), mend="make the folder")
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise ConfigError("it may not be written", where=str(path), mend="check its mode")


def read_file(file: Path) -> bytes:
    """The bytes of ``file``, of standard input for ``-``. Raises ConfigError, and OSError."""
    if str(file) == "-":
        return _read_input()
    check_files([file])
    with naming(file):
        return file.read_bytes()


def _read_input() -> bytes:
    where = "standard input"
    if not is_open(sys.stdin):
        raise ConfigError("it is closed", where=where, mend="name a file, or use a pipe")
    with naming(where):
        return sys.stdin.buffer.read()


def read_key(url: str, key: str) -> bytes:
    """The blob under ``key`` in the store at ``url``. Raises ConfigError, StoreError."""
    with open_existing(url) as store:
        entry = store.get(key)
    if entry is None:
        raise NoSuchKey(key)
    return entry.blob


def open_existing(url: str) -> Store:
    """The store at ``url``, which must be there. Raises ConfigError, StoreError."""
    check_lasting(url)
    try:
        return open_store(url, create=False)
    except StoreError as error:
        if type(error) is StoreError:
            raise ConfigError(error.what, where=error.where or url, mend=error.mend) from error
        raise


def check_lasting(url: str) -> None:
    """Raise ConfigError for a store that ends with the command."""
    if url.lower().startswith("memory:"):
        raise ConfigError(
            "a store in memory ends with this command",
            where=url,
            mend="name one that lasts, such as sqlite:///agents.db",
        )
