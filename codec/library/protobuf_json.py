"""JSON values in google.protobuf.Value, Struct and ListValue (struct.proto).

Their numbers are doubles: a whole number comes back as an int, and one that a double cannot
hold exactly has been refused by the check before it gets here.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from ...errors import ValueMismatch
from ..containers import exact_dict
from ..json_values import MAX_DEPTH
from .protobuf_wire import ProtobufWire

_EXACT = 2.0**53


def from_message(message: Any, depth: int = 0) -> Any:
    """The JSON value of a Value, Struct or ListValue message."""
    if depth > MAX_DEPTH:
        raise ValueMismatch(f"JSON is nested more than {MAX_DEPTH} deep")
    match message.DESCRIPTOR.name:
        case "Struct":
            return {key: from_message(value, depth + 1) for key, value in message.fields.items()}
        case "ListValue":
            return [from_message(value, depth + 1) for value in message.values]
        case _:
            return _from_value(message, depth)


def _from_value(message: Any, depth: int) -> Any:
    match message.WhichOneof("kind"):
        case "null_value":
            return None
        case "bool_value":
            return message.bool_value
        case "string_value":
            return message.string_value
        case "number_value":
            return _number(message.number_value)
        case "struct_value":
            return from_message(message.struct_value, depth)
        case "list_value":
            return from_message(message.list_value, depth)
        case _:
            raise ValueMismatch("a google.protobuf.Value without a kind is no JSON value")


def _number(number: float) -> int | float:
    negative_zero = number == 0 and math.copysign(1, number) < 0
    if number.is_integer() and abs(number) <= _EXACT and not negative_zero:
        return int(number)
    return number


def builder(wire: ProtobufWire, name: str) -> Callable[[Any], Any]:
    """A function from a checked JSON value to a message of the well-known type ``name``."""
    value_of = wire.message("google.protobuf.Value")
    struct_of = wire.message("google.protobuf.Struct")
    list_of = wire.message("google.protobuf.ListValue")

    def build(value: Any) -> Any:
        match value:
            case None:
                return value_of(null_value=0)
            case bool():
                return value_of(bool_value=value)
            case str():
                return value_of(string_value=value)
            case int() | float():
                return value_of(number_value=value)
            case dict():
                return value_of(struct_value=build_struct(exact_dict(value)))
            case _:
                return value_of(list_value=build_list(value))

    def build_struct(value: dict[str, Any]) -> Any:
        return struct_of(fields={key: build(item) for key, item in value.items()})

    def build_list(value: list[Any]) -> Any:
        return list_of(values=[build(item) for item in value])

    match name.rpartition(".")[2]:
        case "Struct":
            return build_struct
        case "ListValue":
            return build_list
        case _:
            return build
