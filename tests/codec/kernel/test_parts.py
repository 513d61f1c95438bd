"""Parts of payloads, looked at one by one: safe on any bytes, and the values of a whole decode."""

from __future__ import annotations

import random
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import pytest
from fuzz.mutate import mutated
from fuzz.targets import LIMITS
from fuzz.zoo import states, subjects
from kernel_pair import Pair, alike, pair_of, with_field
from part_walks import as_dicts, holds_refusal, walk

from instar.codec import exact
from instar.codec.kernel import core
from instar.codec.library.format import Reading
from instar.codec.limits import Limits
from instar.codec.subject import Subject
from instar.codec.tag.binary_frame import pack_binary
from instar.codec.types import SchemaTypes
from instar.schemas.model import Array, Field, Map, Optional, Primitive, Record, Reference

INT, NULL, TEXT = Primitive("int"), Primitive("null"), Primitive("string")
NODE = Record("Node", (Field("v", INT), Field("next", Optional(Reference("Node")))))


def part_of(pair: Pair, payload: bytes) -> Any:
    """The root of a payload as a part; the payload may be damaged."""
    decoder = core.Decoder(1 << 30)
    decoder.add(1, 1, 7, pair.program)
    return decoder.part(pack_binary("avro", 1, 7, payload), True)


ZOO = [
    pytest.param(format_, subject, id=f"{format_}-{subject.name}")
    for format_ in ("avro", "protobuf")
    for subject in subjects()
]


def damaged(encode: Any, types: SchemaTypes) -> Iterator[bytes]:
    whole = [encode(state) for state in states(types)]
    yield from whole
    yield from mutated(whole, 150, seed=5)


@pytest.mark.parametrize(("format_", "subject"), ZOO)
def test_pieces_are_those_of_the_whole(format_: str, subject: Subject) -> None:
    """Where a payload can be decoded, its pieces are the same values, in whichever order they
    are touched; where not, none crashes.
    """
    kernel = import_module(f"instar.codec.kernel.{format_}").ENGINE
    library = import_module(f"instar.codec.library.{format_}").ENGINE
    types, chance = subject.types(1), random.Random(3)  # noqa: S311 - only an order
    program = kernel.compile_reading(Reading(types, None, types), LIMITS)
    boxes = (*types.boxes.values(), exact.Duration)
    accepted = 0
    for payload in damaged(library.encoder(types, LIMITS), types):
        whole = core.decode_payload(program, payload)
        pieces = walk(core.part_of_payload(program, payload), chance)
        if whole is not NotImplemented:
            accepted += 1
            assert alike(pieces, as_dicts(whole, boxes))
            assert alike(core.part_of_payload(program, payload).hydrate(), whole)
    assert accepted >= 2


def test_a_refusal_is_the_same_when_asked_again() -> None:
    """A part that met bytes it cannot pass over does not go on in the middle of them."""
    pair = pair_of(Reference("Both"), Record("Both", (Field("a", TEXT), Field("b", INT))))
    part = part_of(pair, b"\x7e\x02a\x04")
    both = part.field(0)
    assert [both.field(1) for _ in range(3)] == [NotImplemented] * 3
    items = part_of(pair_of(Array(TEXT)), b"\x04\x02a\x7e\x02a\x00").field(0)
    assert [items.count() for _ in range(3)] == [NotImplemented] * 3
    array = part_of(pair_of(Array(Array(TEXT))), b"\x04\x02\x02a\x00\x02\x7e\x00").field(0)
    assert [array.count() for _ in range(3)] == [NotImplemented] * 3


def test_parts_nest_no_deeper_than_a_decode() -> None:
    """At the limit of depth a part is refused, as the whole is."""
    pair = pair_of(Optional(Reference("Node")), NODE, limits=Limits(depth=5))
    for depth in range(1, 9):
        payload = b"\x02\x00" * depth + b"\x00"
        refused = pair.state(payload) is NotImplemented
        assert holds_refusal(walk(part_of(pair, payload))) is refused, depth


def test_items_without_bytes_are_there_in_parts_too() -> None:
    """Counting them does not use up what `hydrate` may then build."""
    pair = pair_of(Array(NULL), limits=Limits(zero_size_items=4))
    items = part_of(pair, pair.payload(with_field(pair, [None] * 4))).field(0)
    assert items.count() == 4
    assert items.hydrate() == [None] * 4
    assert part_of(pair, b"\x0a\x00").field(0).count() is NotImplemented


def test_there_is_no_part_without_a_blob() -> None:
    """A part that stands nowhere cannot be made."""
    with pytest.raises(TypeError):
        core.Part()  # type: ignore[call-arg] # pyright: ignore[reportCallIssue]


@pytest.mark.parametrize("index", [-1, 1, 2**40, -(2**40)])
def test_an_index_beyond_a_part_is_an_index_error(index: int) -> None:
    """Neither fields nor items are looked for where there are none."""
    part = part_of(pair_of(Map(INT)), b"\x02\x02a\x02\x00")
    entries = part.field(0)
    assert entries.count() == 1
    for look in (part.field, entries.value):
        with pytest.raises(IndexError):
            look(index)
    for look in (part.count, part.keys, lambda: part.item(0), lambda: part.value(0)):
        with pytest.raises(TypeError):
            look()
    with pytest.raises(TypeError):
        entries.item(0)
