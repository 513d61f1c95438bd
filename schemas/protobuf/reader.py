"""Reads Protobuf schemas (``.proto``: proto2, proto3 and editions) into the model, from what
protoc compiled.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

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
from ..naming import camel_case
from ..reading import TimeUnit
from .declared import declared
from .features import REPEATED
from .files import ENUM_VALUE, FIELD, ONEOF, Definitions, EnumDefinition, Message
from .protoc import compile_proto, proto_paths
from .roots import find_root
from .well_known import SCALARS, WRAPPERS, well_known, zero

if TYPE_CHECKING:
    from google.protobuf.descriptor_pb2 import FieldDescriptorProto


def read_proto(
    path: Path,
    subject: str,
    version: int,
    *,
    root: str | None = None,
    times: TimeUnit = "micros",
) -> Schema:
    """Read the ``.proto`` file at ``path``, or the files of the folder, as ``version`` of
    ``subject``.

    ``root`` is the full name of the root message; without it, the root is the message named
    as the subject in Pascal case, or else the only top-level message that no other one uses.
    ``times`` is the unit of each ``google.protobuf.Timestamp`` and ``Duration``.
    Raises SchemaSyntaxError, MissingExtra without grpcio-tools, and SchemaError where no
    message is the root.
    """
    definitions = Definitions(compile_proto(path), proto_paths(path))
    name = find_root(definitions, subject, str(path), root)
    return Schema(subject, version, "protobuf", name, _Reader(definitions, times).types_from(name))


class _Reader:
    """Turns definitions into types, and collects the named types it meets."""

    def __init__(self, definitions: Definitions, times: TimeUnit) -> None:
        self._definitions = definitions
        self._well_known = well_known(times)
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
        if message is None:
            return _enum(self._definitions.enums[name])
        return self._record(message)

    def _record(self, message: Message) -> Record:
        fields = list(self._fields(message))
        keys = [field.key for field in fields]
        if len(set(keys)) != len(keys):
            # A json_name may be another field's name; names alone are never shared.
            fields = [
                replace(field, json_name=None, protojson=field.protojson or field.json_name)
                for field in fields
            ]
        return Record(message.name, tuple(fields), doc=message.file.doc(message.path))

    def _fields(self, message: Message) -> Iterator[Field]:
        done: set[int] = set()
        for index, proto in enumerate(message.proto.field):
            if not _in_oneof(proto):
                yield self._field(message, index, proto)
            elif proto.oneof_index not in done:
                done.add(proto.oneof_index)
                yield self._oneof(message, proto.oneof_index)

    def _field(self, message: Message, index: int, proto: FieldDescriptorProto) -> Field:
        path = (*message.path, FIELD, index)
        type_ = self._field_type(message, proto)
        is_required = message.file.features.is_required(proto)
        return Field(
            proto.name,
            type_,
            number=proto.number,
            default=None if is_required else zero(type_, self._first_symbol(type_)),
            doc=message.file.doc(path),
            deprecated=proto.options.deprecated,
            json_name=_json_name(proto),
            protojson=_protojson(proto, _json_name(proto)),
            encoding=None if isinstance(type_, Map) else message.file.features.encoding(proto),
        )

    def _oneof(self, message: Message, oneof: int) -> Field:
        branches = tuple(
            Branch(
                proto.name,
                self._singular(proto),
                number=proto.number,
                encoding=message.file.features.encoding(proto),
                unset=self._declared(proto),
                protojson=_protojson(proto),
            )
            for proto in message.proto.field
            if _in_oneof(proto) and proto.oneof_index == oneof
        )
        return Field(
            message.proto.oneof_decl[oneof].name,
            Optional(Union(branches, oneof=True)),
            default=Default(None),
            doc=message.file.doc((*message.path, ONEOF, oneof)),
        )

    def _field_type(self, message: Message, proto: FieldDescriptorProto) -> Type:
        name = proto.type_name.removeprefix(".")
        entry = self._definitions.messages.get(name)
        if entry is not None and entry.proto.options.map_entry:
            key, value = entry.proto.field
            return Map(self._singular(value), keys=SCALARS[key.type])
        type_ = self._singular(proto)
        if proto.label == REPEATED:
            return Array(type_)
        if message.file.features.is_required(proto):
            return type_
        if name in WRAPPERS:
            return Optional(WRAPPERS[name], well_known=name)
        if entry is not None or message.file.features.is_explicit(proto):
            return Optional(type_, unset=self._declared(proto))
        return type_

    def _singular(self, proto: FieldDescriptorProto) -> Type:
        """The type of one value of a field, whatever its presence."""
        if proto.type in SCALARS:
            return SCALARS[proto.type]
        name = proto.type_name.removeprefix(".")
        if name in self._well_known:
            return self._well_known[name]
        if name in WRAPPERS:
            return replace(WRAPPERS[name], well_known=name)
        self._met.append(name)
        return Reference(name)

    def _declared(self, proto: FieldDescriptorProto) -> Default | None:
        """The default that the file declares for a field, in JSON form."""
        if not proto.HasField("default_value"):
            return None
        enum = self._definitions.enums.get(proto.type_name.removeprefix("."))
        if enum is None:
            return declared(proto.type, proto.default_value)
        symbols = _enum(enum).symbols
        return Default(next(s.name for s in symbols if proto.default_value in {s.name, *s.aliases}))

    def _first_symbol(self, type_: Type) -> str | None:
        if not isinstance(type_, Reference) or type_.name not in self._definitions.enums:
            return None
        return self._definitions.enums[type_.name].proto.value[0].name


def _enum(enum: EnumDefinition) -> Enum:
    symbols: dict[int, Symbol] = {}
    for index, value in enumerate(enum.proto.value):
        first = symbols.get(value.number)
        if first is None:
            doc = enum.file.doc((*enum.path, ENUM_VALUE, index))
            symbols[value.number] = Symbol(value.name, value.number, doc)
        else:
            symbols[value.number] = replace(first, aliases=(*first.aliases, value.name))
    return Enum(
        enum.name,
        tuple(symbols.values()),
        doc=enum.file.doc(enum.path),
        closed=enum.file.features.is_closed(enum.proto),
    )


def _in_oneof(proto: FieldDescriptorProto) -> bool:
    # protoc makes a oneof of its own for each proto3 optional field.
    return proto.HasField("oneof_index") and not proto.proto3_optional


def _json_name(proto: FieldDescriptorProto) -> str | None:
    """The JSON name that the file gives the field, where it is not protoc's or the field's."""
    given = proto.json_name
    return None if given in {proto.name, camel_case(proto.name)} else given


def _protojson(proto: FieldDescriptorProto, key: str | None = None) -> str | None:
    """The JSON name of the field, where it is neither ``key`` nor protoc's own."""
    given = proto.json_name
    return None if given == (key or camel_case(proto.name)) else given
