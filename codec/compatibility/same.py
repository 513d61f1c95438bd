"""Whether what a plain reader gives is what was written, as far as both versions know it."""

from __future__ import annotations

import enum
import math
from array import array
from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias, cast

import msgspec

from ..record import Record

Kept: TypeAlias = Mapping[str, str]
"""The writer's key of each key of a reader's record, where the versions call it otherwise."""


def difference(written: Any, read: Any, kept: Kept | None = None, path: str = "") -> str:
    """Where and how ``read`` differs from ``written``, or nothing.

    A key that only one side knows is no difference: it was added or removed. ``kept`` tells
    the keys that were renamed, at the outermost level. A number read as floating point may
    be rounded, which is what the promotion means.
    """
    before, after = _plain(written), _plain(read)
    if isinstance(before, dict) and isinstance(after, dict):
        return _first(_keys(_mapping(before), _mapping(after), kept or {}, path))
    if isinstance(before, list) and isinstance(after, list):
        return _first(_items(_sequence(before), _sequence(after), path))
    return "" if _alike(before, after) else f"{path}: {before!r} is read as {after!r}"


def _mapping(value: Any) -> dict[Any, Any]:
    return cast("dict[Any, Any]", value)


def _sequence(value: Any) -> list[Any]:
    return cast("list[Any]", value)


def _items(written: list[Any], read: list[Any], path: str) -> Iterator[tuple[Any, Any, str]]:
    if len(written) != len(read):
        yield len(written), len(read), f"{path}, how many"
    for index, (before, after) in enumerate(zip(written, read, strict=False)):
        yield before, after, f"{path}[{index}]"


def _first(pairs: Iterator[tuple[Any, Any, str]]) -> str:
    found = (difference(written, read, path=path) for written, read, path in pairs)
    return next(filter(None, found), "")


def _keys(
    written: dict[Any, Any], read: dict[Any, Any], kept: Kept, path: str
) -> Iterator[tuple[Any, Any, str]]:
    for key, value in read.items():
        known = kept.get(key, key) if isinstance(key, str) else key
        if known in written:
            yield written[known], value, f"{path}.{key}"


def _plain(value: Any) -> Any:
    """Records as dicts, boxes as what they hold, enums as their symbols, vectors as lists."""
    if isinstance(value, Record):
        fields = zip(value.__struct_fields__, value.__struct_encode_fields__, strict=True)
        found = {key: getattr(value, attribute) for attribute, key in fields}
        return {"$type": tag, **found} if (tag := value.__struct_config__.tag) else found
    if isinstance(value, enum.Enum):
        return value.value
    if isinstance(value, array):
        return cast("array[float]", value).tolist()
    return value


def _alike(written: Any, read: Any) -> bool:
    match written, read:
        case bool(), bool():
            return written is read
        case (bool(), _) | (_, bool()):
            return False
        case ((int() | float()), float()):
            return _same_float(written, read)
        case str(), bytes():
            return written.encode() == read
        case bytes(), str():
            return written == read.encode()
        case _ if isinstance(written, str) != isinstance(read, str):
            # A text that is read as what it spells, such as a UUID, keeps its meaning.
            return bool(msgspec.to_builtins(written) == msgspec.to_builtins(read))
        case _:
            return type(written) is type(read) and bool(written == read)


def _same_float(written: float, read: float) -> bool:
    if math.isnan(written):
        return math.isnan(read)
    try:
        return float(written) == read
    except OverflowError:
        return False
