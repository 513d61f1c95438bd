"""Old code that reads, edits and writes what newer code wrote in Protobuf loses nothing of it."""

from __future__ import annotations

import json
import tempfile
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, get_args

import pytest
from examples import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from same import same
from suites.protobuf_cases import message_class, shown

from instar import Limits, Registry, read_residue, read_tag, strip_residue
from instar.codec.codec import Codec
from instar.codec.compatibility.values import states
from instar.codec.record import residue_of, set_residue
from instar.codec.tag import Format, unpack
from instar.codec.tag.binary_frame import pack_binary
from instar.codec.tag.explain import explain
from instar.errors import (
    CarriesResidue,
    CorruptPayload,
    LimitExceeded,
    NotExpressible,
    ValueMismatch,
)
from instar.schemas.protobuf import read_proto

FORMATS: tuple[Format, ...] = get_args(Format)

# Each line of the second part may be missing from an older version.
ALWAYS = """
syntax = "proto3";
message State {
  string title = 1;
  repeated Part parts = 2;
  map<string, Part> named = 3;
  optional Part one = 4;
  oneof choice { Part picked = 5; int32 number = 6; }
  optional Mood mood = 7;
%s
}
message Part {
  int32 a = 1;
%s
}
enum Mood { NONE = 0; GOOD = 1; %s }
"""
STATE_LINES = (
    "string note = 8;",
    "repeated double many = 9;",
    "optional fixed32 small = 10;",
    "map<int64, string> texts = 11;",
    "repeated Part more = 12;",
    "optional Mood other = 13;",
    "fixed64 large = 600;",
)
PART_LINES = ("string text = 2;", "optional Part inside = 3;", "sint64 far = 536870911;")
MOODS = ("BAD = 2;", "ODD = -1;")
ALL = (STATE_LINES, PART_LINES, MOODS)


# Few of them, since each is compiled.
OLDER = st.sampled_from(
    [
        ((), (), ()),
        (STATE_LINES[:3], PART_LINES[1:2], ()),
        (STATE_LINES[3:], PART_LINES[:1], MOODS[:1]),
        (STATE_LINES[4:6], (), MOODS[1:]),
        ((), PART_LINES, MOODS),
        (STATE_LINES, PART_LINES[2:], ()),
    ]
)


class Both(NamedTuple):
    """An older and a newer version, as one subject, and protoc's class of the newer."""

    registry: Registry
    theirs: Any

    def codec(self, version: int, format_: Format = "protobuf", **more: Any) -> Codec[Any]:
        return self.registry.codec("state", format=format_, version=version, **more)

    def newer(self, blob: bytes) -> Any:
        """What a program with the newer version sees in our Protobuf blob."""
        return self.theirs.FromString(bytes(unpack(blob)[1]))  # type: ignore[arg-type] # binary


@cache
def both(*older: tuple[str, ...]) -> Both:
    return pair(*(ALWAYS % tuple(" ".join(part) for part in parts) for parts in (older, ALL)))


@cache
def pair(old: str, new: str) -> Both:
    folder = Path(tempfile.mkdtemp())
    schemas: list[Any] = []
    for version, text in enumerate((old, new), 1):
        path = folder / f"v{version}.proto"
        path.write_text(text, encoding="utf-8")
        schemas.append(read_proto(path, "state", version, root="State"))
    return Both(Registry.of(schemas), message_class(folder / "v2.proto", "State"))


def written(found: Both, data: st.DataObject) -> Any:
    """A message of the newer version, as its own program has it."""
    state = data.draw(states(found.registry.subject("state").types(2)))
    return found.newer(found.codec(2).encode(state))


@settings(max_examples=examples(40))
@given(older=OLDER, data=st.data())
def test_an_edit_by_older_code_loses_nothing(older: Any, data: st.DataObject) -> None:
    """The newer program sees the edit, and beside it all that it wrote itself."""
    found = both(*older)
    message = written(found, data)
    state = found.codec(1).decode(message.SerializeToString(), legacy=1)
    state.title, message.title = "edited", "edited"
    state.parts.reverse()
    parts = list(message.parts)[::-1]
    if data.draw(st.booleans()) and parts:
        del parts[0], state.parts[0]
    parts = [type(part).FromString(part.SerializeToString()) for part in parts]
    del message.parts[:]
    message.parts.extend(parts)
    for part in (*state.named.values(), *state.parts):
        part.a = 7
    for part in (*message.named.values(), *message.parts):
        part.a = 7
    blob = found.codec(1).encode(state)
    assert shown(found.newer(blob)) == shown(message)
    assert read_tag(blob).residue == bool(read_residue(state))
    # The newer version of ours reads of that blob what its program reads.
    wanted = found.codec(2).decode(message.SerializeToString(), legacy=2)
    assert same(found.codec(2).decode(blob), wanted)


