"""Checks a typed object and writes nothing: msgspec writes the object itself, unchecked."""

from __future__ import annotations

import math
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
from .dump import Dump, Step, dump_fields
from .source import Raw, Scalar


class NotFiniteError(Exception):
    """A NaN or an infinity was met, which msgspec would write as null in JSON."""


class CheckSink:
    """The sink that builds nothing. ``finite`` makes it raise at a NaN or an infinity."""

    def __init__(self, *, finite: bool = False) -> None:
        self._finite = finite

    def scalar(self, scalar: Scalar) -> Dump | None:
        match scalar:
            case Primitive(kind="float" | "double") if self._finite:
                return _finite
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

    def key(self, map_: Map) -> Dump | None:
        del map_
        return None


def _finite(value: float) -> None:
    if not math.isfinite(value):
        raise NotFiniteError
