"""Vectors: arrays of floating point numbers, each one block of memory in Python too.

An ``array.array`` of the typecode ``f`` or ``d`` shares its memory through the buffer protocol,
so numpy and its like look at it without a copy.
"""

from __future__ import annotations

import math
import struct
import sys
from array import array
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, Literal, TypeAlias

from ..schemas.model import Array
from . import exact
from .containers import class_of
from .mismatch import mismatch

Typecode: TypeAlias = Literal["f", "d"]
"""What ``array.array`` calls numbers of 32 and of 64 bits."""

SIZES = {"f": 4, "d": 8}
"""The bytes of a number by its typecode."""
_WORDS = {"f": "floats of 32 bits", "d": "floats of 64 bits"}
_SINGLE = struct.Struct("<f")


def typecode(vector: Array) -> Typecode:
    """The typecode of the values of a vector."""
    return "f" if vector.vector_kind == "float" else "d"


def vector_check(code: Typecode) -> Callable[[Any], array[float]]:
    """A function that gives a vector back, or raises ``ValueMismatch`` for anything else."""
    return partial(_checked, code)


def _checked(code: Typecode, value: Any) -> array[float]:
    kind = class_of(value)
    if kind is array and value.typecode == code:
        found: array[float] = value
        return found
    if kind in (array, list, tuple):
        mend = f'make it one: array("{code}", numbers)'
    else:
        mend = f'give an array.array of the typecode "{code}"'
    raise mismatch(f"a vector of {_WORDS[code]}", value, mend)


def vector_of(code: Typecode, numbers: list[Any]) -> array[float] | None:
    """The vector of a list, ``None`` where some item is no float, or too large for one."""
    # array.array itself takes a bool for a number, and makes an infinity of what is too large.
    if not set(map(type, numbers)) <= {float}:
        return None
    if code == "d":
        return array(code, numbers)
    try:
        return joined(code, struct.pack(f"<{len(numbers)}f", *numbers))
    except OverflowError:
        return None


def joined(code: Typecode, data: bytes) -> array[float]:
    """The vector of bytes, each number the lowest byte first."""
    vector: array[float] = array(code)
    vector.frombytes(data)
    if sys.byteorder == "big":
        vector.byteswap()
    return vector


def join_numbers(code: Typecode, numbers: Iterable[bytes]) -> array[float]:
    """The vector of numbers as bytes."""
    return joined(code, b"".join(numbers))


def split_numbers(vector: array[float]) -> list[bytes]:
    """The bytes of each number: the reverse of ``join_numbers``."""
    size, data = vector.itemsize, vector.tobytes()
    if sys.byteorder == "big":
        swapped = array(vector.typecode, vector)
        swapped.byteswap()
        data = swapped.tobytes()
    return [data[at : at + size] for at in range(0, len(data), size)]


def all_finite(vector: array[float]) -> bool:
    """Whether no number is NaN or an infinity."""
    # The sum shows it at once, but numbers that are finite may have a sum that is not.
    return math.isfinite(sum(vector)) or all(map(math.isfinite, vector))


def to_single(number: float) -> float:
    """A number as a vector of 32-bit floats holds it, which has room for it."""
    single: float = _SINGLE.unpack(_SINGLE.pack(number))[0]
    return single


def encode_vector(value: Any) -> list[float]:
    """The ``enc_hook`` with which msgspec writes vectors: as lists of numbers."""
    if class_of(value) is not array:
        raise NotImplementedError(f"{type(value).__name__} is no vector")
    numbers: list[float] = value.tolist()
    return numbers


def decode_vector(kind: type[Any], value: Any) -> array[float]:
    """The ``dec_hook`` with which msgspec reads them."""
    code: Typecode | None = _CODES.get(kind)
    if code is None:
        raise NotImplementedError(f"{kind} is no type of vectors")
    vector = vector_of(code, value) if class_of(value) is list else None
    if vector is None:
        raise ValueError(f"no list of {_WORDS[code]}")
    return vector


_CODES: dict[object, Typecode] = {exact.FloatVector: "f", exact.DoubleVector: "d"}
