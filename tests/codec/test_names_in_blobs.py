"""What a blob says of types: their names in the schema, and never a class to import."""

from __future__ import annotations

import json
from enum import Enum
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec
import pytest
from evolve import FORMATS, enum, field, optional, record, registry

from instar import Registry
from instar.codec.generate import generate
from instar.codec.tag.binary_frame import pack_binary
from instar.codec.tag.header import Format
from instar.errors import CorruptPayload, MigrationMismatch, ValueMismatch
from instar.schemas.avro.reader import parse_avro
from instar.schemas.numbering import number_fields
from instar.schemas.protobuf import read_proto

EVERY_FORMAT = pytest.mark.parametrize("format_", FORMATS)


@EVERY_FORMAT
def test_two_versions_of_one_message_in_one_process(tmp_path: Path, format_: Format) -> None:
    """They share a package and a name, and each keeps its own descriptors."""
    read = []
    for version, fields in enumerate(("string id = 1;", "string id = 1; int64 n = 2;"), 1):
        path = tmp_path / f"v{version}.proto"
        path.write_text(f'syntax = "proto3"; package p; message State {{ {fields} }}')
        read.append(read_proto(path, subject="state", version=version))
    opened = Registry.of(read)
    old, new = (opened.codec("state", version=v, format=format_) for v in (1, 2))
    first, second = old.encode(old.type(id="a")), new.encode(new.type(id="b", n=5))
    assert old.decode(old.encode(old.type(id="a"))) == old.decode(first) == old.type(id="a")
    assert new.decode(second) == new.type(id="b", n=5)
    assert new.decode(first) == new.type(id="a", n=0)


@EVERY_FORMAT
def test_two_subjects_with_a_record_of_one_name(format_: Format) -> None:
    """Each schema has a table of names of its own, whichever was opened last."""
    read = []
    for subject, kind in (("place", "string"), ("grid", "long")):
        location = record("Location", field("city", kind))
        root = json.dumps(record("State", field("at", location)))
        read += number_fields([parse_avro(root, subject=subject, version=1, where="test")])
    opened = Registry.of(read)
    place, grid = (opened.codec(name, format=format_) for name in ("place", "grid"))
    for codec, city in ((place, "Oslo"), (grid, 7), (place, "Rome")):
        state = codec.from_builtins({"at": {"city": city}})
        assert codec.decode(codec.encode(state)).at.city == city


@EVERY_FORMAT
def test_a_renamed_record_is_one(format_: Format) -> None:
    """A class that has another name in the newer version is made, and not None or a dict."""
    plan, outline = (
        record(name, field("goal", "string"), field("next", optional(name), default=None))
        for name in ("Plan", "Outline")
    )
    outline["aliases"] = ["Plan"]
    opened = registry([[field("plan", plan)], [field("plan", outline)]])
    old, new = (opened.codec("state", version=v, format=format_) for v in (1, 2))
    inner: Any = {"goal": "b", "next": None}
    found = new.decode(old.encode(old.from_builtins({"plan": {"goal": "a", "next": inner}})))
    assert type(found.plan).__name__ == type(found.plan.next).__name__ == "Outline"
    assert (found.plan.goal, found.plan.next.goal) == ("a", "b")


def test_a_field_that_is_required_and_new_is_refused_when_opened() -> None:
    """Nothing that is at rest could be read: the registry does not open."""
    ab = [field("a", "string"), field("b", "string")]
    with pytest.raises(MigrationMismatch, match=r"state\.c has no default"):
        registry([ab, [field("a", "string"), field("c", "string")]])


_ENVELOPES: list[Any] = [
    {"lc": 1, "type": "constructor", "id": ["os", "system"], "kwargs": {"command": "echo x"}},
    {"__class__": "os.system", "args": ["echo x"]},
    {"py/object": "os.system", "py/reduce": [{"py/function": "os.system"}, ["echo x"]]},
    {"$type": "Plan", "$schema": "state/1#0000000000000000", "$residue": [], "$sum": "0"},
    ["os", "system", ["echo x"]],
]


@EVERY_FORMAT
@pytest.mark.parametrize("value", _ENVELOPES)
def test_free_data_that_looks_like_a_class_stays_data(format_: Format, value: Any) -> None:
    """A dict that other systems would make an object of comes back as the dict."""
    opened = registry([[field("free", {"type": "bytes", "logicalType": "json"})]])
    codec = opened.codec("state", format=format_)
    state = codec.type(free=value)
    assert codec.decode(codec.encode(state)).free == value


