"""Times decoding and encoding with pytest-benchmark: every peer, in three sizes.

These are measurements and assert no time; see README.md for how to run them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, get_args

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

import instar
from instar.bench.copied import copied_peer
from instar.bench.deep_copy import check_copy, deep_copier
from instar.bench.others import (
    fastavro_peer,
    json_peer,
    msgspec_json_peer,
    msgspec_msgpack_peer,
    orjson_peer,
    protobuf_peer,
)
from instar.bench.peers import FORMATS, Peer, Versions, check_peer, instar_peers
from instar.bench.pydantic_peers import json_then_pydantic_peer, pydantic_json_peer
from instar.bench.sample import Size, agent_state
from instar.errors import ConfigError

ROOT = Path(__file__).resolve().parents[1]
OTHERS: dict[str, Callable[[Versions], Peer]] = {
    "json-dicts": json_peer,
    "orjson-dicts": orjson_peer,
    "msgspec-json": msgspec_json_peer,
    "msgspec-msgpack": msgspec_msgpack_peer,
    "fastavro-dicts": fastavro_peer,
    "protobuf-unread": protobuf_peer,
    "protobuf-copied": copied_peer,
    "json-pydantic": json_then_pydantic_peer,
    "pydantic-json": pydantic_json_peer,
}
READERS = ("protobuf-copied", "json-pydantic")
"""Other ways to read what another peer writes."""
NAMES = [*(f"instar-{name}" for name in FORMATS), *OTHERS]
SIZES: tuple[Size, ...] = get_args(Size)


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
def peer(name: str) -> Peer:
    """The peer, checked with two states before anything is timed."""
    ours = dict(zip(NAMES, instar_peers(versions()), strict=False))
    found = ours[name] if name in ours else OTHERS[name](versions())
    check_peer(found, [state("small"), state("medium", 8)])
    return found


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", NAMES)
def test_decode(benchmark: BenchmarkFixture, name: str, size: Size) -> None:
    """From stored bytes to what the peer gives."""
    benchmark.group = f"decode, {size}"
    candidate = peer(name)
    blob = candidate.dump(candidate.value(state(size)))
    benchmark(candidate.load, blob)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", [name for name in NAMES if name not in READERS])
def test_encode(benchmark: BenchmarkFixture, name: str, size: Size) -> None:
    """From what the peer takes to stored bytes."""
    benchmark.group = f"encode, {size}"
    candidate = peer(name)
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
