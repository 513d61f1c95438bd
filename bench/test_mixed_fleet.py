"""Times what old and new code pay for each other, with pytest-benchmark, in three sizes.

Each group has a base without residue, or of a native write, and what stands beside it; ratios
are in brackets. These are measurements and assert no time; see README.md for how to run them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any, get_args

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from instar import Registry
from instar.bench.mixed_fleet import Kept, MixedFleet
from instar.bench.sample import SIZES, Size
from instar.codec.tag import Format

FORMATS: tuple[Format, ...] = ("avro", "protobuf", "msgpack", "json")


@cache
def reference() -> Registry:
    """The registry of the reference subjects."""
    root = Path(__file__).resolve().parent.parent
    return Registry.open(root / "schemas", root / "migrations", subjects=["agent_state"])


@cache
def runs(kept: Kept, format_: Format, size: Size) -> dict[str, dict[str, Callable[[], Any]]]:
    """What is timed, by group: the base is the first of each."""
    fleet = MixedFleet.open(reference(), kept, format_, size)
    with_residue, without = fleet.blobs()
    native = fleet.new.encode(fleet.state)
    states = {name: fleet.old.decode(blob) for name, blob in (("r", with_residue), ("p", without))}
    # What is measured gives back the state.
    assert fleet.new.decode(with_residue) == fleet.state
    assert fleet.new.decode(fleet.old.encode(states["r"])) == fleet.state
    return {
        "old code decodes its own version": {
            "without residue": partial(fleet.old.decode, without),
            "with residue": partial(fleet.old.decode, with_residue),
            "a newer blob": partial(fleet.old.decode, native),
        },
        "old code encodes": {
            "without residue": partial(fleet.old.encode, states["p"]),
            "with residue": partial(fleet.old.encode, states["r"]),
        },
        "new code decodes": {
            "its own version": partial(fleet.new.decode, native),
            "the older one without residue": partial(fleet.new.decode, without),
            "the older one with residue": partial(fleet.new.decode, with_residue),
        },
        "new code encodes": {
            "its own version": partial(fleet.new.encode, fleet.state),
            "the older one": partial(fleet.pinned.encode, fleet.state),
        },
    }


ROWS = [
    ("old code decodes its own version", "without residue"),
    ("old code decodes its own version", "with residue"),
    ("old code decodes its own version", "a newer blob"),
    ("old code encodes", "without residue"),
    ("old code encodes", "with residue"),
    ("new code decodes", "its own version"),
    ("new code decodes", "the older one without residue"),
    ("new code decodes", "the older one with residue"),
    ("new code encodes", "its own version"),
    ("new code encodes", "the older one"),
]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("format_", FORMATS)
@pytest.mark.parametrize("kept", get_args(Kept))
@pytest.mark.parametrize(("group", "name"), ROWS)
def test_mixed_fleet(  # noqa: PLR0913, PLR0917 - each is one thing that differs
    benchmark: BenchmarkFixture, group: str, name: str, kept: Kept, format_: Format, size: Size
) -> None:
    """One row of a group."""
    benchmark.group = f"{group}: {format_}, {kept} with residue, {size}"
    benchmark(runs(kept, format_, size)[group][name])
