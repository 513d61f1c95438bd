"""The harness's equality is strict."""

from __future__ import annotations

import math
from typing import Any

import pytest

from instar.bench.same import same, share_parts
from instar.codec.record import Record


class Point(Record):
    x: Any


class Other(Record):
    x: Any


EQUAL: list[Any] = [1, 1.5, math.nan, -0.0, "a", None, [1, [2]], (1, 2), {"a": [1]}, Point(x=[1])]


@pytest.mark.parametrize("index", range(len(EQUAL)))
def test_everything_is_the_same_as_itself(index: int) -> None:
    """A value is the same as itself, NaN too, and as nothing else of the list."""
    assert [same(EQUAL[index], other) for other in EQUAL] == [n == index for n in range(len(EQUAL))]


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (1, 1.0),
        (1, True),
        (0.0, -0.0),
        ([1], (1,)),
        ([1], [1, 2]),
        ({"a": 1}, {"a": 1, "b": 2}),
        ({"a": 1}, {"b": 1}),
        (Point(x=1), Other(x=1)),
        (Point(x=[1]), Point(x=[True])),
    ],
)
def test_what_differs(left: Any, right: Any) -> None:
    """Equal values of other classes, and other values, are not the same."""
    assert not same(left, right)
    assert not same(right, left)


def test_order_of_keys_does_not_matter() -> None:
    """Dicts are the same however they were filled."""
    assert same({"a": 1, "b": 2}, {"b": 2, "a": 1})


def test_shared_parts() -> None:
    """Two values share parts where a list, dict or record is one object in both."""
    part = [1]
    assert share_parts({"a": part}, {"a": part})
    assert share_parts(Point(x=(part,)), Point(x=(part,)))
    assert not share_parts({"a": [1]}, {"a": [1]})
    assert not share_parts(Point(x="text"), Point(x="text"))
