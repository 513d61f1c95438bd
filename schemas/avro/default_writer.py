"""Defaults of fields: from JSON form into Avro's JSON."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from uuid import UUID

from ...errors import SchemaError
from ..expect import expect_integer, expect_list, expect_object, expect_text
from ..model import (
    Array,
    Branch,
    Enum,
    Fixed,
    Json,
    JsonValue,
    Logical,
    Map,
    Optional,
    Primitive,
    Record,
    Reference,
    Schema,
    Type,
    Union,
)
from ..naming import Names, json_key, names
from ..unions import group
from .instants import json_to_duration, text_to_number, text_to_unscaled
from .names import WRAPPED_FIELD, AvroNames

# How each kind of JSON value may be told; a number or NaN in words is a float's only where
# no other branch claims it.
_GROUPS: Mapping[type, tuple[str, ...]] = {
    type(None): ("null",),
    bool: ("boolean",),
    int: ("int", "float"),
    float: ("float",),
    str: ("text", "float"),
    list: ("list",),
    dict: ("dict",),
}


class DefaultWriter:
    """Turns defaults of one schema from JSON form into what Avro writes.

    ``strays`` counts the values of unions that were not of the first branch.
    """

    def __init__(self, schema: Schema, avro: AvroNames) -> None:
        self._schema = schema
        self._avro = avro
        self._names: Names = names(schema)
        self.strays = 0

    def value(self, type_: Type, value: JsonValue) -> JsonValue:
        """``value`` in Avro's JSON.

        Raises SchemaError where it is no JSON form of ``type_``.
        """
        try:
            return self._value(type_, value)
        except (ValueError, KeyError) as error:
            raise SchemaError(f"the default {value!r} does not fit its type: {error}") from None

    def _value(self, type_: Type, value: JsonValue) -> JsonValue:
        match type_:
            case Primitive():
                is_bytes = type_.kind == "bytes"
                return _latin(base64.b64decode(expect_text(value))) if is_bytes else value
            case Logical():
                return self._logical(type_, value)
            case Json():
                return json.dumps(value, separators=(",", ":"))
            case Array():
                return [self._value(type_.items, item) for item in expect_list(value)]
            case Map():
                return {
                    key: self._value(type_.values, item)
                    for key, item in expect_object(value).items()
                }
            case Optional():
                self.strays += (value is None) != (type_.null_at == 0)
                return None if value is None else self._value(type_.item, value)
            case Union():
                return self._union(type_, value)
            case Reference():
                return self._named(type_, value)

    def _named(self, type_: Reference, value: JsonValue) -> JsonValue:
        match self._schema.types[type_.name]:
            case Record(fields=fields):
                given = expect_object(value)
                return {
                    field.name: self._value(field.type, given[json_key(field)]) for field in fields
                }
            case Fixed():
                return _latin(base64.b64decode(expect_text(value)))
            case Enum():
                return value

    def _union(self, union: Union, value: JsonValue) -> JsonValue:
        index = self.branch(union, value)
        self.strays += index > 0
        boxed = self._names.box(union)[index] is not None
        item = expect_object(value)["value"] if boxed else value
        written = self._value(union.branches[index].type, item)
        wrapper = self._avro.wrappers(union)[index]
        return written if wrapper is None else {WRAPPED_FIELD: written}

    def branch(self, union: Union, value: JsonValue) -> int:
        """Which branch ``value``, in JSON form, is of: by its ``$type``, or else by its kind.

        Raises ValueError where it is of none.
        """
        marks = [
            self._mark(branch, box)
            for branch, box in zip(union.branches, self._names.box(union), strict=True)
        ]
        tag = value.get("$type") if isinstance(value, dict) else None
        wanted = [("tag", tag), *(("group", name) for name in _GROUPS.get(type(value), ()))]
        found = next((mark for mark in wanted if mark in marks), None)
        if found is None:
            raise ValueError("no branch of the union is of this kind")
        return marks.index(found)

    def _mark(self, branch: Branch, box: str | None) -> tuple[str, JsonValue]:
        """What tells a value of ``branch`` from those of the others."""
        if box is not None:
            return "tag", box
        kind = group(branch.type, self._schema.types)
        if kind == "record" and isinstance(branch.type, Reference):
            return "tag", self._names.classes[branch.type.name]
        return "group", kind

    def _logical(self, logical: Logical, value: JsonValue) -> JsonValue:
        if logical.unit == "nanos":
            return expect_integer(value)
        if logical.kind == "calendar-duration":
            return _latin(json_to_duration(expect_object(value)))
        text = expect_text(value)
        if isinstance(logical.base, Primitive) and logical.base.kind in {"int", "long"}:
            return text_to_number(logical, text)
        size = self._size(logical)
        if logical.kind == "uuid":
            return text if size is None else _latin(UUID(text).bytes)
        return _latin(text_to_unscaled(logical, text, size))

    def _size(self, logical: Logical) -> int | None:
        if isinstance(logical.base, Primitive):
            return None
        named = self._schema.types[logical.base.name]
        return named.size if isinstance(named, Fixed) else None


def _latin(data: bytes) -> str:
    return data.decode("latin-1")
