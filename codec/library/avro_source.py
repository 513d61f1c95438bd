"""Reads what fastavro decodes under an :class:`.avro_wire.AvroWire` schema."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from operator import itemgetter
from typing import Any

from ...errors import ValueMismatch
from ...schemas.model import (
    Array,
    Enum,
    Field,
    Map,
    Optional,
    Primitive,
    Record,
    Schema,
    Type,
    Union,
)
from ..vectors import join_numbers, typecode
from .avro_scalars import reader
from .avro_wire import WRAPPED, AvroWire
from .source import Getter, Raw, Scalar

_unwrap = itemgetter(WRAPPED)


class AvroSource:
    """The source whose raw values come from fastavro."""

    def __init__(self, wire: AvroWire) -> None:
        self._wire = wire
        self._schema: Schema = wire.source

    def open_record(self, record: Record) -> Getter | None:
        del record
        return None

    def residue(self, record: Record) -> None:
        del record

    def field(self, record: Record, field: Field) -> Getter:
        return itemgetter(f"f{record.fields.index(field)}")

    def item(self, inner: Type) -> Getter | None:
        del inner
        return None

    def scalar(self, scalar: Scalar) -> Getter | None:
        return reader(scalar, self._schema)

    def symbols(self, enum: Enum) -> Mapping[Any, str]:
        return {index: symbol.name for index, symbol in enumerate(enum.symbols)}

    def optional(self, optional: Optional) -> Getter | None:
        if self._wire.wraps_optional(optional):
            return lambda raw: None if raw is None else raw[WRAPPED]
        return None

    def union(self, union: Union) -> Callable[[Raw], tuple[int, Raw]]:
        if len(union.branches) == 1:
            # fastavro names the record of a branch only where a union has several.
            bare = not self._wire.is_wrapped(union, 0)
            return lambda raw: (0, raw if bare else _unwrap(raw))
        table: dict[str, tuple[int, bool]] = {
            self._wire.branch_name(union, index): (index, self._wire.is_wrapped(union, index))
            for index in range(len(union.branches))
        }

        def split(raw: Raw) -> tuple[int, Raw]:
            name, item = raw
            index, wrapped = table[name]
            return index, (_unwrap(item) if wrapped else item)

        return split

    def array(self, array: Array) -> Callable[[Raw], Iterable[Raw]] | None:
        del array
        return None

    def vector(self, vector: Array) -> Callable[[Raw], Any]:
        return partial(join_numbers, typecode(vector))

    def map(self, map_: Map) -> Callable[[Raw], Iterable[tuple[Any, Raw]]]:
        read = key_reader(map_.keys)
        if read is None:
            return lambda raw: raw.items()
        return lambda raw: ((read(key), value) for key, value in raw.items())


def key_reader(keys: Primitive) -> Callable[[str], Any] | None:
    """A function from the text of a key to its value; ``None`` means: as it is."""
    match keys.kind:
        case "string":
            return None
        case "boolean":
            return _boolean
        case _:
            return _integer


def _integer(key: str) -> int:
    if not key.removeprefix("-").isdecimal():
        raise ValueMismatch(f"the key {key[:60]!r} is no integer")
    return int(key)


def _boolean(key: str) -> bool:
    if key not in ("true", "false"):
        raise ValueMismatch(f"the key {key[:60]!r} is no boolean")
    return key == "true"
