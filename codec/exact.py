"""The exact types of generated classes: what Python's own types leave open.

To a type checker each is the plain class; msgspec enforces the rest when it decodes.
"""

from __future__ import annotations

import datetime as dt
from array import array
from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import msgspec
from msgspec import Meta

if TYPE_CHECKING:
    FloatVector: TypeAlias = "array[float]"
    DoubleVector: TypeAlias = "array[float]"
else:

    class _Vector(type):
        """The class of a type whose values are arrays of one typecode."""

        typecode: str

        def __instancecheck__(cls, value: Any) -> bool:
            return type(value) is array and value.typecode == cls.typecode

    class FloatVector(metaclass=_Vector):
        """A vector of 32-bit floats: an ``array.array`` of the typecode ``f``."""

        typecode = "f"

    class DoubleVector(metaclass=_Vector):
        """A vector of 64-bit floats: an ``array.array`` of the typecode ``d``."""

        typecode = "d"


Int32: TypeAlias = Annotated[int, Meta(ge=-(2**31), le=2**31 - 1)]
"""A signed integer of 32 bits."""
Int64: TypeAlias = Annotated[int, Meta(ge=-(2**63), le=2**63 - 1)]
"""A signed integer of 64 bits."""
UInt32: TypeAlias = Annotated[int, Meta(ge=0, le=2**32 - 1)]
"""An unsigned integer of 32 bits."""
UInt64: TypeAlias = Annotated[int, Meta(ge=0)]
"""An unsigned integer of 64 bits; msgspec has no upper bound so large, so the codec checks it."""
Timestamp: TypeAlias = Annotated[dt.datetime, Meta(tz=True)]
"""An instant: a datetime with a time zone."""
LocalTimestamp: TypeAlias = Annotated[dt.datetime, Meta(tz=False)]
"""A date and time in a zone that is not recorded: a datetime without one."""
LocalTime: TypeAlias = Annotated[dt.time, Meta(tz=False)]
"""A time of day in a zone that is not recorded."""


class Duration(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Avro's ``duration``: months, days and milliseconds, none of which says how long the
    others are.
    """

    months: UInt32
    days: UInt32
    millis: UInt32


def float_vector(numbers: Iterable[float] = ()) -> array[float]:
    """A vector of 32-bit floats, which rounds each number to one."""
    return array("f", numbers)


def double_vector(numbers: Iterable[float] = ()) -> array[float]:
    """A vector of 64-bit floats."""
    return array("d", numbers)
