"""The Python type of a schema type, as source text and as the type itself."""

from __future__ import annotations

import datetime as dt
import functools
import uuid
from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from types import GenericAlias
from typing import Any, TypeAlias

import msgspec

from ...errors import UnsupportedSchema
from ...schemas.model import (
    Array,
    Fixed,
    Json,
    JsonValue,
    Logical,
    Map,
    Optional,
    Primitive,
    Reference,
    Schema,
    Type,
    Union,
)
from ...schemas.naming import Names
from .. import exact
from .source import Code, Group, flat, subscript, union_of

Classes: TypeAlias = Mapping[str, type]
"""Records, enums and boxes by class name."""


class Hint(msgspec.Struct, frozen=True):
    """A Python type: ``code`` is its source, ``build`` makes it from the schema's classes."""

    code: Code
    build: Callable[[Classes], Any]

    @property
    def text(self) -> str:
        """The source on one line."""
        return flat(self.code)


def _known(text: str, type_: Any) -> Hint:
    return Hint(text, lambda _: type_)


_PRIMITIVES: Mapping[str, Hint] = {
    "null": _known("None", type(None)),
    "boolean": _known("bool", bool),
    "int": _known("exact.Int32", exact.Int32),
    "long": _known("exact.Int64", exact.Int64),
    "float": _known("float", float),
    "double": _known("float", float),
    "bytes": _known("bytes", bytes),
    "string": _known("str", str),
}
_UNSIGNED: Mapping[str | None, Hint] = {
    "uint32": _known("exact.UInt32", exact.UInt32),
    "fixed32": _known("exact.UInt32", exact.UInt32),
    "uint64": _known("exact.UInt64", exact.UInt64),
    "fixed64": _known("exact.UInt64", exact.UInt64),
}
_LOGICALS: Mapping[str, Hint] = {
    "uuid": _known("UUID", uuid.UUID),
    "date": _known("dt.date", dt.date),
    "time": _known("exact.LocalTime", exact.LocalTime),
    "timestamp": _known("exact.Timestamp", exact.Timestamp),
    "local-timestamp": _known("exact.LocalTimestamp", exact.LocalTimestamp),
    "duration": _known("dt.timedelta", dt.timedelta),
    "calendar-duration": _known("exact.Duration", exact.Duration),
    "decimal": _known("Decimal", Decimal),
}
_JSON = _known("JsonValue", JsonValue)
_VECTORS: Mapping[str, Hint] = {
    "float": _known("exact.FloatVector", exact.FloatVector),
    "double": _known("exact.DoubleVector", exact.DoubleVector),
}


def hint(type_: Type, schema: Schema, names: Names) -> Hint:
    """The Python type of ``type_``, a type within ``schema``."""
    match type_:
        case Primitive():
            return _UNSIGNED.get(type_.wire, _PRIMITIVES[type_.kind])
        case Logical():
            return _PRIMITIVES["long"] if type_.unit == "nanos" else _LOGICALS[type_.kind]
        case Json():
            return _JSON
        case Array(vector_kind=str() as kind):
            return _VECTORS[kind]
        case Array():
            return _generic("list", list, hint(type_.items, schema, names))
        case Map():
            return _generic(
                "dict", dict, hint(type_.keys, schema, names), hint(type_.values, schema, names)
            )
        case Optional():
            return _either([hint(type_.item, schema, names), _PRIMITIVES["null"]])
        case Union():
            return _union(type_, schema, names)
        case Reference():
            return _reference(type_.name, schema, names)


def class_hint(class_name: str) -> Hint:
    """The type that is the class of this name: a record, an enum or a box."""
    return Hint(class_name, lambda classes: classes[class_name])


def _reference(name: str, schema: Schema, names: Names) -> Hint:
    if isinstance(schema.types[name], Fixed):
        return _PRIMITIVES["bytes"]
    return class_hint(names.classes[name])


def _union(union: Union, schema: Schema, names: Names) -> Hint:
    if not union.branches:
        raise UnsupportedSchema("a union without types has no values", where=schema.subject)
    return _either(
        [
            hint(branch.type, schema, names) if box is None else class_hint(box)
            for branch, box in zip(union.branches, names.box(union), strict=True)
        ]
    )


def _generic(text: str, origin: type, *arguments: Hint) -> Hint:
    return Hint(
        subscript(text, *(argument.code for argument in arguments)),
        lambda classes: GenericAlias(
            origin, tuple(argument.build(classes) for argument in arguments)
        ),
    )


def _alternatives(options: list[Hint]) -> Iterator[Code]:
    """The options' sources, with those of a union within taken up."""
    for option in options:
        if isinstance(option.code, Group) and option.code.kind == "union":
            yield from option.code.items
        else:
            yield option.code


def _or(left: Any, right: Any) -> Any:
    return left | right


def _either(options: list[Hint]) -> Hint:
    return Hint(
        union_of(list(_alternatives(options))),
        lambda classes: functools.reduce(_or, (option.build(classes) for option in options)),
    )
