"""What the fields of a newer record are made of when an older one is upgraded."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, TypeAlias

from ...migrations.conversion import (
    Fill,
    Gather,
    Graph,
    Made,
    RecordConversion,
    Take,
    ToItem,
    ToRecord,
)
from ...migrations.graph_reading import Maker, Names, Records, makers, origins, place
from ...migrations.paths import record_at, type_at
from ...schemas.model import Array, Map, Optional, Record, Schema, Type
from ..library.load_fields import record_type
from ..types import SchemaTypes
from .digest import compile_digest, digest


@dataclass(frozen=True, slots=True)
class Slot:
    """One field of a newer record.

    ``path`` leads to it by names, ``attributes`` in Python. ``check`` gives the digest of what
    it is made of in a record of the older version. ``inner`` are the fields of a record that the older
    version has no counterpart of, ``is_wrapped`` says that it is a list made of one value.
    """

    path: Names
    attributes: tuple[str, ...]
    kind: Type
    check: Callable[[Any], bytes]
    inner: tuple[Slot, ...] = ()
    is_wrapped: bool = False

    @property
    def items(self) -> Array | Map | None:
        """The list or map that it is; ``None`` for anything else, and for a vector."""
        found = self.kind.item if isinstance(self.kind, Optional) else self.kind
        is_list = isinstance(found, Array) and not found.vector_kind
        return found if isinstance(found, Map) or is_list else None

    def get(self, record: Any) -> Any:
        """The value in a newer record."""
        return attrgetter(".".join(self.attributes))(record)

    def home(self, record: Any) -> Any:
        """The record that has the field itself; ``None`` where it is null."""
        for attribute in self.attributes[:-1]:
            record = record and getattr(record, attribute)
        return record


Slots: TypeAlias = tuple[Slot, ...]
"""The fields of one record."""


def compile_slots(graph: Graph, old: SchemaTypes, new: SchemaTypes) -> Mapping[ToRecord, Slots]:
    """The fields of every record that ``graph`` makes of one of ``old``."""
    return {
        key: tuple(_Compiler(graph.records, conversion.source, old, new).slots(conversion, (), ()))
        for key, conversion in graph.records.items()
    }


@dataclass(frozen=True, slots=True)
class _Compiler:
    records: Records
    source: str
    old: SchemaTypes
    new: SchemaTypes

    def slots(
        self, conversion: RecordConversion, path: Names, attributes: tuple[str, ...]
    ) -> Iterator[Slot]:
        """``path`` and ``attributes`` lead to the record that ``conversion`` makes."""
        record = record_type(self.new.schema, conversion.target)
        made, named = makers(conversion), self.new.names.attributes[record.name]
        for field in record.fields:
            maker = made[field.name]
            here, there = (*path, field.name), (*attributes, named[field.name])
            sources = tuple(dict.fromkeys(self._sources(maker, conversion)))
            inner: Slots = ()
            if isinstance(maker, Gather):
                inner = tuple(self.slots(self.records[maker.conversion], here, there))
            is_wrapped = isinstance(maker, Take) and isinstance(maker.conversion, ToItem)
            yield Slot(here, there, field.type, self._check(sources), inner, is_wrapped)

    def _sources(self, maker: Maker, conversion: RecordConversion) -> Iterator[Names]:
        """The values of the older record that a field is made of."""
        match maker:
            case Take():
                yield place(maker)
            case Fill():
                pass
            case Made():
                call = conversion.calls[maker.call]
                for read in call.reads:
                    yield from origins(read.target, call, conversion.calls)
            case Gather():
                inner = self.records[maker.conversion]
                for each in makers(inner).values():
                    yield from self._sources(each, inner)

    def _check(self, sources: tuple[Names, ...]) -> Callable[[Any], bytes]:
        if not sources:
            return _nothing
        readers = [self._reader(names) for names in sources]
        return lambda record: digest([read(record) for read in readers])

    def _reader(self, names: Names) -> Callable[[Any], Any]:
        schema = self.old.schema
        record = record_type(schema, self.source)
        dump = compile_digest(self.old, type_at(schema, record, names))
        attributes = tuple(self._attributes(schema, record, names))

        def read(value: Any) -> Any:
            for attribute in attributes:
                if value is None:
                    return None
                value = getattr(value, attribute)
            return dump(value)

        return read

    def _attributes(self, schema: Schema, record: Record, names: Names) -> Iterator[str]:
        for index, name in enumerate(names):
            yield self.old.names.attributes[record.name][name]
            if index + 1 < len(names):
                record = _record_within(schema, record, name)


def _record_within(schema: Schema, record: Record, name: str) -> Record:
    found = record_at(schema, type_at(schema, record, (name,)))
    if found is None:
        raise TypeError(f"{name} is no record")
    return found


def _nothing(_: Any) -> bytes:
    return b""
