"""The table of docs/reference/type-mapping.md, cell by cell.

Each type of its first column has cases here: a schema and a value. What a case turns out to
be (by its annotation, its JSON form, its bytes in each format, read by the library of that
format) is a set of words. Every cell must name one of them for each case of its row, and may
name no word that no case turned out to be.
"""

from __future__ import annotations

import base64
import datetime as dt
import enum
import json
import re
import struct
import types
import typing
from array import array
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal

import fastavro
import msgspec
import pytest
from google.protobuf.descriptor_pb2 import DescriptorProto, FieldDescriptorProto

from instar import Record, Registry
from instar.codec.library.protobuf_wire import ProtobufWire
from instar.codec.tag import unpack
from instar.schemas.avro import to_avro
from instar.schemas.model import Enum

PAGE = Path(__file__).resolve().parents[2] / "docs" / "reference" / "type-mapping.md"
COLUMNS = ("Python", "JSON form", "Avro", "Protobuf", "MessagePack")
Format = Literal["avro", "protobuf", "msgpack"]
INNER = {"type": "record", "name": "Inner", "fields": [{"name": "n", "type": "int"}]}
IMPORTS = "".join(
    f'import "google/protobuf/{name}.proto";\n'
    for name in ("duration", "struct", "timestamp", "wrappers")
)


@dataclass(eq=False)
class Case:
    """A type, as a node of Avro or a declaration of Protobuf, and a value in JSON form."""

    type: str
    value: Any

    @cached_property
    def codec(self) -> Any:
        with TemporaryDirectory() as folder:
            root = Path(folder, "sample")
            root.mkdir()
            if self.is_proto:
                syntax = "proto2" if "required" in self.type else "proto3"
                text = f'syntax = "{syntax}";\n{IMPORTS}message Sample {{ {self.type} x = 1; }}'
            else:
                field = f'{{"name": "x", "type": {self.type}}}'
                text = f'{{"type": "record", "name": "Sample", "fields": [{field}]}}'
            (root / ("v1.proto" if self.is_proto else "v1.avsc")).write_text(text)
            if self.is_proto and isinstance(self.value, int):
                settings = '[tool.instar]\nprotobuf_times = "nanos"\n'
                Path(folder, "pyproject.toml").write_text(settings)
            return Registry.open(folder)

    @property
    def is_proto(self) -> bool:
        return self.type[0] not in '"{['

    @property
    def is_message(self) -> bool:
        """Whether it is a message of a ``.proto``, which as any other may be absent."""
        return self.type.startswith(WELL_KNOWN) and not self.type.endswith("StringValue")

    @cached_property
    def schema(self) -> Any:
        return self.codec.subject("sample").schema(1)

    @cached_property
    def state(self) -> Any:
        return self.codec.codec("sample").from_builtins({"x": self.value})

    def payload(self, format_: Format) -> bytes:
        codec = self.codec.codec("sample", format=format_)
        payload = unpack(codec.encode(self.state))[1]
        read = codec.decode(payload, legacy=1)
        assert codec.to_builtins(read) == codec.to_builtins(self.state)  # NaN is not itself
        assert isinstance(payload, bytes | memoryview)
        return bytes(payload)

    def __str__(self) -> str:
        return f"{self.type} = {json.dumps(self.value)}"


def avro(node: Any, *values: Any) -> list[Case]:
    return [Case(json.dumps(node), value) for value in values]


def logical(base: Any, name: str, *values: Any, **more: Any) -> list[Case]:
    node = base if isinstance(base, dict) else {"type": base}
    return avro({**node, "logicalType": name, **more}, *values)


def proto(declaration: str, *values: Any) -> list[Case]:
    return [Case(declaration, value) for value in values]


def fixed(size: int) -> dict[str, Any]:
    return {"type": "fixed", "name": "F", "size": size}


