"""ProtoJSON: what Protobuf's own library writes and reads of the same ``.proto`` is what we do."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from examples import examples
from google.protobuf import json_format
from hypothesis import given, settings
from hypothesis import strategies as st
from same import same
from suites.protobuf_cases import message_class, pool_of

from instar import Registry
from instar.codec.codec import Codec
from instar.codec.compatibility.values import states
from instar.codec.limits import Limits
from instar.codec.tag import unpack
from instar.errors import (
    CorruptPayload,
    InstarError,
    LimitExceeded,
    UnsupportedSchema,
    ValueMismatch,
)
from instar.schemas.fingerprint import fingerprint
from instar.schemas.portable import schema_from_text, schema_to_text
from instar.schemas.protobuf import read_proto

PROTO2 = """syntax = "proto2";
package deep.er;
import "google/protobuf/any.proto";
import "google/protobuf/field_mask.proto";
import "google/protobuf/timestamp.proto";
import "google/protobuf/wrappers.proto";
message State {
  required int32 must = 1;
  optional int64 big_number = 2 [default = 5];
  optional group Result = 3 { optional string some_url = 1; }
  repeated float few = 4;
  map<int32, Kind> _odd__name_ = 5;
  oneof some_choice { State self = 6; Kind the_kind = 7; google.protobuf.StringValue text = 8; }
  optional google.protobuf.Timestamp at = 9;
  optional bytes raw = 10;
  optional string o0 = 11;
  message M0 { optional double f1 = 1; message M0 { optional bool f1 = 1; } optional M0 inner = 2; }
  repeated M0 all = 12;
  extensions 100 to 200;
}
enum Kind { option allow_alias = true; NONE = 0; SOME = -1; ALSO = -1; }
"""
NAMES = """syntax = "proto3";
message State {
  int32 plain_name = 1;
  int32 given_name = 2 [json_name = "@given"];
  int32 as_written = 3 [json_name = "as_written"];
  oneof one { int32 some_case = 4 [json_name = "#case"]; int32 as_is = 5 [json_name = "as_is"]; }
}
"""
SWAPPED = """syntax = "proto3";
message State { int32 a = 1 [json_name = "b"]; int32 b = 2 [json_name = "a"]; int32 c_d = 3; }
"""
MIXED = """syntax = "proto3";
package google.mine;
import "google/protobuf/any.proto";
import "google/protobuf/field_mask.proto";
import "google/protobuf/struct.proto";
message State {
  google.protobuf.Any any = 1;
  google.protobuf.FieldMask mask = 2;
  google.protobuf.Struct free = 3;
  repeated Part parts = 4;
  message Part { Level level = 1; }
  enum Level { LOW = 0; HIGH = 7; }
}
"""
SCHEMAS = {"proto2": PROTO2, "names": NAMES}
ROOTS = {"proto2": "deep.er.State", "names": "State"}


def write(folder: Path, text: str) -> Path:
    path = folder / "v1.proto"
    path.write_text(text)
    return path


class Both:
    """Our codec of a message, and the class that protoc's own code has."""

    def __init__(self, path: Path, root: str) -> None:
        self.registry = Registry.of([read_proto(path, "state", 1)])
        self.codec: Codec[Any] = self.registry.codec("state", format="protobuf")
        self.types = self.registry.subject("state").types(1)
        self.theirs, self.pool = message_class(path, root), pool_of(path)

    def message(self, state: Any) -> Any:
        return self.theirs.FromString(bytes(unpack(self.codec.encode(state))[1]))  # type: ignore[arg-type]

    def parse(self, text: str) -> Any:
        """The text as protobuf's own library reads it; nothing for a float that is too large."""
        try:
            return json_format.Parse(text, self.theirs(), descriptor_pool=self.pool)
        except json_format.ParseError as error:
            if "Float value too" in str(error):
                return None
            raise


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Both]:
    return {
        name: Both(write(tmp_path_factory.mktemp("protojson"), text), ROOTS[name])
        for name, text in SCHEMAS.items()
    }


@pytest.fixture
def mixed(tmp_path: Path) -> Both:
    return Both(write(tmp_path, MIXED), "google.mine.State")


