"""A schema as protobuf is given it: a message class for each record, in a private pool.

Built from the model alone, so that a subject written in Avro has a Protobuf form too.
Protobuf cannot nest lists, or hold null in one, so such an item is wrapped in a message of
one field; a union that is no oneof becomes a message with one. Field names are our own
(``f`` and the number), as names do not matter on the wire. The file is of an edition, since
editions can say of each field what proto2 and proto3 say of all.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ...errors import UnsupportedSchema
from ...schemas.model import (
    Array,
    Encoding,
    Enum,
    Field,
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
    from google.protobuf.descriptor_pb2 import (
        DescriptorProto,
        FieldDescriptorProto,
        FileDescriptorProto,
    )

WRAPPED = "v"
"""The field of a wrapper message."""
CASES = "b"
"""The oneof of a union message, whose fields are ``b0``, ``b1`` ..."""

_PACKAGE = "instar.wire"
# Numbers of google.protobuf.FieldDescriptorProto.Type, by its names in lower case.
_TYPES: Mapping[str, int] = {
    "double": 1, "float": 2, "int64": 3, "uint64": 4, "int32": 5, "fixed64": 6,
    "fixed32": 7, "bool": 8, "string": 9, "message": 11, "bytes": 12, "uint32": 13,
    "enum": 14, "sfixed32": 15, "sfixed64": 16, "sint32": 17, "sint64": 18,
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
ENUM = _TYPES["enum"]
"""The type of a field whose values are the symbols of an enum."""
_SINGULAR, _REPEATED = 1, 3
# Of google.protobuf.FeatureSet and Edition.
_EDITION_2023 = 1000
_EXPLICIT, _IMPLICIT = 1, 2
_OPEN, _CLOSED = 1, 2
_PACKED, _EXPANDED = 1, 2
_VERIFY = 2
_LENGTH_PREFIXED, _DELIMITED = 1, 2
_WELL_KNOWN = ("timestamp_pb2", "duration_pb2", "struct_pb2", "wrappers_pb2")


def proto_file(module: str) -> str:
    """The name of one of Protobuf's own files, by the Python module that has it."""
    return f"google/protobuf/{module.removesuffix('_pb2')}.proto"


def set_closed(enum: Any) -> None:
    """Make an enum closed: a number without a symbol is no value of it."""
    enum.options.features.enum_type = _CLOSED


def field_name(number: int) -> str:
    """The name of a record's field or oneof case on the wire."""
    return f"f{number}"


def is_message(schema: Schema, kind: Type) -> bool:
    """Whether an item of the type is a message, whose presence Protobuf knows."""
    match kind:
        case Reference():
            return isinstance(schema.types[kind.name], Record)
        case Logical() | Json() | Primitive():
            return kind.well_known is not None
        case _:
            return True


def scalar_name(schema: Schema, kind: Type) -> str:
    """What Protobuf calls the type of a scalar that is no message; an open enum is an int32."""
    if isinstance(kind, Logical):
        kind = kind.base
    if isinstance(kind, Reference):
        return "bytes" if isinstance(schema.types[kind.name], Fixed) else "int32"
    if not isinstance(kind, Primitive):
        return "bytes"  # JSON text
    return kind.wire or _INTEGERS[schema.language].get(kind.kind) or _SCALARS[kind.kind]


def number_of(record: Record, field: Field) -> int:
    """The number of a field; UnsupportedSchema where it has none."""
    if field.number is None:
        raise UnsupportedSchema(
            "the field has no number, so it has no Protobuf form",
            where=f"{record.name}.{field.name}",
            mend="open the schemas as a folder, which numbers them",
        )
    return field.number


def is_required(schema: Schema, field: Field) -> bool:
    """Whether the field is one that a ``.proto`` calls required: always set, zero or not."""
    is_plain = not isinstance(field.type, Optional | Array | Map)
    return is_plain and field.default is None and schema.language == "protobuf"


@dataclass(slots=True)
class ProtobufWire:
    """The messages of one schema."""

    source: Schema
    records: dict[str, str] = field(default_factory=dict[str, str])
    wrappers: dict[Type, str] = field(default_factory=dict[Type, str])
    file: Any = None
    pool: Any = None

    def __post_init__(self) -> None:
        self.file = _empty_file()
        _Builder(self, self.file).record(self.source.root)
        self.pool = private_pool(_WELL_KNOWN)
        self.pool.AddSerializedFile(self.file.SerializeToString())

    def message(self, name: str) -> Any:
        """The class of a message of our own, by its short name, or of a well-known one."""
        from google.protobuf import message_factory  # noqa: PLC0415 - only when used

        full_name = name if "." in name else f"{_PACKAGE}.{name}"
        return message_factory.GetMessageClass(self.pool.FindMessageTypeByName(full_name))

    @property
    def root(self) -> Any:
        """The message class of the root record."""
        return self.message(self.records[self.source.root])


