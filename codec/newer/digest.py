"""Digests of values of a version, the same before and after any format has written them."""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import msgspec
import xxhash

from ...schemas.model import Json, Logical, Primitive, Type, Union
from ..containers import as_dict, as_list
from ..library.builtins_sink import BuiltinsSink, float_to_json
from ..library.dump import Dump, type_compiler
from ..library.source import Raw, Scalar
from ..types import SchemaTypes
from ..vectors import to_single


class _DigestSink(BuiltinsSink):
    """JSON form, where equal values look alike: floats as they are stored, decimals without
    trailing zeros, each branch by its number.
    """

    def scalar(self, scalar: Scalar) -> Dump | None:
        match scalar:
            case Primitive(kind="float"):
                return lambda value: float_to_json(to_single(value))
            case Logical(kind="decimal"):
                return _decimal
            case Json():
                return _json
            case _:
                return super().scalar(scalar)

    def branch(self, union: Union, index: int, dump: Dump) -> Dump:
        del union
        return lambda value: [index, dump(value)]


def digest_compiler(types: SchemaTypes) -> Callable[[Type], Dump]:
    """Makes functions that turn a value of a type into plain ones that are alike for values that
    are; the records are compiled once for all types.
    """
    return type_compiler(types, _DigestSink(types))


def digest(values: list[Raw]) -> bytes:
    """Eight bytes for what those functions made of values."""
    return xxhash.xxh3_64_digest(msgspec.msgpack.encode(values, order="sorted"))


def _decimal(value: Decimal) -> str:
    if not value:
        return "0"  # A zero has no sign in the binary formats.
    # Not by normalize(), which rounds to the digits of the context.
    text = f"{value:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _json(value: Any) -> Raw:
    """Protobuf's ``Struct`` has one type of number, so 1 and 1.0 are alike. As bytes, which no
    JSON value is, since ``"1"`` is another value.
    """
    if type(value) is float and math.isfinite(value) and value.is_integer():
        return str(int(value)).encode()
    if type(value) is int:
        return str(value).encode()
    if isinstance(value, dict):
        return {key: _json(item) for key, item in as_dict(value).items()}
    if isinstance(value, list):
        return [_json(item) for item in as_list(value)]
    return value
