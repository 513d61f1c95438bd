"""Pairs of versions, each with one change, of which the rules and the run have to say the same."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

INT = {"name": "x", "type": "int"}


def logical(base: str, kind: str, **more: Any) -> dict[str, Any]:
    return {"type": base, "logicalType": kind, **more}


def decimal(precision: int, scale: int) -> dict[str, Any]:
    return logical("bytes", "decimal", precision=precision, scale=scale)


def fixed(size: int, **more: Any) -> dict[str, Any]:
    return {"type": "fixed", "name": "F", "size": size, **more}


def record(name: str, *fields: Any) -> dict[str, Any]:
    return {"type": "record", "name": name, "fields": [*fields]}


def array(items: Any) -> dict[str, Any]:
    return {"type": "array", "items": items}


def keyed(key: str, **more: Any) -> dict[str, Any]:
    return {"type": "int", "json": key, **more}


MILLIS, MICROS, NANOS = (
    logical("long", f"timestamp-{unit}") for unit in ("millis", "micros", "nanos")
)
UUID, DATE = logical("string", "uuid"), logical("int", "date")
JSON = logical("bytes", "json")

TYPES: Mapping[str, tuple[Any, Any]] = {
    "fewer digits": (decimal(6, 2), decimal(4, 2)),
    "another scale": (decimal(6, 2), decimal(6, 3)),
    "millis to micros": (MILLIS, MICROS),
    "micros to nanos": (MICROS, NANOS),
    "nanos to long": (NANOS, "long"),
    "long to a moment": ("long", MICROS),
    "a moment without its zone": (MICROS, logical("long", "local-timestamp-micros")),
    "int to date": ("int", DATE),
    "text to uuid": ("string", UUID),
    "long to duration": ("long", logical("long", "duration-micros")),
    "time in finer units": (logical("int", "time-millis"), logical("long", "time-micros")),
    "bytes to decimal": ("bytes", decimal(6, 2)),
    "fixed to duration": (fixed(12), fixed(12, logicalType="duration")),
    "bytes to text": ("bytes", "string"),
    "bytes to json": ("bytes", JSON),
    "text to json": ("string", JSON),
    "record to json": (record("I", INT), JSON),
    "list to json": (array("int"), JSON),
    "fixed to bytes": (fixed(4), "bytes"),
    "another length": (fixed(4), fixed(5)),
    "moments in a list": (array(MILLIS), array(MICROS)),
    "moments in a union": (["string", MILLIS], ["string", MICROS]),
    "int to union": ("int", ["int", "string"]),
    "union to text": (["int", "string"], "string"),
    "a branch of bytes beside text": (["string", "int"], ["string", "int", "bytes"]),
}
"""Types of a field in Avro, before and after."""

FIELDS: Mapping[str, tuple[Any, Any]] = {
    "keys that swap": (
        {"a": keyed("x"), "b": keyed("y")},
        {"a": keyed("y"), "b": keyed("x")},
    ),
    "another key": (
        {"a": keyed("x", default=0)},
        {"a": keyed("y", default=0)},
    ),
    "a default that changed": (
        {"a": {"type": "int", "default": 1}},
        {"a": {"type": "int", "default": 2}},
    ),
}
"""Fields in Avro, before and after."""

BODIES: Mapping[str, tuple[str, str]] = {
    "keys of a map": ("map<int32, string> a = 1;", "map<int64, string> a = 1;"),
    "keys of a map become numbers": ("map<string, string> a = 1;", "map<int64, string> a = 1;"),
    "a wrapper is widened": ("optional Int32Value a = 1;", "optional Int64Value a = 1;"),
    "unset stands for something else": (
        "optional int32 a = 1 [default = 5];",
        "optional int32 a = 1 [default = 3];",
    ),
    "optional becomes required": ("optional int32 a = 1;", "required int32 a = 1;"),
    "a message becomes a group": (
        "message G { optional int32 x = 1; } optional G g = 1;",
        "optional group G = 1 { optional int32 x = 1; }",
    ),
    "a case takes another number": (
        "oneof o { int32 a = 1; int32 b = 2; }",
        "oneof o { int32 a = 1; int32 b = 3; }",
    ),
    "a case whose type Avro cannot tell": (
        "oneof o { int32 a = 1; int32 b = 2; }",
        "oneof o { int32 a = 1; string c = 3; }",
    ),
    "bytes to string": ("optional bytes a = 1;", "optional string a = 1;"),
    "symbols that swap": (
        "enum E { A = 0; B = 1; C = 2; } optional E e = 1;",
        "enum E { A = 0; B = 2; C = 1; } optional E e = 1;",
    ),
}
"""What the message holds in proto2, before and after."""
