from __future__ import annotations

import json
from pathlib import Path

import pytest

from instar.errors import MissingExtra, SchemaError, SchemaSyntaxError
from instar.schemas.avro import parse_avro, to_avro
from instar.schemas.avro.names import avro_names
from instar.schemas.model import (
    Array,
    Branch,
    Default,
    Enum,
    Field,
    Json,
    JsonValue,
    Logical,
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
from instar.schemas.protobuf import read_proto

WIDE = """
syntax = "proto3";
package lab;
import "google/protobuf/duration.proto";
import "google/protobuf/struct.proto";
import "google/protobuf/timestamp.proto";
import "google/protobuf/wrappers.proto";

// The state.
// In two lines.
message WideState {
  reserved 90 to 99;
  double a_double = 1;
  float a_float = 2;
  int32 an_int32 = 3;
  int64 an_int64 = 4;
  uint32 a_uint32 = 5;
  uint64 a_uint64 = 6;
  sint32 a_sint32 = 7;
  sint64 a_sint64 = 8;
  fixed32 a_fixed32 = 9;
  fixed64 a_fixed64 = 10;
  sfixed32 a_sfixed32 = 11;
  sfixed64 a_sfixed64 = 12;
  bool a_bool = 13;
  string a_string = 14; // Behind.
  bytes a_bytes = 15;
  optional int32 maybe = 16;
  repeated string many = 17;
  map<int64, Part> parts = 18;
  Part part = 19;
  Mode mode = 20;
  // One of these.
  oneof choice {
    string text = 22;
    Part other = 21;
    string title = 24;
    int64 number = 25;
    google.protobuf.Timestamp at = 26;
  }
  string renamed = 23 [json_name = "Other-Name", deprecated = true];
  google.protobuf.Timestamp when = 30;
  google.protobuf.Duration span = 31;
  google.protobuf.Struct free = 32;
  google.protobuf.Value any_value = 33;
  google.protobuf.ListValue list = 34;
  google.protobuf.Int64Value boxed = 35;
  repeated google.protobuf.Timestamp times = 36;
  map<bool, Mode> modes = 37;
  oneof lone { string only = 38; }

  message Part { WideState parent = 1; Mode mode = 2; }
  enum Mode {
    MODE_NONE = 0;
    // Fast.
    MODE_FAST = 5;
  }
}
service Unread { rpc Call(WideState) returns (WideState); }
"""


def write(folder: Path, text: str) -> Path:
    path = folder / "v1.proto"
    path.write_text(text, encoding="utf-8")
    return path


def read(folder: Path, body: str, subject: str = "state") -> Schema:
    """The schema of a file in proto3 with ``body`` after its first line."""
    return read_proto(write(folder, f'syntax = "proto3";\n{body}'), subject, 1)


@pytest.fixture(scope="module")
def wide(tmp_path_factory: pytest.TempPathFactory) -> Schema:
    return read_proto(write(tmp_path_factory.mktemp("wide"), WIDE), "wide_state", 1)


def fields(schema: Schema) -> dict[str, Field]:
    return {field.name: field for field in schema.record.fields}


SCALARS: dict[str, tuple[Primitive, JsonValue]] = {
    "a_double": (Primitive("double"), 0.0),
    "a_float": (Primitive("float"), 0.0),
    "an_int32": (Primitive("int"), 0),
    "an_int64": (Primitive("long"), 0),
    "a_uint32": (Primitive("int", wire="uint32"), 0),
    "a_uint64": (Primitive("long", wire="uint64"), 0),
    "a_sint32": (Primitive("int", wire="sint32"), 0),
    "a_sint64": (Primitive("long", wire="sint64"), 0),
    "a_fixed32": (Primitive("int", wire="fixed32"), 0),
    "a_fixed64": (Primitive("long", wire="fixed64"), 0),
    "a_sfixed32": (Primitive("int", wire="sfixed32"), 0),
    "a_sfixed64": (Primitive("long", wire="sfixed64"), 0),
    "a_bool": (Primitive("boolean"), False),
    "a_string": (Primitive("string"), ""),
    "a_bytes": (Primitive("bytes"), ""),
}


@pytest.mark.parametrize(("name", "number"), list(zip(SCALARS, range(1, 16), strict=True)))
def test_scalars_keep_wire_number_and_zero(wide: Schema, name: str, number: int) -> None:
    """A proto3 scalar is a plain field with its width, its number and its zero as default."""
    type_, zero = SCALARS[name]
    found = fields(wide)[name]
    assert (found.type, found.number, found.default) == (type_, number, Default(zero))


PART = Reference("lab.WideState.Part")
MODE = Reference("lab.WideState.Mode")
TIMESTAMP = Logical(
    "timestamp", Primitive("long"), unit="micros", well_known="google.protobuf.Timestamp"
)
COMPOUND: dict[str, tuple[Type, JsonValue]] = {
    "maybe": (Optional(Primitive("int")), None),
    "many": (Array(Primitive("string")), []),
    "parts": (Map(PART, keys=Primitive("long")), {}),
    "part": (Optional(PART), None),
    "mode": (MODE, "MODE_NONE"),
    "when": (Optional(TIMESTAMP), None),
    "span": (
        Optional(
            Logical(
                "duration", Primitive("long"), unit="micros", well_known="google.protobuf.Duration"
            )
        ),
        None,
    ),
    "free": (Optional(Json(well_known="google.protobuf.Struct")), None),
    "any_value": (Optional(Json(well_known="google.protobuf.Value")), None),
    "list": (Optional(Json(well_known="google.protobuf.ListValue")), None),
    "boxed": (Optional(Primitive("long"), well_known="google.protobuf.Int64Value"), None),
    "times": (Array(TIMESTAMP), []),
    "modes": (Map(MODE, keys=Primitive("boolean")), {}),
}


@pytest.mark.parametrize("name", COMPOUND)
def test_other_fields_say_how_they_can_be_absent(wide: Schema, name: str) -> None:
    """Presence, lists, maps, messages and well-known types each have their type and default."""
    type_, default = COMPOUND[name]
    found = fields(wide)[name]
    assert (found.type, found.default) == (type_, Default(default))


def test_a_oneof_is_one_field_where_its_first_case_stands(wide: Schema) -> None:
    """The cases of a oneof are the branches of one nullable union, numbered as declared."""
    names = list(fields(wide))
    assert names[names.index("choice") - 1] == "mode"
    assert names[names.index("choice") + 1] == "renamed"
    found = fields(wide)["choice"]
    assert found == Field(
        "choice",
        Optional(
            Union(
                (
                    Branch("text", Primitive("string"), number=22),
                    Branch("other", PART, number=21),
                    Branch("title", Primitive("string"), number=24),
                    Branch("number", Primitive("long"), number=25),
                    Branch("at", TIMESTAMP, number=26),
                ),
                oneof=True,
            )
        ),
        default=Default(None),
        doc="One of these.",
    )


def test_a_oneof_of_one_case_is_still_a_oneof(wide: Schema) -> None:
    """A oneof that has one case so far stays a union, which later versions can widen."""
    only = Branch("only", Primitive("string"), number=38)
    assert fields(wide)["lone"].type == Optional(Union((only,), oneof=True))


def test_enums_keep_numbers_and_docs(wide: Schema) -> None:
    """Symbols keep their declared numbers, with holes, and their comments."""
    assert wide.types["lab.WideState.Mode"] == Enum(
        "lab.WideState.Mode", (Symbol("MODE_NONE", 0), Symbol("MODE_FAST", 5, "Fast."))
    )


def test_comments_are_docs_and_options_are_kept(wide: Schema) -> None:
    """A comment before or behind a definition is its doc; json_name and deprecated are read."""
    assert wide.record.doc == "The state.\nIn two lines."
    assert fields(wide)["a_string"].doc == "Behind."
    renamed = fields(wide)["renamed"]
    assert (renamed.json_name, renamed.deprecated) == ("Other-Name", True)
    assert fields(wide)["a_string"].json_name is None


def test_recursive_messages_are_references(wide: Schema) -> None:
    """A message that leads back to one that holds it is a reference, and one table entry."""
    part = wide.types["lab.WideState.Part"]
    assert isinstance(part, Record)
    assert part.fields[0].type == Optional(Reference("lab.WideState"))
    assert list(wide.types) == ["lab.WideState", "lab.WideState.Part", "lab.WideState.Mode"]


def test_two_versions_of_one_message_are_read_side_by_side(tmp_path: Path) -> None:
    """Two files that define one message differently are both read in one process."""
    one = read(tmp_path, "package p; message State { int32 a = 1; }")
    two = read(tmp_path, "package p; message State { string b = 1; }")
    assert one.root == two.root == "p.State"
    assert list(fields(one)) == ["a"]
    assert list(fields(two)) == ["b"]


@pytest.mark.parametrize(
    "body",
    [
        "message State {} message Other {}",
        "message Root { Used used = 1; } message Used { Used again = 1; }",
    ],
)
def test_the_root_is_named_as_the_subject_or_used_by_none(tmp_path: Path, body: str) -> None:
    """The root is the message named as the subject, or the only one that no other uses."""
    assert read(tmp_path, body).root in {"State", "Root"}


@pytest.mark.parametrize("body", ["message A {} message B {}", "enum E { ZERO = 0; }"])
def test_a_file_without_a_clear_root_says_so(tmp_path: Path, body: str) -> None:
    """Where several messages, or none, could be the root, the error says how to name it."""
    with pytest.raises(SchemaError, match="message"):
        read(tmp_path, body)


@pytest.mark.parametrize(
    ("body", "place", "reason"),
    [
        ("message State {\n  int32 a = 1\n}", "4:1", "Expected"),
        ("message State {\n  Nowhere a = 1;\n}", "3:3", "Nowhere"),
        ("message State {\n  int32 a = 1;\n  int32 b = 1;\n}", "4:13", "1"),
        ('\nimport "nowhere.proto";\nmessage State {}', "3:1", "nowhere.proto"),
    ],
)
def test_a_fault_that_protoc_finds_has_file_line_and_column(
    tmp_path: Path, body: str, place: str, reason: str
) -> None:
    """A file that protoc refuses is an error with line, column and reason, all of protoc."""
    with pytest.raises(SchemaSyntaxError, match=reason) as caught:
        read(tmp_path, body)
    assert caught.value.where == f"{tmp_path / 'v1.proto'}:{place}"


def test_imports_are_found_beside_the_file(tmp_path: Path) -> None:
    """A file may import another one of its folder; only what the root uses is read."""
    (tmp_path / "common.proto").write_text(
        'syntax = "proto2"; package c; enum Old { A = 1; } message Also { required int32 a = 1; }'
    )
    (tmp_path / "part.proto").write_text('syntax = "proto3"; package c; message Part {}')
    schema = read(
        tmp_path,
        'import "common.proto"; import "part.proto"; message State { c.Part part = 1; }',
    )
    assert list(schema.types) == ["State", "c.Part"]


def test_python_files_beside_the_schema_are_not_run(tmp_path: Path) -> None:
    """A Python file in the folder of schemas is not taken for a module of protoc's."""
    (tmp_path / "grpc_tools.py").write_text("raise SystemExit('ran')")
    (tmp_path / "os.py").write_text("raise SystemExit('ran')")
    assert read(tmp_path, "message State {}").root == "State"


def test_a_file_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    """A missing file is named, not left to protoc."""
    with pytest.raises(SchemaError, match="no such file"):
        read_proto(tmp_path / "v1.proto", "state", 1)


def test_without_grpcio_tools_the_extra_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where protoc is not installed, the error says which extra brings it."""

    def nothing(name: str) -> None:
        assert name == "grpc_tools"

    monkeypatch.setattr("importlib.util.find_spec", nothing)
    with pytest.raises(MissingExtra, match="grpcio-tools") as caught:
        read(tmp_path, "message State {}")
    assert caught.value.extra == "compile"


def avro(schema: Schema) -> Schema:
    text = json.dumps(to_avro(schema))
    return parse_avro(text, subject=schema.subject, version=1, where="written")


def test_a_protobuf_schema_is_written_as_avro(wide: Schema) -> None:
    """Avro gets wider integers for unsigned ones, text keys, and one record per clashing case."""
    found = fields(avro(wide))
    assert found["a_uint32"].type == Primitive("long")
    assert found["a_uint64"].type == Primitive("long")
    assert found["a_sint32"].type == Primitive("int")
    assert found["parts"].type == Map(PART)
    assert found["span"].type == Optional(Logical("duration", Primitive("long"), unit="micros"))
    assert found["free"].type == Optional(Json())
    choice = found["choice"].type
    assert isinstance(choice, Optional)
    assert isinstance(choice.item, Union)
    assert [branch.label for branch in choice.item.branches] == [
        "lab.TextValue",
        "lab.WideState.Part",
        "lab.TitleValue",
        "lab.NumberValue",
        "lab.AtValue",
    ]
    assert avro(wide).types["lab.TextValue"] == Record(
        "lab.TextValue", (Field("value", Primitive("string")),)
    )


def test_the_wrappers_of_a_union_can_be_asked_for(wide: Schema) -> None:
    """The names tell which branches of a union Avro holds in a record of their own."""
    choice = fields(wide)["choice"].type
    assert isinstance(choice, Optional)
    assert isinstance(choice.item, Union)
    assert avro_names(wide).wrappers(choice.item) == (
        "lab.TextValue",
        None,
        "lab.TitleValue",
        "lab.NumberValue",
        "lab.AtValue",
    )


def test_nested_messages_outside_a_package_are_written_without_dots(tmp_path: Path) -> None:
    """Avro cannot name a type without namespace from inside one, so there is none."""
    schema = read(tmp_path, "message State { message Part { State up = 1; } Part part = 1; }")
    assert set(avro(schema).types) == {"State", "State_Part"}
    assert avro_names(schema).types["State.Part"] == "State_Part"
