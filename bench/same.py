"""Equality that a sceptic would accept: classes, NaN, the sign of zero, and every part."""

from __future__ import annotations

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
    kind: type[Any] = type(value)  # the value itself stays Any, which its parts are too
    if issubclass(kind, msgspec.Struct):
        return [getattr(value, name) for name in value.__struct_fields__]
    if issubclass(kind, list | tuple):
        return list(value)
    if issubclass(kind, dict):
        return [part for key in sorted(value, key=repr) for part in (key, value[key])]
    return None
