"""How much memory a hostile payload can ask for."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from typing import Any

import pytest
from kernel_pair import pair_of

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
