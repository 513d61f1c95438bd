"""Subjects of a few versions for tests, written as Avro fields, and states read across them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from instar import Registry
from instar.codec.tag.header import Format
from instar.migrations import Migration
from instar.migrations.ops import Op
from instar.schemas.avro.reader import parse_avro
from instar.schemas.model import Schema
from instar.schemas.numbering import number_fields

FORMATS: tuple[Format, ...] = ("avro", "protobuf", "msgpack", "json", "yaml")

Fields = Sequence[dict[str, Any]]


def record(name: str, *fields: dict[str, Any]) -> dict[str, Any]:
    """A record type as Avro has it."""
    return {"type": "record", "name": name, "fields": list(fields)}


def field(name: str, kind: Any, **more: Any) -> dict[str, Any]:
    """A field as Avro has it."""
    return {"name": name, "type": kind, **more}


def enum(name: str, *symbols: str, **more: Any) -> dict[str, Any]:
    """An enum type as Avro has it."""
    return {"type": "enum", "name": name, "symbols": list(symbols), **more}


def optional(kind: Any) -> list[Any]:
    """A type or null."""
    return ["null", kind]


def schemas(*versions: Fields) -> list[Schema]:
    """The schemas of the versions, with Protobuf numbers."""
    read = [
        parse_avro(
            json.dumps(record("State", *fields)), subject="state", version=version, where="test"
        )
        for version, fields in enumerate(versions, 1)
    ]
    return list(number_fields(read))


def registry(versions: Sequence[Fields], *steps: Sequence[Op]) -> Registry:
    """A registry of these versions, with the ops of each step between them."""
    migrations = [
        Migration("state", source, source + 1, *ops) for source, ops in enumerate(steps, 1)
    ]
    return Registry.of(schemas(*versions), migrations)


def carry(opened: Registry, plain: Any, source: int, target: int, format_: Format) -> Any:
    """A state of ``source``, in JSON form, as a reader of ``target`` sees its blob."""
    writer = opened.codec("state", format=format_, version=source)
    reader = opened.codec("state", format=format_, version=target)
    return reader.to_builtins(reader.decode(writer.encode(writer.from_builtins(plain))))
