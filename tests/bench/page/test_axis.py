"""Numbers lie where an axis says, and its labels have room."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from instar.bench.page.axis import linear_axis, log_axis, whole_axis

positive = st.floats(1e-9, 1e9)
ROOM = 40.0


@given(st.lists(positive, min_size=1))
def test_log_axis_holds_all(values: list[float]) -> None:
    """Every number lies between the ends, in order, and there is a label that is one of them."""
    axis = log_axis(values, 10, 200, ROOM)
    places = [axis.place(value) for value in sorted(values)]
    assert all(10 - 0.1 <= place <= 200 + 0.1 for place in places)
    assert places == sorted(places)
    assert axis.ticks
    assert all(10 - 0.1 <= axis.place(tick) <= 200 + 0.1 for tick in axis.ticks)


@given(st.lists(positive, min_size=1))
def test_log_labels_have_room(values: list[float]) -> None:
    """Labels are at least nearly as far apart as they need to be."""
    axis = log_axis(values, 0, 300, ROOM)
    places = [axis.place(tick) for tick in axis.ticks]
    gaps = [after - before for before, after in pairwise(places)]
    assert all(gap > ROOM / 2 for gap in gaps)


@given(st.floats(1e-6, 1e9))
def test_linear_axis_begins_at_nothing(most: float) -> None:
    """Nothing lies at the start, and the largest number before the end."""
    axis = linear_axis(most, 100, 300, ROOM)
    assert axis.place(0) == axis.ticks[0] + 100 == 100
    assert 150 < axis.place(most) <= 300.1


def test_whole_axis() -> None:
    """Every whole number has a label, those that nothing lies at, too."""
    assert whole_axis([4, 1], 0, 100).ticks == (1, 2, 3, 4)


@pytest.mark.parametrize("values", [[], [0.0], [1.0, 1.0]])
def test_log_axis_of_little(values: list[float]) -> None:
    """No numbers, nothing, or one number alone make an axis of some width."""
    axis = log_axis(values, 0, 100, ROOM)
    assert axis.low < axis.high
