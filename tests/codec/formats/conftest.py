"""The reference subjects, opened once for all tests here."""

from __future__ import annotations

import pytest
from material import ROOT

from instar import Registry


@pytest.fixture(scope="session")
def reference() -> Registry:
    """The registry of agent_state and agent_command."""
    return Registry.open(ROOT / "schemas", ROOT / "migrations")
