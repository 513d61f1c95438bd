from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from instar.errors import SchemaError
from instar.schemas.fingerprint import fingerprint
from instar.schemas.model import (
    Array,
    Branch,
    Default,
    Enum,
    Field,
    JsonValue,
    Map,
    Optional,
    Primitive,
    Record,
    Reference,
    Schema,
    Symbol,
    Type,
    Union,
)
from instar.schemas.portable import schema_from_text, schema_to_text
from instar.schemas.protobuf import read_proto

PROTO2 = r"""
syntax = "proto2";
package lab;

message State {
  required int32 must = 1;
  required Part part = 2;
  optional int32 maybe = 3;
  optional int64 big = 4 [default = -5];
  optional double ratio = 5 [default = -inf];
  optional float no_number = 6 [default = nan];
  optional double half = 7 [default = 0.5];
  optional bool flag = 8 [default = true];
  optional string text = 9 [default = "\"a\"\n\303\244"];
  optional bytes raw = 10 [default = "a\000\377\"\\"];
  optional Mode mode = 11 [default = QUICK];
  repeated int32 many = 12;
  repeated int32 packed = 13 [packed = true];
  repeated string texts = 14;
  repeated Mode modes = 15;
  optional group Sub = 16 { required string id = 1; }
  repeated group Item = 17 { optional State up = 1; }
  map<int32, Mode> named = 18;
  oneof choice { group Case = 19 { optional int32 a = 1; } int32 number = 20; }
  extensions 100 to 199;
  reserved 30, 200 to max;
  reserved "gone";
  message Part {}
  enum Mode { option allow_alias = true; NONE = 0; FAST = 5; QUICK = 5; SLOW = 7; RAPID = 5; }
}
extend State { optional int32 more = 100; }
"""


def read(folder: Path, text: str, **options: Any) -> Schema:
    path = folder / "v1.proto"
    path.write_text(text, encoding="utf-8")
    return read_proto(path, "state", 1, **options)


def fields(schema: Schema) -> dict[str, Field]:
    return {field.name: field for field in schema.record.fields}


@pytest.fixture(scope="module")
def proto2(tmp_path_factory: pytest.TempPathFactory) -> Schema:
    return read(tmp_path_factory.mktemp("proto2"), PROTO2)


MODE = Reference("lab.State.Mode")
INT = Primitive("int")
TYPES: dict[str, tuple[Type, Default | None, str | None]] = {
    "must": (INT, None, None),
    "part": (Reference("lab.State.Part"), None, None),
    "maybe": (Optional(INT), Default(None), None),
    "many": (Array(INT), Default([]), "expanded"),
    "packed": (Array(INT), Default([]), None),
    "texts": (Array(Primitive("string")), Default([]), None),
    "modes": (Array(MODE), Default([]), "expanded"),
    "sub": (Optional(Reference("lab.State.Sub")), Default(None), "delimited"),
    "item": (Array(Reference("lab.State.Item")), Default([]), "delimited"),
    "named": (Map(MODE, INT), Default({}), None),
}


@pytest.mark.parametrize("name", TYPES)
def test_proto2_fields(proto2: Schema, name: str) -> None:
    """required has no default, optional is an optional, lists and groups keep their encoding."""
    found = fields(proto2)[name]
    assert (found.type, found.default, found.encoding) == TYPES[name]


DEFAULTS: dict[str, JsonValue] = {
    "big": -5,
    "ratio": "-Infinity",
    "no_number": "NaN",
    "half": 0.5,
    "flag": True,
    "text": '"a"\nä',
    "raw": "YQD/Ilw=",
    "mode": "FAST",
}


@pytest.mark.parametrize("name", DEFAULTS)
def test_a_declared_default_is_what_null_stands_for(proto2: Schema, name: str) -> None:
    """The model keeps a default that a .proto declares, in JSON form; the field stays null."""
    found = fields(proto2)[name]
    assert isinstance(found.type, Optional)
    assert (found.type.unset, found.default) == (Default(DEFAULTS[name]), Default(None))


def test_a_group_may_be_a_case_of_a_oneof(proto2: Schema) -> None:
    """The case is a branch with its own encoding."""
    choice = Union(
        (
            Branch("case", Reference("lab.State.Case"), 19, "delimited"),
            Branch("number", INT, 20),
        ),
        oneof=True,
    )
    assert fields(proto2)["choice"].type == Optional(choice)


def test_an_enum_of_proto2_is_closed_and_aliases_are_kept(proto2: Schema) -> None:
    """The first name of a number is the symbol, further ones are its aliases."""
    assert proto2.types["lab.State.Mode"] == Enum(
        "lab.State.Mode",
        (Symbol("NONE", 0), Symbol("FAST", 5, aliases=("QUICK", "RAPID")), Symbol("SLOW", 7)),
        closed=True,
    )


