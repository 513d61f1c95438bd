"""Equality that a sceptic would accept: classes, NaN, the sign of zero, and every field."""

from __future__ import annotations

import math
from typing import Any

import msgspec


def same(left: Any, right: Any) -> bool:
    """Whether two values are equal in value and in class, all the way down."""
    if type(left) is not type(right):
        return False
    match left:
        case msgspec.Struct():
            names = left.__struct_fields__
            return all(same(getattr(left, name), getattr(right, name)) for name in names)
        case list() | tuple():
            return len(left) == len(right) and all(map(same, left, right))
        case dict():
            return left.keys() == right.keys() and all(same(left[k], right[k]) for k in left)
        case float():
            if math.isnan(left):
                return math.isnan(right)
            return left == right and math.copysign(1, left) == math.copysign(1, right)
        case _:
            return bool(left == right)


def share_parts(left: Any, right: Any) -> bool:
    """Whether two values that are the ``same`` have a mutable part in common."""
    match left:
        case msgspec.Struct():
            parts = [(getattr(left, f), getattr(right, f)) for f in left.__struct_fields__]
        case list() | tuple():
            parts = list(zip(left, right, strict=True))
        case dict():
            parts = [(left[key], right[key]) for key in left]
        case _:
            return False
    if left is right and not isinstance(left, tuple):
        return True
    return any(share_parts(*pair) for pair in parts)
