"""Types in a few words, for messages: so exact that two types which differ read differently."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from .model import (
    Array,
    Enum,
    Fixed,
    Json,
    Logical,
    Map,
    NamedType,
    Optional,
    Primitive,
    Record,
    Reference,
    Schema,
    Type,
    Union,
)

PYTHON_NAMES: Final[Mapping[str, str]] = {
    "null": "None",
    "boolean": "bool",
    "int": "int",
    "long": "int",
    "float": "float",
    "double": "float",
    "bytes": "bytes",
    "string": "str",
}
"""What Python calls the values of each primitive."""

_USUAL = {"uuid": "string", "decimal": "bytes"}
"""What a logical type stands on where nothing else is said."""


def describe(schema: Schema, kind: Type) -> str:
    """A type of ``schema`` in a few words; each name by its last part."""
    match kind:
        case Primitive():
            return kind.wire or kind.kind
        case Logical():
            return f"{_logical(kind)}{_place(schema, kind)}"
        case Json():
            return f"json{_message(kind.well_known)}"
        case Optional():
            return f"optional {describe(schema, kind.item)}{_message(kind.well_known)}"
        case Array():
            return f"array of {describe(schema, kind.items)}"
        case Map(keys=Primitive(kind="string")):
            return f"map of {describe(schema, kind.values)}"
        case Map():
            return f"map of {describe(schema, kind.values)} by {describe(schema, kind.keys)}"
        case Union():
            word = "oneof" if kind.oneof else "union"
            return f"{word} of {', '.join(_last(branch.label) for branch in kind.branches)}"
        case Reference():
            return _named(schema.types[kind.name])


def _logical(kind: Logical) -> str:
    if kind.unit is not None:
        return f"{kind.kind} in {kind.unit}"
    if kind.kind == "decimal":
        return f"decimal of precision {kind.precision} and scale {kind.scale}"
    return kind.kind


def _place(schema: Schema, kind: Logical) -> str:
    """What a logical type stands on, where that is not the usual."""
    if kind.well_known is not None:
        return _message(kind.well_known)
    if isinstance(kind.base, Primitive):
        is_usual = kind.base.kind == _USUAL.get(kind.kind, kind.base.kind)
    else:
        is_usual = kind.kind == "calendar-duration"
    return "" if is_usual else f" in {describe(schema, kind.base)}"


def _message(name: str | None) -> str:
    return f" ({_last(name)})" if name else ""


def _named(named: NamedType) -> str:
    match named:
        case Record():
            return f"record {_last(named.name)}"
        case Enum():
            return f"enum {_last(named.name)}"
        case Fixed():
            return f"fixed {_last(named.name)} of {named.size} bytes"


def _last(name: str) -> str:
    return name.rpartition(".")[2]
