"""The declaration of a migration."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from instar.errors import MigrationError
from instar.migrations import Migration, compute

OP = compute(reads="a", writes="b", up=str, down=str)


def test_declared() -> None:
    """A migration holds what it was declared with, its ops in order."""
    migration = Migration("agent_state", 2, 3, OP)
    assert (migration.subject, migration.source, migration.target) == ("agent_state", 2, 3)
    assert migration.ops == (OP,)
    assert migration.name == "agent_state 2 -> 3"


def test_frozen() -> None:
    """A migration cannot be changed."""
    migration: Any = Migration("agent_state", 2, 3)
    with pytest.raises(dataclasses.FrozenInstanceError):
        migration.target = 4


@pytest.mark.parametrize("version", [0, -1, True, "2", 2.0, None])
def test_version(version: Any) -> None:
    """A version is a whole number from 1."""
    with pytest.raises(MigrationError, match="not a version"):
        Migration("agent_state", version, 3)
    with pytest.raises(MigrationError, match="not a version"):
        Migration("agent_state", 1, version)


def test_op() -> None:
    """Something that is not an op is refused."""
    other: Any = str
    with pytest.raises(MigrationError, match="not an op"):
        Migration("agent_state", 1, 2, other)


def test_field_computed_twice() -> None:
    """Two ops never write the same field in the same direction."""
    with pytest.raises(MigrationError, match="'b' on the way up"):
        Migration("s", 1, 2, OP, compute(reads="c", writes="b", up=str, down=None, lossy="b"))
    with pytest.raises(MigrationError, match="'a' on the way down"):
        Migration("s", 1, 2, OP, compute(reads="a", writes="c", up=str, down=str))


def test_field_read_twice() -> None:
    """Two ops may read the same field where only one of them gives it back."""
    one_way = compute(reads="a", writes="c", up=str, down=None, lossy="c")
    assert len(Migration("s", 1, 2, OP, one_way).ops) == 2
