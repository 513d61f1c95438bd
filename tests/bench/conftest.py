from __future__ import annotations

import gc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from instar.bench.measures import Ground
from instar.bench.peers import Versions
from instar.bench.sample import agent_state
from instar.bench.states import LABELS, States
from instar.codec.registry import Registry

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def registry() -> Registry:
    return Registry.open(ROOT / "schemas", ROOT / "migrations")


@pytest.fixture(scope="session")
def versions(registry: Registry) -> Versions:
    return Versions.latest(registry, "agent_state")


@pytest.fixture(scope="session")
def states(versions: Versions) -> list[Any]:
    """Two different small states."""
    codec = versions.codec("json")
    return [agent_state(codec, "small", seed=seed) for seed in (1, 2)]


@pytest.fixture(scope="session")
def ground(versions: Versions, states: list[Any]) -> Ground:
    """The ground of the bench with small states in place of all sizes, and no real data."""
    plain = [States(label, n, versions, *states) for n, label in enumerate(LABELS)]
    return Ground(plain, plain, "there is no real data")


@pytest.fixture
def few_objects() -> Iterator[None]:
    """Keeps what pytest and other tests hold out of the collections between rounds."""
    gc.freeze()
    yield
    gc.unfreeze()
