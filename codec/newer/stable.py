"""Whether every format gives a value back just as it is in Python, not merely an equal one.

A function that is called with another scale of a decimal, or with a float of fewer digits, may
well make something else of it.
"""

from __future__ import annotations

from array import array
from datetime import datetime
from decimal import Decimal
from typing import Any

from ...schemas.model import Array, Json, Logical, Map, Optional, Primitive, Reference, Type
from ..containers import as_dict, as_list
from ..vectors import to_single


def is_stable(kind: Type, value: Any) -> bool:
    """``value`` is one of ``kind``; of what is not looked into, the answer is no."""
    if value is None:
        return True
    match kind:
        case Optional():
            return is_stable(kind.item, value)
        case Array():
            return isinstance(value, array) or all(
                is_stable(kind.items, item) for item in as_list(value)
            )
        case Map():
            # A map of Protobuf is in no order.
            found = as_dict(value)
            return len(found) <= 1 and all(is_stable(kind.values, v) for v in found.values())
        case Primitive(kind="float"):
            return bool(value != value or to_single(value) == value)  # noqa: PLR0124 - NaN is
        case Logical(kind="decimal"):
            return _is_written_out(value, kind.scale)
        case Logical(kind="timestamp") if isinstance(value, datetime):
            return not value.utcoffset()
        case Primitive() | Logical():
            return True
        case Reference():
            return not hasattr(value, "__struct_fields__")
        case Json():
            return isinstance(value, str | bool)
        case _:
            return False


def _is_written_out(value: Decimal, scale: int) -> bool:
    """Whether a decimal has all digits of its scale, as the binary formats give it."""
    return value.as_tuple().exponent == -scale and (bool(value) or not value.is_signed())
