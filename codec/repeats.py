"""Keys that a payload of another program gives twice in one object.

msgspec keeps the last of them and says nothing. Our own writers never repeat a key, and a
checksum vouches for what they wrote, so only payloads without a tag are looked at: to look at
all would cost more than to decode them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from ..errors import ValueMismatch
from ..schemas.model import JsonValue

# How long a value is by its first byte, and how wide the length that follows it is and what it
# leaves out; the layout is that of the MessagePack specification.
_FIXED: Mapping[int, int] = {
    0xC0: 1,
    0xC2: 1,
    0xC3: 1,
    0xCA: 5,
    0xCB: 9,
    **dict.fromkeys((*range(0x80), *range(0xE0, 0x100)), 1),  # small integers
    **{0xA0 + size: 1 + size for size in range(32)},  # short texts
    **{0xCC + power: 1 + 2**power for power in range(4)},  # unsigned
    **{0xD0 + power: 1 + 2**power for power in range(4)},  # signed
    **{0xD4 + power: 2 + 2**power for power in range(5)},  # extensions
}
_SIZED: Mapping[int, tuple[int, int]] = {
    **{0xC4 + power: (2**power, 0) for power in range(3)},  # bin
    **{0xC7 + power: (2**power, 1) for power in range(3)},  # extensions, with a type
    **{0xD9 + power: (2**power, 0) for power in range(3)},  # str
}


class _Members(dict[str, Any]):
    """A JSON object, and the first key that it had twice."""

    repeated: str | None = None


def refuse_json_repeats(text: bytes) -> None:
    """Raise ValueMismatch, with the path, where an object of a JSON text has a key twice.

    A text that is no JSON is left to the decoder.
    """
    found: list[str] = []

    def members(pairs: list[tuple[str, Any]]) -> _Members:
        made = _Members(pairs)
        if len(made) != len(pairs):
            keys = [key for key, _ in pairs]
            made.repeated = next(key for key in keys if keys.count(key) > 1)
            found.append(made.repeated)
        return made

    try:
        value: JsonValue = json.loads(text, object_pairs_hook=members)
    except ValueError:
        return
    if found:
        _raise_repeat(value)
        # Within a value that a later one of the same key took the place of.
        raise _repeat(found[0])


def _raise_repeat(value: JsonValue) -> None:
    """Raise for the first object in ``value`` that had a key twice."""
    if isinstance(value, _Members):
        if value.repeated is not None:
            raise _repeat(value.repeated)
        for key, item in value.items():
            _within(key, item)
    if isinstance(value, list):
        for index, item in enumerate(value):
            _within(index, item)


def _within(step: object, value: JsonValue) -> None:
    try:
        _raise_repeat(value)
    except ValueMismatch as error:
        raise error.under(_segment(step)) from None


def refuse_msgpack_repeats(data: bytes) -> None:
    """Raise ValueMismatch, with the path, where a map of a MessagePack payload has a key twice.

    Bytes that are no MessagePack are left to the decoder.
    """
    try:
        _skip(data, 0)
    except (LookupError, msgspec.DecodeError):
        return


def _skip(data: bytes, at: int) -> int:
    """Where the value at ``at`` ends."""
    code = data[at]
    if code in _FIXED:
        return at + _FIXED[code]
    if code in _SIZED:
        width, more = _SIZED[code]
        return at + 1 + width + more + int.from_bytes(data[at + 1 : at + 1 + width])
    if code in _SHORT:
        return _SHORT[code](data, at + 1, code & 0x0F)
    skip, width = _LONG[code]
    start = at + 1 + width
    return skip(data, start, int.from_bytes(data[at + 1 : start]))


def _skip_array(data: bytes, at: int, count: int) -> int:
    for index in range(count):
        at = _skip_within(index, data, at)
    return at


def _skip_map(data: bytes, at: int, count: int) -> int:
    seen: set[tuple[type, object]] = set()
    for _ in range(count):
        stop = _skip(data, at)
        found: object = msgspec.msgpack.decode(data[at:stop])
        # What is no key of ours is left to the decoder.
        key = found if isinstance(found, str | int) else data[at:stop]
        if (type(key), key) in seen:
            raise _repeat(key)
        seen.add((type(key), key))
        at = _skip_within(key, data, stop)
    return at


_SHORT: Mapping[int, Callable[[bytes, int, int], int]] = {
    **{0x80 + size: _skip_map for size in range(16)},
    **{0x90 + size: _skip_array for size in range(16)},
}
_LONG: Mapping[int, tuple[Callable[[bytes, int, int], int], int]] = {
    0xDC: (_skip_array, 2),
    0xDD: (_skip_array, 4),
    0xDE: (_skip_map, 2),
    0xDF: (_skip_map, 4),
}


def _skip_within(step: object, data: bytes, at: int) -> int:
    try:
        return _skip(data, at)
    except ValueMismatch as error:
        raise error.under(_segment(step)) from None


def _repeat(key: object) -> ValueMismatch:
    return ValueMismatch(f"the key {key!r} occurs twice in one object")


def _segment(step: object) -> str:
    return step if isinstance(step, str) and step.isidentifier() else f"[{step!r}]"
