"""Payloads of Protobuf whose fields stand in another order, twice or in pieces."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any, NamedTuple

LENGTH = 2


class Piece(NamedTuple):
    """One field as it stands in a message, its value without the length."""

    number: int
    wire: int
    value: bytes

    def encoded(self) -> bytes:
        """The bytes of the field."""
        size = varint(len(self.value)) if self.wire == LENGTH else b""
        return varint(self.number << 3 | self.wire) + size + self.value


def varint(number: int) -> bytes:
    """A number in base 128, the lowest digits first."""
    out = bytearray()
    while number >= 0x80:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*out, number])


def _read_varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while data[at] >= 0x80:
        value |= (data[at] & 0x7F) << shift
        at, shift = at + 1, shift + 7
    return value | data[at] << shift, at + 1


def pieces(data: bytes) -> Iterator[Piece]:
    """The fields of a message without groups."""
    at = 0
    while at < len(data):
        tag, at = _read_varint(data, at)
        start = at
        match tag & 7:
            case 0:
                _, at = _read_varint(data, at)
            case 1:
                at += 8
            case 5:
                at += 4
            case _:
                size, start = _read_varint(data, at)
                at = start + size
        yield Piece(tag >> 3, tag & 7, data[start:at])


def shuffled(descriptor: Any, data: bytes, chance: random.Random) -> bytes:
    """The same message with the fields of it, and of all messages inside, in another order.

    Those of one number keep their order, and entries of maps are as they were.
    """
    found = [_inside(descriptor, piece, chance) for piece in pieces(data)]
    order = [piece.number for piece in found]
    chance.shuffle(order)
    by_number = {number: iter([p for p in found if p.number == number]) for number in order}
    return b"".join(next(by_number[number]).encoded() for number in order)


def _inside(descriptor: Any, piece: Piece, chance: random.Random) -> Piece:
    inner = descriptor.fields_by_number[piece.number].message_type
    if inner is None or piece.wire != LENGTH or inner.GetOptions().map_entry:
        return piece
    return piece._replace(value=shuffled(inner, piece.value, chance))


def doubled(data: bytes, chance: random.Random) -> bytes:
    """The same message with one of its fields twice."""
    found = list(pieces(data))
    found.insert(chance.randrange(len(found) + 1), chance.choice(found))
    return b"".join(piece.encoded() for piece in found)


def split(data: bytes, chance: random.Random) -> bytes:
    """The same message with the value of a field in two pieces, if one has a length."""
    found = list(pieces(data))
    sized = [at for at, piece in enumerate(found) if piece.wire == LENGTH and piece.value]
    if sized:
        at = chance.choice(sized)
        piece, middle = found[at], chance.randrange(len(found[at].value) + 1)
        halves = [piece._replace(value=v) for v in (piece.value[:middle], piece.value[middle:])]
        found[at : at + 1] = halves
    return b"".join(piece.encoded() for piece in found)
