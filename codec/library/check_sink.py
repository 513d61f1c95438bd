"""Checks a typed object and writes nothing: msgspec writes the object itself, unchecked."""

from __future__ import annotations

import datetime as dt
import math
from array import array
from collections.abc import Callable, Sequence
from typing import Any

from ...schemas.model import (
    Array,
    Enum,
    Json,
    Logical,
    Map,
    Optional,
    Primitive,
    Record,
    Reference,
    Type,
    Union,
)
from ..vectors import all_finite
from .dump import Dump, Step, dump_fields
from .source import Raw, Scalar


class NotPlainError(Exception):
    """A value was met that msgspec would not write in JSON form.

    It writes NaN and the infinities as null, cuts the seconds off a zone's offset, and takes
    no boolean as a key.
    """


class CheckSink:
    """The sink that builds nothing. ``plain`` makes it raise at what JSON has no plain form for."""

    def __init__(self, *, plain: bool = False) -> None:
        self._plain = plain

    def scalar(self, scalar: Scalar) -> Dump | None:
        match scalar:
            case Primitive(kind="float" | "double") if self._plain:
                return _finite
            case Logical(kind="timestamp", unit="millis" | "micros") if self._plain:
                return _utc
            case Primitive() | Logical() | Json() | Reference():
                return None

    def symbol(self, enum: Enum, symbol: str) -> Raw:
        del enum
        return symbol

    def record(self, record: Record, steps: Sequence[Step]) -> Dump:
        del record
        return lambda value: dump_fields(steps, value)

    def optional(self, optional: Optional, dump: Dump) -> Dump:
        del optional
        return dump

    def branch(self, union: Union, index: int, dump: Dump) -> Dump:
        del union, index
        return dump

    def item(self, inner: Type, dump: Dump) -> Dump:
        del inner
        return dump

    def array(self, array: Array, items: Callable[[Any], list[Raw]]) -> Dump:
        del array
        return items

    def vector(self, vector: Array) -> Dump | None:
        del vector
        return _finite_numbers if self._plain else None

    def key(self, map_: Map) -> Dump | None:
        return _no_key if self._plain and map_.keys.kind == "boolean" else None


def _finite(value: float) -> None:
    if not math.isfinite(value):
        raise NotPlainError


def _finite_numbers(value: array[float]) -> None:
    if not all_finite(value):
        raise NotPlainError


def _utc(value: dt.datetime) -> None:
    if value.utcoffset():
        raise NotPlainError


def _no_key(_: bool) -> None:
    raise NotPlainError
