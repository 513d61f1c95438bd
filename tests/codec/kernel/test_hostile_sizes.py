"""How much memory a hostile payload can ask for."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from typing import Any

import pytest
from kernel_pair import Refused, pair_of, with_field

from instar.codec.limits import Limits
from instar.errors import ValueMismatch
from instar.schemas.model import (
    Array,
    Field,
    Json,
    Map,
    Optional,
    Primitive,
    Record,
    Reference,
    Type,
)

INT, TEXT = Primitive("int"), Primitive("string")
NULL, NOTHING, EMPTY = Primitive("null"), Reference("Nothing"), Record("Nothing", ())
LEAF = Record("Leaf", (Field("n", INT), Field("note", Optional(TEXT))))
KINDS: list[tuple[Type, bytes]] = [
    (Array(Primitive("null")), bytes.fromhex("80dac40900")),
    (Array(INT), bytes.fromhex("80dac40900")),
    (Array(INT), bytes.fromhex("ffd9c4098080808010")),
    (Map(INT), bytes.fromhex("80dac40900")),
    (Array(Reference("Leaf")), bytes.fromhex("feffffff0f00")),
    (TEXT, bytes.fromhex("feffffff0f00")),
    (Primitive("bytes"), bytes.fromhex("fefffffffffffffffe01")),
    (Json(), b"\xfe\xff\xff\xff\x0f["),
    (Array(Array(INT)), b"\xfe\x07" + b"\xfe\xff\xff\x0f" * 200),
]


def peak(work: Callable[[], Any]) -> int:
    """The most memory that a call took at a time, in bytes."""
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(("kind", "payload"), KINDS)
def test_a_few_bytes_cannot_ask_for_much(kind: Type, payload: bytes) -> None:
    """A count or a length is judged before memory is taken for it."""
    pair = pair_of(kind, LEAF)
    assert peak(lambda: pair.state(payload)) < 64 * 1024
    assert pair.state(payload) is NotImplemented


def test_a_refused_payload_took_no_more_than_it_could_have_held() -> None:
    """Memory is bounded by the size of a payload: at most some sixty bytes for each of its own."""
    size = 100_000
    for kind in (
        Array(Optional(INT)),
        Array(Reference("Leaf")),
        Array(Map(INT)),
        Array(Array(INT)),
    ):
        pair = pair_of(kind, LEAF)
        for filler in (b"\x00", b"\x02", b"\x01"):
            payload = b"\xc0\x9a\x0c" + filler * size
            assert peak(lambda pair=pair, payload=payload: pair.state(payload)) < 100 * size


@pytest.mark.parametrize("kind", [Array(Array(NULL)), Map(Array(NULL)), Array(Array(NOTHING))])
def test_items_without_bytes_are_bounded_over_all_lists(kind: Type) -> None:
    """A hundred lists of a million nulls take five bytes each, and are refused by both engines."""
    lists = (
        b"\x80\x80\x80\x01\x00" if isinstance(kind, Array) else b"\x02a\x80\x80\x80\x01\x00"
    ) * 100
    pair = pair_of(kind, EMPTY)
    payload = b"\xc8\x01" + lists + b"\x00"
    assert pair.state(payload) is NotImplemented
    wanted = pair.wanted(payload)
    assert isinstance(wanted, Refused)
    assert "more than 1048576 items that take no bytes" in wanted.what
    assert peak(lambda: pair.wanted(payload)) < 64 * 1024


@pytest.mark.parametrize(
    ("counts", "fits"), [([3], True), ([2, 1], True), ([2, 2], False), ([4], False)]
)
def test_what_is_written_can_be_read_where_items_take_no_bytes(
    counts: list[int], fits: bool
) -> None:
    """Both engines count over all lists of a state, when they write as when they read."""
    pair = pair_of(Array(Array(NULL)), limits=Limits(zero_size_items=3))
    state = with_field(pair, [[None] * count for count in counts])
    assert (pair.payload(state) is NotImplemented) is not fits
    if fits:
        assert pair.payload(state) == pair.write(state)
        assert pair.state(pair.write(state)) == pair.read(pair.write(state)) == state
    else:
        with pytest.raises(ValueMismatch, match="more than 3 items that take no bytes"):
            pair.write(state)


def test_the_count_begins_anew_with_each_payload() -> None:
    """What one decode or encode used up is no loss for the next."""
    pair = pair_of(Array(NULL), limits=Limits(zero_size_items=3))
    state = with_field(pair, [None] * 3)
    for _ in range(3):
        assert pair.state(pair.payload(state)) == pair.read(pair.write(state)) == state
