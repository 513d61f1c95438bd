"""Reads Protobuf schemas (``.proto``, proto3) into the model, from what protoc compiled."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ...errors import SchemaError
from ..model import (
    Array,
    Branch,
    Default,
    Enum,
    Field,
    Map,
    NamedType,
    Optional,
    Record,
    Reference,
    Schema,
    Symbol,
    Type,
    Union,
)
from .files import ENUM_VALUE, FIELD, ONEOF, Definitions, Message, ProtoFile
from .protoc import compile_proto
from .well_known import PACKAGE, SCALARS, WELL_KNOWN, WRAPPERS, zero

if TYPE_CHECKING:
    from google.protobuf.descriptor_pb2 import FieldDescriptorProto

_GROUP, _MESSAGE = 10, 11  # of FieldDescriptorProto.Type
_REPEATED = 3  # of FieldDescriptorProto.Label


def read_proto(path: Path, subject: str, version: int) -> Schema:
    """Read the ``.proto`` file at ``path`` as ``version`` of ``subject``.

    The root is the message named as the subject in Pascal case, or else the only top-level
    message that no other one uses. Raises SchemaSyntaxError, UnsupportedSchema, MissingExtra
    without grpcio-tools, and SchemaError where no message is the root.
    """
    definitions = Definitions(compile_proto(path), path)
    root = _root(definitions, subject)
    return Schema(subject, version, "protobuf", root, _Reader(definitions).types_from(root))


def _root(definitions: Definitions, subject: str) -> str:
    top = list(definitions.top_level())
    wanted = "".join(word[:1].upper() + word[1:] for word in subject.split("_"))
    named = [message.name for message in top if message.proto.name == wanted]
    if named:
        return named[0]
    used = {name for message in top for name in _uses(message)}
    unused = [message.name for message in top if message.name not in used]
    if len(unused) != 1:
        raise SchemaError(
            f"no message is named {wanted}, and {len(unused)} are used by no other",
            where=definitions.main.name,
            mend=f"name the message that holds the whole state {wanted}",
        )
    return unused[0]


def _uses(message: Message) -> set[str]:
    """Full names of the types that ``message`` uses, itself aside."""
    pending = [message.proto]
    used: set[str] = set()
    for proto in pending:
        used.update(field.type_name.removeprefix(".") for field in proto.field)
        pending.extend(proto.nested_type)
    return used - {message.name}


class _Reader:
    """Turns definitions into types, and collects the named types it meets."""

    def __init__(self, definitions: Definitions) -> None:
        self._definitions = definitions
        self._met: list[str] = []

    def types_from(self, root: str) -> dict[str, NamedType]:
        """The type named ``root`` and all that it uses, in order of first use."""
        types: dict[str, NamedType] = {}
        pending = [root]
        while pending:
            name = pending.pop()
            if name not in types:
                self._met = []
                types[name] = self._named(name)
                pending.extend(reversed(self._met))
        return types

    def _named(self, name: str) -> NamedType:
        message = self._definitions.messages.get(name)
        return self._enum(name) if message is None else self._record(message)

    def _enum(self, name: str) -> Enum:
        enum = self._definitions.enums[name]
        _check_syntax(enum.file)
        if enum.proto.options.allow_alias:
            raise enum.file.unsupported(f"the enum {name} with allow_alias", enum.path)
        return Enum(
            name,
            tuple(
                Symbol(value.name, value.number, enum.file.doc((*enum.path, ENUM_VALUE, index)))
                for index, value in enumerate(enum.proto.value)
            ),
            doc=enum.file.doc(enum.path),
        )

    def _record(self, message: Message) -> Record:
        _check_syntax(message.file)
        fields: list[Field] = []
        done: set[int] = set()
        for index, proto in enumerate(message.proto.field):
            if not _in_oneof(proto):
                fields.append(self._field(message, index, proto))
            elif proto.oneof_index not in done:
                done.add(proto.oneof_index)
                fields.append(self._oneof(message, proto.oneof_index))
        _check_keys(message, fields)
        return Record(message.name, tuple(fields), doc=message.file.doc(message.path))

    def _field(self, message: Message, index: int, proto: FieldDescriptorProto) -> Field:
        path = (*message.path, FIELD, index)
        type_ = self._field_type(message.file, path, proto)
        return Field(
            proto.name,
            type_,
            number=proto.number,
            default=zero(type_, self._first_symbol(type_)),
            doc=message.file.doc(path),
            deprecated=proto.options.deprecated,
            json_name=_json_name(proto),
        )

    def _oneof(self, message: Message, oneof: int) -> Field:
        branches = tuple(
            Branch(
                proto.name,
                self._singular(message.file, (*message.path, FIELD, index), proto),
                number=proto.number,
            )
            for index, proto in enumerate(message.proto.field)
            if _in_oneof(proto) and proto.oneof_index == oneof
        )
        return Field(
            message.proto.oneof_decl[oneof].name,
            Optional(Union(branches, oneof=True)),
            default=Default(None),
            doc=message.file.doc((*message.path, ONEOF, oneof)),
        )

    def _field_type(
        self, file: ProtoFile, path: tuple[int, ...], proto: FieldDescriptorProto
    ) -> Type:
        name = proto.type_name.removeprefix(".")
        entry = self._definitions.messages.get(name)
        if entry is not None and entry.proto.options.map_entry:
            key, value = entry.proto.field
            return Map(self._singular(file, path, value), keys=SCALARS[key.type])
        if proto.label == _REPEATED:
            return Array(self._singular(file, path, proto))
        if name in WRAPPERS:
            return Optional(WRAPPERS[name], well_known=name)
        type_ = self._singular(file, path, proto)
        return Optional(type_) if proto.proto3_optional or proto.type == _MESSAGE else type_

    def _singular(
        self, file: ProtoFile, path: tuple[int, ...], proto: FieldDescriptorProto
    ) -> Type:
        """The type of one value of a field, whatever its presence."""
        if proto.type in SCALARS:
            return SCALARS[proto.type]
        name = proto.type_name.removeprefix(".")
        if name in WELL_KNOWN:
            return WELL_KNOWN[name]
        if proto.type == _GROUP:
            raise file.unsupported(f"the group {proto.name}", path)
        if name in WRAPPERS:
            raise file.unsupported(f"{name} in a list, a map or a oneof", path)
        if name.startswith(PACKAGE):
            raise file.unsupported(name, path)
        self._met.append(name)
        return Reference(name)

    def _first_symbol(self, type_: Type) -> str | None:
        if not isinstance(type_, Reference) or type_.name not in self._definitions.enums:
            return None
        return self._definitions.enums[type_.name].proto.value[0].name


def _check_syntax(file: ProtoFile) -> None:
    syntax = file.proto.syntax or "proto2"
    if syntax != "proto3":
        # 12 is the path of the syntax statement in Protobuf's own schema.
        raise file.unsupported(f"the syntax {syntax}", (12,))


def _check_keys(message: Message, fields: list[Field]) -> None:
    keys = [field.key for field in fields]
    repeated = next((key for key in keys if keys.count(key) > 1), None)
    if repeated is not None:
        raise message.file.unsupported(f"the JSON key {repeated!r} of two fields", message.path)


def _in_oneof(proto: FieldDescriptorProto) -> bool:
    # protoc makes a oneof of its own for each proto3 optional field.
    return proto.HasField("oneof_index") and not proto.proto3_optional


def _json_name(proto: FieldDescriptorProto) -> str | None:
    """The JSON name that the file gives the field, where it is not protoc's or the field's."""
    given = proto.json_name
    return None if given in {proto.name, _protoc_json_name(proto.name)} else given


def _protoc_json_name(name: str) -> str:
    first, *words = name.split("_")
    return first + "".join(word[:1].upper() + word[1:] for word in words)
