"""The compute op."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from instar.errors import ComputeError, MigrationError
from instar.migrations import compute


def split(name: str) -> tuple[str, str]:
    first, _, last = name.partition(" ")
    return first, last


def join(first: str, last: str) -> str:
    return f"{first} {last}"


def twice(value: object) -> tuple[object, object]:
    return value, value


SPLIT = compute(reads="name", writes=("first", "last"), up=split, down=join)


def test_names() -> None:
    """One name and a tuple of one name say the same."""
    one = compute(reads="a", writes="b", up=str, down=str)
    several = compute(reads=("a",), writes=("b",), up=str, down=str)
    assert one == several


def test_upgrade() -> None:
    """Going up, the function takes what is read and returns what is written, in order."""
    assert SPLIT.upgrade(["Ada Lovelace"]) == ("Ada", "Lovelace")


def test_downgrade() -> None:
    """Going down, it is the other way round, and one value needs no tuple."""
    assert SPLIT.downgrade(["Ada", "Lovelace"]) == ("Ada Lovelace",)


def test_one_value_that_is_a_tuple() -> None:
    """An op that writes one field takes whatever is returned as its value."""
    op = compute(reads="a", writes="b", up=twice, down=None, lossy="b")
    assert op.upgrade([1]) == ((1, 1),)


@pytest.mark.parametrize("returned", [None, "ab", ["a", "b"], ("a",), ("a", "b", "c")])
def test_wrong_number_of_values(returned: object) -> None:
    """An op that writes several fields accepts a tuple of as many values and nothing else."""

    def up(_: object) -> object:
        return returned

    op = compute(reads="a", writes=("b", "c"), up=up, down=None, lossy="a")
    with pytest.raises(ComputeError, match="return a tuple of 2 values"):
        op.upgrade([1])


def test_function_that_raises() -> None:
    """An exception in a function becomes an error that names the function and the fields."""
    op = compute(reads="a", writes="b", up=int, down=str)
    with pytest.raises(ComputeError, match=r"b: int\(str\) raised ValueError") as caught:
        op.upgrade(["x"])
    assert isinstance(caught.value.__cause__, ValueError)


def test_direction_that_does_not_exist() -> None:
    """A direction that was declared lossy cannot be called."""
    op = compute(reads="a", writes="b", up=str, down=None, lossy="b")
    with pytest.raises(ComputeError, match="lossy"):
        op.downgrade(["x"])


WORD: Any = "str"


@pytest.mark.parametrize(
    ("declare", "reason"),
    [
        (lambda: compute(reads=(), writes="b", up=str, down=str), "reads no field"),
        (lambda: compute(reads="a", writes=(), up=str, down=str), "writes no field"),
        (lambda: compute(reads=("a", "a"), writes="b", up=join, down=split), "'a' twice"),
        (lambda: compute(reads="a", writes="b", up=None, down=None), "neither up nor down"),
        (lambda: compute(reads="a", writes="b", up=str, down=None), "no down; give down="),
        (lambda: compute(reads="a", writes="b", up=None, down=str), "no up; give up="),
        (lambda: compute(reads="a", writes="b", up=str, down=None, lossy="c"), "'c'"),
        (lambda: compute(reads="a", writes="b", up=WORD, down=str), "not a function"),
        (lambda: compute(reads="a", writes="b", up=join, down=str), "1 positional values: a"),
        (lambda: compute(reads="a", writes=("b", "c"), up=split, down=split), "b, c"),
    ],
)
def test_declaration_that_contradicts_itself(declare: Callable[[], object], reason: str) -> None:
    """A mistake in a declaration is an error where it is declared."""
    with pytest.raises(MigrationError, match=reason):
        declare()
