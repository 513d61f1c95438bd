"""A schema as protobuf is given it: a message class for each record, in a private pool.

Built from the model alone, so that a subject written in Avro has a Protobuf form too.
Protobuf cannot nest lists, or hold null in one, so such an item is wrapped in a message of
one field; a union that is no oneof becomes a message with one. Field names are our own
(``f`` and the number), as names do not matter on the wire.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ...errors import UnsupportedSchema
from ...schemas.model import (
    Array,
    Fixed,
    Json,
    Logical,
    Map,
    Optional,
    Primitive,
    Record,
    Reference,
    Schema,
    Type,
    Union,
)

if TYPE_CHECKING:
    from google.protobuf.descriptor_pb2 import DescriptorProto, FileDescriptorProto

WRAPPED = "v"
"""The field of a wrapper message."""
CASES = "b"
"""The oneof of a union message, whose fields are ``b0``, ``b1`` ..."""

_PACKAGE = "instar.wire"
# Numbers of google.protobuf.FieldDescriptorProto.Type, by its names in lower case.
_TYPES: Mapping[str, int] = {
    "double": 1, "float": 2, "int64": 3, "uint64": 4, "int32": 5, "fixed64": 6,
    "fixed32": 7, "bool": 8, "string": 9, "message": 11, "bytes": 12, "uint32": 13,
    "sfixed32": 15, "sfixed64": 16, "sint32": 17, "sint64": 18,
}  # fmt: skip
_SCALARS = {
    "null": "bool",
    "boolean": "bool",
    "float": "float",
    "double": "double",
    "bytes": "bytes",
    "string": "string",
}
# Negative numbers are common in Avro, and cost ten bytes as int64.
_INTEGERS = {
    "avro": {"int": "sint32", "long": "sint64"},
    "protobuf": {"int": "int32", "long": "int64"},
}
_SINGULAR, _REPEATED = 1, 3
_WELL_KNOWN = ("timestamp_pb2", "duration_pb2", "struct_pb2", "wrappers_pb2")


def field_name(number: int) -> str:
    """The name of a record's field or oneof case on the wire."""
    return f"f{number}"


@dataclass(slots=True)
class ProtobufWire:
    """The messages of one schema."""

    source: Schema
    records: dict[str, str] = field(default_factory=dict[str, str])
    wrappers: dict[Type, str] = field(default_factory=dict[Type, str])
    pool: Any = None

    def __post_init__(self) -> None:
        file = _empty_file()
        _Builder(self, file).record(self.source.root)
        self.pool = _private_pool(file)

    def message(self, name: str) -> Any:
        """The class of a message of our own, by its short name, or of a well-known one."""
        from google.protobuf import message_factory  # noqa: PLC0415 - only when used

        full_name = name if "." in name else f"{_PACKAGE}.{name}"
        return message_factory.GetMessageClass(self.pool.FindMessageTypeByName(full_name))

    @property
    def root(self) -> Any:
        """The message class of the root record."""
        return self.message(self.records[self.source.root])

    def is_message(self, kind: Type) -> bool:
        """Whether an item of the type is a message, whose presence Protobuf knows."""
        match kind:
            case Reference():
                return isinstance(self.source.types[kind.name], Record)
            case Logical() | Json():
                return kind.well_known is not None
            case Primitive():
                return False
            case _:
                return True


def _empty_file() -> FileDescriptorProto:
    from google.protobuf import descriptor_pb2  # noqa: PLC0415 - only when used

    return descriptor_pb2.FileDescriptorProto(
        name="instar/wire.proto",
        package=_PACKAGE,
        syntax="proto3",
        dependency=[f"google/protobuf/{name.removesuffix('_pb2')}.proto" for name in _WELL_KNOWN],
    )


def _private_pool(file: FileDescriptorProto) -> Any:
    """A pool of its own for each schema, so that two versions never meet."""
    from google.protobuf import descriptor_pool  # noqa: PLC0415 - only when used

    pool = descriptor_pool.DescriptorPool()
    for name in _WELL_KNOWN:
        module = importlib.import_module(f"google.protobuf.{name}")
        pool.AddSerializedFile(module.DESCRIPTOR.serialized_pb)
    pool.AddSerializedFile(file.SerializeToString())
    return pool


