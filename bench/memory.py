"""How much memory a call takes for a while, beyond what it gives back."""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Callable
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
