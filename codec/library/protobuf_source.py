"""Reads messages of a :class:`.protobuf_wire.ProtobufWire`."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from operator import attrgetter
from typing import Any

from ...errors import ValueMismatch
from ...schemas.model import Array, Enum, Field, Map, Optional, Record, Type, Union
from ..vectors import typecode
from .open_enums import open_places, unknown_numbers, without_unknown
from .protobuf_scalars import reader
from .protobuf_wire import CASES, WRAPPED, ProtobufWire, field_name, is_message, is_required
from .source import Getter, Raw, Scalar
from .unknown import unknown_bytes

_unwrap = attrgetter(WRAPPED)


class ProtobufSource:
    """The source whose raw values are protobuf messages.

    Where it keeps what is unknown in them, that is their residue.
    """

    def __init__(self, wire: ProtobufWire, *, keeps: bool = False) -> None:
        self._wire = wire
        self._keeps = keeps

    def open_record(self, record: Record) -> Getter | None:
        del record
        return None

    def residue(self, record: Record) -> Callable[[Raw], bytes] | None:
        if not self._keeps:
            return None
        places = [p for field in record.fields for p in open_places(self._wire.source, field)]
        if not places:
            return unknown_bytes
        return lambda raw: unknown_bytes(raw) + unknown_numbers(raw, places)

    def field(self, record: Record, field: Field) -> Getter:
        get = self._field(record, field)
        return without_unknown(get, open_places(self._wire.source, field)) if self._keeps else get

    def _field(self, record: Record, field: Field) -> Getter:
        kind = field.type
        if isinstance(kind, Optional) and isinstance(kind.item, Union) and kind.item.oneof:
            return _oneof_getter(_oneof_name(record, field), kind.item)
        name = field_name(field.number or 0)
        if isinstance(kind, Optional):
            return lambda raw: getattr(raw, name) if raw.HasField(name) else None
        is_single = is_message(self._wire.source, kind) and not isinstance(kind, Array | Map)
        if is_single or is_required(self._wire.source, field):
            return lambda raw: getattr(raw, name) if raw.HasField(name) else _missing()
        return attrgetter(name)

    def item(self, inner: Type) -> Getter | None:
        match inner:
            case Array() | Map():
                return _unwrap
            case Optional():
                return lambda raw: _unwrap(raw) if raw.HasField(WRAPPED) else None
            case _:
                return None

    def scalar(self, scalar: Scalar) -> Getter | None:
        return reader(scalar, self._wire.source)

    def symbols(self, enum: Enum) -> Mapping[Any, str]:
        return {symbol.number: symbol.name for symbol in enum.symbols}

    def optional(self, optional: Optional) -> Getter | None:
        if optional.well_known:
            return lambda raw: None if raw is None else raw.value
        if isinstance(optional.item, Array | Map | Optional):
            unwrap = self.item(optional.item) or _unwrap
            return lambda raw: None if raw is None else unwrap(raw)
        return None

    def union(self, union: Union) -> Callable[[Raw], tuple[int, Raw]]:
        if union.oneof:
            return lambda raw: raw

        def split(raw: Raw) -> tuple[int, Raw]:
            case = raw.WhichOneof(CASES)
            if case is None:
                raise ValueMismatch("no branch of the union is set")
            return int(case[1:]), getattr(raw, case)

        return split

    def array(self, array: Array) -> Callable[[Raw], Iterable[Raw]] | None:
        del array
        return iter

    def vector(self, vector: Array) -> Callable[[Raw], Any]:
        return partial(array, typecode(vector))

    def map(self, map_: Map) -> Callable[[Raw], Iterable[tuple[Any, Raw]]]:
        del map_
        return lambda raw: raw.items()


def _missing() -> Raw:
    raise ValueMismatch("the field is missing")


def _oneof_name(record: Record, wanted: Field) -> str:
    """The name that the wire gives the oneof: by its place among the record's oneofs."""
    oneofs = [
        field.name
        for field in record.fields
        if isinstance(field.type, Optional)
        and isinstance(field.type.item, Union)
        and field.type.item.oneof
    ]
    return f"o{oneofs.index(wanted.name)}"


def _oneof_getter(name: str, union: Union) -> Getter:
    cases = {field_name(b.number or 0): index for index, b in enumerate(union.branches)}

    def get(raw: Raw) -> tuple[int, Raw] | None:
        case = raw.WhichOneof(name)
        return None if case is None else (cases[case], getattr(raw, case))

    return get
