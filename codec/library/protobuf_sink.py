"""Builds what the constructors of a :class:`.protobuf_wire.ProtobufWire`'s messages take."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...schemas.model import Array, Enum, Map, Optional, Record, Type, Union
from ..record import residue_of
from ..vectors import encode_vector
from .dump import Dump, Step, dump_fields
from .protobuf_scalars import writer
from .protobuf_wire import WRAPPED, ProtobufWire, field_name
from .source import Raw, Scalar
from .unknown import put_back


class ProtobufSink:
    """The sink whose raw values are keyword arguments of messages; where it keeps residue, a
    record that has some is a message.
    """

    def __init__(self, wire: ProtobufWire, *, keeps: bool = False) -> None:
        self._wire = wire
        self._keeps = keeps

    def scalar(self, scalar: Scalar) -> Dump | None:
        return writer(scalar, self._wire)

    def symbol(self, enum: Enum, symbol: str) -> Raw:
        return next(known.number for known in enum.symbols if known.name == symbol)

    def record(self, record: Record, steps: Sequence[Step]) -> Dump:
        dump = self._arguments(steps)
        if not self._keeps:
            return dump
        message = self._wire.message(self._wire.records[record.name])

        def with_residue(value: Any) -> Any:
            arguments, residue = dump(value), residue_of(value)
            return arguments if residue is None else put_back(message(**arguments), residue)

        return with_residue

    def _arguments(self, steps: Sequence[Step]) -> Dump:
        names = [_wire_name(step) for step in steps]

        def dump(value: Any) -> dict[str, Any]:
            raws = dump_fields(steps, value)
            # A oneof gives its case along, because the case is a field of its own.
            return dict(
                raw if name is None else (name, raw)
                for name, raw in zip(names, raws, strict=True)
                if raw is not None
            )

        return dump

    def optional(self, optional: Optional, dump: Dump) -> Dump:
        if optional.well_known:
            return lambda value: {"value": dump(value)}
        return dump

    def branch(self, union: Union, index: int, dump: Dump) -> Dump:
        if union.oneof:
            case = field_name(union.branches[index].number or 0)
            return lambda value: (case, dump(value))
        name = f"b{index}"
        return lambda value: {name: dump(value)}

    def item(self, inner: Type, dump: Dump) -> Dump:
        match inner:
            case Array() | Map():
                return lambda value: {WRAPPED: dump(value)}
            case Optional():
                return lambda value: {} if value is None else {WRAPPED: dump(value)}
            case _:
                return dump

    def array(self, array: Array, items: Callable[[Any], list[Raw]]) -> Dump:
        del array
        return items

    def vector(self, vector: Array) -> Dump | None:
        del vector
        return encode_vector

    def key(self, map_: Map) -> Dump | None:
        del map_
        return None


def _wire_name(step: Step) -> str | None:
    kind = step.field.type
    if isinstance(kind, Optional) and isinstance(kind.item, Union) and kind.item.oneof:
        return None
    return field_name(step.field.number or 0)
