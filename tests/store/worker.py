"""What the process tests run beside themselves: one command, one store, one job."""

from __future__ import annotations

import os
import sqlite3
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from instar.store import Repository, SQLiteStore, Store, open_store
from instar.store.store import new_write_id


class Counter(msgspec.Struct):
    n: int


class CounterCodec:
    def encode(self, state: Counter, /) -> bytes:
        return msgspec.json.encode(state)

    def decode(self, blob: bytes, /) -> Counter:
        return msgspec.json.decode(blob, type=Counter)


def increment(url: str, key: str, times: str) -> None:
    with Repository(CounterCodec(), url) as repository:
        for _ in range(int(times)):
            repository.update(key, _add_one, attempts=1000)


def _add_one(state: Counter) -> None:
    state.n += 1


def fill(url: str, prefix: str, count: str) -> None:
    with open_store(url) as store:
        for number in range(int(count)):
            key = f"{prefix}/{number:04d}"
            store.put(key, key.encode() * 50, expected=0, write_id=new_write_id())


def hammer(url: str, key: str) -> None:
    with open_store(url) as store:
        entry = store.get(key)
        revision = entry.revision if entry else 0
        while True:
            blob = bytes((revision % 256,)) * 200_000
            revision = store.put(key, blob, expected=revision, write_id=new_write_id())
            sys.stdout.write(f"{revision}\n")
            sys.stdout.flush()


def die(url: str, key: str, step: str) -> None:
    """Put a new blob, and end the process without any clean-up before system call ``step``."""
    store = open_store(url)
    entry = store.get(key)
    left = [int(step)]
    _fatal(os, "open", left)
    _fatal(os, "fsync", left)
    _fatal(Path, "replace", left)
    expected = entry.revision if entry else 0
    store.put(key, b"new" * 1000, expected=expected, write_id="new")


def _fatal(owner: Any, name: str, left: list[int]) -> None:
    original: Callable[..., Any] = getattr(owner, name)

    def call(*args: Any, **kwargs: Any) -> Any:
        if "locks" not in str(args[0]):
            left[0] -= 1
            if left[0] < 0:
                sys.stdout.write(f"{name}\n")
                sys.stdout.flush()
                os._exit(9)
        return original(*args, **kwargs)

    setattr(owner, name, call)


def fork(url: str) -> None:
    """Parent and child of a fork both write through the store that the parent opened."""
    with open_store(url) as store:
        store.put("before", b"1", expected=0, write_id="w")
        child = os.fork()
        if child == 0:
            os._exit(0 if _write_as_child(store) else 1)
        _, status = os.waitpid(child, 0)
        store.put("parent", b"3", expected=0, write_id="w")
        sys.exit(os.waitstatus_to_exitcode(status))


def _write_as_child(store: Store) -> bool:
    """Whether the child wrote, and through no connection of its parent."""
    module: Any = sqlite3
    opened: list[object] = []
    connect: Callable[..., object] = module.connect

    def counted(*args: Any, **kwargs: Any) -> object:
        opened.append(args)
        return connect(*args, **kwargs)

    module.connect = counted
    store.put("child", b"2", expected=0, write_id="w")
    return len(opened) == isinstance(store, SQLiteStore)


if __name__ == "__main__":
    jobs = {job.__name__: job for job in (increment, fill, hammer, die, fork)}
    jobs[sys.argv[1]](*sys.argv[2:])
