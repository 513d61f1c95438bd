"""Ways through typed states, by attributes, indexes and keys."""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterator
from typing import Any, TypeAlias

from ..record import Record

Key: TypeAlias = str | int | bool
Place: TypeAlias = tuple[Key, ...]
"""Attributes of records and of boxes, indexes of lists, keys of maps."""


def at(value: Any, place: Place) -> Any:
    """What stands at ``place``. Raises AttributeError or LookupError where nothing does."""
    for step in place:
        value = getattr(value, str(step)) if isinstance(value, Record) else value[step]
    return value


def put(value: Any, place: Place, what: Any) -> None:
    """Let ``what`` stand at ``place``. Raises as ``at``."""
    holder, last = at(value, place[:-1]), place[-1]
    if isinstance(holder, Record):
        setattr(holder, str(last), what)
    else:
        holder[last] = what


def inner(value: Any) -> Iterator[tuple[Key, Any]]:
    """The parts of a record, a list or a map, each with the step that leads to it."""
    whole: Any = value
    match value:
        case Record():
            yield from ((name, getattr(value, name)) for name in value.__struct_fields__)
        case dict():
            yield from whole.items()
        case list():
            yield from enumerate(whole)
        case _:
            pass


def records(value: Any, place: Place = ()) -> Iterator[tuple[Place, Record]]:
    """Every record and every box of a branch, with its place."""
    if isinstance(value, Record):
        yield place, value
    for step, part in inner(value):
        yield from records(part, (*place, step))


def has_records(value: Any) -> bool:
    """Whether anything in ``value`` may keep residue of its own."""
    return next(records(value), None) is not None


def changes(before: Any, after: Any, place: Place = ()) -> Iterator[Place]:
    """The places where two values differ, none inside of another."""
    if type(before) is not type(after):
        yield place
    elif isinstance(before, Record | dict | list):
        left, right = dict(inner(before)), dict(inner(after))
        if left.keys() != right.keys():
            yield place
            return
        for step, part in left.items():
            yield from changes(part, right[step], (*place, step))
    elif not _same_scalar(before, after):
        yield place


def same(left: Any, right: Any) -> bool:
    """Whether two values are equal, NaN being itself and 0.0 not being -0.0."""
    return next(changes(left, right), None) is None


def _same_scalar(left: Any, right: Any) -> bool:
    if isinstance(left, array):
        return _same_numbers(left, right)
    if isinstance(left, float) and not math.isnan(left):
        return bool(left == right) and math.copysign(1, left) == math.copysign(1, right)
    return bool(left == right or (left != left and right != right))  # noqa: PLR0124 - NaN


def _same_numbers(left: Any, right: Any) -> bool:
    return len(left) == len(right) and all(map(_same_scalar, left, right))
