"""Defaults of 32-bit floats, as what a float of that size holds.

A schema says ``0.1``, and its fingerprint covers it so; the state gets the nearest float of 32
bits. Otherwise it would differ from itself after a round trip through Avro or Protobuf.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass

from .model import (
    Array,
    Branch,
    Field,
    JsonValue,
    Map,
    Optional,
    Primitive,
    Record,
    Reference,
    Schema,
    Type,
    Union,
)
from .naming import Names, json_key
from .unions import group

_SINGLE = struct.Struct("<f")


def single(value: float) -> float:
    """The nearest float of 32 bits; ``value`` itself where none is near."""
    try:
        rounded: float = _SINGLE.unpack(_SINGLE.pack(value))[0]
    except OverflowError:
        return value
    return rounded


def field_default(schema: Schema, names: Names, field: Field) -> JsonValue:
    """The default of ``field``, in JSON form, with its 32-bit floats rounded; None without one."""
    return (
        None
        if field.default is None
        else _Rounding(schema, names).value(field.type, field.default.value)
    )


@dataclass(frozen=True, slots=True)
class _Rounding:
    schema: Schema
    names: Names

    def value(self, type_: Type, value: JsonValue) -> JsonValue:
        match type_, value:
            case Primitive(kind="float"), float():
                return single(value)
            case Array(), list():
                return [self.value(type_.items, item) for item in value]
            case Map(), dict():
                return {key: self.value(type_.values, item) for key, item in value.items()}
            case Optional(), _:
                return None if value is None else self.value(type_.item, value)
            case Union(), _:
                return self._union(type_, value)
            case Reference(), dict():
                return self._record(type_.name, value)
            case _:
                return value

    def _record(self, name: str, value: Mapping[str, JsonValue]) -> JsonValue:
        record = self.schema.types[name]
        fields = record.fields if isinstance(record, Record) else ()
        types = {json_key(field): field.type for field in fields}
        return {
            key: self.value(types[key], item) if key in types else item
            for key, item in value.items()
        }

    def _union(self, union: Union, value: JsonValue) -> JsonValue:
        for branch, box in zip(union.branches, self.names.box(union), strict=True):
            if isinstance(value, dict) and box is not None and value.get("$type") == box:
                held = branch.type
                return {k: self.value(held, v) if k == "value" else v for k, v in value.items()}
            if box is None and self._holds(branch, value):
                return self.value(branch.type, value)
        return value

    def _holds(self, branch: Branch, value: JsonValue) -> bool:
        """Whether a bare branch is that of ``value``, among those that have floats in them."""
        match group(branch.type, self.schema.types), value:
            case "float", float():
                return True
            case "list", list():
                return True
            case "dict", dict():
                return "$type" not in value
            case "record", dict():
                named = branch.type.name if isinstance(branch.type, Reference) else ""
                return value.get("$type") == self.names.classes.get(named)
            case _:
                return False
