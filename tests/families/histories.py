"""Histories of real Protobuf schemas as one subject each, with a place for every message.

The blobs of the suites are of many messages. A root of our own, with an optional field for
each of them, makes of a history one line of versions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from families.family import Blob, Family
from families.oracle import as_json, raised
from google.protobuf import descriptor_pool, message_factory
from google.protobuf.descriptor_pb2 import FileDescriptorSet
from material import material
from suites.protobuf_cases import Families, lines

from instar import Registry
from instar.codec.codec import Codec
from instar.codec.engines import engine
from instar.codec.tag import unpack
from instar.schemas.model import Schema
from instar.schemas.protobuf import read_proto

ROOT = "families.State"
_LENGTH_DELIMITED = 2


@cache
def compiled(path: Path) -> FileDescriptorSet:
    """What protoc makes of a file, in this process: there are many, and each is small."""
    output = path.with_suffix(".descriptors")
    protoc: Any = import_module("grpc_tools.protoc")  # only here is it needed
    own = Path(protoc.__file__).parent / "_proto"
    folders = (f"--proto_path={path.parent}", f"--proto_path={own}")
    options = ("--include_imports", "--include_source_info", f"--descriptor_set_out={output}")
    assert protoc.main(["protoc", *folders, *options, path.name]) == 0
    return FileDescriptorSet.FromString(output.read_bytes())


@cache
def class_of(path: Path) -> Any:
    """The class that protobuf's own code has for the root of a file."""
    pool = descriptor_pool.DescriptorPool()
    for file in compiled(path).file:
        pool.AddSerializedFile(file.SerializeToString())
    return message_factory.GetMessageClass(pool.FindMessageTypeByName(ROOT))


def field_of(message: str) -> str:
    """The name of the field that holds a message: ``a2a.v1.AgentCard`` is ``agent_card``."""
    short = message.rpartition(".")[2]
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", short).lower()


@dataclass
class History:
    """One Protobuf history, below the root that holds all messages of its blobs."""

    family: Family
    families: Families
    _codecs: dict[tuple[str, int], Codec[Any]] = field(
        default_factory=dict[tuple[str, int], "Codec[Any]"]
    )

    @cached_property
    def cases(self) -> list[tuple[str, dict[str, Any]]]:
        """The blobs of the suite, each with a stable id."""
        suite = material("suites", "cross-version-protobuf", "handout")
        return lines(suite / f"{self.family.FAMILY}.jsonl")

    @cached_property
    def messages(self) -> list[str]:
        """The messages of all blobs; the place of each is its number in the root."""
        return sorted({case["message_from"] for _, case in self.cases})

    @cached_property
    def last(self) -> int:
        return len(list(material("histories", self.family.FAMILY).glob("v*.proto")))

    def path(self, version: int) -> Path:
        """The file with the root of a version, which imports the real one."""
        real = self.families.path(self.family.FAMILY, version)
        found = real.with_name("state.proto")
        if not found.exists():
            found.write_text(self._root(real.read_text(encoding="utf-8"), real.name))
        return found

    def _root(self, text: str, name: str) -> str:
        known = set(re.findall(r"^message\s+(\w+)", text, re.MULTILINE))
        fields = [
            f"  .{message} {field_of(message)} = {number};"
            for number, message in enumerate(self.messages, 1)
            if message.rpartition(".")[2] in known
        ]
        head = ('syntax = "proto3";', "package families;", f'import "{name}";')
        return "\n".join((*head, "message State {", *fields, "}", ""))

    @cached_property
    def schemas(self) -> list[Schema]:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("instar.schemas.protobuf.reader.compile_proto", compiled)
            return [
                read_proto(self.path(v), self.family.SUBJECT, v, root=ROOT, times="nanos")
                for v in range(1, self.last + 1)
            ]

    @cached_property
    def registry(self) -> Registry:
        return Registry.of(self.schemas, self.family.MIGRATIONS)

    def codec(self, version: int) -> Codec[Any]:
        """The codec of a version by the engine in use; it keeps what that compiled."""
        key = (engine().name, version)
        if key not in self._codecs:
            opened = self.registry
            self._codecs[key] = opened.codec(
                self.family.SUBJECT, format="protobuf", version=version
            )
        return self._codecs[key]

    def blobs(self) -> Iterator[Blob]:
        """The blobs of the suite, each as the one field of the root."""
        for name, case in self.cases:
            source, target = case["from"], case["to"]
            payload = self._payload(case)
            form = as_json(class_of(self.path(source)).FromString(payload))
            suite = {field_of(case["message_to"]): case.get("new_json")}
            yield Blob(name, source, target, payload, form, suite)

    def _payload(self, case: dict[str, Any]) -> bytes:
        blob = bytes.fromhex(case["blob_hex"])
        number = self.messages.index(case["message_from"]) + 1
        return _varint(number << 3 | _LENGTH_DELIMITED) + _varint(len(blob)) + blob

    def form(self, state: Any, version: int) -> Any:
        """A state as protobuf's own class reads what our codec writes of it."""
        payload = unpack(self.codec(version).encode(state))[1]
        return as_json(class_of(self.path(version)).FromString(payload))

    def raised(self, form: Any, target: int) -> Any:
        """What a form is one version later, at ``target``."""
        old, new = class_of(self.path(target - 1)), class_of(self.path(target))
        return raised(form, old, new, self.family.HOPS.get(target - 1, {}))


def _varint(number: int) -> bytes:
    more, last = number >> 7, number & 0x7F
    return bytes([last | 0x80]) + _varint(more) if more else bytes([last])
