"""Whether decodes and encodes leave anything behind: ``leaks.py FORMAT --rounds N``."""

from __future__ import annotations

import argparse
import datetime as dt
import decimal
import gc
import resource
import sys
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import pytest
from fuzz import zoo
from fuzz.mutate import mutated
from fuzz.targets import LIMITS, Target, part_targets, targets, writers

pytest.importorskip("instar.codec.kernel.core", reason="no kernel was built")

from instar.codec.kernel import core
from instar.codec.types import SchemaTypes

PAYLOADS = 150
"""Changed payloads of each target; most of them are refused, each at another place."""
PARTS_OF = 5
"""One in so many readings is also looked at in parts."""
SHARED: tuple[Any, ...] = (
    *(None, True, False, NotImplemented, 0, "", b"", dt.UTC, uuid.UUID, uuid.SafeUUID.unknown),
    *(decimal.Decimal, dt.datetime, dt.date, dt.time, dt.timedelta, type(None)),
)
"""Objects that every decode hands out or counts on."""


@dataclass(frozen=True, slots=True)
class Growth:
    """What is there more than before: memory blocks, references to each shared object, and
    kilobytes of the process.
    """

    calls: int
    blocks: int
    references: dict[str, int]
    kilobytes: int

    @property
    def is_none(self) -> bool:
        """Whether it is less than one of anything in two thousand calls, a few aside: texts that
        programs keep, up to 64 in each place, come one by one.
        """
        most = 120 + self.calls // 2000
        return self.blocks <= most and all(n <= most for n in self.references.values())


def measure(runs: list[Callable[[], int]], rounds: int, shared: list[Any]) -> Growth:
    """The growth over ``rounds`` of all runs, after two for what is rightly kept."""
    for _ in range(2):
        _all(runs, 1)
    before = _now(shared)
    calls = _all(runs, rounds)
    blocks, references, kilobytes = _now(shared)
    grown = {
        f"{held!r:.60}": new - old
        for held, new, old in zip(shared, references, before[1], strict=True)
        if new != old
    }
    return Growth(calls, blocks - before[0], grown, kilobytes - before[2])


def _all(runs: list[Callable[[], int]], rounds: int) -> int:
    return sum(run() for _ in range(rounds) for run in runs)


def _now(shared: list[Any]) -> tuple[int, list[int], int]:
    gc.collect()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    references = [sys.getrefcount(held) for held in shared]
    return sys.getallocatedblocks(), references, peak


def decoding(target: Target, seed: int) -> Callable[[], int]:
    """Decodes the payloads of a target, and as many that were changed."""
    payloads = [*target.seeds, *mutated(target.seeds, PAYLOADS, seed)]

    def run() -> int:
        for payload in payloads:
            target.decode(payload)
        return len(payloads)

    return run


def encoding(made: list[tuple[SchemaTypes, core.Program]]) -> Iterator[Callable[[], int]]:
    """Encodes states that are right, and the same with each attribute replaced by a wrong
    value, or missing.
    """
    for types, program in made:
        states = zoo.states(types)
        encoder = core.Encoder(program, 1, 1, LIMITS.blob_bytes)
        wrong = [_with(state, name, value) for state in states for name, value in _wrongs(state)]
        yield _encoder(encoder.encode, [*states, *wrong])


def _encoder(encode: Callable[[Any], Any], states: list[Any]) -> Callable[[], int]:
    def run() -> int:
        for state in states:
            encode(state)
        return len(states)

    return run


def _wrongs(state: Any) -> Iterator[tuple[str, Any]]:
    for name in state.__struct_fields__:
        for value in (object(), [object()], {"k": object()}, {1: 2}, 10**30, "\ud800", "x", None):
            yield name, value
        yield name, _MISSING


_MISSING = object()


def _with(state: Any, name: str, value: Any) -> Any:
    copied = state.__copy__()
    if value is _MISSING:
        delattr(copied, name)
    else:
        setattr(copied, name, value)
    return copied


def everything(format_: str) -> tuple[list[Callable[[], int]], list[Any]]:
    """All runs of a format, and the objects whose references are counted."""
    found = targets(format_)
    # Looking at parts takes long in Python, so that is done to some of them.
    found += part_targets(format_)[::PARTS_OF]
    runs = [decoding(target, seed) for seed, target in enumerate(found)]
    shared = [*SHARED, core.Program, core.Encoder]
    made = writers(format_)
    for types, _ in made:
        shared += types.classes.values()
        shared += [member for cls in types.classes.values() for member in _members(cls)]
    return [*runs, *encoding(made)], shared


def _members(cls: Any) -> list[Any]:
    return list(getattr(cls, "__members__", {}).values())


def main() -> None:
    """Print the growth; the exit code says whether there was any."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("format")
    parser.add_argument("--rounds", type=int, default=200)
    options = parser.parse_args()
    runs, shared = everything(options.format)
    growth = measure(runs, options.rounds, shared)
    print(growth)  # noqa: T201 - the result
    sys.exit(not growth.is_none)


if __name__ == "__main__":
    main()
