"""Failures of mixed fleets that other systems are known for, one by one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from evolve import FORMATS, enum, field, record, registry

from instar import Registry, read_residue, read_tag
from instar.codec.tag.header import Format
from instar.errors import NewerVersion
from instar.migrations import compute, convert, scale
from instar.schemas.protobuf import read_proto

EVERY_FORMAT = pytest.mark.parametrize("format_", FORMATS)


def protos(folder: Path, *sources: str) -> Registry:
    """A registry of one ``.proto`` for each version."""
    schemas = []
    for version, source in enumerate(sources, 1):
        path = folder / f"v{version}.proto"
        path.write_text(f'syntax = "proto3";\n{source}')
        schemas.append(read_proto(path, subject="m", version=version))
    return Registry.of(schemas)


def codecs(opened: Registry, format_: Format) -> tuple[Any, Any]:
    """The codecs of version 1 and 2."""
    (subject,) = opened.subjects
    old, new = (opened.codec(subject, version=v, format=format_) for v in (1, 2))
    return old, new


@EVERY_FORMAT
def test_a_case_that_old_code_sets_beats_one_it_does_not_know(
    tmp_path: Path, format_: Format
) -> None:
    """The last writer of a oneof wins, whichever cases it knows; unless it sets none."""
    cases = "message M { oneof pick { string t = 7; %s } }"
    old, new = codecs(protos(tmp_path, cases % "", cases % "int64 n = 15;"), format_)
    blob = new.encode(new.from_builtins({"pick": 5}))
    state = old.decode(blob)
    assert state.pick is None
    assert new.decode(old.encode(state)) == new.decode(blob)
    state.pick = "old"
    assert new.decode(old.encode(state)).pick == "old"


@EVERY_FORMAT
def test_read_modify_write_by_an_old_reader(format_: Format) -> None:
    """A field that the newer version added is what it was, never its default."""
    added = [field("id", "int"), field("budget", "int", default=0)]
    old, new = codecs(registry([[field("id", "int")], added]), format_)
    found = new.decode(old.encode(old.decode(new.encode(new.type(id=1, budget=9)))))
    assert found == new.type(id=1, budget=9)


@EVERY_FORMAT
def test_a_map_that_the_newer_version_added(format_: Format) -> None:
    """All of it is kept, as it is of a field of any other type; so is a map that is computed."""
    numbers = {"type": "map", "values": "int"}
    count = compute(
        reads="text",
        writes="counts",
        up=lambda text: {each: text.count(each) for each in text.split(" ")},
        down=" ".join,
        lossy="counts",
    )
    versions = [
        [field("text", "string")],
        [field("counts", numbers), field("more", numbers, default={})],
    ]
    old, new = codecs(registry(versions, [count]), format_)
    state = new.type(counts={"a": 5, "b": 1}, more={"x": 1})
    loaded = old.decode(new.encode(state))
    assert new.decode(old.encode(loaded)) == state
    loaded.text = "b c"
    assert new.decode(old.encode(loaded)) == new.type(counts={"b": 1, "c": 1}, more={"x": 1})


@EVERY_FORMAT
def test_the_newer_version_is_written_only_when_the_fleet_can_read_it(format_: Format) -> None:
    """New code can write the old version; without its schema, old code refuses the new one."""
    split = compute(
        reads="name",
        writes=("first", "last"),
        up=lambda name: tuple(name.split(" ", 1)),
        down=lambda first, last: f"{first} {last}",
    )
    versions = [[field("name", "string")], [field("first", "string"), field("last", "string")]]
    opened = registry(versions, [split])
    deployed = registry(versions[:1]).codec("state", format=format_)
    state = opened.codec("state").type(first="Ada", last="King Noel")
    switched = opened.codec("state", format=format_)
    with pytest.raises(NewerVersion):
        deployed.decode(switched.encode(state))
    pinned = opened.codec("state", format=format_, write_version=1)
    loaded = deployed.decode(pinned.encode(state))
    assert loaded.name == "Ada King Noel"
    assert pinned.decode(deployed.encode(loaded)) == state


@EVERY_FORMAT
def test_what_is_kept_never_goes_stale(format_: Format) -> None:
    """A value that new code clears stays cleared; a blob of its own version keeps nothing."""
    versions = [
        [field("first", "string")],
        [field("first", "string"), field("nick", "string", default="")],
    ]
    opened = registry(versions)
    old, new = codecs(opened, format_)
    pinned = opened.codec("state", format=format_, write_version=1)
    state = new.decode(pinned.encode(new.type(first="A", nick="x")))
    assert read_residue(state) == {}
    state.nick = ""
    blob = new.encode(state)
    assert not read_tag(blob).residue
    again = pinned.decode(old.encode(old.decode(pinned.encode(new.decode(blob)))))
    assert again.nick == ""


@EVERY_FORMAT
def test_an_enum_that_grew(format_: Format) -> None:
    """The enum's default stands for a new symbol, and saving does not make it of it."""
    versions = [[field("e", enum("E", *symbols, default="A"))] for symbols in ("AB", "ABC")]
    old, new = codecs(registry(versions), format_)
    blob = new.encode(new.from_builtins({"e": "C"}))
    loaded = old.decode(blob)
    assert loaded.e.value == "A"
    assert new.decode(old.encode(loaded)) == new.decode(blob)
    loaded.e = type(loaded.e)("B")
    assert new.decode(old.encode(loaded)).e.value == "B"