RAW = base64.b64encode(b"\x00\xff").decode()
STAMP, LOCAL = "2025-06-01T08:00:00.250000Z", "2025-06-01T08:00:00.250000"
UUID = "6f0c9f5e-3a57-4a0e-9d33-0d5f3c3c9b11"
ENUM = {"type": "enum", "name": "E", "symbols": ["ON", "OFF"]}
WELL_KNOWN = "google.protobuf."
CASES: dict[str, list[Case]] = {
    "null": avro("null", None),
    "boolean": [*avro("boolean", True, False), *proto("bool", True)],
    "int": [*avro("int", -1, 2**31 - 1), *proto("int32", -1)],
    "long": [*avro("long", -1, 2**63 - 1), *proto("int64", -1)],
    "uint32": proto("uint32", 2**32 - 1),
    "fixed32": proto("fixed32", 2**32 - 1),
    "uint64": proto("uint64", 2**64 - 1),
    "fixed64": proto("fixed64", 2**64 - 1),
    **{name: proto(name, -5) for name in ("sint32", "sint64", "sfixed32", "sfixed64")},
    "float": [*avro("float", 1.5, "NaN", "Infinity", "-Infinity"), *proto("float", 1.5)],
    "double": [*avro("double", 0.1, "NaN", "Infinity", "-Infinity"), *proto("double", 0.1)],
    "bytes": [*avro("bytes", RAW), *proto("bytes", RAW)],
    "fixed": avro(fixed(2), RAW),
    "string": [*avro("string", "é"), *proto("string", "é")],
    "enum": [
        *avro(ENUM, "OFF"),
        *proto("enum E { ON = 0; OFF = 7; } E", "OFF"),
        *proto("enum E { ON = 1; OFF = 7; } required E", "OFF"),
    ],
    "array": [
        *avro({"type": "array", "items": "int"}, [3, 4]),
        *proto(f"repeated {WELL_KNOWN}Int64Value", [3, 4]),
    ],
    "vector": [
        *avro({"type": "array", "items": "float", "vector": True}, [1.5, "NaN"], []),
        *avro({"type": "array", "items": "double", "vector": True}, [0.1, "-Infinity"]),
    ],
    "map": [
        *avro({"type": "map", "values": "int"}, {"a": 1}),
        *proto("map<int32, int32>", {"-7": 1}),
        *proto("map<bool, int32>", {"true": 1}),
    ],
    "optional": [
        *avro(["null", "string"], None, "x"),
        *proto("optional string", None, "x"),
        *proto(f"{WELL_KNOWN}StringValue", None, "x"),
    ],
    "union": avro(["string", "long", INNER], "x", 7, {"$type": "Inner", "n": 1}),
    "record": avro(INNER, {"n": 1}),
    "uuid": [*logical("string", "uuid", UUID), *logical(fixed(16), "uuid", UUID)],
    "date": logical("int", "date", "2025-06-01"),
    "time": [
        *logical("int", "time-millis", "08:00:00.500000"),
        *logical("long", "time-micros", "08:00:00.500000"),
    ],
    "timestamp": [
        *logical("long", "timestamp-micros", STAMP),
        *proto(f"{WELL_KNOWN}Timestamp", STAMP),
    ],
    "local-timestamp": logical("long", "local-timestamp-micros", LOCAL),
    "timestamp or duration in nanoseconds": [
        *logical("long", "timestamp-nanos", -1, 1_748_764_800_250_000_001),
        *logical("long", "local-timestamp-nanos", -1, 1_748_764_800_250_000_001),
        *logical("long", "duration-nanos", -1),
        *proto(f"{WELL_KNOWN}Timestamp", -1, 1_748_764_800_250_000_001),
        *proto(f"{WELL_KNOWN}Duration", -1, 2**63 - 1),
    ],
    "duration": [
        *logical("long", "duration-micros", "PT1.5S"),
        *proto(f"{WELL_KNOWN}Duration", "PT1.5S"),
    ],
    "calendar-duration": logical(
        fixed(12), "duration", {"months": 1, "days": 2, "millis": 2**32 - 1}
    ),
    "decimal": [
        *logical("bytes", "decimal", "-12.50", precision=6, scale=2),
        *logical(fixed(4), "decimal", "-12.50", precision=6, scale=2),
    ],
    "json": [
        *logical("bytes", "json", {"any": ["json", None, 1.5]}),
        *proto(f"{WELL_KNOWN}Value", {"any": [1, "x"]}),
        *proto(f"{WELL_KNOWN}Struct", {"any": [1, "x"]}),
        *proto(f"{WELL_KNOWN}ListValue", [1, "x"]),
    ],
}


