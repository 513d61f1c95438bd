"""Builds what fastavro encodes under an :class:`.avro_wire.AvroWire` schema."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...schemas.model import (
    Array,
    Enum,
    Json,
    Logical,
    Map,
    Optional,
    Primitive,
    Record,
    Reference,
    Type,
    Union,
)
from ..vectors import split_numbers
from .avro_scalars import writer
from .avro_wire import WRAPPED, AvroWire, scalar_name
from .dump import Dump, Step, dump_fields
from .source import Raw, Scalar


class AvroSink:
    """The sink whose raw values go to fastavro."""

    def __init__(self, wire: AvroWire) -> None:
        self._wire = wire

    def scalar(self, scalar: Scalar) -> Dump | None:
        return writer(scalar, self._wire.source)

    def symbol(self, enum: Enum, symbol: str) -> Raw:
        return [known.name for known in enum.symbols].index(symbol)

    def record(self, record: Record, steps: Sequence[Step]) -> Dump:
        keys = [f"f{index}" for index in range(len(record.fields))]

        def dump(value: Any) -> dict[str, Any]:
            return dict(zip(keys, dump_fields(steps, value), strict=True))

        return dump

    def optional(self, optional: Optional, dump: Dump) -> Dump:
        if isinstance(optional.item, Union):
            return dump
        if self._wire.wraps_optional(optional):
            return _wrapped(self._wire.wrappers[optional.item, 0], dump)
        name = self._branch_name(optional.item)
        return lambda value: (name, dump(value))

    def branch(self, union: Union, index: int, dump: Dump) -> Dump:
        name = self._wire.branch_name(union, index)
        if self._wire.is_wrapped(union, index):
            return _wrapped(name, dump)
        return lambda value: (name, dump(value))

    def item(self, inner: Type, dump: Dump) -> Dump:
        del inner
        return dump

    def array(self, array: Array, items: Callable[[Any], list[Raw]]) -> Dump:
        del array
        return items

    def vector(self, vector: Array) -> Dump | None:
        del vector
        return split_numbers

    def key(self, map_: Map) -> Dump | None:
        return key_writer(map_)

    def _branch_name(self, kind: Type) -> str:
        """How fastavro calls the type of an optional's item that needs no wrapper."""
        match kind:
            case Logical():
                return self._branch_name(kind.base)
            case Primitive():
                return scalar_name(kind)
            case Json():
                return "bytes"
            case Reference() if self._wire.is_record(kind):
                return self._wire.names[kind.name]
            case _:  # an enum
                return "int"


def key_writer(map_: Map) -> Dump | None:
    """A function from a checked key to its text; ``None`` means: as it is."""
    match map_.keys.kind:
        case "string":
            return None
        case "boolean":
            return lambda key: "true" if key else "false"
        case _:
            return str


def _wrapped(name: str, dump: Dump) -> Dump:
    return lambda value: (name, {WRAPPED: dump(value)})