@EVERY_FORMAT
def test_a_symbol_in_a_list_keeps_its_place(tmp_path: Path, format_: Format) -> None:
    """An unknown symbol is no item for old code, and is saved back where it stood."""
    source = (
        "enum E { A = 0; B = 2; %s } message M { repeated E modes = 1; map<string, E> named = 2; }"
    )
    old, new = codecs(protos(tmp_path, source % "", source % "C = 3;"), format_)
    plain = {"modes": ["B", "C", "B"], "named": {"x": "C", "y": "A"}}
    loaded = old.decode(new.encode(new.from_builtins(plain)))
    assert old.to_builtins(loaded) == {"modes": ["B", "B"], "named": {"y": "A"}}
    assert new.to_builtins(new.decode(old.encode(loaded))) == plain


@EVERY_FORMAT
def test_a_record_that_became_a_union_of_records(format_: Format) -> None:
    """Old code does not take an unknown branch for the first one: it is refused."""
    tool, human = record("Tool", field("n", "string")), record("Human", field("n", "string"))
    old, new = codecs(registry([[field("step", tool)], [field("step", [tool, human])]]), format_)
    known = new.from_builtins({"step": {"$type": "Tool", "n": "x"}})
    assert new.decode(old.encode(old.decode(new.encode(known)))) == known
    blob = new.encode(new.from_builtins({"step": {"$type": "Human", "n": "x"}}))
    with pytest.raises(NewerVersion, match="step: the branch Human"):
        old.decode(blob)


@EVERY_FORMAT
def test_what_no_version_knows_and_what_one_knows(tmp_path: Path, format_: Format) -> None:
    """Unknown fields of Protobuf and those of a newer version are kept beside each other."""
    source = "message M { string a = 1; repeated P p = 2; %s message P { int32 x = 1; %s } }"
    opened = protos(tmp_path, source % ("", ""), source % ("int32 n = 5;", "int32 y = 2;"))
    old, new = codecs(opened, format_)
    reader = opened.codec("m", format="protobuf")
    # Fields 9 of the message and 7 of its part are of no version.
    state = reader.decode(bytes.fromhex("0a0161 2805 1206080110023807 4803"), legacy=2)
    unknown = {"": bytes.fromhex("4803"), "p[0]": bytes.fromhex("3807")}
    assert read_residue(state) == unknown
    again = new.decode(old.encode(old.decode(new.encode(state))))
    assert again == state
    assert read_residue(again) == unknown


@EVERY_FORMAT
@pytest.mark.parametrize("writes", [1, 2])
@pytest.mark.parametrize("saves", [1, 2])
def test_the_stamp_is_that_of_the_bytes(format_: Format, writes: int, saves: int) -> None:
    """A price in dollars is in cents since version 2, under one name: no blob has the one and says
    the other, whoever wrote it last and at whichever version.
    """
    price = [field("price", "int"), field("note", "string", default="")]
    opened = registry([price, price], [convert("price", scale(100))])
    cents, pinned, old = (
        opened.codec("state", format=format_, version=version, write_version=written)
        for version, written in ((2, 2), (2, 1), (1, 1))
    )
    alone = registry([price]).codec("state", format=format_)
    state = cents.type(price=500, note="new")
    blob = (pinned if writes == 1 else cents).encode(state)
    for turn in range(3):
        assert read_tag(blob).version == (saves if turn else writes)
        assert old.decode(blob).price == 5
        assert cents.decode(blob).price == 500
        if read_tag(blob).version == 1:
            # Code that has never heard of cents reads the bytes as what the stamp says.
            assert alone.decode(blob).price == 5
        saver = old if saves == 1 else cents
        loaded = saver.decode(blob)
        loaded.note = f"saved {turn}"
        blob = saver.encode(loaded)
    assert (cents.decode(blob).price, cents.decode(blob).note) == (500, "saved 2")
