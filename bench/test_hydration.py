"""Times decoding and encoding with pytest-benchmark: every peer of the catalogue, in three sizes.

These are measurements and assert no time; see README.md for how to run them.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, get_args

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

import instar
from instar.bench.catalogue import Entry
from instar.bench.catalogue.rows import ENTRIES
from instar.bench.deep_copy import check_copy, deep_copier
from instar.bench.peers import Peer, Versions, check_peer
from instar.bench.sample import Size, agent_state
from instar.errors import ConfigError

ROOT = Path(__file__).resolve().parents[1]
SIZES: tuple[Size, ...] = get_args(Size)
every_entry = pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)


@cache
def versions() -> Versions:
    """The latest version of the reference subject."""
    registry = instar.Registry.open(ROOT / "schemas", ROOT / "migrations", subjects=["agent_state"])
    return Versions.latest(registry, "agent_state")


@cache
def state(size: Size, seed: int = 7) -> Any:
    """A sample state."""
    return agent_state(versions().codec("json"), size, seed=seed)


@cache
def peer(entry: Entry) -> Peer:
    """The peer, checked with two states before anything is timed."""
    if missing := entry.missing():
        pytest.skip(missing)
    with entry.circumstances():
        found = entry.peer(versions())
        check_peer(found, [state("small"), state("medium", 8)])
    return found


@pytest.mark.parametrize("size", SIZES)
@every_entry
def test_decode(benchmark: BenchmarkFixture, entry: Entry, size: Size) -> None:
    """From stored bytes to what the peer gives."""
    benchmark.group = f"decode, {size}"
    candidate = peer(entry)
    blob = candidate.dump(candidate.value(state(size)))
    benchmark(candidate.load, blob)


@pytest.mark.parametrize("size", SIZES)
@every_entry
def test_encode(benchmark: BenchmarkFixture, entry: Entry, size: Size) -> None:
    """From what the peer takes to stored bytes."""
    if entry.reads:
        pytest.skip("what it writes was made before")
    benchmark.group = f"encode, {size}"
    candidate = peer(entry)
    benchmark(candidate.dump, candidate.value(state(size)))


@pytest.mark.parametrize("size", SIZES)
def test_deep_copy(benchmark: BenchmarkFixture, size: Size) -> None:
    """From objects to the same objects made anew in C: the floor under every decode."""
    benchmark.group = f"decode, {size}"
    types = versions().registry.subject(versions().subject).types(versions().version)
    try:
        copy = deep_copier(types)
    except ConfigError as error:
        pytest.skip(error.what)
    check_copy(copy, state("small"))
    benchmark(copy, state(size))
