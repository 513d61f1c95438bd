"""The reference subjects, opened once for all tests here."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, TypeAlias

import pytest
from material import ROOT
from vector_samples import ENGINES

from instar import Registry
from instar.codec.compatibility.values import states
from instar.codec.engines import VARIABLE

StatesOf: TypeAlias = Callable[[str, int], Any]
"""Strategies, each made once: to make one takes longer than to draw from it."""


@pytest.fixture(scope="session")
def reference() -> Registry:
    """The registry of agent_state and agent_command."""
    return Registry.open(ROOT / "schemas", ROOT / "migrations")


@pytest.fixture(scope="session")
def states_of(reference: Registry) -> StatesOf:
    """The states of a version of a reference subject."""
    return cache(lambda subject, version: states(reference.subject(subject).types(version)))


@pytest.fixture(params=ENGINES)
def engine_in_use(request: pytest.FixtureRequest) -> Iterator[str]:
    """Each engine in turn, forced by the environment."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(VARIABLE, request.param)
        yield request.param
