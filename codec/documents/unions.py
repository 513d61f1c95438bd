"""Which JSON kind a value is, and which kind each branch of a union takes."""

from __future__ import annotations

from typing import Literal, TypeAlias

from ...schemas.model import (
    Array,
    Enum,
    Fixed,
    Logical,
    Map,
    Primitive,
    Record,
    Reference,
    Schema,
    Type,
)

Kind: TypeAlias = Literal["null", "boolean", "integer", "float", "string", "array", "object"]

_PRIMITIVES: dict[str, Kind] = {
    "null": "null",
    "boolean": "boolean",
    "int": "integer",
    "long": "integer",
    "float": "float",
    "double": "float",
}
_VALUES: dict[type, Kind] = {
    type(None): "null",
    bool: "boolean",
    int: "integer",
    float: "float",
    str: "string",
    list: "array",
    dict: "object",
}


def kind_of_type(type_: Type, schema: Schema) -> Kind:
    """The kind of JSON value that holds a branch of this type."""
    match type_:
        case Primitive():
            return _PRIMITIVES.get(type_.kind, "string")
        case Logical(unit="nanos"):
            return "integer"
        case Array():
            return "array"
        case Map() | Logical(kind="calendar-duration"):
            return "object"
        case Reference():
            match schema.types[type_.name]:
                case Record():
                    return "object"
                case Enum() | Fixed():
                    return "string"
        case _:
            return "string"


def kind_of_value(value: object) -> Kind | None:
    """The kind of a JSON value; None for what is no JSON value."""
    return _VALUES.get(type(value))
