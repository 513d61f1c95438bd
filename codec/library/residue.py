"""Residue while a record becomes one of another version: what stays, and what is expressed now."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from ...errors import NotExpressible
from ...migrations.conversion import RecordConversion
from ...schemas.model import Field, Optional, Record, Schema, Type, Union
from ..containers import as_dict, as_list
from ..record import Record as PythonRecord
from ..record import set_residue
from ..types import SchemaTypes
from .protobuf_wire import ProtobufWire
from .source import Source
from .unknown import unknown_bytes

if TYPE_CHECKING:
    from .protobuf_source import ProtobufSource

Keep: TypeAlias = Callable[[PythonRecord, bytes], None]
"""Gives a record that was made the residue of what it was made of."""
CompileValue: TypeAlias = Callable[[Source, SchemaTypes, Type], Callable[[Any], Any]]
"""Compiles the reading of values of one type."""


def keeping(
    load: Callable[[Any], Any], residue: Callable[[Any], bytes | None], keep: Keep
) -> Callable[[Any], Any]:
    """``load`` for raw records of which ``residue`` gives the residue."""

    def run(raw: Any) -> Any:
        made, found = load(raw), residue(raw)
        if found:
            keep(made, found)
        return made

    return run


def keep_for(
    conversion: RecordConversion, schema: Schema, types: SchemaTypes, compile_value: CompileValue
) -> Keep:
    """What happens to the residue of a record of ``schema`` that becomes one of ``types``."""
    if schema is types.schema:
        return set_residue
    return _Restore(conversion, schema, types, compile_value)


@dataclass
class _Restore:
    """Fields that were unknown to one version, where another may know them.

    A number that only the other version has was written by one that has it too, so that what
    stood there is what it says; only a field made of other fields beats it, since both cannot
    be true.
    """

    conversion: RecordConversion
    schema: Schema
    types: SchemaTypes
    compile_value: CompileValue

    def __call__(self, made: PythonRecord, residue: bytes) -> None:
        """Set the fields that residue has a value for; keep the rest as residue."""
        message = self._message.FromString(residue)
        set_residue(made, self._rest(message))
        numbers = {field.number for field, _ in message.ListFields()}
        for field in self._record.fields:
            if numbers & {*_numbers(field)}:
                self._restore(made, field, message)

    @cached_property
    def _record(self) -> Record:
        return cast("Record", self.types.schema.types[self.conversion.target])

    @cached_property
    def _wire(self) -> ProtobufWire:
        return ProtobufWire(self.types.schema)

    @cached_property
    def _rest(self) -> Callable[[Any], bytes]:
        return self._source.residue(self._record) or unknown_bytes

    @cached_property
    def _source(self) -> ProtobufSource:
        from .protobuf_source import ProtobufSource  # noqa: PLC0415 - only when restored

        return ProtobufSource(self._wire, keeps=True)

    @cached_property
    def _message(self) -> Any:
        return self._wire.message(self._wire.records[self.conversion.target])

    @cached_property
    def _fillable(self) -> frozenset[str]:
        """The fields whose numbers mean the same to both versions, or nothing to the first."""
        old = cast("Record", self.schema.types[self.conversion.source])
        origin = {field.name: {*_numbers(field)} for field in old.fields}
        wanted = {field.name: {*_numbers(field)} for field in self._record.fields}
        same = {t.target for t in self.conversion.takes if origin[t.source] & wanted[t.target]}
        return frozenset(same.union(fill.target for fill in self.conversion.fills))

    def _restore(self, made: PythonRecord, field: Field, message: Any) -> None:
        if field.name not in self._fillable:
            raise NotExpressible(
                "the residue has a value for it, which is made of other fields here",
                path=field.name,
                mend="read the blob at the version that wrote it",
            )
        attribute = self.types.names.attributes[self._record.name][field.name]
        is_filled = any(fill.target == field.name for fill in self.conversion.fills)
        value = self._value(field, message)
        if not is_filled:
            value = _beside(getattr(made, attribute), value)
        setattr(made, attribute, value)

    def _value(self, field: Field, message: Any) -> Any:
        load = self.compile_value(self._source, self.types, field.type)
        return load(self._source.field(self._record, field)(message))


def _numbers(field: Field) -> Iterator[int | None]:
    """The numbers of a field on the wire: of a oneof, those of its cases."""
    kind = field.type
    if isinstance(kind, Optional) and isinstance(kind.item, Union) and kind.item.oneof:
        yield from (branch.number for branch in kind.item.branches)
    else:
        yield field.number


def _beside(value: Any, restored: Any) -> Any:
    """A value that was read and what was unknown of the same field: the first beats it."""
    if isinstance(value, list):
        return [*as_list(value), *restored]
    if isinstance(value, dict):
        return {**restored, **as_dict(value)}
    return restored if value is None else value
