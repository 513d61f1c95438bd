"""The bytes are those of protoc's own classes, for proto2, editions and what they have alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from examples import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from same import same
from suites.protobuf_cases import message_class

from instar import Registry
from instar.codec.codec import Codec
from instar.codec.compatibility.values import states
from instar.codec.limits import DEFAULT_LIMITS
from instar.codec.tag import unpack
from instar.codec.tag.binary_frame import pack_binary
from instar.errors import CorruptPayload, ValueMismatch
from instar.schemas.model import JsonValue, Schema
from instar.schemas.protobuf import read_proto
from instar.schemas.reading import TimeUnit

PROTO2 = """
syntax = "proto2";
import "google/protobuf/any.proto";
import "google/protobuf/timestamp.proto";
import "google/protobuf/wrappers.proto";
message State {
  required int32 must = 1;
  required Part part = 2;
  required Mode required_mode = 3;
  required google.protobuf.Timestamp at = 4;
  required google.protobuf.StringValue wrapped = 5;
  optional int64 maybe = 6 [default = 5];
  optional Mode mode = 7;
  repeated sint32 many = 8;
  repeated sint32 packed = 9 [packed = true];
  repeated Mode modes = 10;
  repeated Mode packed_modes = 11 [packed = true];
  optional group Sub = 12 { optional string id = 1; repeated group Leaf = 2 {} }
  repeated group Item = 13 { required fixed64 id = 1; }
  oneof choice { group Case = 14 { optional int32 a = 1; } double number = 15; Mode tone = 16; }
  map<int32, Mode> named = 17;
  map<bool, Part> parts = 18;
  map<fixed64, google.protobuf.BytesValue> blobs = 19;
  map<sint64, string> signed = 20;
  repeated google.protobuf.Int64Value wrappers = 21;
  optional google.protobuf.Any any = 22;
  extensions 100 to 199;
  message Part { optional State up = 1; optional string text = 2; }
  enum Mode { option allow_alias = true; NONE = 0; FAST = 5; QUICK = 5; BACK = -3; }
}
extend State { optional int32 more = 100; }
"""
EDITION = """
edition = "2023";
import "google/protobuf/struct.proto";
import "google/protobuf/timestamp.proto";
import "google/protobuf/wrappers.proto";
option features.message_encoding = DELIMITED;
option features.repeated_field_encoding = EXPANDED;
message State {
  int32 explicit = 1;
  int32 implicit = 2 [features.field_presence = IMPLICIT];
  string must = 3 [features.field_presence = LEGACY_REQUIRED];
  repeated double many = 4;
  repeated double packed = 5 [features.repeated_field_encoding = PACKED];
  Part part = 6;
  Part prefixed = 7 [features.message_encoding = LENGTH_PREFIXED];
  repeated Part all = 8;
  google.protobuf.Timestamp at = 9;
  google.protobuf.Struct free = 10;
  google.protobuf.StringValue text = 11;
  map<string, Part> parts = 12;
  map<uint32, google.protobuf.Timestamp> times = 13;
  oneof choice { Part one = 14; google.protobuf.UInt64Value two = 15; Closed three = 16; }
  Open open = 17;
  Closed closed = 18;
  repeated Closed list = 19;
  message Part { int32 a = 1; Part next = 2; }
  enum Open { ZERO = 0; TWO = 2; }
  enum Closed { option features.enum_type = CLOSED; ONE = 1; MINUS = -1; }
}
"""
SCHEMAS = {
    "proto2": PROTO2,
    "edition": EDITION,
    "edition 2024": EDITION.replace("2023", "2024"),
    "edition in nanos": EDITION,
}


class Both:
    """Our codec of a message, and the class that protoc's own code has."""

    def __init__(self, path: Path, times: TimeUnit = "micros") -> None:
        self.registry = Registry.of([read_proto(path, "state", 1, times=times)])
        self.codec: Codec[Any] = self.registry.codec("state", format="protobuf")
        self.types = self.registry.subject("state").types(1)
        self.theirs = message_class(path, "State")

    def payload(self, state: Any) -> bytes:
        payload: Any = unpack(self.codec.encode(state))[1]
        return bytes(payload)


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Both]:
    found: dict[str, Both] = {}
    for name, text in SCHEMAS.items():
        path = tmp_path_factory.mktemp("wire") / "v1.proto"
        path.write_text(text, encoding="utf-8")
        found[name] = Both(path, "nanos" if "nanos" in name else "micros")
    return found


@pytest.mark.parametrize("name", SCHEMAS)
@settings(max_examples=examples(60))
@given(data=st.data())
def test_our_bytes_are_theirs(both: dict[str, Both], name: str, data: st.DataObject) -> None:
    """protoc's class knows every field that we write, and would write the same bytes."""
    pair = both[name]
    payload = pair.payload(data.draw(states(pair.types)))
    message = pair.theirs.FromString(payload)
    assert message.IsInitialized()
    message.DiscardUnknownFields()
    assert message.SerializeToString(deterministic=True) == payload


