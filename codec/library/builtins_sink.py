"""Writes JSON form: plain dicts, lists and scalars, as the json and yaml formats show it."""

from __future__ import annotations

import datetime as dt
import math
from array import array
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from ...errors import ValueMismatch
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
from ...schemas.naming import json_key
from ...schemas.unions import group
from ..types import SchemaTypes
from ..vectors import all_finite
from .dump import Dump, Step, dump_fields
from .source import Raw, Scalar


class BuiltinsSink:
    """The sink whose raw values are in JSON form."""

    def __init__(self, types: SchemaTypes) -> None:
        self._types = types

    def scalar(self, scalar: Scalar) -> Dump | None:
        match scalar:
            case Primitive(kind="float" | "double"):
                return float_to_json
            case Logical(kind="timestamp", unit="millis" | "micros"):
                # Text has room for whole minutes of an offset only, so it is UTC.
                return lambda value: msgspec.to_builtins(value.astimezone(dt.UTC))
            case Primitive(kind="bytes") | Logical() | Reference():
                return msgspec.to_builtins
            case Primitive() | Json():
                return None

    def symbol(self, enum: Enum, symbol: str) -> Raw:
        del enum
        return symbol

    def record(self, record: Record, steps: Sequence[Step]) -> Dump:
        keys = [json_key(step.field) for step in steps]
        tagged = record.name in self._types.names.tagged
        head = {"$type": self._types.names.classes[record.name]} if tagged else {}

        def dump(value: Any) -> dict[str, Any]:
            return head | dict(zip(keys, dump_fields(steps, value), strict=True))

        return dump

    def optional(self, optional: Optional, dump: Dump) -> Dump:
        del optional
        return dump

    def branch(self, union: Union, index: int, dump: Dump) -> Dump:
        box = self._types.names.box(union)[index]
        if box is not None:
            return lambda value: {"$type": box, "value": dump(value)}
        return _finite(dump) if self._text_beside_float(union, index) else dump

    def item(self, inner: Type, dump: Dump) -> Dump:
        del inner
        return dump

    def array(self, array: Array, items: Callable[[Any], list[Raw]]) -> Dump:
        del array
        return items

    def vector(self, vector: Array) -> Dump | None:
        del vector
        return _numbers

    def key(self, map_: Map) -> Dump | None:
        match map_.keys.kind:
            case "string":
                return None
            case "boolean":
                return lambda key: "true" if key else "false"
            case _:
                return str

    def _text_beside_float(self, union: Union, index: int) -> bool:
        boxes = self._types.names.box(union)
        bare = {
            group(branch.type, self._types.schema.types): number
            for number, branch in enumerate(union.branches)
            if boxes[number] is None
        }
        return bare.get("float") == index and "text" in bare


def float_to_json(value: float) -> float | str:
    """A float as it is, NaN and the infinities as text: JSON has no numbers for them."""
    if math.isfinite(value):
        return value
    if math.isnan(value):
        return "NaN"
    return "Infinity" if value > 0 else "-Infinity"


def _numbers(vector: array[float]) -> list[float | str]:
    numbers: list[Any] = vector.tolist()
    return numbers if all_finite(vector) else [float_to_json(number) for number in numbers]


def _finite(dump: Dump) -> Dump:
    """Refuse NaN and the infinities where their text would be read as another branch."""

    def checked(value: Any) -> Raw:
        raw = dump(value)
        if type(raw) is str:
            raise ValueMismatch(f"{raw} beside text in a union cannot be told from text here")
        return raw

    return checked
