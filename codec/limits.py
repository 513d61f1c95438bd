"""How large and how deep input and output may be: the same on write as on read."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import count
from typing import Any, cast

from ..errors import ConfigError, LimitExceeded


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds on one blob. Raise them per codec where a state really is larger.

    ``depth`` counts nested records, lists and maps. ``blob_bytes`` is the stored size and
    ``decompressed_bytes`` the size of a payload that was stored compressed, both in bytes.
    ``zero_size_items`` bounds the items that take no bytes at all (nulls, records without
    fields) and that the size of a blob therefore cannot bound: those of one list, and in
    Avro those of all lists of a state together. ``residue_bytes`` bounds the residue of all
    records of a state together, in bytes as they are stored.
    """

    depth: int = 100
    blob_bytes: int = 64 * 1024 * 1024
    decompressed_bytes: int = 256 * 1024 * 1024
    zero_size_items: int = 1024 * 1024
    residue_bytes: int = 1024 * 1024

    def __post_init__(self) -> None:
        for name in self.__slots__:
            value: object = getattr(self, name)
            if type(value) is not int or value < 1:
                raise ConfigError(f"{name} is {value!r}", where="Limits", mend="give 1 or more")


DEFAULT_LIMITS = Limits()


def check_blob_size(size: int, limits: Limits) -> None:
    """Raise LimitExceeded where a blob of ``size`` bytes is larger than allowed."""
    if size > limits.blob_bytes:
        raise LimitExceeded(
            f"the blob has {size} bytes, and the limit is {limits.blob_bytes}",
            mend="raise Limits.blob_bytes, or keep large parts outside the state",
        )


def check_decompressed_size(size: int, limits: Limits) -> None:
    """Raise LimitExceeded where a payload of ``size`` bytes may not be stored compressed."""
    if size > limits.decompressed_bytes:
        raise LimitExceeded(
            f"the payload has {size} bytes decompressed,"
            f" and the limit is {limits.decompressed_bytes}",
            mend="raise Limits.decompressed_bytes if these bytes are trusted",
        )


def check_residue_size(size: int, limits: Limits) -> None:
    """Raise LimitExceeded where a state keeps ``size`` bytes of residue and that is too much."""
    if size > limits.residue_bytes:
        raise LimitExceeded(
            f"the state keeps {size} bytes of residue, and the limit is {limits.residue_bytes}",
            mend="raise Limits.residue_bytes, or read it at a version that knows the fields",
        )


def check_depth(depth: int, limits: Limits) -> None:
    """Raise LimitExceeded where a value nests ``depth`` levels and that is too deep."""
    if depth > limits.depth:
        raise LimitExceeded(
            f"the value nests deeper than {limits.depth} levels",
            mend="raise Limits.depth, or keep the state flatter",
        )


def check_nesting(value: Any, limits: Limits) -> None:
    """Raise LimitExceeded where plain lists and dicts nest deeper than allowed.

    Goes level by level, so no nesting is too deep for it.
    """
    level = _containers([value])
    for depth in count(1):
        if not level:
            return
        check_depth(depth, limits)
        level = [child for item in level for child in _children(item)]


def _children(item: Any) -> Iterable[Any]:
    if isinstance(item, dict):
        return _containers(cast("dict[str, Any]", item).values())
    return _containers(cast("list[Any]", item))


def _containers(items: Iterable[Any]) -> list[Any]:
    return [item for item in items if isinstance(item, (dict, list))]