@pytest.mark.parametrize("name", SCHEMAS)
@settings(max_examples=examples(60))
@given(data=st.data())
def test_their_bytes_are_ours(both: dict[str, Both], name: str, data: st.DataObject) -> None:
    """A message that protoc's class wrote, maps in any order, is read as the same state."""
    pair = both[name]
    payload = pair.payload(data.draw(states(pair.types)))
    theirs = pair.theirs.FromString(payload).SerializeToString()
    assert pair.payload(pair.codec.decode(theirs, legacy=1)) == payload


def least(pair: Both, **values: Any) -> Any:
    """A message of theirs in proto2, with the least that is required."""
    message = pair.theirs(must=0, part={}, required_mode=0, at={}, wrapped={}, **values)
    return message.SerializeToString()


def test_values_have_their_places(both: dict[str, Both]) -> None:
    """Presence, zero, wrappers and aliases are in Python what they are in protoc's class."""
    payload = least(both["proto2"], sub={"id": "a"}, mode=5, wrappers=[{"value": 1}, {}])
    state = both["proto2"].codec.decode(payload, legacy=1)
    mode: Any = both["proto2"].types.enum("State.Mode")
    assert (state.must, state.maybe, state.mode) == (0, None, mode.FAST)
    assert (state.sub.id, state.sub.leaf, state.wrappers) == ("a", [], [1, 0])
    assert (state.wrapped, state.part.up, state.choice) == ("", None, None)


REQUIRED = ("must", "part", "required_mode", "at", "wrapped")


@pytest.mark.parametrize("name", REQUIRED)
@pytest.mark.parametrize("legacy", [None, 1])
def test_a_required_field_that_is_missing_is_named(
    both: dict[str, Both], name: str, legacy: int | None
) -> None:
    """protobuf would read on without it; we say which field is missing."""
    pair = both["proto2"]
    message = pair.theirs.FromString(least(pair))
    message.ClearField(name)
    blob = message.SerializePartialToString()
    with pytest.raises(CorruptPayload, match="the field is missing") as caught:
        pair.codec.decode(blob if legacy else tagged(pair, blob), legacy=legacy)
    assert caught.value.where == f"state.{name}"


def tagged(pair: Both, payload: bytes) -> bytes:
    return pack_binary(
        "protobuf", 1, pair.codec.fingerprint, payload, compress=False, limits=DEFAULT_LIMITS
    )


def other_packing(pair: Both) -> bytes:
    # Field 8 in one block and field 9 number by number: the other way round than declared.
    return least(pair) + bytes.fromhex("42020204" + "48024804")


FOREIGN = {
    "the other packing": other_packing,
    "a field twice": lambda pair: least(pair) + bytes.fromhex("0807"),
    "parts of a message": lambda pair: least(pair) + bytes.fromhex("120312016112001200"),
    "an unknown field": lambda pair: least(pair) + bytes.fromhex("f80701"),
    "an extension": lambda pair: least(pair) + bytes.fromhex("a00601"),
    "an unknown number of a closed enum": lambda pair: least(pair) + bytes.fromhex("3863"),
    "an overlong number": lambda pair: least(pair) + bytes.fromhex("08878000"),
}


@pytest.mark.parametrize("what", FOREIGN)
def test_a_foreign_payload_may_be_any_that_protobuf_reads(both: dict[str, Both], what: str) -> None:
    """Untagged bytes of another program are read as protobuf reads them, where it is asked for."""
    pair = both["proto2"]
    payload = FOREIGN[what](pair)
    message = pair.theirs.FromString(payload)
    state = pair.codec.decode(payload, legacy=1)
    assert pair.payload(state) == message.SerializeToString(deterministic=True)


@pytest.mark.parametrize("what", set(FOREIGN) - {"the other packing"})
def test_a_tagged_payload_must_be_one_of_ours(both: dict[str, Both], what: str) -> None:
    """The same bytes below a tag of ours were not written by us, and are refused."""
    pair = both["proto2"]
    with pytest.raises(CorruptPayload, match="unknown, repeated or overlong"):
        pair.codec.decode(tagged(pair, FOREIGN[what](pair)))


def test_an_unknown_number_of_an_open_enum_is_null_and_kept(both: dict[str, Both]) -> None:
    """It has no symbol yet that Python could see, and is not dropped without a word."""
    pair = both["edition"]
    payload = pair.theirs(must="", open=1).SerializeToString()
    state = pair.codec.decode(payload, legacy=1)
    assert state.open is None
    assert pair.theirs.FromString(pair.payload(state)).open == 1


def test_a_null_for_a_required_field_is_refused(both: dict[str, Both]) -> None:
    """What could not be read is not written."""
    pair = both["proto2"]
    state = pair.codec.decode(least(pair), legacy=1)
    state.part = None
    with pytest.raises(ValueMismatch):
        pair.codec.encode(state)


