"""The line of versions and the steps between them."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from instar.errors import (
    DuplicateMigration,
    MigrationCycle,
    MigrationGap,
    MigrationMismatch,
    NoSuchSubject,
    SeveralHeads,
)
from instar.migrations import Migration
from instar.migrations.chain import Chain, check_chain


def steps(*edges: tuple[int, int], subject: str = "s") -> list[Migration]:
    """Migrations without ops between the given versions."""
    return [Migration(subject, source, target) for source, target in edges]


def findings(
    versions: Sequence[int], migrations: Sequence[Migration]
) -> list[tuple[type[Exception], str]]:
    """What check_chain finds: the classes and the messages."""
    return [(type(error), str(error)) for error in check_chain("s", versions, migrations)]


@given(head=st.integers(1, 9), data=st.data())
def test_line(head: int, data: st.DataObject) -> None:
    """Versions 1 to n with any of the adjacent migrations are one line."""
    chosen = data.draw(st.sets(st.integers(1, max(1, head - 1)))) if head > 1 else set[int]()
    migrations = steps(*((version, version + 1) for version in chosen))
    assert check_chain("s", range(1, head + 1), migrations) == []
    chain = Chain("s", list(range(head, 0, -1)), migrations)
    assert chain.versions == tuple(range(1, head + 1))
    assert chain.head == head


def test_no_version() -> None:
    """A subject needs a version."""
    ((kind, text),) = findings([], [])
    assert kind is MigrationGap
    assert "add the schema s/v1.avsc or v1.proto" in text


def test_hole() -> None:
    """Every missing version is named, and what to add."""
    found = findings([2, 5], [])
    assert [kind for kind, _ in found] == [MigrationGap] * 3
    assert "version 3 is missing; add the schema s/v3.avsc" in found[1][1]


def test_duplicate() -> None:
    """Two migrations between the same versions are one finding."""
    ((kind, text),) = findings([1, 2], steps((1, 2), (1, 2)))
    assert kind is DuplicateMigration
    assert "2 migrations join 1 -> 2" in text


def test_cycle() -> None:
    """A migration that goes down is a way back, and the message says where it belongs."""
    ((kind, text),) = findings([1, 2], steps((1, 2), (2, 1)))
    assert kind is MigrationCycle
    assert "give 1 -> 2 a down= instead" in text


def test_step_to_itself() -> None:
    """A migration from a version to itself leads back too."""
    ((kind, text),) = findings([1, 2], steps((2, 2)))
    assert kind is MigrationCycle
    assert "correct its numbers" in text


def test_several_heads() -> None:
    """Two versions that follow the same one are a branch."""
    ((kind, text),) = findings([1, 2, 3], steps((1, 2), (1, 3)))
    assert kind is SeveralHeads
    assert "versions 2 and 3 all follow version 1" in text


def test_step_over_a_version() -> None:
    """A migration joins adjacent versions; the message lists the ones to write."""
    ((kind, text),) = findings([1, 2, 3, 4], steps((1, 4)))
    assert kind is MigrationGap
    assert "1 -> 2, 2 -> 3, 3 -> 4" in text


def test_version_without_schema() -> None:
    """A migration to a version that has no schema is found."""
    ((kind, text),) = findings([1, 2], steps((2, 3)))
    assert kind is MigrationMismatch
    assert "joins version 3, which has no schema; add the schema s/v3.avsc" in text


def test_other_subject() -> None:
    """A migration of another subject is found."""
    ((kind, text),) = findings([1, 2], steps((1, 2), subject="other"))
    assert kind is MigrationMismatch
    assert "other 1 -> 2" in text


def test_all_findings() -> None:
    """Every finding is reported, not only the first."""
    kinds = {kind for kind, _ in findings([1, 3], steps((1, 3), (1, 3), (3, 1), (3, 4)))}
    assert kinds == {MigrationGap, DuplicateMigration, MigrationCycle, MigrationMismatch}


def test_chain_raises_what_is_found() -> None:
    """A chain is never made of something else; the error notes the other findings."""
    with pytest.raises(DuplicateMigration) as caught:
        Chain("s", [1, 2], steps((1, 2), (1, 2), (2, 1)))
    assert any("leads back" in note for note in caught.value.__notes__)


def test_step() -> None:
    """A step is found by its two versions in either order; without one it is derived."""
    chain = Chain("s", [1, 2, 3], steps((1, 2)))
    assert chain.step(1, 2) == chain.step(2, 1) == Migration("s", 1, 2)
    assert chain.step(2, 3) is None


@pytest.mark.parametrize(("source", "target"), [(1, 3), (3, 1), (2, 2)])
def test_step_that_is_no_step(source: int, target: int) -> None:
    """Versions that are not adjacent have no step between them."""
    with pytest.raises(MigrationGap, match="not adjacent"):
        Chain("s", [1, 2, 3]).step(source, target)


def test_hops() -> None:
    """Hops lead from one version to another, up or down, and nowhere from a version to itself."""
    chain = Chain("s", [1, 2, 3])
    assert chain.hops(1, 3) == ((1, 2), (2, 3))
    assert chain.hops(3, 1) == ((3, 2), (2, 1))
    assert chain.hops(2, 2) == ()


def test_unknown_version() -> None:
    """A version that does not exist is an error that says which do."""
    chain = Chain("s", [1, 2])
    with pytest.raises(NoSuchSubject, match="no version 3; versions here are 1 to 2"):
        chain.hops(1, 3)
    with pytest.raises(NoSuchSubject):
        chain.step(0, 1)
