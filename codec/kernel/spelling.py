"""How JSON and MessagePack spell what programs have as bytes: objects, keys and plain values."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import msgspec

from ..tag.header import Format
from ..types.classes import TAG_KEY
from ..vectors import encode_vector

_FEW, _MANY = 16, 1 << 16
"""Entries of a map of MessagePack that its first byte, and two bytes, cannot count any more."""


@dataclass(frozen=True, slots=True)
class Spelling:
    """What msgspec writes in one format, and reads without types.

    ``frame`` gives, for the tag and the keys of an object, the bytes before each value and
    those at the end. ``plain`` says that only what JSON has a plain form for can be written.
    """

    format: Format
    write: Callable[[Any], bytes]
    read: Callable[[bytes], Any]
    frame: Callable[[str | None, tuple[str, ...]], list[bytes]]
    plain: bool


def _json_frame(tag: str | None, keys: tuple[str, ...]) -> list[bytes]:
    # msgspec writes keys as they are: those that need an escape are no keys of a schema.
    heads = [f'"{key}":'.encode() for key in keys]
    first = b"" if tag is None else f'"{TAG_KEY}":'.encode() + msgspec.json.encode(tag)
    if not heads:
        return [b"{" + first + b"}"]
    opening = b"{" + first + b"," if first else b"{"
    return [opening + heads[0], *(b"," + head for head in heads[1:]), b"}"]


def _msgpack_frame(tag: str | None, keys: tuple[str, ...]) -> list[bytes]:
    heads = [msgspec.msgpack.encode(key) for key in keys]
    first = [] if tag is None else [msgspec.msgpack.encode(TAG_KEY), msgspec.msgpack.encode(tag)]
    opening = b"".join([_map_of(len(keys) + bool(first)), *first])
    return [opening + heads[0], *heads[1:], b""] if heads else [opening]


def _map_of(count: int) -> bytes:
    """How a map of so many entries begins."""
    if count < _FEW:
        return bytes([0x80 | count])
    if count < _MANY:
        return b"\xde" + count.to_bytes(2, "big")
    return b"\xdf" + count.to_bytes(4, "big")


JSON: Final = Spelling(
    "json",
    msgspec.json.Encoder(enc_hook=encode_vector).encode,
    msgspec.json.Decoder().decode,
    _json_frame,
    plain=True,
)
MSGPACK: Final = Spelling(
    "msgpack",
    msgspec.msgpack.Encoder(enc_hook=encode_vector).encode,
    msgspec.msgpack.Decoder().decode,
    _msgpack_frame,
    plain=False,
)