@pytest.mark.parametrize("name", SCHEMAS)
@settings(max_examples=examples(60))
@given(data=st.data())
def test_our_text_is_theirs(both: dict[str, Both], name: str, data: st.DataObject) -> None:
    """Of any state, protobuf's own class has the same text, key for key, and reads ours back."""
    pair = both[name]
    state = data.draw(states(pair.types))
    message = pair.message(state)
    try:
        theirs = json_format.MessageToDict(message, descriptor_pool=pair.pool)
    except Exception:  # noqa: BLE001 - protobuf raises whatever it meets, of an Any it does not know
        with pytest.raises(ValueMismatch):
            pair.codec.to_protojson(state)
        return
    text = pair.codec.to_protojson(state)
    assert json.loads(text) == theirs
    read = pair.parse(text)
    assert read is None or str(read) == str(message)  # as text, since NaN is not itself


@pytest.mark.parametrize("name", SCHEMAS)
@settings(max_examples=examples(60))
@given(data=st.data())
def test_a_state_comes_back(both: dict[str, Both], name: str, data: st.DataObject) -> None:
    """What is written as ProtoJSON is read as what the bytes of Protobuf are read as."""
    pair = both[name]
    state = data.draw(states(pair.types))
    try:
        text = pair.codec.to_protojson(state)
    except ValueMismatch:
        return
    if pair.parse(text) is None:
        with pytest.raises(CorruptPayload, match="Float value too"):
            pair.codec.from_protojson(text)
        return
    assert same(pair.codec.from_protojson(text), pair.codec.decode(pair.codec.encode(state)))


def test_the_largest_float_is_written_and_not_read(both: dict[str, Both]) -> None:
    """Protobuf's library rounds the largest float of 32 bits up as it writes it, and refuses what
    it wrote. So do we, with an error: it is never another number.
    """
    pair = both["proto2"]
    for sign in (1, -1):
        state = pair.codec.type(must=1, few=[sign * 3.4028234663852886e38])
        text = pair.codec.to_protojson(state)
        assert json.loads(text)["few"] == [sign * 3.4028235e38]
        assert pair.parse(text) is None
        with pytest.raises(CorruptPayload, match="Float value too"):
            pair.codec.from_protojson(text)


def test_keys_and_symbols(both: dict[str, Both]) -> None:
    """Keys are in camel case or as the file gives them; both forms are read, as Protobuf has it."""
    codec = both["names"].codec
    keys = {"plainName": 1, "@given": 2, "as_written": 3, "#case": 4}
    state = codec.from_protojson(json.dumps(keys))
    assert state.given_name == 2
    assert json.loads(codec.to_protojson(state)) == keys
    other = {"plain_name": 1, "given_name": 2, "as_written": 3, "some_case": 4}
    assert codec.from_protojson(json.dumps(other)) == state


def test_names_that_change_places(tmp_path: Path) -> None:
    """Where a key is another field's name, nothing is read into the wrong field: as protobuf's
    own library has no such message, there is no ProtoJSON of it, and all else works.
    """
    codec = Registry.of([read_proto(write(tmp_path, SWAPPED), "state", 1)]).codec("state")
    assert codec.decode(codec.encode(codec.type(a=1))).a == 1
    with pytest.raises(UnsupportedSchema, match="json_name"):
        codec.from_protojson('{"a": 1, "cD": 3}')


def test_keys_are_no_part_of_the_meaning(tmp_path: Path) -> None:
    """No blob holds the keys of ProtoJSON, so a released schema keeps its fingerprint."""
    given = NAMES.replace('json_name = "#case"', "deprecated = true")
    schemas = [
        read_proto(write(tmp_path, text), "state", 1)
        for text in (NAMES, given, NAMES.replace(' [json_name = "as_written"]', ""))
    ]
    assert len({fingerprint(schema) for schema in schemas}) == 1
    assert schema_from_text(schema_to_text(schemas[0])) == schemas[0]