@pytest.mark.parametrize("format_", ["json", "yaml", "msgpack"])
def test_aliases_of_symbols_are_read(both: dict[str, Both], format_: Any) -> None:
    """Text formats take any name of a number and write the first one."""
    pair = both["proto2"]
    codec: Codec[Any] = pair.registry.codec("state", format=format_)
    state = pair.codec.decode(least(pair, mode=5, modes=[5]), legacy=1)
    plain = codec.to_builtins(state)
    assert (plain["mode"], plain["modes"]) == ("FAST", ["FAST"])
    alias = codec.from_builtins({**plain, "mode": "QUICK", "modes": ["QUICK"]})
    assert codec.encode(alias) == codec.encode(codec.decode(codec.encode(alias)))
    assert alias.mode is type(alias.mode).QUICK is type(alias.mode).FAST


def test_a_json_payload_with_an_alias_is_read(both: dict[str, Both]) -> None:
    """The fast path of the text formats does not know aliases; the general one does."""
    pair = both["proto2"]
    codec: Codec[Any] = pair.registry.codec("state", format="json")
    state = pair.codec.decode(least(pair, mode=5), legacy=1)
    payload: Any = unpack(codec.encode(state))[1]
    renamed = bytes(payload).replace(b'"FAST"', b'"QUICK"')
    assert renamed != payload
    mode = codec.decode(renamed, legacy=1).mode
    assert mode.value == "FAST"


FORMATS = ("avro", "protobuf", "msgpack", "json", "yaml")


@pytest.mark.parametrize("name", ["proto2", "edition"])
@settings(max_examples=examples(30))
@given(data=st.data())
def test_every_format_holds_a_state(both: dict[str, Both], name: str, data: st.DataObject) -> None:
    """What only Protobuf can declare is an ordinary state in all the other formats."""
    pair = both[name]
    state = data.draw(states(pair.types))
    for format_ in FORMATS:
        codec: Codec[Any] = pair.registry.codec("state", format=format_)
        assert same(codec.decode(codec.encode(state)), state)


VERSIONS = (
    (
        'syntax = "proto2"; import "google/protobuf/wrappers.proto"; message State {'
        " required int32 a = 1; optional group G = 2 { optional int32 x = 1; }"
        " repeated google.protobuf.StringValue s = 3; repeated int32 n = 4; optional M m = 5;"
        " enum M { A = 0; B = 1; } map<int32, google.protobuf.Int64Value> w = 6; }"
    ),
    (
        'syntax = "proto3"; message State {'
        " optional int64 a = 1; G g = 2; message G { optional int32 x = 1; }"
        " repeated string s = 3; repeated int64 n = 4; optional M m = 5;"
        " enum M { option allow_alias = true; A = 0; C = 1; B = 1; } map<int32, int64> w = 6; }"
    ),
    (
        'edition = "2023"; import "google/protobuf/wrappers.proto"; message State {'
        " int64 a = 1; G g = 2 [features.message_encoding = DELIMITED]; message G { int32 x = 1; }"
        " repeated google.protobuf.StringValue s = 3; repeated int64 n = 4; M m = 5;"
        " enum M { A = 0; D = 1; } map<int32, int64> w = 6; }"
    ),
)


@pytest.mark.parametrize("format_", FORMATS)
def test_a_state_moves_between_syntaxes(tmp_path: Path, format_: Any) -> None:
    """proto2, proto3 and an edition, groups and wrappers: only the bytes of a version differ."""
    schemas: list[Schema] = []
    for version, text in enumerate(VERSIONS, 1):
        path = tmp_path / f"v{version}.proto"
        path.write_text(text, encoding="utf-8")
        schemas.append(read_proto(path, "state", version))
    registry = Registry.of(schemas)
    oldest: Codec[Any] = registry.codec("state", format=format_, version=1)
    newest: Codec[Any] = registry.codec("state", format=format_)
    plain: dict[str, JsonValue] = {
        "a": 5,
        "g": {"x": 7},
        "s": ["q", ""],
        "n": [1, -2],
        "m": "B",
        "w": {"3": 9},
    }
    state = oldest.from_builtins(plain)
    upgraded = newest.decode(oldest.encode(state))
    assert newest.to_builtins(upgraded) == {**plain, "m": "D"}
    assert newest.decode(newest.encode(upgraded), version=1) == state


@pytest.mark.parametrize(
    ("payload", "where"),
    [("0807", "state.one"), ("120207 00", "state.all[0]"), ("1a0408011007", "state.named[1]")],
)
def test_an_unknown_number_of_an_open_enum_is_told(
    tmp_path: Path, payload: str, where: str
) -> None:
    """It is a value to protobuf and none in Python: place, number and the way out, never zero."""
    path = tmp_path / "v1.proto"
    path.write_text(
        'syntax = "proto3"; enum Kind { NONE = 0; } message State {'
        " Kind one = 1; repeated Kind all = 2; map<int32, Kind> named = 3; }"
    )
    codec = Both(path).codec
    with pytest.raises(CorruptPayload, match="a symbol of Kind, found int 7") as caught:
        codec.decode(bytes.fromhex(payload), legacy=1)
    assert caught.value.where == where
    assert caught.value.mend == "only a version whose Kind has it can read it"
