"""The migration of the reference subject."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from instar.migrations.chain import check_chain
from instar.migrations.compute import Compute
from instar.migrations.loader import load_migrations

FOLDER = Path(__file__).resolve().parents[2] / "migrations"
(MIGRATION,) = load_migrations(FOLDER, "agent_state")
OP = cast("Compute", MIGRATION.ops[0])

MODELS = st.text() | st.text(alphabet="/a", max_size=6)


def test_chain() -> None:
    """It is a step of the line 1, 2, 3."""
    assert check_chain("agent_state", [1, 2, 3], [MIGRATION]) == []


@pytest.mark.parametrize(
    ("model", "provider", "name"),
    [
        ("openai/gpt-4o", "openai", "gpt-4o"),
        ("openrouter/meta/llama", "openrouter", "meta/llama"),
        ("gpt-4o", "", "gpt-4o"),
        ("/gpt-4o", "", "/gpt-4o"),
        ("openai/", "openai", ""),
        ("", "", ""),
    ],
)
def test_split(model: str, provider: str, name: str) -> None:
    """The provider is what stands before the first slash."""
    assert OP.upgrade([model]) == (provider, name)


@given(model=MODELS)
def test_there_and_back(model: str) -> None:
    """Every model survives an upgrade and a downgrade."""
    assert OP.downgrade(OP.upgrade([model])) == (model,)


@given(provider=st.text(min_size=1).filter(lambda text: "/" not in text), name=st.text())
def test_back_and_there(provider: str, name: str) -> None:
    """A provider without a slash in its name survives a downgrade and an upgrade."""
    assert OP.upgrade(OP.downgrade([provider, name])) == (provider, name)
