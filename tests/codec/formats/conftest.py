"""The reference subjects, opened once for all tests here."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from material import ROOT
from vector_samples import ENGINES

from instar import Registry
from instar.codec.engines import VARIABLE


@pytest.fixture(scope="session")
def reference() -> Registry:
    """The registry of agent_state and agent_command."""
    return Registry.open(ROOT / "schemas", ROOT / "migrations")


@pytest.fixture(params=ENGINES)
def engine_in_use(request: pytest.FixtureRequest) -> Iterator[str]:
    """Each engine in turn, forced by the environment."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(VARIABLE, request.param)
        yield request.param
