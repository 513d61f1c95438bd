"""Prints what a state for each step costs, with and without pruning: run it with ``python -m``.

A conversation is saved whole after each message, under a new key, as agents keep checkpoints.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from types import MappingProxyType
from typing import Any, Final

from ..codec.codec import Codec
from ..codec.engines import engine
from ..codec.registry import Registry
from ..schemas.avro import parse_avro
from ..schemas.numbering import number_fields
from ..store.files import FileStore
from ..store.repository import Repository
from ..store.sqlite import SQLiteStore
from ..store.store import Store

STORES: Final[Mapping[str, Callable[[Path], Store]]] = MappingProxyType(
    {"sqlite": lambda folder: SQLiteStore(folder / "a.db"), "files": FileStore}
)
_SIZE: Final = 1000
_KEEP: Final = 3
_SCHEMA: Final = {
    "type": "record",
    "name": "Chat",
    "fields": [{"name": "messages", "type": {"type": "array", "items": "string"}}],
}


@dataclass(frozen=True, slots=True)
class Cost:
    """What was there at the end, in bytes, and how long saving and pruning took, in seconds.

    ``every`` is after how many saves the last three were kept; 0 is never.
    """

    store: str
    every: int
    states: int
    written: int
    blobs: int
    disk: int
    saving: float
    pruning: float


def checkpoint_cost(kind: str, every: int, messages: int) -> Cost:
    """Save ``messages`` of 1 kB one by one into a store of this kind, in a temporary folder."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        with STORES[kind](folder) as store:
            saving, pruning, written = _converse(store, every, messages)
            sizes = [len(entry.blob) for entry in store.scan()]
        disk = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    return Cost(kind, every, len(sizes), written, sum(sizes), disk, saving, pruning)


def _converse(store: Store, every: int, messages: int) -> tuple[float, float, int]:
    codec = _codec()
    repository = Repository(codec, store)
    chat = codec.from_builtins({"messages": []})
    saving, pruning, written = 0.0, 0.0, 0
    for number in range(1, messages + 1):
        chat.messages.append("x" * _SIZE)
        saving += _timed(partial(repository.create, f"thread-7/{number}", chat))
        written += len(codec.encode(chat))
        if every and number % every == 0:
            pruning += _timed(partial(repository.prune, keep=_KEEP, prefix="thread-7/"))
    return saving, pruning, written


def _codec() -> Codec[Any]:
    schema = parse_avro(json.dumps(_SCHEMA), subject="chat", version=1, where="chat v1")
    return Registry.of(number_fields([schema])).codec("chat")


def _timed(call: Callable[[], object]) -> float:
    start = perf_counter()
    call()
    return perf_counter() - start


def main() -> None:
    """Print a row for each store and each way to prune."""
    parser = argparse.ArgumentParser(prog="python -m instar.bench.checkpoints")
    parser.add_argument("--messages", type=int, default=1000)
    parser.add_argument("--stores", nargs="+", choices=STORES, default=list(STORES))
    parser.add_argument("--every", type=int, nargs="+", default=[0, 100, 10, 1])
    given = parser.parse_args()
    print(
        f"{given.messages:,} messages of 1 kB, each saved whole; the last {_KEEP} kept; {engine()}"
    )
    print("store   prune every  states   MB written  MB in blobs  MB on disk  saving  pruning")
    for kind in given.stores:
        for every in given.every:
            cost = checkpoint_cost(kind, every, given.messages)
            sizes = "".join(
                f"{size / 1e6:12.1f} " for size in (cost.written, cost.blobs, cost.disk)
            )
            print(
                f"{kind:8}{cost.every or '-':>11}{cost.states:>8,}{sizes}"
                f"{cost.saving:6.1f} s {cost.pruning:6.1f} s",
                flush=True,
            )


if __name__ == "__main__":
    main()