@cache
def table() -> dict[str, dict[str, str]]:
    """The rows of the table by their first cell, each with its cells by column."""
    text = PAGE.read_text(encoding="utf-8")
    found = re.search(r"^\| schema type \|.*\n\|.*\n((?:\|.*\n)+)", text, re.MULTILINE)
    assert found
    rows = [
        [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        for line in found[1].splitlines()
    ]
    return {first: dict(zip(COLUMNS, cells, strict=True)) for first, *cells in rows}


def types_of(row: str) -> list[str]:
    """The types that a row is about: ``int (32 bits)`` is about int."""
    return [re.sub(r" \(.*\)", "", name) for name in row.split(", ")]


def python_words(case: Case) -> Iterator[str]:
    annotation = typing.get_type_hints(type(case.state))["x"]
    if case.is_message:
        annotation = typing.get_args(annotation)[0]
    value = case.state.x
    if annotation is typing.Any:
        yield "JsonValue"
        assert value == case.value
        return
    if isinstance(value, dt.datetime | dt.time):
        yield "aware" if value.tzinfo else "naive"
    origin = typing.get_origin(annotation)
    if origin is types.UnionType or origin is typing.Union:
        nullable = type(None) in typing.get_args(annotation)
        yield "T | None" if nullable else "A | B"
    elif origin is not None:
        yield {list: "list[T]", dict: "dict[K, V]"}[origin]
        assert isinstance(value, origin)
    elif isinstance(value, enum.Enum):
        yield "enum.Enum"
        assert value.value == case.value
    elif isinstance(value, Record):
        yield "Record"
    else:
        assert isinstance(value, annotation)
        module = "" if annotation.__module__ == "builtins" else f"{annotation.__module__}."
        yield f"{module}{annotation.__name__}".replace("NoneType", "None")
        yield from ["array.array"] if type(value) is array else []
        yield from value.__struct_fields__ if isinstance(value, msgspec.Struct) else []


def json_words(case: Case) -> Iterator[str]:
    value = case.codec.codec("sample").to_builtins(case.state)["x"]
    assert value == case.value
    yield from ("the value itself", "see below")
    match value:
        case None:
            yield "null"
        case bool():
            yield "true, false"
        case int() | float():
            yield "number"
        case str():
            yield from _text_words(case, value)
        case list():
            yield "array"
        case _:
            yield from ("object", "object by field key")
            are_three = [type(item) for item in value.values()] == [int] * 3
            yield from ["object of the three numbers"] if are_three else []
    yield from ["null", "the item"] if "null" in case.type or "optional" in case.type else []
    yield from ["the item"] if "StringValue" in case.type else []
    yield from ["as float"] if case.type.strip('"') == "double" else []


def _text_words(case: Case, text: str) -> Iterator[str]:
    yield "text"
    value = case.state.x
    if isinstance(value, bytes):
        yield "base64 text, padded"
        assert base64.b64decode(text, validate=True) == value
    elif isinstance(value, float):
        yield f'"{text}"'
    elif isinstance(value, enum.Enum):
        yield "the symbol"
    elif isinstance(value, dt.datetime):
        yield "RFC 3339" if text.endswith("Z") else "ISO 8601 without zone"
        assert dt.datetime.fromisoformat(text) == value
    elif isinstance(value, dt.date | dt.time):
        yield text
        assert type(value).fromisoformat(text) == value
    elif isinstance(value, dt.timedelta):
        yield "ISO 8601 duration"
    elif re.fullmatch(r"[0-9a-f]+(-[0-9a-f]+){4}", text):
        yield "text with hyphens"


def avro_words(case: Case) -> Iterator[str]:
    document = _without_logical(to_avro(case.schema))
    payload = BytesIO(case.payload("avro"))
    raw: Any = fastavro.schemaless_reader(payload, fastavro.parse_schema(document), None)
    assert payload.read() == b""
    node: Any = document["fields"][0]["type"]
    if case.is_message:
        node = node[1]
    kind = node if isinstance(node, str) else "union"
    if isinstance(node, dict):
        kind = node["type"]
    if isinstance(node, dict) and kind == "enum":
        # An enum is written as an int is: its position.
        assert case.payload("avro") == bytes([2 * node["symbols"].index(raw["x"])])
        yield "position, as int"
    if isinstance(node, list) and "null" in node:
        yield "union with null"
    yield kind
    if kind == "fixed" and isinstance(case.value, dict):
        assert raw["x"] == struct.pack("<3I", *case.value.values())
        yield "12 bytes, little-endian"
    if kind == "bytes" and case.value == json_or_none(raw["x"]):
        yield "bytes of JSON text"


def json_or_none(data: bytes) -> Any:
    try:
        return json.loads(data)
    except ValueError:
        return None


def _without_logical(node: Any) -> Any:
    """An Avro schema of the layout alone, so that fastavro converts nothing."""
    if isinstance(node, dict):
        kept = {key: _without_logical(item) for key, item in node.items() if key != "logicalType"}
        return kept["type"] if set(kept) == {"type"} else kept
    return [_without_logical(item) for item in node] if isinstance(node, list) else node


def protobuf_words(case: Case) -> Iterator[str]:
    message = ProtobufWire(case.schema).root.FromString(case.payload("protobuf"))
    (field,) = message.DESCRIPTOR.fields
    declared = DescriptorProto()
    message.DESCRIPTOR.CopyToProto(declared)
    inner, scalar = field.message_type, SCALARS[declared.field[0].type]
    is_map = inner is not None and inner.GetOptions().map_entry
    yield from ["repeated"] if declared.field[0].label == REPEATED and not is_map else []
    if is_map:
        yield "map"
    elif inner is not None:
        yield from _message_words(inner)
    else:
        yield scalar
        yield from ["presence"] if field.has_presence else []
        yield from ["as declared"] if scalar == case.type else []
    raw = getattr(message, field.name)
    if field.enum_type is not None:
        assert field.enum_type.is_closed
    if isinstance(case.state.x, enum.Enum):
        (named,) = (kind for kind in case.schema.types.values() if isinstance(kind, Enum))
        assert raw == next(s.number for s in named.symbols if s.name == case.value)
        yield "the symbol's number"
    if isinstance(raw, bytes) and case.payload("avro") == raw:
        yield "the same"
    if isinstance(raw, bytes) and json_or_none(raw) == case.value:
        yield "bytes of JSON text"


def _message_words(inner: Any) -> Iterator[str]:
    if inner.oneofs and not inner.full_name.startswith("google."):
        yield "oneof"
    elif inner.full_name.startswith("google."):
        yield "wrapper message" if inner.name.endswith("gValue") else inner.name
    else:
        yield "message"


def msgpack_words(case: Case) -> Iterator[str]:
    raw = msgspec.msgpack.decode(case.payload("msgpack"), strict=False)["x"]
    yield {
        type(None): "nil",
        bool: "bool",
        int: "int",
        float: "float",
        bytes: "bin",
        str: "str",
        list: "array",
        dict: "map",
        dt.datetime: "timestamp extension (-1)",
    }[type(raw)]
    if raw == case.value:
        yield from ("the value itself", "as JSON form", "the item")
    if isinstance(raw, dict):
        yield "map by field key"
        yield from ["keys as they are"] if raw == case.state.x else []
        yield from ["booleans included"] if True in raw else []


SCALARS = {number: name[5:].lower() for name, number in FieldDescriptorProto.Type.items()}
REPEATED = FieldDescriptorProto.LABEL_REPEATED
OBSERVERS: dict[str, Callable[[Case], Iterator[str]]] = dict(
    zip(
        COLUMNS,
        (python_words, json_words, avro_words, protobuf_words, msgpack_words),
        strict=True,
    )
)
# The words that a cell may use; the longer ones first, as they may begin with shorter ones.
WORDS: dict[str, str] = {
    "Python": r"(?<=`)[A-Za-z][\w.|\[\], ]*(?=`)|aware|naive",
    "JSON form": r"the value itself|see below|true, false|base64 text, padded|text with hyphens|"
    r"ISO 8601 without zone|ISO 8601 duration|RFC 3339|object by field key|the symbol|the item|"
    r"object of the three numbers|as float|null|number|object|array|text|"
    r'"[-\w]+"|(?<=`)[\d:.-]+(?=`)',
    "Avro": r"union with null|bytes of JSON text|position, as int|null|boolean|int|long|float|"
    r"double|12 bytes, little-endian|bytes|fixed|string|array|map|union|record",
    "Protobuf": r"as declared|the symbol's number|the same|bytes of JSON text|wrapper message|"
    r"oneof|presence|repeated|map|message|enum|bool|s?int(?:32|64)|float|double|bytes|string|"
    r"(?<=`)[A-Z]\w+(?=`)",
    "MessagePack": r"timestamp extension \(-1\)|map by field key|the value itself|as JSON form|"
    r"the item|keys as they are|booleans included|nil|bool|int|float|bin|str|array|map",
}
# Said of where a word holds, not what the value is.
ASIDES = re.compile(
    r"in a `\.proto`|where the `\.proto` has it closed|where declared so|"
    r"that the `\.proto` names|, since .*| of 16 bytes|"
    r"integer and boolean keys as text|; keys as text|, same bits read as signed| since 1970.*"
)


@cache
def observed(column: str, case: Case) -> frozenset[str]:
    return frozenset(OBSERVERS[column](case))


def words(row: str, column: str) -> set[str]:
    return set(re.findall(WORDS[column], ASIDES.sub("", table()[row][column])))


def test_every_type_has_cases() -> None:
    """The table and the cases here are about the same types."""
    assert {name for row in table() for name in types_of(row)} == set(CASES)


@pytest.mark.parametrize("column", COLUMNS)
@pytest.mark.parametrize("row", table())
def test_cell(row: str, column: str) -> None:
    """A cell says of each value what it is, and says nothing that no value is."""
    named = words(row, column)
    assert named, table()[row][column]
    found: set[str] = set()
    for case in (case for name in types_of(row) for case in CASES[name]):
        seen = observed(column, case)
        assert seen & named, f"{case}: {sorted(seen)}, and the cell says {sorted(named)}"
        found |= seen
    assert named <= found


def test_uint64_is_signed_in_avro() -> None:
    """What is beyond a signed long has its bits read as a negative number."""
    (case,) = CASES["uint64"]
    payload = BytesIO(case.payload("avro"))
    assert fastavro.schemaless_reader(payload, {"type": "long"}, None) == -1


def test_avro_maps_have_text_keys() -> None:
    """Integer and boolean keys are text in Avro and in JSON form."""
    for case in CASES["map"]:
        raw: Any = fastavro.schemaless_reader(
            BytesIO(case.payload("avro")), {"type": "map", "values": "int"}, None
        )
        assert raw == case.value
