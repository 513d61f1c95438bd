"""The bytes are Avro and Protobuf as others understand them: fastavro and protoc agree."""

from __future__ import annotations

import datetime as dt
import enum
import json
import math
from array import array
from io import BytesIO
from typing import Any

import fastavro
import msgspec
import pytest
from codec.formats.conftest import StatesOf
from examples import examples
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from google.protobuf.json_format import MessageToDict
from hypothesis import given, settings
from hypothesis import strategies as st
from material import ROOT

from instar import Registry
from instar.codec.tag import unpack
from instar.schemas.model import (
    Array,
    Enum,
    Field,
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
from instar.schemas.protobuf import compile_proto


def agrees(ours: Any, theirs: Any) -> bool:
    """Whether a typed value is what fastavro reads with the schema as it was written."""
    match ours:
        case msgspec.Struct():
            values = {n: getattr(ours, n) for n in ours.__struct_fields__}
            return theirs.keys() == values.keys() and all(
                agrees(values[name], theirs[name])
                if name not in ("metadata", "arguments", "output", "result")
                else values[name] == json.loads(theirs[name])
                for name in values
            )
        case enum.Enum():
            return bool(ours.value == theirs)
        case list() | array():
            return len(ours) == len(theirs) and all(map(agrees, ours, theirs))
        case float() if math.isnan(ours):
            return math.isnan(theirs)
        case _:
            return bool(ours == theirs)


@pytest.mark.parametrize("version", [1, 2, 3])
@settings(max_examples=examples(40))
@given(data=st.data())
def test_fastavro_reads_what_we_write(
    reference: Registry, states_of: StatesOf, version: int, data: st.DataObject
) -> None:
    """With the schema file itself, logical types and all, it finds the same values."""
    codec = reference.codec("agent_state", version=version)
    state = data.draw(states_of("agent_state", version))
    source = json.loads((ROOT / f"schemas/agent_state/v{version}.avsc").read_text())
    payload = BytesIO(unpack(codec.encode(state))[1])  # pyright: ignore[reportArgumentType] - binary
    found = fastavro.schemaless_reader(payload, fastavro.parse_schema(source), None)
    assert agrees(state, found)
    assert payload.read() == b""


@pytest.mark.parametrize("version", [1, 2])
@settings(max_examples=examples(60))
@given(data=st.data())
def test_protoc_classes_read_what_we_write(
    reference: Registry, states_of: StatesOf, version: int, data: st.DataObject
) -> None:
    """The message of the .proto itself holds the same values, and nothing unknown."""
    subject = reference.subject("agent_command")
    codec = reference.codec("agent_command", version=version, format="protobuf")
    state = data.draw(states_of("agent_command", version))
    payload = unpack(codec.encode(state))[1]
    message = original(version).FromString(payload)
    message.DiscardUnknownFields()
    assert message.ByteSize() == len(payload)
    assert record_agrees(subject.schema(version), subject.schema(version).record, state, message)
    again = message.SerializeToString()
    assert codec.decode(again, legacy=version, version=version) == state


_ORIGINALS: dict[int, Any] = {}


def original(version: int) -> Any:
    """The message class that protoc and protobuf make of the file."""
    if version not in _ORIGINALS:
        files = compile_proto(ROOT / f"schemas/agent_command/v{version}.proto")
        pool = descriptor_pool.DescriptorPool()
        for file in descriptor_pb2.FileDescriptorSet.FromString(files.SerializeToString()).file:
            pool.AddSerializedFile(file.SerializeToString())
        name = "instar.command.AgentCommand"
        _ORIGINALS[version] = message_factory.GetMessageClass(pool.FindMessageTypeByName(name))
    return _ORIGINALS[version]


def record_agrees(schema: Schema, record: Record, ours: Any, message: Any) -> bool:
    """Whether a message of the .proto holds what the typed object holds."""
    return all(
        field_agrees(schema, field, getattr(ours, name), message)
        for field, name in zip(record.fields, ours.__struct_fields__, strict=True)
    )


def field_agrees(schema: Schema, field: Field, ours: Any, message: Any) -> bool:
    """The same for one field."""
    kind = field.type
    if isinstance(kind, Optional) and isinstance(kind.item, Union):
        case = message.WhichOneof(field.name)
        if case is None or ours is None:
            return case is None and ours is None
        branch = next(b for b in kind.item.branches if b.label == case)
        boxed = type(ours).__name__.endswith("Value")
        value = ours.value if boxed else ours
        return value_agrees(schema, branch.type, value, getattr(message, case))
    if isinstance(kind, Optional):
        if ours is None:
            return not message.HasField(field.name)
        return message.HasField(field.name) and value_agrees(
            schema, kind.item, ours, getattr(message, field.name)
        )
    return value_agrees(schema, kind, ours, getattr(message, field.name))


def value_agrees(schema: Schema, kind: Type, ours: Any, theirs: Any) -> bool:
    """The same for one value."""
    match kind:
        case Array():
            return len(ours) == len(theirs) and all(
                value_agrees(schema, kind.items, a, b) for a, b in zip(ours, theirs, strict=True)
            )
        case Map():
            return ours.keys() == dict(theirs).keys() and all(
                value_agrees(schema, kind.values, ours[key], theirs[key]) for key in ours
            )
        case Reference():
            named = schema.types[kind.name]
            if isinstance(named, Record):
                return record_agrees(schema, named, ours, theirs)
            assert isinstance(named, Enum)
            return any(s.name == ours.value and s.number == theirs for s in named.symbols)
        case Logical():
            converted = theirs.ToTimedelta() if kind.kind == "duration" else None
            if converted is None:
                return bool(theirs.ToMicroseconds() == _micros(ours))
            return bool(converted == ours)
        case Json():
            return bool(MessageToDict(theirs) == ours)
        case Primitive():
            return bool(ours == theirs)
        case _:
            raise AssertionError(f"{kind} stands where protoc has no such type")


def _micros(moment: dt.datetime) -> int:
    return (moment - dt.datetime(1970, 1, 1, tzinfo=dt.UTC)) // dt.timedelta(microseconds=1)
