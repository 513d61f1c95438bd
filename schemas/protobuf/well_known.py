"""Protobuf's scalars and its messages that have a meaning of their own, in the model's words."""

from __future__ import annotations

from collections.abc import Mapping

from ..model import (
    Array,
    Default,
    Json,
    JsonValue,
    Logical,
    LogicalKind,
    Map,
    Optional,
    Primitive,
    Type,
)
from ..reading import TimeUnit

PACKAGE = "google.protobuf."

# By the numbers of FieldDescriptorProto.Type, which are part of Protobuf's own schema.
SCALARS: Mapping[int, Primitive] = {
    1: Primitive("double"),
    2: Primitive("float"),
    3: Primitive("long"),
    4: Primitive("long", wire="uint64"),
    5: Primitive("int"),
    6: Primitive("long", wire="fixed64"),
    7: Primitive("int", wire="fixed32"),
    8: Primitive("boolean"),
    9: Primitive("string"),
    12: Primitive("bytes"),
    13: Primitive("int", wire="uint32"),
    15: Primitive("int", wire="sfixed32"),
    16: Primitive("long", wire="sfixed64"),
    17: Primitive("int", wire="sint32"),
    18: Primitive("long", wire="sint64"),
}

WRAPPERS: Mapping[str, Primitive] = {
    f"{PACKAGE}DoubleValue": Primitive("double"),
    f"{PACKAGE}FloatValue": Primitive("float"),
    f"{PACKAGE}Int64Value": Primitive("long"),
    f"{PACKAGE}UInt64Value": Primitive("long", wire="uint64"),
    f"{PACKAGE}Int32Value": Primitive("int"),
    f"{PACKAGE}UInt32Value": Primitive("int", wire="uint32"),
    f"{PACKAGE}BoolValue": Primitive("boolean"),
    f"{PACKAGE}StringValue": Primitive("string"),
    f"{PACKAGE}BytesValue": Primitive("bytes"),
}
"""What each wrapper message holds. Where it can be null it is an optional, else as it is."""

_TIMES: Mapping[str, LogicalKind] = {
    f"{PACKAGE}Timestamp": "timestamp",
    f"{PACKAGE}Duration": "duration",
}
_JSON = (f"{PACKAGE}Struct", f"{PACKAGE}Value", f"{PACKAGE}ListValue")

_ZEROS: Mapping[str, JsonValue] = {
    "boolean": False,
    "int": 0,
    "long": 0,
    "float": 0.0,
    "double": 0.0,
    "bytes": "",
    "string": "",
}


def well_known(times: TimeUnit) -> Mapping[str, Type]:
    """The well-known messages with a meaning in Python, wrappers aside; others are records.

    ``times`` is the unit of the two that are times.
    """
    return {
        **{
            name: Logical(kind, Primitive("long"), unit=times, well_known=name)
            for name, kind in _TIMES.items()
        },
        **{name: Json(well_known=name) for name in _JSON},
    }


def zero(type_: Type, first_symbol: str | None) -> Default:
    """The value of a proto3 field of ``type_`` that is not set, in JSON form.

    ``first_symbol`` is the symbol numbered 0, where ``type_`` is an enum.
    """
    match type_:
        case Primitive():
            return Default(_ZEROS[type_.kind])
        case Array():
            return Default([])
        case Map():
            return Default({})
        case Optional():
            return Default(None)
        case _:
            return Default(first_symbol)
