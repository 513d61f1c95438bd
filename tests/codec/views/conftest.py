"""The reference subjects, opened once for all tests here, and the engines to run them with."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from material import ROOT
from view_walks import ENGINES, forced

from instar import Registry


@pytest.fixture(scope="session")
def reference() -> Registry:
    """The registry of agent_state and agent_command."""
    return Registry.open(ROOT / "schemas", ROOT / "migrations")


@pytest.fixture(params=ENGINES)
def engine_in_use(request: Any) -> Iterator[str]:
    """The name of the engine that is forced, one after the other."""
    with forced(request.param):
        yield request.param
