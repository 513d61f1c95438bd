"""How much memory a call takes for a while, beyond what it gives back."""

from __future__ import annotations

import gc
import sys
import tracemalloc
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from .measure import Spread, interval_of

KIBIBYTE: Final = 1024


def peaks(run: Callable[[], Any], rounds: int) -> Spread:
    """The peak of each round less what its result holds, in KiB, with a 95 % interval.

    tracemalloc sees what is allocated through Python: objects, and buffers of extensions
    that ask Python for them. It does not see what C code takes from malloc or maps itself
    (the arenas of Protobuf's parser, the window of zstd), nor the stack, nor what Python's
    allocator keeps free for later.
    """
    run()  # fills caches that stay, which are no part of a decode
    tracemalloc.start()
    try:
        return interval_of([_peak(run) / KIBIBYTE for _ in range(rounds)])
    finally:
        tracemalloc.stop()


def _peak(run: Callable[[], Any]) -> int:
    gc.collect()
    tracemalloc.reset_peak()
    result = run()
    held, peak = tracemalloc.get_traced_memory()
    del result
    return peak - held


@dataclass(frozen=True, slots=True)
class Footprint:
    """What a call takes, in bytes: ``held`` by what it gives, and ``extra`` at its peak beyond
    that. ``blocks`` are the small allocations that what it gives holds.
    """

    held: int
    extra: int
    blocks: int


def footprint(run: Callable[[], Any]) -> Footprint:
    """What the second call of ``run`` takes, as :func:`peaks` sees it."""
    run()  # fills caches that stay
    blocks = _blocks(run)
    tracemalloc.start()
    try:
        gc.collect()
        before, _ = tracemalloc.get_traced_memory()
        tracemalloc.reset_peak()
        result = run()
        held, peak = tracemalloc.get_traced_memory()
        del result
    finally:
        tracemalloc.stop()
    return Footprint(held - before, peak - held, blocks)


def _blocks(run: Callable[[], Any]) -> int:
    """Without tracemalloc, whose own notes are blocks too."""
    gc.collect()
    before = sys.getallocatedblocks()
    result = run()
    after = sys.getallocatedblocks()
    del result
    return max(after - before, 0)
