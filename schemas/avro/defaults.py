"""Defaults of Avro fields: from Avro's JSON into JSON form.

Avro writes bytes as Latin-1 text, instants as numbers and union values without their
branch. JSON form says more; ``docs/reference/type-mapping.md`` specifies it.
"""

from __future__ import annotations

import base64
import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from msgspec.structs import replace

from ...errors import SchemaError
from ..expect import (
    excerpt,
    expect_boolean,
    expect_integer,
    expect_list,
    expect_object,
    expect_text,
    unique,
)
from ..model import (
    Array,
    Default,
    Enum,
    Field,
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
from .instants import canonical_uuid, duration_to_json, number_to_json, unscaled_to_text
from .place import AvroSource

RawDefaults: TypeAlias = dict[tuple[str, str], JsonValue]
"""Defaults as Avro writes them, by full name of the record and name of the field."""

_MAX_DEPTH = 100
_MAX_RECORDS = 10_000
_FLOAT32_MAX = (2 - 2**-23) * 2.0**127
_SPECIAL = ("NaN", "Infinity", "-Infinity")


def with_defaults(schema: Schema, raw: RawDefaults, source: AvroSource) -> Schema:
    """``schema`` with the defaults of ``raw``, decoded into JSON form.

    Raises SchemaSyntaxError for a default that does not fit its type.
    """
    decoder = _Decoder(schema, names(schema), raw)

    def complete(record: Record, field: Field) -> Field:
        if (record.name, field.name) not in raw:
            return field
        try:
            return replace(field, default=Default(decoder.field(record, field, 0)))
        except SchemaError as error:
            place = source.places[record.name, field.name].at("default")
            raise place.error(
                f"the default of {record.name}.{field.name} does not fit: {error.what}"
            ) from None

    types = {
        name: replace(named, fields=tuple(complete(named, field) for field in named.fields))
        if isinstance(named, Record)
        else named
        for name, named in schema.types.items()
    }
    return replace(schema, types=types)


@dataclass(slots=True)
class _Decoder:
    schema: Schema
    names: Names
    raw: RawDefaults
    records: int = 0

    def field(self, record: Record, field: Field, depth: int) -> JsonValue:
        """The default of ``field``, itself part of ``depth`` enclosing defaults."""
        if depth > _MAX_DEPTH:
            raise SchemaError("it contains itself, or nests too deep")
        if (record.name, field.name) not in self.raw:
            raise SchemaError(f"{record.name}.{field.name} is missing and has no default")
        return self.value(field.type, self.raw[record.name, field.name], depth)

    def value(self, type_: Type, raw: JsonValue, depth: int) -> JsonValue:
        match type_:
            case Primitive():
                return _primitive(type_, raw)
            case Logical():
                return self._logical(type_, raw)
            case Json():
                return _json(raw)
            case Array():
                items = expect_list(raw)
                return [self.value(type_.items, item, depth + 1) for item in items]
            case Map():
                values = expect_object(raw)
                return {
                    key: self.value(type_.values, value, depth + 1) for key, value in values.items()
                }
            case Optional():
                return None if raw is None else self.value(type_.item, raw, depth)
            case Union():
                return self._union(type_, raw, depth)
            case Reference():
                return self._named(type_, raw, depth)

    def _named(self, type_: Reference, raw: JsonValue, depth: int) -> JsonValue:
        named = self.schema.types[type_.name]
        match named:
            case Record():
                return self._record(named, expect_object(raw), depth)
            case Enum():
                symbol = expect_text(raw)
                if all(symbol != known.name for known in named.symbols):
                    raise SchemaError(f"{symbol!r} is no symbol of {named.name}")
                return symbol
            case Fixed():
                return _base64(_bytes(raw, named.size))

    def _record(self, record: Record, raw: Mapping[str, JsonValue], depth: int) -> JsonValue:
        # Defaults that complete each other can double at each level.
        self.records += 1
        if self.records > _MAX_RECORDS:
            raise SchemaError(f"defaults hold more than {_MAX_RECORDS} records")
        known = {field.name for field in record.fields}
        strange = next((name for name in raw if name not in known), None)
        if strange is not None:
            raise SchemaError(f"{record.name} has no field {strange!r}")
        return {
            json_key(field): self.value(field.type, raw[field.name], depth + 1)
            if field.name in raw
            else self.field(record, field, depth + 1)
            for field in record.fields
        }

    def _union(self, union: Union, raw: JsonValue, depth: int) -> JsonValue:
        """The value as the first branch that it fits; Avro means the first of all."""
        boxes = self.names.box(union)
        for branch, box in zip(union.branches, boxes, strict=True):
            try:
                value = self.value(branch.type, raw, depth)
            except SchemaError:
                continue
            if box is not None:
                return {"$type": box, "value": value}
            if isinstance(branch.type, Reference) and isinstance(value, dict):
                return {"$type": self.names.classes[branch.type.name], **value}
            return value
        raise SchemaError(f"{excerpt(raw)} fits no branch of the union")

    def _logical(self, logical: Logical, raw: JsonValue) -> JsonValue:
        if isinstance(logical.base, Primitive) and logical.base.kind in {"int", "long"}:
            number = _integer(logical.base, raw)
            return _fitting(lambda: number_to_json(logical, number))
        if logical.kind == "uuid" and isinstance(logical.base, Primitive):
            text = expect_text(raw)
            return _fitting(lambda: canonical_uuid(text))
        data = _bytes(raw, self._size(logical))
        if logical.kind == "uuid":
            return canonical_uuid(data.hex())
        if logical.kind == "calendar-duration":
            return duration_to_json(data)
        return unscaled_to_text(logical, data)

    def _size(self, logical: Logical) -> int | None:
        if isinstance(logical.base, Primitive):
            return None
        named = self.schema.types[logical.base.name]
        return named.size if isinstance(named, Fixed) else None


def _primitive(type_: Primitive, raw: JsonValue) -> JsonValue:
    match type_.kind:
        case "null":
            if raw is not None:
                raise SchemaError(f"expected null, found {excerpt(raw)}")
            return None
        case "boolean":
            return expect_boolean(raw)
        case "int" | "long":
            return _integer(type_, raw)
        case "float" | "double":
            return _float(type_, raw)
        case "bytes":
            return _base64(_bytes(raw, None))
        case "string":
            return expect_text(raw)


def _fitting(read: Callable[[], JsonValue]) -> JsonValue:
    try:
        return read()
    except ValueError as error:
        raise SchemaError(str(error)) from None


def _integer(type_: Primitive, raw: JsonValue) -> int:
    number = expect_integer(raw)
    bits = 31 if type_.kind == "int" else 63
    if not -(2**bits) <= number < 2**bits:
        raise SchemaError(f"{number} does not fit {type_.kind}")
    return number


def _float(type_: Primitive, raw: JsonValue) -> JsonValue:
    if isinstance(raw, str) and raw in _SPECIAL:
        return raw
    if not isinstance(raw, int | float) or isinstance(raw, bool):
        raise SchemaError(f"expected a number, found {excerpt(raw)}")
    try:
        number = float(raw)
    except OverflowError:
        raise SchemaError(f"{raw} does not fit {type_.kind}") from None
    if not math.isfinite(number):
        return "NaN" if math.isnan(number) else "Infinity" if number > 0 else "-Infinity"
    if type_.kind == "float" and abs(number) > _FLOAT32_MAX:
        raise SchemaError(f"{raw} does not fit float")
    return number


def _bytes(raw: JsonValue, size: int | None) -> bytes:
    try:
        data = expect_text(raw).encode("latin-1")
    except UnicodeEncodeError:
        raise SchemaError(f"{excerpt(raw)} has characters beyond U+00FF") from None
    if size is not None and len(data) != size:
        raise SchemaError(f"expected {size} bytes, found {len(data)}")
    return data


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")


def _json(raw: JsonValue) -> JsonValue:
    try:
        value: JsonValue = json.loads(
            _bytes(raw, None), parse_constant=_no_constant, object_pairs_hook=unique
        )
    except (ValueError, RecursionError) as error:
        raise SchemaError(f"not JSON text: {error}") from None
    return value


def _no_constant(name: str) -> JsonValue:
    raise ValueError(f"{name} is no JSON")