def test_messages_with_a_form_of_their_own(mixed: Both) -> None:
    """An Any holds its message, a mask is one text, a Struct is plain: also in a package google."""
    text = json.dumps(
        {
            "any": {"@type": "type.googleapis.com/google.protobuf.Duration", "value": "1.500s"},
            "mask": "fooBar,baz",
            "free": {"any": [1, None, "x"]},
            "parts": [{"level": "HIGH"}, {}],
        }
    )
    state = mixed.codec.from_protojson(text)
    assert state.mask.paths == ["foo_bar", "baz"]
    assert state.any.value == b"\x08\x01\x10\x80\xca\xb5\xee\x01"
    assert state.free == {"any": [1, None, "x"]}
    assert json.loads(mixed.codec.to_protojson(state)) == json.loads(text)


def test_an_any_of_the_state_itself(tmp_path: Path) -> None:
    """An Any may hold whatever the schema does, by its full name, packages and all."""
    text = PROTO2.replace("repeated float few", "optional google.protobuf.Any few")
    codec = Both(write(tmp_path, text), "deep.er.State").codec
    inner = {"@type": "type.googleapis.com/deep.er.State.M0", "f1": 0.5}
    state = codec.from_protojson(json.dumps({"must": 1, "few": inner}))
    assert json.loads(codec.to_protojson(state))["few"] == inner


def test_an_any_of_another_type_is_refused(mixed: Both) -> None:
    """What the schema does not hold has no ProtoJSON here, in either direction."""
    strange = '{"any": {"@type": "type.googleapis.com/else.Where", "x": 1}}'
    with pytest.raises(CorruptPayload, match=r"else\.Where"):
        mixed.codec.from_protojson(strange)
    state = mixed.codec.from_builtins(
        {"any": {"type_url": "type.googleapis.com/else.Where", "value": ""}}
    )
    with pytest.raises(ValueMismatch, match=r"else\.Where"):
        mixed.codec.to_protojson(state)


def test_unknown_keys_are_refused_or_dropped(mixed: Both) -> None:
    """Nothing that a document says is lost, unless the caller says so."""
    text = '{"mask": "a", "new": 1, "parts": [{"level": "HIGHER"}]}'
    with pytest.raises(CorruptPayload, match='no field named "new"'):
        mixed.codec.from_protojson(text)
    state = mixed.codec.from_protojson(text, drop_unknown=True)
    assert json.loads(mixed.codec.to_protojson(state)) == {"mask": "a", "parts": [{}]}


def test_an_unknown_number_of_an_enum_is_told_with_its_place(mixed: Both) -> None:
    """Python has no symbol for it: path, number and way out, also where unknown keys may go."""
    for drop in (False, True):
        with pytest.raises(CorruptPayload, match="found int 8") as caught:
            mixed.codec.from_protojson('{"parts": [{}, {"level": 8}]}', drop_unknown=drop)
        assert caught.value.where == "state.parts[1].level"
        assert "version" in caught.value.mend


def test_what_is_required_has_to_be_there(both: dict[str, Both]) -> None:
    """A missing required field is an error with its path, as it is in bytes."""
    codec = both["proto2"].codec
    with pytest.raises(CorruptPayload) as caught:
        codec.from_protojson('{"self": {"must": 1, "self": {}}, "must": 1}')
    assert caught.value.where == "state.some_choice.some_choice.must"


@pytest.mark.parametrize(
    "text",
    [
        *("", "[]", "3", "null", "{", '{"must": 1} {}', '{"must": "x"}', '{"must": 1.5}'),
        *('{"must": 2147483648}', '{"must": 1, "must": 1}', '{"must": 1, "raw": "A"}'),
        *('{"must": 1, "few": [NaN]}', '{"must": 1, "at": "yesterday"}', '{"must": 1, "at": ""}'),
        *('{"must": 1, "self": {"must": 1}, "theKind": "SOME"}', '{"must": 1, "o0": "\\ud800"}'),
        *(
            '{"must": true}',
            '{"must": 1, "theKind": "nOnE"}',
            b"\xff",
            b'{"must": 1, "o0": "\xff"}',
        ),
        f'{{"must": {"9" * 5000}}}',
    ],
)
def test_malformed_texts(both: dict[str, Both], text: str | bytes) -> None:
    """A text that is no ProtoJSON of the schema is refused, and the message stays short."""
    with pytest.raises(CorruptPayload) as caught:
        both["proto2"].codec.from_protojson(text)
    assert len(str(caught.value)) < 500


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["must", "few", "self", "at", "all", "text", "x"]), inner)
    ),
    max_leaves=8,
)


