"""Values that stand beside a payload are found by their index there, and by nothing else."""

from __future__ import annotations

import gc
import sys
from typing import Any

import pytest

pytest.importorskip("instar.codec.kernel.core", reason="no kernel was built")

from instar.codec.kernel import core
from instar.codec.kernel.spec import Spec
from instar.codec.tag.header import FORMAT_CODES
from instar.errors import ValueMismatch


def refused(value: Any) -> Any:
    """What a check does to a value of the wrong type; text is one of the right type."""
    if isinstance(value, str):
        return f"<{value}>"
    raise ValueMismatch(f"{value} is wrong")


def program(*specs: Spec) -> core.Program:
    """A program whose root is the last of these nodes."""
    return core.Program(FORMAT_CODES["avro"], list(specs), len(specs) - 1, 100)


FLOAT = Spec(core.FLOAT, (), object=refused)
CARRIED = Spec(core.CARRIED, (0,), object=refused)
WRITER = program(FLOAT, CARRIED, Spec(core.ARRAY, (1,)))
READER = program(Spec(core.CARRIED), Spec(core.ARRAY, (0,)))


def written(items: list[Any], carried: list[Any] | None) -> Any:
    return core.Encoder(WRITER, 1, 0, 0).payload(items, 0, carried)


def test_the_values_are_the_very_same() -> None:
    """As many as there are, and none is copied or kept for longer."""
    items = [float(f"{index}.1") for index in range(300)]
    carried: list[Any] = []
    payload = written(items, carried)
    assert all(map(lambda one, other: one is other, carried, items))
    found = core.decode_payload(READER, payload, 0, carried)
    assert len(found) == len(items)
    assert all(map(lambda one, other: one is other, found, items))
    before = sys.getrefcount(items[0])
    for _ in range(10):
        core.decode_payload(READER, written(items, []), 0, carried)
    gc.collect()
    # Outside of the assertion, which pytest has a reference in.
    after = sys.getrefcount(items[0])
    assert after == before


def test_what_a_check_makes_of_a_value_is_carried() -> None:
    """And what it refuses is refused."""
    carried: list[Any] = []
    assert written([0.5, "x"], carried) == b"\x04\x00\x02\x00"
    assert carried == [0.5, "<x>"]
    assert written([0.5, 1], []) is NotImplemented
    assert written([1e300, 0.5], []) is NotImplemented


def test_nothing_is_carried_where_there_is_no_place_for_it() -> None:
    """Neither written nor read."""
    assert written([0.5], None) is NotImplemented
    assert written([], None) == b"\x00"
    assert core.decode_payload(READER, b"\x02\x00\x00") is NotImplemented


@pytest.mark.parametrize(
    "index", [b"\x01", b"\x04", b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", b""]
)
def test_an_index_of_no_value_is_refused(index: bytes) -> None:
    """Before the first, behind the last, or none at all."""
    payload = b"\x02" + index + b"\x00" if index else b"\x02"
    assert core.decode_payload(READER, payload, 0, [0.5, 1.5]) is NotImplemented
    assert core.decode_payload(READER, b"\x02\x02\x00", 0, [0.5, 1.5]) == [1.5]


def test_a_float_is_rounded_where_a_vector_would_round_it() -> None:
    """And no other value, and no infinity or NaN becomes another."""
    reader = program(Spec(core.CARRIED, size=1), Spec(core.ARRAY, (0,)))
    carried: list[Any] = [0.1, float("-inf"), -0.0, 1e-60, "x"]
    found = core.decode_payload(reader, b"\x0a\x00\x02\x04\x06\x08\x00", 0, carried)
    assert repr(found) == repr([0.10000000149011612, float("-inf"), -0.0, 0.0, "x"])


def test_a_value_that_is_passed_over_is_no_more_than_its_index() -> None:
    """Whatever it may be."""
    reader = program(
        Spec(core.CARRIED),
        Spec(core.STRING),
        Spec(core.SCRATCH, (0, 1), slots=(0, 0)),
        Spec(core.ARRAY, (2,)),
    )
    assert core.decode_payload(reader, b"\x02\x80\x02\x02a\x00", 0, []) == [True]
