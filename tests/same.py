"""Equality that a sceptic would accept: classes, NaN, the sign of zero, and every field."""

from __future__ import annotations

import math
from array import array
from typing import Any

import msgspec


def same(left: Any, right: Any) -> bool:
    """Whether two values are equal in value and in class, all the way down."""
    if type(left) is not type(right):
        return False
    match left:
        case msgspec.Struct():
            names = left.__struct_fields__
            return all(same(getattr(left, n), getattr(right, n)) for n in names)
        case array():
            return left.typecode == right.typecode and same_items(list(left), list(right))
        case list():
            return same_items(left, right)
        case dict():
            return same_members(left, right)
        case float():
            if math.isnan(left):
                return math.isnan(right)
            return left == right and math.copysign(1, left) == math.copysign(1, right)
        case _:
            return left == right


def same_items(left: list[Any], right: list[Any]) -> bool:
    """The same for two lists."""
    return len(left) == len(right) and all(map(same, left, right))


def same_members(left: dict[Any, Any], right: dict[Any, Any]) -> bool:
    """The same for two dicts, whatever the order of their keys."""
    return left.keys() == right.keys() and all(same(left[key], right[key]) for key in left)