@settings(max_examples=examples(200))
@given(document=JSON)
def test_any_json_ends_well(both: dict[str, Both], document: Any) -> None:
    """Whatever JSON comes, it is a state that can be written again, or an error of ours."""
    pair = both["proto2"]
    try:
        state = pair.codec.from_protojson(json.dumps(document))
    except InstarError:
        return
    text = pair.codec.to_protojson(state)
    assert pair.parse(text) is None or same(pair.codec.from_protojson(text), state)


def test_depth_is_limited(both: dict[str, Both]) -> None:
    """A text that nests too deep is refused, however deep, and so is a state."""
    codec = both["proto2"].codec
    for levels in (200, 100_000):
        with pytest.raises((CorruptPayload, LimitExceeded)):
            codec.from_protojson('{"must": 1, "self": ' * levels + "{}" + "}" * levels)
    state = codec.type(must=1)
    for _ in range(150):
        state = codec.type(must=1, some_choice=state)
    with pytest.raises((ValueMismatch, LimitExceeded)):
        codec.to_protojson(state)


def test_the_limit_of_the_codec_counts(both: dict[str, Both]) -> None:
    """Limits.depth bounds a text as it bounds a blob."""
    codec = both["proto2"].registry.codec("state", limits=Limits(depth=3))
    nested = '{"must": 1, "self": ' * 5 + '{"must": 1}' + "}" * 5
    with pytest.raises(CorruptPayload, match="deep"):
        codec.from_protojson(nested)


def test_older_versions_are_upgraded(tmp_path: Path) -> None:
    """A text of an older version becomes a state of this one, migrations and all."""
    bodies = ("int32 n = 1;", 'int64 n = 1; string note_text = 2 [json_name = "note"];')
    schemas: list[Any] = []
    for version, body in enumerate(bodies, 1):
        path = tmp_path / f"v{version}.proto"
        path.write_text(f'syntax = "proto3"; message Job {{ {body} }}')
        schemas.append(read_proto(path, "job", version))
    codec = Registry.of(schemas).codec("job")
    state = codec.from_protojson('{"n": 5}', legacy=1)
    assert (state.n, state.note_text) == (5, "")
    with pytest.raises(CorruptPayload, match="version 1"):
        codec.from_protojson('{"note": "x"}', legacy=1)
    assert codec.from_protojson('{"note": "x"}').note_text == "x"


def test_only_a_proto_has_it(tmp_path: Path) -> None:
    """An Avro schema has no ProtoJSON: the error says what there is in its place."""
    (tmp_path / "job").mkdir()
    (tmp_path / "job" / "v1.avsc").write_text(
        '{"type": "record", "name": "Job", "fields": [{"name": "n", "type": "int"}]}'
    )
    codec = Registry.open(tmp_path).codec("job")
    for call in (lambda: codec.from_protojson("{}"), lambda: codec.to_protojson(codec.type(n=1))):
        with pytest.raises(UnsupportedSchema, match="ProtoJSON") as caught:
            call()
        assert "from_builtins" in caught.value.mend


def test_a_value_of_a_wrong_type_has_its_path(mixed: Both) -> None:
    """A state that the schema cannot hold is refused with the path, before protobuf sees it."""
    with pytest.raises(ValueMismatch, match=r"state\.parts"):
        mixed.codec.to_protojson(mixed.codec.type(any=None, mask=None, free=None, parts=3))


def test_a_time_beyond_the_calendar_of_protobuf_is_refused(tmp_path: Path) -> None:
    """Protobuf's text form of a duration ends at ten thousand years, which a timedelta may pass."""
    import datetime as dt  # noqa: PLC0415 - only here

    path = write(
        tmp_path,
        'syntax = "proto3"; import "google/protobuf/duration.proto";'
        " message State { google.protobuf.Duration d = 1; }",
    )
    codec = Registry.of([read_proto(path, "state", 1)]).codec("state")
    with pytest.raises(ValueMismatch, match="Duration"):
        codec.to_protojson(codec.type(d=dt.timedelta(days=20_000 * 366)))
