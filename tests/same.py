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
            return all(same(getattr(left, n), getattr(right, n)) for n in names)
        case list():
            return len(left) == len(right) and all(map(same, left, right))
        case dict():
            return left.keys() == right.keys() and all(same(left[k], right[k]) for k in left)
        case float():
            if math.isnan(left):
                return math.isnan(right)
            return left == right and math.copysign(1, left) == math.copysign(1, right)
        case _:
            return left == right
