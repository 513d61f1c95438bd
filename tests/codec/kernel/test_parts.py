"""Parts of payloads, looked at one by one: safe on any bytes, and the values of a whole decode."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from fuzz.mutate import mutated
from fuzz.targets import LIMITS
from fuzz.zoo import states, subjects
from kernel_pair import Pair, alike, pair_of, with_field

from instar.codec import exact
from instar.codec.kernel import core
from instar.codec.limits import Limits
from instar.codec.tag.binary_frame import pack_binary
from instar.schemas.model import Array, Field, Map, Optional, Primitive, Record, Reference

INT, NULL, TEXT = Primitive("int"), Primitive("null"), Primitive("string")
NODE = Record("Node", (Field("v", INT), Field("next", Optional(Reference("Node")))))


def part_of(pair: Pair, payload: bytes) -> Any:
    """The root of a payload as a part; the payload may be damaged."""
    decoder = core.Decoder(1 << 30)
    decoder.add(1, 1, 7, pair.program)
    return decoder.part(pack_binary("avro", 1, 7, payload), True)


def walk(part: Any) -> Any:
    """All that is in a part, looked at piece by piece; records as dicts by attribute."""
    if not isinstance(part, core.Part):
        return part
    if part.kind == "record":
        return {name: walk(part.field(index)) for name, index in part.names.items()}
    count = part.count()
    if count is NotImplemented:
        return NotImplemented
    items = [walk(part.item(index)) for index in range(count)]
    if part.kind == "list":
        return items
    return dict(zip(items, [walk(part.value(index)) for index in range(count)], strict=True))


def as_dicts(value: Any, boxes: tuple[type, ...]) -> Any:
    """A whole object in the same form."""
    if isinstance(value, boxes) or not isinstance(value, msgspec.Struct | list | dict):
        return value
    if isinstance(value, msgspec.Struct):
        names = value.__struct_fields__
        return {name: as_dicts(getattr(value, name), boxes) for name in names}
    if isinstance(value, list):
        return [as_dicts(item, boxes) for item in value]
    return {key: as_dicts(item, boxes) for key, item in value.items()}


def holds_refusal(value: Any) -> bool:
    """Whether some piece was refused."""
    if isinstance(value, dict):
        return any(map(holds_refusal, value.values()))
    if isinstance(value, list):
        return any(map(holds_refusal, value))
    return value is NotImplemented


PAIRS = [Pair(subject.types(1), limits=LIMITS) for subject in subjects()]


def damaged(pair: Pair) -> Iterator[bytes]:
    whole = [pair.write(state) for state in states(pair.types)]
    yield from whole
    yield from mutated(whole, 150, seed=5)


@pytest.mark.parametrize("pair", PAIRS, ids=[subject.name for subject in subjects()])
def test_pieces_are_those_of_the_whole(pair: Pair) -> None:
    """Where a payload can be decoded, its pieces are the same values; where not, none crashes."""
    boxes = (*pair.types.boxes.values(), exact.Duration)
    accepted = 0
    for payload in damaged(pair):
        whole = pair.state(payload)
        pieces = walk(part_of(pair, payload))
        if whole is not NotImplemented:
            accepted += 1
            assert alike(pieces, as_dicts(whole, boxes))
            assert alike(part_of(pair, payload).hydrate(), whole)
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
    for look in (part.field, entries.item, entries.value):
        with pytest.raises(IndexError):
            look(index)
    for look in (part.count, lambda: part.item(0), lambda: part.value(0)):
        with pytest.raises((TypeError, IndexError)):
            look()
