"""The model as plain JSON values, and back.

Every class of the model is an object with its fields as keys and its name below ``is``.
A field that has its default value is left out, so that a field which the model gains
later changes nothing in what older schemas look like.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias, cast, get_args

import msgspec

from ..errors import SchemaError
from .expect import (
    excerpt,
    expect_boolean,
    expect_integer,
    expect_list,
    expect_object,
    expect_text,
)
from .model import (
    Array,
    Branch,
    Default,
    Encoding,
    Enum,
    Field,
    Fixed,
    Json,
    JsonValue,
    Kind,
    Logical,
    LogicalKind,
    Map,
    NamedType,
    Optional,
    Primitive,
    Record,
    Reference,
    Symbol,
    TextForm,
    Type,
    Union,
    Unit,
    Wire,
)

_Reader: TypeAlias = Callable[[JsonValue], Any]


def to_plain(item: object) -> JsonValue:
    """A type, or any part of one, as plain values; a usual primitive is its kind alone."""
    if isinstance(item, tuple):
        return [to_plain(part) for part in cast("tuple[object, ...]", item)]
    if isinstance(item, Primitive) and item == Primitive(item.kind):
        return item.kind
    if isinstance(item, Default):
        return {"value": item.value}
    if not isinstance(item, msgspec.Struct):
        return cast("JsonValue", item)
    plain: dict[str, JsonValue] = {"is": type(item).__name__.lower()}
    names, defaults = item.__struct_fields__, item.__struct_defaults__
    required = len(names) - len(defaults)
    for position, name in enumerate(names):
        value = getattr(item, name)
        if position < required or value != defaults[position - required]:
            plain[name] = to_plain(value)
    return plain


def type_from_plain(node: JsonValue) -> Type:
    """The type that ``node`` describes; raises SchemaError where it describes none."""
    if isinstance(node, str):
        return Primitive(cast("Kind", _kind(node)))
    return cast("Type", _from_plain(node, _TYPES))


def named_from_plain(node: JsonValue) -> NamedType:
    """The named type that ``node`` describes; raises SchemaError where it describes none."""
    return cast("NamedType", _from_plain(node, _NAMED))


def _from_plain(node: JsonValue, classes: Mapping[str, type]) -> object:
    plain = dict(expect_object(node))
    name = plain.pop("is", None)
    class_ = classes.get(name) if isinstance(name, str) else None
    if class_ is None:
        raise SchemaError(f"{name!r} is not one of {', '.join(classes)}")
    readers = _READERS[class_]
    strange = next((key for key in plain if key not in readers), None)
    if strange is not None:
        raise SchemaError(f"a {name} has no {strange!r}")
    values = {key: readers[key](value) for key, value in plain.items()}
    try:
        return class_(**values)
    except TypeError:
        raise SchemaError(f"a {name} lacks some of {', '.join(readers)}") from None


def _texts(node: JsonValue) -> tuple[str, ...]:
    return tuple(expect_text(item) for item in expect_list(node))


def _default(node: JsonValue) -> Default:
    holder = expect_object(node)
    if set(holder) != {"value"}:
        raise SchemaError("a default is an object with the one key 'value'")
    return Default(holder["value"])


def _one_of(literal: object) -> _Reader:
    choices = get_args(literal)

    def read(node: JsonValue) -> str:
        if node not in choices:
            raise SchemaError(f"{excerpt(node)} is not one of {', '.join(choices)}")
        return cast("str", node)

    return read


def _several(class_: type) -> _Reader:
    classes = {class_.__name__.lower(): class_}

    def read(node: JsonValue) -> tuple[object, ...]:
        return tuple(_from_plain(item, classes) for item in expect_list(node))

    return read


_kind = _one_of(Kind)
_TYPES: Mapping[str, type] = {
    class_.__name__.lower(): class_
    for class_ in (Primitive, Logical, Json, Array, Map, Optional, Union, Reference)
}
_NAMED: Mapping[str, type] = {class_.__name__.lower(): class_ for class_ in (Record, Enum, Fixed)}
_READERS: Mapping[type, Mapping[str, _Reader]] = {
    Primitive: {"kind": _kind, "wire": _one_of(Wire), "well_known": expect_text},
    Logical: {
        "kind": _one_of(LogicalKind),
        "text_form": _one_of(TextForm),
        "base": type_from_plain,
        "unit": _one_of(Unit),
        "precision": expect_integer,
        "scale": expect_integer,
        "well_known": expect_text,
    },
    Json: {"well_known": expect_text},
    Array: {"items": type_from_plain, "vector": expect_boolean},
    Map: {"values": type_from_plain, "keys": type_from_plain},
    Optional: {
        "item": type_from_plain,
        "null_at": expect_integer,
        "well_known": expect_text,
        "unset": _default,
    },
    Union: {"branches": _several(Branch), "oneof": expect_boolean},
    Reference: {"name": expect_text},
    Branch: {
        "label": expect_text,
        "type": type_from_plain,
        "number": expect_integer,
        "encoding": _one_of(Encoding),
        "unset": _default,
        "protojson": expect_text,
    },
    Symbol: {
        "name": expect_text,
        "number": expect_integer,
        "doc": expect_text,
        "aliases": _texts,
    },
    Enum: {
        "name": expect_text,
        "symbols": _several(Symbol),
        "default": expect_text,
        "aliases": _texts,
        "doc": expect_text,
        "closed": expect_boolean,
    },
    Fixed: {"name": expect_text, "size": expect_integer, "aliases": _texts, "doc": expect_text},
    Field: {
        "name": expect_text,
        "type": type_from_plain,
        "number": expect_integer,
        "default": _default,
        "aliases": _texts,
        "doc": expect_text,
        "deprecated": expect_boolean,
        "json_name": expect_text,
        "absent": expect_boolean,
        "encoding": _one_of(Encoding),
        "protojson": expect_text,
    },
    Record: {"name": expect_text, "fields": _several(Field), "aliases": _texts, "doc": expect_text},
}