def test_extensions_and_reserved_ranges_are_passed_over(proto2: Schema) -> None:
    """They name no fields of the message."""
    assert set(fields(proto2)) == {*TYPES, *DEFAULTS, "choice"}


def test_a_proto2_schema_comes_back_from_its_text(proto2: Schema) -> None:
    """All that proto2 adds to the model is in a schema's text and in its fingerprint."""
    again = schema_from_text(schema_to_text(proto2))
    assert again == proto2
    assert fingerprint(again) == fingerprint(proto2)


CHANGES = {
    "an alias": ("RAPID = 5;", ""),
    "a declared default": ("[default = -5]", "[default = -6]"),
    "packed": ("[packed = true]", ""),
    "required": ("required int32 must", "optional int32 must"),
}


@pytest.mark.parametrize("what", CHANGES)
def test_what_changes_bytes_or_meaning_changes_the_fingerprint(
    tmp_path: Path, proto2: Schema, what: str
) -> None:
    """Aliases, declared defaults, encodings and presence are part of the fingerprint."""
    assert fingerprint(read(tmp_path, PROTO2.replace(*CHANGES[what]))) != fingerprint(proto2)


EDITION = """
edition = "2023";
package lab;
FILE
message State {
  int32 explicit = 1;
  int32 implicit = 2 [features.field_presence = IMPLICIT];
  int32 must = 3 [features.field_presence = LEGACY_REQUIRED];
  repeated int32 many = 4;
  repeated int32 expanded = 5 [features.repeated_field_encoding = EXPANDED];
  Part part = 6;
  Part group = 7 [features.message_encoding = DELIMITED];
  Open open = 8;
  Closed closed = 9;
  map<int32, Part> parts = 10;
  message Part { int32 a = 1; }
  enum Open { ZERO = 0; }
  enum Closed { option features.enum_type = CLOSED; ONE = 1; }
}
"""
PART = Reference("lab.State.Part")


def test_features_of_a_field_count(tmp_path: Path) -> None:
    """In an edition each field has the presence and the encoding that it asks for."""
    found = fields(read(tmp_path, EDITION.replace("FILE", "")))
    assert found["explicit"].type == Optional(INT)
    assert (found["implicit"].type, found["implicit"].default) == (INT, Default(0))
    assert (found["must"].type, found["must"].default) == (INT, None)
    assert found["part"].type == found["group"].type == Optional(PART)
    encoded = {name: field.encoding for name, field in found.items() if field.encoding}
    assert encoded == {"expanded": "expanded", "group": "delimited"}


def test_features_of_a_file_count_where_a_field_has_none(tmp_path: Path) -> None:
    """A file sets them for all its fields, maps aside, which are never delimited."""
    settings = "".join(
        f"option features.{name} = {value};"
        for name, value in {
            "field_presence": "IMPLICIT",
            "repeated_field_encoding": "EXPANDED",
            "message_encoding": "DELIMITED",
        }.items()
    )
    # An open enum may have no presence, a closed one must have it.
    text = EDITION.replace("FILE", settings).replace("Closed closed = 9;", "")
    found = fields(read(tmp_path, text))
    assert found["explicit"].type == INT
    encoded = {name: field.encoding for name, field in found.items() if field.encoding}
    assert encoded == {
        "many": "expanded",
        "expanded": "expanded",
        "part": "delimited",
        "group": "delimited",
    }


@pytest.mark.parametrize("edition", ["2023", "2024"])
def test_enums_of_an_edition_are_open_unless_told(tmp_path: Path, edition: str) -> None:
    """An enum is closed where it, or its file, says so."""
    schema = read(tmp_path, EDITION.replace("FILE", "").replace("2023", edition))
    enums = {n: e.closed for n, e in schema.types.items() if isinstance(e, Enum)}
    assert enums == {"lab.State.Open": False, "lab.State.Closed": True}


WELL_KNOWN = """
syntax = "proto3";
import "google/protobuf/any.proto";
import "google/protobuf/descriptor.proto";
import "google/protobuf/empty.proto";
import "google/protobuf/field_mask.proto";
import "google/protobuf/struct.proto";
import "google/protobuf/wrappers.proto";
message State {
  google.protobuf.Any any = 1;
  google.protobuf.FieldMask mask = 2;
  google.protobuf.Empty empty = 3;
  google.protobuf.NullValue nothing = 4;
  repeated google.protobuf.StringValue many = 5;
  map<string, google.protobuf.Int64Value> counts = 6;
  oneof choice { google.protobuf.BoolValue flag = 7; }
  google.protobuf.FileDescriptorProto file = 8;
}
"""


