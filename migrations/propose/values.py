"""Plain values and Python types for the fields of a schema."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from typing import Final, cast

from ...schemas.describe import PYTHON_NAMES
from ...schemas.model import (
    Array,
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

_PRIMITIVES: Final[Mapping[str, JsonValue]] = {
    "null": None,
    "boolean": False,
    "int": 0,
    "long": 0,
    "float": 0.0,
    "double": 0.0,
    "bytes": "",
    "string": "",
}
_LOGICAL: Final[Mapping[str, JsonValue]] = {
    "uuid": "00000000-0000-0000-0000-000000000000",
    "date": "1970-01-01",
    "time": "00:00:00",
    "timestamp": "1970-01-01T00:00:00Z",
    "local-timestamp": "1970-01-01T00:00:00",
    "duration": "PT0S",
    "calendar-duration": {"months": 0, "days": 0, "millis": 0},
    "decimal": "0",
}


def literal(value: object) -> str:
    """A value as Python writes it, with double quotes."""
    match value:
        case str():
            return json.dumps(value, ensure_ascii=False)
        case list():
            items = cast("list[object]", value)
            return f"[{', '.join(map(literal, items))}]"
        case tuple():
            parts = [literal(part) for part in cast("tuple[object, ...]", value)]
            return f"({', '.join(parts)}{',' if len(parts) == 1 else ''})"
        case dict():
            entries = cast("dict[object, object]", value).items()
            return f"{{{', '.join(f'{literal(k)}: {literal(v)}' for k, v in entries)}}}"
        case _:
            return repr(value)


def plain_value(schema: Schema, kind: Type) -> JsonValue:
    """The emptiest value of a type, in JSON form; a record within itself is left out."""
    match kind:
        case Primitive():
            return _PRIMITIVES[kind.kind]
        case Logical():
            return 0 if kind.unit == "nanos" else _LOGICAL[kind.kind]
        case Json():
            return None if kind.well_known is None else {}
        case Array():
            return []
        case Map():
            return {}
        case Optional():
            return None
        case Union():
            return _branch(schema, kind)
        case Reference():
            return _named(schema, kind.name)


def _branch(schema: Schema, union: Union) -> JsonValue:
    for branch in union.branches:
        found = plain_value(schema, branch.type)
        if isinstance(branch.type, Reference) and isinstance(found, dict):
            return {"$type": branch.label, **found}
        return found
    return None


def _named(schema: Schema, name: str) -> JsonValue:
    match schema.types[name]:
        case Enum() as enum:
            return enum.default or enum.symbols[0].name
        case Fixed() as fixed:
            return base64.b64encode(bytes(fixed.size)).decode()
        case Record() as record:
            needed = (f for f in record.fields if f.default is None)
            return {f.key: plain_value(schema, f.type) for f in needed}


def hint(kind: Type) -> str:
    """What the values of a type are in Python, as an annotation without imports but ``Any``."""
    match kind:
        case Primitive():
            return PYTHON_NAMES[kind.kind]
        case Array(vector=False):
            return f"list[{hint(kind.items)}]"
        case Map():
            return f"dict[{hint(kind.keys)}, {hint(kind.values)}]"
        case Optional():
            inner = hint(kind.item)
            return inner if inner == "Any" else f"{inner} | None"
        case _:
            return "Any"
