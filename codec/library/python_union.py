"""Which branch of a union a Python value is: its class says so, its shape never."""

from __future__ import annotations

import datetime as dt
import uuid
from array import array
from collections.abc import Callable, Mapping
from decimal import Decimal
from operator import attrgetter
from typing import Any, TypeAlias

from ...errors import ValueMismatch
from ...schemas.model import (
    Array,
    Enum,
    Fixed,
    Json,
    Logical,
    Map,
    Optional,
    Primitive,
    Reference,
    Type,
    Union,
)
from .. import exact
from ..containers import class_of
from ..other_class import other_class
from ..types import SchemaTypes

Split: TypeAlias = Callable[[Any], tuple[int, Any]]

_value = attrgetter("value")
_PRIMITIVES: Mapping[str, type] = {
    "null": type(None),
    "boolean": bool,
    "int": int,
    "long": int,
    "float": float,
    "double": float,
    "bytes": bytes,
    "string": str,
}
_LOGICAL: Mapping[str, type] = {
    "uuid": uuid.UUID,
    "date": dt.date,
    "time": dt.time,
    "timestamp": dt.datetime,
    "local-timestamp": dt.datetime,
    "duration": dt.timedelta,
    "calendar-duration": exact.Duration,
    "decimal": Decimal,
}


def split_by_class(union: Union, types: SchemaTypes) -> Split:
    """A function from a value to the index of its branch and the value without its box."""
    table: dict[type, tuple[int, bool]] = {}
    for index, (branch, box) in enumerate(zip(union.branches, types.names.box(union), strict=True)):
        cls = python_class(branch.type, types) if box is None else types.boxes[box]
        table[cls] = (index, box is not None)
    if float in table and int not in table:
        # A whole number is fine where a float is meant; the check of the float decides.
        table[int] = table[float]
    labels = ", ".join(branch.label for branch in union.branches)

    def split(value: Any) -> tuple[int, Any]:
        cls = class_of(value)
        found = table.get(cls)
        if found is None:
            for due in table:
                if due.__name__ == cls.__name__:
                    raise other_class(due, value)
            raise ValueMismatch(
                f"{cls.__name__} is no branch of the union",
                mend=f"use the class of one of {labels}",
            )
        index, boxed = found
        return index, (_value(value) if boxed else value)

    return split


def python_class(kind: Type, types: SchemaTypes) -> type:
    """The class of the Python values of a type."""
    match kind:
        case Primitive():
            return _PRIMITIVES[kind.kind]
        case Logical():
            return int if kind.unit == "nanos" else _LOGICAL[kind.kind]
        case Array():
            return array if kind.vector_kind else list
        case Map():
            return dict
        case Reference():
            named = types.schema.types[kind.name]
            if isinstance(named, Fixed):
                return bytes
            if isinstance(named, Enum):
                return types.enum(kind.name)
            return types.record(kind.name)
        case Json() | Optional() | Union():
            return object
