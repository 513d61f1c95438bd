"""Avro's logical types, and three of our own: ``json``, ``duration-micros`` and
``duration-nanos``.

As the Avro specification (1.12, "Logical Types") asks, a logical type that is unknown, or
does not fit the type that it stands on, is passed over.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from msgspec.structs import replace

from ..model import Json, JsonValue, Kind, Logical, Primitive, Reference, Type

_UUID_SIZE = 16
_INSTANT = Logical("timestamp", Primitive("long"), unit="micros")
_DURATION_SIZE = 12
_DECIMAL_KEYS = frozenset({"logicalType", "precision", "scale"})

# Which type each logical type stands on, and what it means.
_LOGICAL: Mapping[tuple[Kind, str], Type] = {
    ("string", "uuid"): Logical("uuid", Primitive("string")),
    ("int", "date"): Logical("date", Primitive("int")),
    ("int", "time-millis"): Logical("time", Primitive("int"), unit="millis"),
    ("long", "time-micros"): Logical("time", Primitive("long"), unit="micros"),
    ("long", "timestamp-millis"): Logical("timestamp", Primitive("long"), unit="millis"),
    ("long", "timestamp-micros"): _INSTANT,
    ("long", "local-timestamp-millis"): Logical(
        "local-timestamp", Primitive("long"), unit="millis"
    ),
    ("long", "local-timestamp-micros"): Logical(
        "local-timestamp", Primitive("long"), unit="micros"
    ),
    ("long", "timestamp-nanos"): Logical("timestamp", Primitive("long"), unit="nanos"),
    ("long", "local-timestamp-nanos"): Logical("local-timestamp", Primitive("long"), unit="nanos"),
    ("long", "duration-micros"): Logical("duration", Primitive("long"), unit="micros"),
    ("long", "duration-nanos"): Logical("duration", Primitive("long"), unit="nanos"),
    ("bytes", "json"): Json(),
}


def primitive_logical(kind: Kind, node: Mapping[str, JsonValue]) -> Type:
    """The type whose Avro type is the primitive ``kind``, with these attributes."""
    logical = node.get("logicalType")
    if kind == "bytes" and logical == "decimal":
        return _decimal(Primitive("bytes"), node, None) or Primitive("bytes")
    plain = Primitive(kind)
    known = _LOGICAL.get((kind, logical), plain) if isinstance(logical, str) else plain
    if known == _INSTANT and node.get("textForm") == "rfc3339":
        return replace(_INSTANT, text_form="rfc3339")
    return known


def fixed_logical(name: str, size: int, node: Mapping[str, JsonValue]) -> Type:
    """The type of the fixed type ``name`` of ``size`` bytes, with these attributes."""
    plain = Reference(name)
    match node.get("logicalType"):
        case "decimal":
            return _decimal(plain, node, size) or plain
        case "uuid" if size == _UUID_SIZE:
            return Logical("uuid", plain)
        case "duration" if size == _DURATION_SIZE:
            return Logical("calendar-duration", plain)
        case _:
            return plain


def leftover(type_: Type, node: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """The attributes of ``node`` that are not yet said by ``type_``."""
    said = set(logical_attributes(type_))
    if isinstance(type_, Logical) and type_.kind == "decimal":
        said |= _DECIMAL_KEYS
    return {key: value for key, value in node.items() if key not in said}


def _decimal(
    base: Primitive | Reference, node: Mapping[str, JsonValue], size: int | None
) -> Logical | None:
    precision, scale = node.get("precision"), node.get("scale", 0)
    if type(precision) is not int or type(scale) is not int:
        return None
    if precision < 1 or not 0 <= scale <= precision:
        return None
    if size is not None and precision > math.floor(math.log10(2) * (8 * size - 1)):
        return None
    return Logical("decimal", base, precision=precision, scale=scale)


def logical_attributes(type_: Type) -> dict[str, JsonValue]:
    """The attributes that make an Avro type mean ``type_``: what the readers above look for."""
    if isinstance(type_, Json):
        return {"logicalType": "json"}
    if not isinstance(type_, Logical):
        return {}
    if type_.kind == "decimal":
        return {"logicalType": "decimal", "precision": type_.precision, "scale": type_.scale}
    if type_.kind == "calendar-duration":
        return {"logicalType": "duration"}
    name = f"{type_.kind}-{type_.unit}" if type_.unit else type_.kind
    attributes: dict[str, JsonValue] = {"logicalType": name}
    if type_.text_form:
        attributes["textForm"] = type_.text_form
    return attributes
