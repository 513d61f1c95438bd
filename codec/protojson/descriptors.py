"""The messages of a ``.proto`` schema by the names that ProtoJSON knows them by.

The bytes are those of the wire messages, whose names do not matter. Here they do: keys are
field names in camel case, symbols are written out, and an ``Any`` names its type in full.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from ...errors import UnsupportedSchema
from ...schemas.model import (
    Array,
    Branch,
    Enum,
    Field,
    Map,
    Optional,
    Record,
    Reference,
    Schema,
    Type,
    Union,
)
from ...schemas.naming import camel_case, protojson_key
from ..library.protobuf_wire import ENUM, ProtobufWire, private_pool, proto_file, set_closed

if TYPE_CHECKING:
    from google.protobuf.descriptor_pb2 import (
        DescriptorProto,
        EnumDescriptorProto,
        FieldDescriptorProto,
    )

_FILES = (
    *("any_pb2", "duration_pb2", "empty_pb2", "field_mask_pb2", "source_context_pb2"),
    *("struct_pb2", "timestamp_pb2", "type_pb2", "wrappers_pb2", "api_pb2"),
)
"""Protobuf's own files, each behind those that it imports. ProtoJSON has a form of its own
for many of their messages, which protobuf knows by their full names.
"""


class Member(NamedTuple):
    """A field as it is in a ``.proto``: a case of a oneof is one, too."""

    name: str
    key: str
    type: Type


def named_messages(schema: Schema) -> tuple[Any, Any]:
    """A private pool with the messages of ``schema``, and the class of its root."""
    from google.protobuf import message_factory  # noqa: PLC0415 - only when used

    builder = _Builder(schema)
    root = builder.pool.FindMessageTypeByName(builder.name(schema.root))
    return builder.pool, message_factory.GetMessageClass(root)


class _Builder:
    """Puts the wire messages under their own names, one within the other.

    A package is written as a message without fields: one file can then hold the types of
    several packages, however they use each other, and every full name is as it should be.
    """

    def __init__(self, schema: Schema) -> None:
        from google.protobuf import descriptor_pb2  # noqa: PLC0415 - only when used

        self._schema = schema
        self._wire = ProtobufWire(schema)
        self.pool = private_pool(_FILES)
        self._file = descriptor_pb2.FileDescriptorProto()
        self._file.CopyFrom(self._wire.file)
        self._file.ClearField("package")
        self._file.ClearField("message_type")
        self._file.ClearField("enum_type")
        self._file.dependency[:] = map(proto_file, _FILES)
        self._fill()
        self._add()

    def name(self, name: str) -> str:
        """The full name of a type; ``google`` is a package of Protobuf's files already."""
        if self._is_shipped(name) or not name.startswith("google."):
            return name
        return f"instar.{name}"

    def _add(self) -> None:
        try:
            self.pool.AddSerializedFile(self._file.SerializeToString())
        except TypeError as error:
            # A json_name that is another field's name: protoc lets it pass, its library does not.
            raise UnsupportedSchema(
                f"protobuf has no ProtoJSON of it: {error}",
                where=f"{self._schema.subject} v{self._schema.version}",
                mend="give the field another json_name",
            ) from None

    def _is_shipped(self, name: str) -> bool:
        for find in (self.pool.FindMessageTypeByName, self.pool.FindEnumTypeByName):
            try:
                find(name)
            except KeyError:
                continue
            return True
        return False

    def _fill(self) -> None:
        wires = {message.name: message for message in self._wire.file.message_type}
        for name, named in self._schema.types.items():
            if self._is_shipped(name):
                continue
            *outer, last = self.name(name).split(".")
            if isinstance(named, Record) and name in self._wire.records:
                message = self._message([*outer, last])
                message.MergeFrom(self._record(named, wires[self._wire.records[name]]))
            elif isinstance(named, Enum):
                place: Any = self._message(outer) if outer else self._file
                _fill_enum(place.enum_type.add(name=last), named)

    def _message(self, path: Sequence[str]) -> DescriptorProto:
        """The message at a path, with those around it: made where they are not there yet."""
        siblings: Any = self._file.message_type
        found: Any = None
        for name in path:
            found = next((m for m in siblings if m.name == name), None) or siblings.add(name=name)
            siblings = found.nested_type
        message: DescriptorProto = found
        return message

    def _record(self, record: Record, wire: DescriptorProto) -> DescriptorProto:
        """The wire message of a record with its names: the numbers tell its fields."""
        named = type(wire)()
        named.CopyFrom(wire)
        named.ClearField("name")
        members = dict(_members(record))
        for field in named.field:
            member = members[field.number]
            field.name, field.json_name = member.name, member.key
            if isinstance(member.type, Map):
                self._entry(record, field, named, member.type)
            else:
                self._set_type(field, member.type)
        oneofs = [field.name for field in record.fields if _oneof(field) is not None]
        for declared, name in zip(named.oneof_decl, oneofs, strict=True):
            declared.name = name
        return named

    def _entry(
        self, record: Record, field: FieldDescriptorProto, named: DescriptorProto, map_: Map
    ) -> None:
        given = field.type_name.rpartition(".")[2]
        entry = next(nested for nested in named.nested_type if nested.name == given)
        # Protobuf derives the name of the entry from that of the field, and checks it.
        entry.name = f"{camel_case('_' + field.name)}Entry"
        field.type_name = f".{self.name(record.name)}.{entry.name}"
        self._set_type(entry.field[1], map_.values)

    def _set_type(self, field: FieldDescriptorProto, kind: Type) -> None:
        """Name the type of a field. What carries a scalar is right as it is."""
        while isinstance(kind, Optional | Array):
            kind = kind.item if isinstance(kind, Optional) else kind.items
        if isinstance(kind, Reference):
            field.type_name = f".{self.name(kind.name)}"
            if isinstance(self._schema.types[kind.name], Enum):
                field.type = ENUM  # type: ignore[assignment] # the number is the type


def _members(record: Record) -> Iterator[tuple[int, Member]]:
    for field in record.fields:
        parts: Sequence[Field | Branch] = (field,)
        if (oneof := _oneof(field)) is not None:
            parts = oneof.branches
        for part in parts:
            name = part.name if isinstance(part, Field) else part.label
            yield part.number or 0, Member(name, protojson_key(part), part.type)


def _oneof(field: Field) -> Union | None:
    kind = field.type.item if isinstance(field.type, Optional) else field.type
    return kind if isinstance(kind, Union) else None


def _fill_enum(named: EnumDescriptorProto, enum: Enum) -> None:
    for symbol in enum.symbols:
        for name in (symbol.name, *symbol.aliases):
            named.value.add(name=name, number=symbol.number)
    named.options.allow_alias = any(symbol.aliases for symbol in enum.symbols)
    if enum.closed:
        set_closed(named)
