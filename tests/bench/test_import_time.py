"""The import times are of the modules that they name."""

from __future__ import annotations

from instar.bench.import_time import MODULES, import_times


def test_import_times() -> None:
    """There is a time for each module."""
    times = import_times(rounds=3)
    assert tuple(times) == MODULES
    assert min(times.values()) > 0