def test_other_messages_of_google_are_records(tmp_path: Path) -> None:
    """Any, FieldMask, Empty and the rest are records with the fields that they have."""
    schema = read(tmp_path, WELL_KNOWN)
    names = {
        name: [field.name for field in named.fields]
        for name, named in schema.types.items()
        if isinstance(named, Record)
    }
    assert names["google.protobuf.Any"] == ["type_url", "value"]
    assert names["google.protobuf.FieldMask"] == ["paths"]
    assert names["google.protobuf.Empty"] == []
    assert "google.protobuf.FieldDescriptorProto" in names
    assert fields(schema)["nothing"].default == Default("NULL_VALUE")


def test_wrappers_in_lists_maps_and_cases_are_what_they_wrap(tmp_path: Path) -> None:
    """Where a wrapper cannot be absent, it is the value itself."""
    found = fields(read(tmp_path, WELL_KNOWN))
    text = Primitive("string", well_known="google.protobuf.StringValue")
    number = Primitive("long", well_known="google.protobuf.Int64Value")
    flag = Primitive("boolean", well_known="google.protobuf.BoolValue")
    assert found["many"].type == Array(text)
    assert found["counts"].type == Map(number)
    assert found["choice"].type == Optional(Union((Branch("flag", flag, 7),), oneof=True))


def test_options_and_services_are_carried_past(tmp_path: Path) -> None:
    """Custom options of every kind, and services, say nothing about the state."""
    text = """
    syntax = "proto3";
    import "google/protobuf/descriptor.proto";
    extend google.protobuf.FieldOptions { string unit = 50001; }
    extend google.protobuf.MessageOptions { Note note = 50002; }
    message Note { string text = 1; }
    message State {
      option (note) = {text: "kept out"};
      int32 a = 1 [(unit) = "ms", deprecated = true];
    }
    service Calls { rpc Call(State) returns (stream State) { option deprecated = true; } }
    """
    schema = read(tmp_path, text)
    assert list(schema.types) == ["State"]
    assert fields(schema)["a"].deprecated


def test_a_json_name_that_is_another_name_is_passed_over(tmp_path: Path) -> None:
    """Where keys of a record would meet, all of them are the fields' names."""
    body = 'optional int32 a = 1 [json_name = "b"]; optional int32 b = 2; '
    options = "option deprecated_legacy_json_field_conflicts = true;"
    schema = read(tmp_path, f'syntax = "proto2"; message State {{ {options} {body} }}')
    assert [field.key for field in schema.record.fields] == ["a", "b"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    files = {
        "main.proto": 'import "parts/part.proto"; package lab; message State { parts.Part p = 1; }',
        "parts/part.proto": "package parts; message Part { int32 a = 1; } message State {}",
    }
    for name, text in files.items():
        path = tmp_path / "v3" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f'syntax = "proto3"; {text}', encoding="utf-8")
    return tmp_path / "v3"


def test_a_version_may_be_a_folder_of_files(folder: Path) -> None:
    """Imports are found from the folder; the root is looked for first where none imports it."""
    schema = read_proto(folder, "state", 3)
    assert list(schema.types) == ["lab.State", "parts.Part"]


def test_the_root_may_be_named(folder: Path) -> None:
    """Any message may be the root, by its full name."""
    assert read_proto(folder, "state", 3, root="parts.Part").root == "parts.Part"


def test_a_root_that_is_not_there_is_named(folder: Path) -> None:
    """The error names the root that was asked for, and where to change it."""
    with pytest.raises(SchemaError, match=r"no message parts\.Lost") as caught:
        read_proto(folder, "state", 3, root="parts.Lost")
    assert "[tool.instar]" in caught.value.mend


def test_a_folder_without_files_is_an_error(tmp_path: Path) -> None:
    """An empty folder is no version."""
    with pytest.raises(SchemaError, match="no such file"):
        read_proto(tmp_path, "state", 1)


def test_the_default_of_a_oneof_case_is_part_of_the_meaning(tmp_path: Path) -> None:
    """Two files that differ in it alone differ in the fingerprint."""
    found: set[int] = set()
    for number, default in enumerate(("", "[default = 1]", "[default = 2]"), 1):
        path = tmp_path / f"v{number}.proto"
        path.write_text(
            f'syntax = "proto2"; message Job {{ oneof o {{ int32 a = 1 {default}; }} }}'
        )
        schema = read_proto(path, "job", 1)
        assert schema_from_text(schema_to_text(schema)) == schema
        found.add(fingerprint(schema))
    assert len(found) == 3
