"""What a type looks like to code that uses the generated classes."""

from __future__ import annotations

from ...schemas.describe import PYTHON_NAMES
from ...schemas.model import (
    Array,
    Enum,
    Fixed,
    Json,
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

_LOGICAL = {
    "uuid": "UUID",
    "time": "time",
    "timestamp": "datetime",
    "local-timestamp": "naive datetime",
    "duration": "timedelta",
    "decimal": "Decimal",
}


def python_type(schema: Schema, kind: Type) -> str:
    """The Python type in a word or two: two that are equal are used alike."""
    match kind:
        case Primitive():
            return PYTHON_NAMES[kind.kind]
        case Logical(unit="nanos"):
            return "int"
        case Logical():
            return _LOGICAL.get(kind.kind, kind.kind)
        case Json():
            return "JSON value"
        case Array(vector_kind=str() as numbers):
            return f"vector of {numbers}s"
        case Array():
            return f"list of {python_type(schema, kind.items)}"
        case Map():
            keys, values = (python_type(schema, part) for part in (kind.keys, kind.values))
            return f"dict of {keys} to {values}"
        case Optional():
            return f"{python_type(schema, kind.item)} or None"
        case Union():
            return " or ".join(python_type(schema, branch.type) for branch in kind.branches)
        case Reference():
            return _named(schema, kind.name)


def _named(schema: Schema, name: str) -> str:
    match schema.types[name]:
        case Fixed():
            return "bytes"
        case Record() | Enum():
            return name.rpartition(".")[2]