@settings(max_examples=examples(30))
@given(older=OLDER, format_=st.sampled_from(FORMATS), data=st.data())
def test_every_format_keeps_it(older: Any, format_: Format, data: st.DataObject) -> None:
    """A blob of any format gives the same state with the same residue, and the same blob."""
    found = both(*older)
    message = written(found, data)
    state = found.codec(1).decode(message.SerializeToString(), legacy=1)
    codec = found.codec(1, format_)
    blob = codec.encode(state)
    again = codec.decode(blob)
    assert same(again, state)
    assert read_residue(again) == read_residue(state)
    assert codec.encode(again) == blob
    assert read_tag(blob).residue == codec.peek(blob).residue == bool(read_residue(state))
    newer = found.codec(2, format_).decode(blob)
    assert same(newer, found.codec(2).decode(message.SerializeToString(), legacy=2))
    assert same(found.codec(2).decode(found.codec(1).encode(again)), newer)


OLD, NEW = ((), (), ()), ALL
FULL = {
    "title": "t",
    "parts": [{"a": 1, "text": "one"}, {"a": 2}, {"a": 3, "inside": {"text": "deep"}}],
    "named": {"k": {"text": "k"}},
    "picked": {"far": -5},
    "mood": 2,
    "many": [1.5],
}


def full() -> tuple[Both, Any, Any]:
    found = both(*OLD)
    message = found.theirs(**FULL)
    return found, message, found.codec(1).decode(message.SerializeToString(), legacy=1)


def test_it_is_with_its_record() -> None:
    """Each message's own unknown fields, and no others."""
    _, message, state = full()
    assert list(read_residue(state)) == ["", "parts[0]", "parts[2]", "named['k']", "choice"]
    assert read_residue(state)["parts[0]"] == message.parts[0].SerializeToString()[2:]
    assert state.mood is None


def test_what_is_deleted_takes_it_along() -> None:
    """A record that is gone from the state is gone from the bytes, with all that it kept."""
    found, _, state = full()
    del state.parts[0]
    state.choice = None
    message = found.newer(found.codec(1).encode(state))
    assert [part.text for part in message.parts] == ["", ""]
    assert message.WhichOneof("choice") is None


def test_an_edited_field_beats_it() -> None:
    """A symbol that was set later is not followed by the unknown one that stood there."""
    found, _, state = full()
    mood: Any = found.registry.subject("state").types(1).enum("Mood")
    state.mood = mood.GOOD
    blob = found.codec(1).encode(state)
    assert found.newer(blob).mood == 1
    assert "".join(read_residue(found.codec(1).decode(blob))) == "parts[0]parts[2]named['k']choice"


@pytest.mark.parametrize("format_", FORMATS)
def test_where_nothing_is_left_of_it(format_: Format) -> None:
    """A state whose only residue was beaten reads as any other."""
    found = both(*OLD)
    codec = found.codec(1, format_)
    state = found.codec(1).decode(bytes.fromhex("3802"), legacy=1)
    assert read_residue(state) == {"": bytes.fromhex("3802")}
    mood: Any = found.registry.subject("state").types(1).enum("Mood")
    state.mood = mood.GOOD
    assert codec.decode(codec.encode(state)) == state


@pytest.mark.parametrize("format_", FORMATS)
def test_without_residue_a_blob_is_what_it_was(format_: Format) -> None:
    """A stripped state gives the bytes of one that never had any, unflagged."""
    found, _, state = full()
    codec = found.codec(1, format_)
    fresh = codec.from_builtins(codec.to_builtins(state))
    assert residue_of(fresh) is None
    strip_residue(state)
    assert codec.encode(state) == codec.encode(fresh)
    assert not read_tag(codec.encode(state)).residue


@pytest.mark.parametrize("format_", FORMATS)
def test_views_and_text_do_not_show_it(format_: Format) -> None:
    """A view, a projection, JSON form and ProtoJSON have the attributes alone."""
    found, _, state = full()
    codec = found.codec(1, format_)
    blob = codec.encode(state)
    assert codec.view(blob).parts[2].a == 3
    assert codec.project(blob, "title", "parts[0].a") == ("t", 1)
    assert codec.to_builtins(state) == codec.to_builtins(
        codec.from_builtins(codec.to_builtins(state))
    )
    assert json.loads(codec.to_protojson(state)) == {
        "title": "t",
        "parts": [{"a": 1}, {"a": 2}, {"a": 3}],
        "named": {"k": {}},
        "picked": {},
    }


