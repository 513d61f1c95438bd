"""A state to measure, in JSON form, so that another process can have it too."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from ...schemas.model import JsonValue

MOST: Final = 3
"""More states than these are not measured: the smallest, the middle one and the largest."""

_DEEPEST = 2
_LONGEST, _HALF = 36, 16

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Chosen:
    """A state in JSON form at the version that is measured, and another to check peers with.

    ``items`` is how many items its main list has; 0 where there is none.
    """

    label: str
    origin: str
    items: int
    document: dict[str, JsonValue]
    other: dict[str, JsonValue]


def three_of(items: Sequence[T]) -> list[T]:
    """The first, the middle and the last of sorted items; all where they are no more."""
    if len(items) <= MOST:
        return list(items)
    return [items[0], items[len(items) // 2], items[-1]]


def size_text(size: int) -> str:
    """A size of about two digits: ``1.5 KB``, ``31 KB``."""
    for unit, name in ((10**6, "MB"), (10**3, "KB")):
        if size >= unit:
            number = size / unit
            return f"{number:.1f} {name}" if number < 10 else f"{number:.0f} {name}"  # noqa: PLR2004
    return f"{size} B"


def short(name: str) -> str:
    """``name`` with its middle left out, where it is too long for a table."""
    return name if len(name) <= _LONGEST else f"{name[:_HALF]}...{name[-_HALF:]}"


def unique(labels: Sequence[str]) -> list[str]:
    """The labels, numbered where one comes again: they are what rows are told apart by."""
    return [
        label if labels.count(label) == 1 else f"{label} #{labels[:place].count(label) + 1}"
        for place, label in enumerate(labels)
    ]


def main_list(document: dict[str, Any]) -> list[Any] | None:
    """The list that makes a state long: the longest one of objects, else of anything."""
    lists = list(_lists(document, _DEEPEST))
    return max(lists, key=lambda found: (_has_objects(found), len(found)), default=None)


def grown(document: dict[str, Any], items: int) -> dict[str, Any]:
    """The document with its main list cut to so many items, or its items again and again.

    The document itself has to have a list that is not empty.
    """
    whole = main_list(document)
    if not whole:
        return document
    longer = [whole[place % len(whole)] for place in range(items)]
    made: dict[str, Any] = _replaced(document, whole, longer)
    return made


def _lists(value: Any, depth: int) -> Iterator[list[Any]]:
    for member in value.values():
        if isinstance(member, list) and member:
            yield member
        elif isinstance(member, dict) and depth > 0:
            yield from _lists(member, depth - 1)


def _has_objects(found: list[Any]) -> bool:
    return isinstance(found[0], dict)


def _replaced(value: Any, old: list[Any], new: list[Any]) -> Any:
    if value is old:
        return new
    if not isinstance(value, dict):
        return value
    return {key: _replaced(member, old, new) for key, member in _items(value)}


def _items(value: Any) -> Iterator[tuple[str, Any]]:
    # Taken as Any: once checked to be a dict, its members are of no type that is known.
    yield from value.items()
