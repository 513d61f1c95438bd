from __future__ import annotations

from pathlib import Path

import pytest

from instar.bench.peers import Versions
from instar.codec.registry import Registry

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def registry() -> Registry:
    return Registry.open(ROOT / "schemas", ROOT / "migrations")


@pytest.fixture(scope="session")
def versions(registry: Registry) -> Versions:
    return Versions.latest(registry, "agent_state")