@pytest.mark.parametrize("code", [-128, -2, 0, 1, 5, 127])
def test_extension_types_that_are_not_ours_are_refused(code: int) -> None:
    """MessagePack's extensions name nothing to import: only that of timestamps is known."""
    opened = registry(
        [[field("name", "string"), field("free", {"type": "bytes", "logicalType": "json"})]]
    )
    codec = opened.codec("state", format="msgpack")
    for key in ("name", "free"):
        fields = {"name": "x", "free": 1, key: msgspec.msgpack.Ext(code, b'["os", "system"]')}
        payload = msgspec.msgpack.encode(fields)
        tagged = pack_binary("msgpack", 1, codec.fingerprint, payload)
        with pytest.raises(CorruptPayload):
            codec.decode(tagged)


@EVERY_FORMAT
def test_a_class_that_moved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, format_: Format
) -> None:
    """What was saved by the classes of one package is read into those of another."""
    opened = registry([[field("plan", record("Plan", field("goal", "string")))]])
    files = generate(opened.subject("state"), {}, format=format_)
    monkeypatch.syspath_prepend(tmp_path)
    packages = []
    for place in (f"models_{format_}", f"core_{format_}"):
        for name, text in files.items():
            path = tmp_path / place / name.removeprefix("state/")
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
        packages.append(import_module(place))
    before, after = packages
    blob = before.codec.encode(before.State(plan=before.Plan(goal="a")))
    assert b"models" not in blob
    found = after.codec.decode(blob)
    assert type(found) is after.State is not before.State
    assert found.plan == after.Plan(goal="a")


@EVERY_FORMAT
def test_enums_come_back_as_members(format_: Format) -> None:
    """A member is equal to itself and of its class, in fields, lists, maps and optionals."""
    status = enum("Status", "OPEN", "DONE")
    inside = [
        field("one", status),
        field("many", {"type": "array", "items": "Status"}),
        field("named", {"type": "map", "values": "Status"}),
        field("maybe", optional("Status")),
    ]
    codec = registry([inside]).codec("state", format=format_)
    plain: Any = {"one": "DONE", "many": ["OPEN", "DONE"], "named": {"k": "DONE"}, "maybe": "DONE"}
    state = codec.from_builtins(plain)
    found = codec.decode(codec.encode(state))
    members = [found.one, *found.many, found.named["k"], found.maybe]
    kind = type(state.one)
    assert issubclass(kind, Enum)
    assert all(type(member) is kind for member in members)
    assert [member.name for member in members] == ["DONE", "OPEN", "DONE", "DONE", "DONE"]
    assert members[0] is kind["DONE"]


@EVERY_FORMAT
def test_a_filled_default_is_of_one_state_alone(format_: Format) -> None:
    """What is added to a default of one old blob is not there in the next."""
    added = field("l", {"type": "array", "items": "int"}, default=[])
    opened = registry([[field("id", "int")], [field("id", "int"), added]])
    old, new = (opened.codec("state", version=v, format=format_) for v in (1, 2))
    blob = old.encode(old.type(id=1))
    first = new.decode(blob)
    first.l.append(7)
    assert new.decode(blob).l == []
    assert new.type(id=1).l == []


def test_strict_input_and_tolerant_reading() -> None:
    """A user's data may have no unknown key; a newer blob may have unknown fields."""
    opened = registry([[field("id", "int")], [field("id", "int"), field("n", "int", default=0)]])
    old, new = (opened.codec("state", version=v) for v in (1, 2))
    with pytest.raises(ValueMismatch, match="n"):
        old.from_builtins({"id": 1, "n": 2})
    state = old.decode(new.encode(new.type(id=1, n=2)))
    assert old.to_builtins(state) == {"id": 1}
    assert new.decode(old.encode(state)).n == 2


@EVERY_FORMAT
def test_each_version_reads_the_other_by_the_bytes_as_stored(format_: Format) -> None:
    """The checksum covers the stored bytes, so a new field does not change what it says."""
    opened = registry([[field("id", "int")], [field("id", "int"), field("n", "int", default=0)]])
    old, new = (opened.codec("state", version=v, format=format_) for v in (1, 2))
    assert new.decode(old.encode(old.type(id=1))) == new.type(id=1, n=0)
    assert old.decode(new.encode(new.type(id=1, n=4))) == old.type(id=1)


def test_generated_modules_need_no_generated_descriptors(tmp_path: Path) -> None:
    """Descriptors are built from the schema at run time, by whichever protobuf is there."""
    path = tmp_path / "v1.proto"
    path.write_text('syntax = "proto3"; message State { string id = 1; }')
    opened = Registry.of([read_proto(path, subject="state", version=1)])
    text = "\n".join(generate(opened.subject("state"), {}).values())
    assert "class State(" in text
    assert "_pb2" not in text
    assert "google.protobuf" not in text
