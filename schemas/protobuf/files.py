"""The definitions of compiled ``.proto`` files: found by full name, with comment and line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

from .features import Features

if TYPE_CHECKING:
    from google.protobuf.descriptor_pb2 import (
        DescriptorProto,
        EnumDescriptorProto,
        FileDescriptorProto,
        FileDescriptorSet,
    )

_Path: TypeAlias = tuple[int, ...]

# Field numbers of Protobuf's own schema, of which the paths in source info consist.
_FILE_MESSAGE, _FILE_ENUM = 4, 5
_MESSAGE_NESTED, _MESSAGE_ENUM = 3, 4
FIELD, ONEOF, ENUM_VALUE = 2, 8, 2


class ProtoFile:
    """One file of a descriptor set; ``name`` is how errors call it."""

    def __init__(self, proto: FileDescriptorProto, name: str) -> None:
        self.proto = proto
        self.name = name
        self.features = Features(proto)

    @cached_property
    def _comments(self) -> Mapping[_Path, str]:
        # Only when one is asked for: nothing may be used of a file that is imported.
        comments = (
            (location, location.leading_comments or location.trailing_comments)
            for location in self.proto.source_code_info.location
        )
        return {tuple(location.path): comment for location, comment in comments if comment}

    def doc(self, path: _Path) -> str:
        """The comment before, or else behind, the definition at ``path``."""
        comment = self._comments.get(path, "")
        return "\n".join(line.strip() for line in comment.splitlines()).strip()


@dataclass(frozen=True)
class Message:
    """A message definition and where it stands."""

    name: str
    proto: DescriptorProto
    file: ProtoFile
    path: _Path


@dataclass(frozen=True)
class EnumDefinition:
    """An enum definition and where it stands."""

    name: str
    proto: EnumDescriptorProto
    file: ProtoFile
    path: _Path


class Definitions:
    """Every message and enum of a descriptor set, by full name.

    ``paths`` has the path of each file that was asked for, by the name that protoc knows.
    """

    def __init__(self, compiled: FileDescriptorSet, paths: Mapping[str, str]) -> None:
        self.messages: dict[str, Message] = {}
        self.enums: dict[str, EnumDefinition] = {}
        files = [ProtoFile(proto, paths.get(proto.name, proto.name)) for proto in compiled.file]
        self._own = [file for file in files if file.proto.name in paths]
        for file in files:
            self._add_file(file)

    def top_level(self) -> list[Message]:
        """The messages of the files asked for that stand in no other message."""
        return [message for file in self._own for message in self._messages(file)]

    def outermost(self) -> list[Message]:
        """Those of them whose file no other one imports."""
        imported = {name for file in self._own for name in file.proto.dependency}
        outer = [file for file in self._own if file.proto.name not in imported]
        return [message for file in outer for message in self._messages(file)]

    def _messages(self, file: ProtoFile) -> Iterator[Message]:
        prefix = _prefix(file.proto.package)
        return (self.messages[prefix + proto.name] for proto in file.proto.message_type)

    def _add_file(self, file: ProtoFile) -> None:
        prefix = _prefix(file.proto.package)
        for index, proto in enumerate(file.proto.message_type):
            self._add_message(Message(prefix + proto.name, proto, file, (_FILE_MESSAGE, index)))
        for index, enum in enumerate(file.proto.enum_type):
            self._add_enum(EnumDefinition(prefix + enum.name, enum, file, (_FILE_ENUM, index)))

    def _add_message(self, message: Message) -> None:
        self.messages[message.name] = message
        file, path = message.file, message.path
        for index, proto in enumerate(message.proto.nested_type):
            name = f"{message.name}.{proto.name}"
            self._add_message(Message(name, proto, file, (*path, _MESSAGE_NESTED, index)))
        for index, enum in enumerate(message.proto.enum_type):
            name = f"{message.name}.{enum.name}"
            self._add_enum(EnumDefinition(name, enum, file, (*path, _MESSAGE_ENUM, index)))

    def _add_enum(self, enum: EnumDefinition) -> None:
        self.enums[enum.name] = enum


def _prefix(package: str) -> str:
    return f"{package}." if package else ""
