"""Prints how long ``import instar`` takes beside ``import msgspec``: run it with ``python -m``.

Each import is timed in fresh processes, in turns, so that a busy machine delays both alike.
"""

from __future__ import annotations

import subprocess
import sys
from statistics import median
from typing import Final

MODULES: Final = ("msgspec", "instar")
_ROUNDS: Final = 21


def import_times(rounds: int = _ROUNDS) -> dict[str, float]:
    """The median time of importing each module, in seconds, without starting Python.

    One round more comes first and is not counted, so that files are in the system's cache.
    """
    times: dict[str, list[float]] = {module: [] for module in MODULES}
    for number in range(rounds + 1):
        for module, found in times.items():
            seconds = _import(module)
            if number:
                found.append(seconds)
    return {module: median(found) for module, found in times.items()}


def _import(module: str) -> float:
    code = f"import time; t = time.perf_counter(); import {module}; print(time.perf_counter() - t)"
    command = [sys.executable, "-c", code]
    return float(subprocess.run(command, check=True, capture_output=True).stdout)  # noqa: S603 - our own code


def main() -> None:
    """Print both times and their difference."""
    times = import_times()
    for module, seconds in times.items():
        print(f"import {module:8} {seconds * 1e3:6.1f} ms")
    print(f"difference      {(times['instar'] - times['msgspec']) * 1e3:6.1f} ms")
    print(f"medians of {_ROUNDS} fresh processes each, Python {sys.version.split()[0]}")


if __name__ == "__main__":
    main()