def test_compressed_and_explained() -> None:
    """A section is compressed with its payload, and named by explain."""
    found, _, state = full()
    state.title = "long " * 100
    said: dict[Format, str] = {
        "avro": "residue, then avro",
        "protobuf": "protobuf, with residue in it",
    }
    for format_, words in said.items():
        codec = found.codec(1, format_, compress=True)
        blob = codec.encode(state)
        assert read_tag(blob).compressed
        assert read_residue(codec.decode(blob)) == read_residue(state)
        assert explain(blob)[-1].meaning == f"{words}, compressed"
    assert explain(found.codec(1, "json").encode(state))[-1].meaning == "residue, then json"


def test_a_document_of_another_tool_has_it() -> None:
    """JSON that was laid out anew keeps its key, wherever it stands."""
    found, _, state = full()
    codec = found.codec(1, "json")
    document = json.loads(codec.encode(state))
    moved = json.dumps({"$residue": document.pop("$residue"), **document}, indent=1).encode()
    assert read_tag(moved).residue
    assert read_residue(codec.decode(moved)) == read_residue(state)


def test_single_object_framing_has_no_place() -> None:
    """The error names the places and the ways out."""
    found, _, state = full()
    codec: Codec[Any] = found.registry.codec(
        "state", format="avro", framing="avro-single-object", version=1
    )
    with pytest.raises(CarriesResidue) as caught:
        codec.encode(state)
    assert "the state itself, parts[0], parts[2], named['k'], choice" in caught.value.what
    assert "instar.strip_residue(state)" in caught.value.mend


def test_limits_bound_it_on_read_and_write() -> None:
    """More residue than allowed is an error in both directions, in every format."""
    found, message, state = full()
    few = Limits(residue_bytes=20)
    with pytest.raises(LimitExceeded, match="bytes of residue, and the limit is 20"):
        found.codec(1, limits=few).decode(message.SerializeToString(), legacy=1)
    for format_ in FORMATS:
        blob = found.codec(1, format_).encode(state)
        small = found.codec(1, format_, limits=few)
        with pytest.raises(LimitExceeded, match="bytes of residue, and the limit is 20"):
            small.encode(state)
        with pytest.raises(LimitExceeded, match="bytes of residue, and the limit is 20"):
            small.decode(blob)


def section(entries: Any) -> bytes:
    import msgspec  # noqa: PLC0415

    raw = msgspec.msgpack.encode(entries)
    return len(raw).to_bytes(4, "little") + raw


BAD_SECTIONS = {
    "no way": [[["nowhere"], b"\x38\x02"]],
    "an index too far": [[["parts", 9], b"\x38\x02"]],
    "a negative index": [[["parts", -1], b"\x38\x02"]],
    "a key that is not there": [[["named", ["x"]], b"\x38\x02"]],
    "a scalar": [[["title"], b"\x38\x02"]],
    "a method": [[["__init__"], b"\x38\x02"]],
    "no fields": [[[], b"\x38"]],
    "no list": {"a": 1},
    "no pair": [[[]]],
}


@pytest.mark.parametrize("what", BAD_SECTIONS)
def test_a_section_that_is_wrong_is_refused(what: str) -> None:
    """Sections that lead nowhere, or hold no fields, are damage like any other."""
    found, _, state = full()
    strip_residue(state)
    codec = found.codec(1, "avro")
    payload: Any = unpack(codec.encode(state))[1]
    body = section(BAD_SECTIONS[what]) + payload
    blob = pack_binary("avro", 1, codec.fingerprint, body, residue=True)
    with pytest.raises(CorruptPayload):
        codec.decode(blob)


@pytest.mark.parametrize("size", range(6))
def test_a_section_that_is_cut_is_refused(size: int) -> None:
    """A length that is not there, or leads beyond the end."""
    codec = both(*OLD).codec(1, "msgpack")
    blob = pack_binary("msgpack", 1, codec.fingerprint, b"\x09\0\0\0\x90\x80"[:size], residue=True)
    with pytest.raises(CorruptPayload):
        codec.decode(blob)


def test_a_flagged_blob_is_as_strict_as_any() -> None:
    """The flag allows unknown fields, and neither a field twice nor an overlong number."""
    codec = both(*OLD).codec(1)
    for payload in ("0a0161 0a0162 480c", "3881 8000"):
        blob = pack_binary("protobuf", 1, codec.fingerprint, bytes.fromhex(payload), residue=True)
        with pytest.raises(CorruptPayload, match="repeated or overlong"):
            codec.decode(blob)


def test_residue_that_is_no_protobuf_is_refused() -> None:
    """What a pickle may have brought is checked before it is written."""
    found, _, state = full()
    set_residue(state, b"\x0a")
    with pytest.raises(ValueMismatch, match="no such message"):
        found.codec(1).encode(state)


