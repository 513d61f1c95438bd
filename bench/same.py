"""Equality that a sceptic would accept: classes, NaN, the sign of zero, and every part."""

from __future__ import annotations

from array import array
from typing import Any

import msgspec


def same(left: Any, right: Any) -> bool:
    """Whether two values are equal in value and in class, all the way down."""
    if type(left) is not type(right):
        return False
    if isinstance(left, float):
        return repr(left) == repr(right)
    ours, theirs = _parts(left), _parts(right)
    if ours is None or theirs is None:
        return bool(left == right)
    return len(ours) == len(theirs) and all(map(same, ours, theirs))


def share_parts(left: Any, right: Any) -> bool:
    """Whether two values that are the ``same`` have a mutable part in common."""
    ours, theirs = _parts(left), _parts(right)
    if ours is None or theirs is None:
        return False
    if left is right and not isinstance(left, tuple):
        return True
    return any(map(share_parts, ours, theirs))


def _parts(value: Any) -> list[Any] | None:
    """What a container holds, in an order that does not depend on how it was filled."""
    if _is(value, msgspec.Struct):
        return [getattr(value, name) for name in value.__struct_fields__]
    if _is(value, array):
        return [value.typecode, *value]
    if _is(value, list, tuple):
        return list(value)
    if _is(value, dict):
        return [part for key in sorted(value, key=repr) for part in (key, value[key])]
    # A model of Pydantic, by what all of them have: it is not imported for others' sake.
    names: Any = getattr(value, "__pydantic_fields__", None)
    return None if names is None else [getattr(value, name) for name in names]


def _is(value: object, *kinds: type[object]) -> bool:
    # isinstance itself would narrow Any to a list of what no checker knows.
    return isinstance(value, kinds)
