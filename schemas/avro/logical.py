"""Avro's logical types, and two of our own: ``json`` and ``duration-micros``.

As the Avro specification asks, a logical type that is unknown, or does not fit the type
that it stands on, is passed over.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from ..model import Json, JsonValue, Kind, Logical, Primitive, Reference, Type

_UUID_SIZE = 16
_INSTANT = Logical("timestamp", Primitive("long"), unit="micros")

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
    ("long", "duration-micros"): Logical("duration", Primitive("long"), unit="micros"),
    ("bytes", "json"): Json(),
}
_UNSUPPORTED = frozenset(
    {
        ("long", "timestamp-nanos"),
        ("long", "local-timestamp-nanos"),
        ("long", "time-nanos"),
        ("fixed", "duration"),
    }
)


def unsupported_logical(kind: str, node: Mapping[str, JsonValue]) -> str | None:
    """The name of ``node``'s logical type where it is Avro's and this release does not read it."""
    logical = node.get("logicalType")
    return logical if isinstance(logical, str) and (kind, logical) in _UNSUPPORTED else None


def primitive_logical(kind: Kind, node: Mapping[str, JsonValue]) -> Type:
    """The type of ``node``, whose Avro type is the primitive ``kind``."""
    logical = node.get("logicalType")
    if kind == "bytes" and logical == "decimal":
        return _decimal(Primitive("bytes"), node) or Primitive("bytes")
    plain = Primitive(kind)
    known = _LOGICAL.get((kind, logical), plain) if isinstance(logical, str) else plain
    if known == _INSTANT and node.get("textForm") == "rfc3339":
        return replace(_INSTANT, text_form="rfc3339")
    return known


def fixed_logical(name: str, size: int, node: Mapping[str, JsonValue]) -> Type:
    """The type of ``node``, which defines the fixed type ``name`` of ``size`` bytes."""
    logical = node.get("logicalType")
    plain = Reference(name)
    if logical == "decimal":
        return _decimal(plain, node) or plain
    return Logical("uuid", plain) if logical == "uuid" and size == _UUID_SIZE else plain


def _decimal(base: Primitive | Reference, node: Mapping[str, JsonValue]) -> Logical | None:
    precision, scale = node.get("precision"), node.get("scale", 0)
    if not isinstance(precision, int) or not isinstance(scale, int):
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
    name = f"{type_.kind}-{type_.unit}" if type_.unit else type_.kind
    attributes: dict[str, JsonValue] = {"logicalType": name}
    if type_.text_form:
        attributes["textForm"] = type_.text_form
    return attributes