def _empty_file() -> FileDescriptorProto:
    from google.protobuf import descriptor_pb2  # noqa: PLC0415 - only when used

    file = descriptor_pb2.FileDescriptorProto(
        name="instar/wire.proto",
        package=_PACKAGE,
        syntax="editions",
        edition=_EDITION_2023,  # type: ignore[arg-type] # the number is the edition
        dependency=[proto_file(name) for name in _WELL_KNOWN],
    )
    features: Any = file.options.features
    features.field_presence = _IMPLICIT
    features.enum_type = _OPEN
    features.repeated_field_encoding = _PACKED
    features.utf8_validation = _VERIFY
    features.message_encoding = _LENGTH_PREFIXED
    return file


def private_pool(modules: Sequence[str]) -> Any:
    """A pool with files of Protobuf's own, each behind those that it imports.

    Each schema has one of its own, so that two versions never meet.
    """
    from google.protobuf import descriptor_pool  # noqa: PLC0415 - only when used

    pool = descriptor_pool.DescriptorPool()
    for name in modules:
        module = importlib.import_module(f"google.protobuf.{name}")
        pool.AddSerializedFile(module.DESCRIPTOR.serialized_pb)
    return pool


@dataclass(slots=True)
class _Builder:
    """Fills the file with a message for each record, wrapper and union, and closed enums."""

    wire: ProtobufWire
    file: FileDescriptorProto
    enums: dict[str, str] = field(default_factory=dict[str, str])

    def record(self, name: str) -> str:
        """The message of a record, built at its first use."""
        records = self.wire.records
        if name not in records:
            records[name] = f"M{len(records)}"
            named = self.wire.source.types[name]
            assert isinstance(named, Record)  # noqa: S101 - the caller looked
            message = self.file.message_type.add(name=records[name])
            for member in named.fields:
                self._field(message, named, member)
        return records[name]

    def _field(self, message: DescriptorProto, record: Record, member: Field) -> None:
        kind = member.type
        if isinstance(kind, Optional) and isinstance(kind.item, Union) and kind.item.oneof:
            self._oneof(message, f"o{len(message.oneof_decl)}", kind.item)
            return
        number = number_of(record, member)
        added = self._add(message, field_name(number), number, kind)
        _set_encoding(added, member.encoding)
        if is_required(self.wire.source, member):
            # protobuf's own check of required fields names them by numbers, so ours does it.
            self._set_explicit(added, kind)

    def _oneof(self, message: DescriptorProto, name: str, union: Union) -> None:
        index = len(message.oneof_decl)
        message.oneof_decl.add(name=name)
        for branch in union.branches:
            added = message.field.add(name=field_name(branch.number or 0), label=_SINGULAR)
            added.number, added.oneof_index = branch.number or 0, index
            self._set_item(added, branch.type)
            _set_encoding(added, branch.encoding)

    def _add(self, message: DescriptorProto, name: str, number: int, kind: Type) -> Any:
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
                self._set_explicit(added, kind.item)
            case _:
                self._set_item(added, kind)
        return added

    def _set_explicit(self, added: FieldDescriptorProto, kind: Type) -> None:
        # A message has presence anyway, and protobuf refuses to be told so.
        if not is_message(self.wire.source, kind):
            features: Any = added.options.features
            features.field_presence = _EXPLICIT

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
        name, enum = self._message_name(kind), self._closed_enum(kind)
        if name is not None:
            added.type = _TYPES["message"]
            added.type_name = f".{name}" if "." in name else f".{_PACKAGE}.{name}"
        elif enum is not None:
            added.type, added.type_name = _TYPES["enum"], f".{_PACKAGE}.{enum}"
        else:
            added.type = _TYPES[scalar_name(self.wire.source, kind)]

    def _closed_enum(self, kind: Type) -> str | None:
        """The enum of a closed one; an open one is an int32, as any number is a value of it."""
        named = self.wire.source.types[kind.name] if isinstance(kind, Reference) else None
        if not isinstance(named, Enum) or not named.closed:
            return None
        if named.name not in self.enums:
            name = self.enums[named.name] = f"E{len(self.enums)}"
            enum: Any = self.file.enum_type.add(name=name)
            set_closed(enum)
            for index, symbol in enumerate(named.symbols):
                enum.value.add(name=f"{name}_{index}", number=symbol.number)
        return self.enums[named.name]

    def _message_name(self, kind: Type) -> str | None:
        match kind:
            case Reference():
                is_record = isinstance(self.wire.source.types[kind.name], Record)
                return self.record(kind.name) if is_record else None
            case Logical() | Json() | Primitive():
                return kind.well_known
            case Union():
                return self._union_message(kind)
            case Array() | Map() | Optional():
                return self._wrapper(kind)

    def _wrapper(self, kind: Type) -> str:
        wrappers = self.wire.wrappers
        if kind not in wrappers:
            wrappers[kind] = f"W{len(wrappers)}"
            message = self.file.message_type.add(name=wrappers[kind])
            self._add(message, WRAPPED, 1, kind)
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


def _set_encoding(added: FieldDescriptorProto, encoding: Encoding | None) -> None:
    features: Any = added.options.features if encoding else None
    match encoding:
        case "expanded":
            features.repeated_field_encoding = _EXPANDED
        case "delimited":
            features.message_encoding = _DELIMITED
        case None:
            pass