PROTO2 = """
syntax = "proto2";
message State {
  optional string title = 1;
  optional Mode one = 2;
  repeated Mode all = 3;
  map<string, Mode> named = 4;
  oneof choice { Mode first = 5; int32 second = 6; }
  optional group Sub = 7 { optional int32 a = 1; %s }
  extensions 100 to 199;
  enum Mode { A = 0; B = 2; %s }
}
extend State { optional State more = 100; repeated int32 numbers = 101; }
"""


def closed() -> tuple[Both, Any]:
    found = pair(
        PROTO2 % ("", ""), PROTO2 % ("optional group Deep = 9 { optional int32 x = 1; }", "C = 9;")
    )
    message = found.theirs(
        title="t",
        one=9,
        all=[0, 9, 2, 9],
        named={"x": 9, "y": 2},
        first=9,
        sub={"a": 1, "deep": {"x": 4}},
    )
    return found, message


def test_closed_enums_groups_and_extensions() -> None:
    """Numbers of closed enums, groups in groups and extensions come back; of a list, behind."""
    found, message = closed()
    payload = message.SerializeToString() + bytes.fromhex("a206030a0178 a80607 a80608")
    state = found.codec(1).decode(payload, legacy=1)
    assert [mode.value for mode in state.all] == ["A", "B"]
    assert (state.one, state.choice, list(state.named)) == (None, None, ["y"])
    seen = found.newer(found.codec(1).encode(state))
    wanted = found.theirs.FromString(payload)
    del wanted.all[:]
    wanted.all.extend([0, 2, 9, 9])
    assert shown(seen) == shown(wanted)
    newer = found.codec(2).decode(found.codec(1).encode(state))
    assert [mode.value for mode in newer.all] == ["A", "B", "C", "C"]
    assert {key: mode.value for key, mode in newer.named.items()} == {"y": "B", "x": "C"}
    assert (newer.one.value, newer.choice.value, newer.sub.deep.x) == ("C", "C", 4)
    assert list(read_residue(newer)) == [""]


def test_set_places_beat_closed_enums() -> None:
    """A field, another case and the key of a map that were set since win."""
    found, message = closed()
    codec = found.codec(1)
    state = codec.decode(message.SerializeToString(), legacy=1)
    mode: Any = found.registry.subject("state").types(1).enum("State.Mode")
    state.one, state.named["x"] = mode.A, mode.B
    state.choice = codec.decode(bytes.fromhex("3003"), legacy=1).choice
    seen = found.newer(codec.encode(state))
    assert (seen.one, seen.named["x"], seen.WhichOneof("choice"), seen.second) == (
        0,
        2,
        "second",
        3,
    )


def test_another_wire_type_is_kept() -> None:
    """A field that is a text here and was a number there is unknown, and stays."""
    found = both(*OLD)
    state = found.codec(1).decode(bytes.fromhex("0805"), legacy=1)
    assert state.title == ""
    state.title = "set"
    assert bytes(unpack(found.codec(1).encode(state))[1]) == bytes.fromhex("0a03736574 0805")  # type: ignore[arg-type] # binary


def test_fields_made_of_others_are_not_guessed() -> None:
    """Where the newer version makes what has the number of another field, both cannot hold."""
    old = 'syntax = "proto3"; message State { int32 a = 1; }'
    new = 'syntax = "proto3"; message State { int32 a = 2; }'
    found = pair(old, new)
    state = found.codec(1).decode(bytes.fromhex("0805 1006"), legacy=1)
    blob = found.codec(1).encode(state)
    assert found.codec(1).decode(blob).a == 5
    with pytest.raises(NotExpressible, match="made of other fields"):
        found.codec(2).decode(blob)


def test_a_legacy_read_to_a_newer_version_restores() -> None:
    """What version 1 does not know, and the reader does, is read."""
    found, message, _ = full()
    state = found.codec(2).decode(message.SerializeToString(), legacy=1)
    assert same(state, found.codec(2).decode(message.SerializeToString(), legacy=2))


def test_a_reader_of_an_older_version_gets_what_it_does_not_know() -> None:
    """Down the versions, residue of the newer one stays with its record."""
    found, _, _ = full()
    payload = found.theirs(title="t", parts=[{"a": 1}]).SerializeToString() + b"\xc2\x3e\x01x"
    newer = found.codec(2).decode(payload, legacy=2)
    older = found.codec(2).decode(found.codec(2).encode(newer), version=1)
    assert read_residue(newer) == read_residue(older) == {"": b"\xc2\x3e\x01x"}
