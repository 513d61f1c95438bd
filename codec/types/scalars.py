"""Default values without parts: one literal each, from JSON form."""

from __future__ import annotations

import base64
import binascii
import copy
import datetime as dt
import json
import math
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, TypeVar

import msgspec

from ...errors import SchemaError
from ...schemas.model import JsonValue, Logical, Primitive
from .. import exact
from .hints import Classes
from .quoting import quote, quote_bytes
from .source import Code, call, dict_of, list_of

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Literal:
    """A default: ``code`` is its source, ``build`` makes the value.

    ``mutable`` says that objects must not share one value, so each builds its own.
    """

    code: Code
    build: Callable[[Classes], Any]
    mutable: bool = False

    @property
    def empty(self) -> tuple[str, Callable[[], Any]] | None:
        """For an empty list, dictionary or vector: what makes one, by its name and itself.

        msgspec makes the first two with no call into Python.
        """
        found = (made for made in _EMPTY if made[0] == self.code)
        return next(((name, make) for _, name, make in found), None)


_EMPTY: tuple[tuple[Code, str, Callable[[], Any]], ...] = (
    (list_of([]), "list", list),
    (dict_of([]), "dict", dict),
    (call("exact.float_vector"), "exact.float_vector", exact.float_vector),
    (call("exact.double_vector"), "exact.double_vector", exact.double_vector),
)


def constant(code: Code, value: Any) -> Literal:
    """A literal whose value depends on no class of the schema."""
    return Literal(code, lambda _: value)


def misfit(expected: str, found: JsonValue, where: str) -> SchemaError:
    """The error for a default that does not fit its type."""
    return SchemaError(f"the default is not {expected}: {found!r}", where=where)


def expect(type_: type[T], value: JsonValue, where: str) -> T:
    """``value`` if it is of exactly this type; SchemaError otherwise."""
    if type(value) is not type_:
        raise misfit(f"a {type_.__name__}", value, where)
    return value


def primitive(type_: Primitive, value: JsonValue, where: str) -> Literal:
    """The literal of a primitive; raises SchemaError where the value does not fit."""
    match type_.kind:
        case "null":
            return constant("None", expect(type(None), value, where))
        case "boolean":
            return constant(repr(expect(bool, value, where)), value)
        case "int" | "long":
            return _integer(type_, expect(int, value, where), where)
        case "float" | "double":
            return _float(value, where)
        case "bytes":
            return from_base64(value, where)
        case "string":
            return constant(quote(expect(str, value, where)), value)


def _integer(type_: Primitive, value: int, where: str) -> Literal:
    bits = 32 if type_.kind == "int" else 64
    unsigned = type_.wire in {"uint32", "uint64", "fixed32", "fixed64"}
    low, high = (0, 2**bits) if unsigned else (-(2 ** (bits - 1)), 2 ** (bits - 1))
    if not low <= value < high:
        raise misfit(f"within {bits} bits", value, where)
    return constant(repr(value), value)


FLOAT_WORDS: Mapping[str, float] = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}


def _float(value: JsonValue, where: str) -> Literal:
    if isinstance(value, str) and value in FLOAT_WORDS:
        number = FLOAT_WORDS[value]
        return constant(f'float("{number}")', number)
    if isinstance(value, bool) or not isinstance(value, float | int):
        raise misfit("a number", value, where)
    return constant(repr(float(value)), float(value))


def from_base64(value: JsonValue, where: str) -> Literal:
    """The literal of bytes, written in JSON form as base64 text."""
    try:
        data = base64.b64decode(expect(str, value, where), validate=True)
    except (binascii.Error, ValueError):
        raise misfit("base64 text", value, where) from None
    return constant(quote_bytes(data), data)


def logical(type_: Logical, value: JsonValue, where: str) -> Literal:
    """The literal of a logical type; its text is read as msgspec reads it."""
    if type_.unit == "nanos":
        return _integer(Primitive("long"), expect(int, value, where), where)
    if type_.kind == "calendar-duration":
        return _calendar_duration(value, where)
    python_type, write = _LOGICALS[type_.kind]
    try:
        found: Any = msgspec.convert(expect(str, value, where), python_type)
    except msgspec.ValidationError:
        raise misfit(f"a {type_.kind}", value, where) from None
    if isinstance(found, dt.datetime) and (found.tzinfo is None) != (type_.kind != "timestamp"):
        raise misfit(f"a {type_.kind}", value, where)
    return constant(write(found), found)


def _moment(name: str) -> Callable[[Any], Code]:
    return lambda value: call(f"dt.{name}.fromisoformat", quote(value.isoformat()))


def _duration(value: dt.timedelta) -> Code:
    parts = {"days": value.days, "seconds": value.seconds, "microseconds": value.microseconds}
    return call("dt.timedelta", *(f"{name}={part}" for name, part in parts.items() if part))


def _calendar_duration(value: JsonValue, where: str) -> Literal:
    try:
        found = msgspec.convert(value, exact.Duration)
    except msgspec.ValidationError:
        raise misfit("a duration", value, where) from None
    parts = (f"{name}={getattr(found, name)}" for name in found.__struct_fields__)
    return constant(call("exact.Duration", *parts), found)


_LOGICALS: Mapping[str, tuple[type[Any], Callable[[Any], Code]]] = {
    "uuid": (uuid.UUID, lambda value: call("UUID", quote(str(value)))),
    "date": (dt.date, _moment("date")),
    "time": (dt.time, _moment("time")),
    "timestamp": (dt.datetime, _moment("datetime")),
    "local-timestamp": (dt.datetime, _moment("datetime")),
    "duration": (dt.timedelta, _duration),
    "decimal": (Decimal, lambda value: call("Decimal", quote(str(value)))),
}


def json_literal(value: JsonValue) -> Literal:
    """The literal of a ``json`` value, which stands for itself."""
    match value:
        case list() | dict():
            return Literal(_json_code(value), lambda _: copy.deepcopy(value), mutable=True)
        case str():
            return constant(quote(value), value)
        case _:
            return constant(repr(value), value)


def _json_code(value: list[JsonValue] | dict[str, JsonValue]) -> Code:
    if not value:
        return dict_of([]) if isinstance(value, dict) else list_of([])
    # Checkers infer too narrow a type for nested brackets, so the source is JSON text.
    return call("msgspec.json.decode", quote(json.dumps(value)))


def map_key(keys: Primitive, text: str, where: str) -> Literal:
    """The literal of a map's key: JSON form writes integers and booleans as text."""
    if keys.kind == "boolean" and text in {"true", "false"}:
        return constant(str(text == "true"), text == "true")
    if keys.kind in {"int", "long"}:
        try:
            return _integer(keys, int(text), where)
        except ValueError:
            raise misfit("a number as key", text, where) from None
    return primitive(keys, text, where)