@dataclass(slots=True)
class _Builder:
    """Fills the file with a message for each record, wrapper and union."""

    wire: ProtobufWire
    file: FileDescriptorProto

    def record(self, name: str) -> str:
        """The message of a record, built at its first use."""
        records = self.wire.records
        if name not in records:
            records[name] = f"M{len(records)}"
            named = self.wire.source.types[name]
            assert isinstance(named, Record)  # noqa: S101 - the caller looked
            message = self.file.message_type.add(name=records[name])
            optionals = [
                self._field(message, f.type, f.number, named, f.name) for f in named.fields
            ]
            _add_presence(message, [name for name in optionals if name])
        return records[name]

    def _field(
        self, message: DescriptorProto, kind: Type, number: int | None, record: Record, name: str
    ) -> str | None:
        if isinstance(kind, Optional) and isinstance(kind.item, Union) and kind.item.oneof:
            self._oneof(message, f"o{len(message.oneof_decl)}", kind.item)
            return None
        if number is None:
            raise UnsupportedSchema(
                "the field has no number, so it has no Protobuf form",
                where=f"{record.name}.{name}",
                mend="open the schemas as a folder, which numbers them",
            )
        return self._add(message, field_name(number), number, kind)

    def _oneof(self, message: DescriptorProto, name: str, union: Union) -> None:
        index = len(message.oneof_decl)
        message.oneof_decl.add(name=name)
        for branch in union.branches:
            added = message.field.add(name=field_name(branch.number or 0), label=_SINGULAR)
            added.number, added.oneof_index = branch.number or 0, index
            self._set_item(added, branch.type)

    def _add(self, message: DescriptorProto, name: str, number: int, kind: Type) -> str | None:
        """Add a field; returns its name if it needs explicit presence."""
        added: Any = message.field.add(name=name, number=number, label=_SINGULAR)
        match kind:
            case Array():
                added.label = _REPEATED
                self._set_item(added, kind.items)
            case Map():
                added.label = _REPEATED
                self._set_entry(message, added, kind)
            case Optional(well_known=str() as well_known):
                added.type, added.type_name = _TYPES["message"], f".{well_known}"
            case Optional():
                self._set_item(added, kind.item)
                return None if self.wire.is_message(kind.item) else name
            case _:
                self._set_item(added, kind)
        return None

    def _set_entry(self, message: DescriptorProto, added: Any, kind: Map) -> None:
        # Protobuf derives the name of the entry from that of the field, and checks it.
        entry = message.nested_type.add(name=f"{added.name.capitalize()}Entry")
        entry.options.map_entry = True
        key = entry.field.add(name="key", number=1, label=_SINGULAR)
        value = entry.field.add(name="value", number=2, label=_SINGULAR)
        self._set_item(key, kind.keys)
        self._set_item(value, kind.values)
        added.type = _TYPES["message"]
        added.type_name = f".{_PACKAGE}.{message.name}.{entry.name}"

    def _set_item(self, added: Any, kind: Type) -> None:
        name = self._message_name(kind)
        if name is None:
            added.type = _TYPES[self._scalar(kind)]
        else:
            added.type = _TYPES["message"]
            added.type_name = f".{name}" if "." in name else f".{_PACKAGE}.{name}"

    def _message_name(self, kind: Type) -> str | None:
        match kind:
            case Reference():
                is_record = isinstance(self.wire.source.types[kind.name], Record)
                return self.record(kind.name) if is_record else None
            case Logical() | Json():
                return kind.well_known
            case Union():
                return self._union_message(kind)
            case Array() | Map() | Optional():
                return self._wrapper(kind)
            case Primitive():
                return None

    def _wrapper(self, kind: Type) -> str:
        wrappers = self.wire.wrappers
        if kind not in wrappers:
            wrappers[kind] = f"W{len(wrappers)}"
            message = self.file.message_type.add(name=wrappers[kind])
            optional = self._add(message, WRAPPED, 1, kind)
            _add_presence(message, [optional] if optional else [])
        return wrappers[kind]

    def _union_message(self, union: Union) -> str:
        wrappers = self.wire.wrappers
        if union not in wrappers:
            wrappers[union] = f"W{len(wrappers)}"
            message = self.file.message_type.add(name=wrappers[union])
            message.oneof_decl.add(name=CASES)
            for index, branch in enumerate(union.branches):
                number = branch.number or index + 1
                added = message.field.add(name=f"b{index}", number=number, label=_SINGULAR)
                added.oneof_index = 0
                self._set_item(added, branch.type)
        return wrappers[union]

    def _scalar(self, kind: Type) -> str:
        if isinstance(kind, Logical):
            kind = kind.base
        if isinstance(kind, Reference):
            named = self.wire.source.types[kind.name]
            return "bytes" if isinstance(named, Fixed) else "int32"
        if not isinstance(kind, Primitive):
            return "bytes"  # JSON text
        integers = _INTEGERS[self.wire.source.language]
        return kind.wire or integers.get(kind.kind) or _SCALARS[kind.kind]


def _add_presence(message: DescriptorProto, names: list[str]) -> None:
    """Give fields explicit presence; the oneofs for it must stand after all real ones."""
    fields = {added.name: added for added in message.field}
    for name in names:
        fields[name].oneof_index = len(message.oneof_decl)
        fields[name].proto3_optional = True
        message.oneof_decl.add(name=f"_{name}")
