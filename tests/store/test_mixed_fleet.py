"""Old and new processes on one store: what either saves is lost to neither."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from store.fleet_subject import blob_at, codec_at

import instar
from instar import Codec
from instar.errors import NewerVersion
from instar.store import Entry, MemoryStore, Repository, SQLiteStore, Store

FORMATS = ("avro", "protobuf", "msgpack", "json", "yaml")


def process(store: Store, version: int, **options: Any) -> Repository[Any]:
    """A process that was started with the code of a version, and knows no later one."""
    write_back = options.pop("write_back", "on_save")
    return Repository(codec_at(version, **options), store, write_back=write_back)


def begin(repository: Repository[Any], **fields: Any) -> None:
    """Save a first state."""
    assert isinstance(repository.codec, Codec)
    repository.create("k", repository.codec.from_builtins({"id": 1, **fields}))


def version_of(store: Store) -> int | None:
    entry = store.get("k")
    return None if entry is None else instar.read_tag(entry.blob).version


@pytest.mark.parametrize("format_", FORMATS)
def test_old_code_keeps_what_it_does_not_know(format_: str, tmp_path: Path) -> None:
    """ROLL-2: a newer state that older code loads, edits and saves keeps its new field."""
    with SQLiteStore(tmp_path / "s.db") as store:
        new, old = (process(store, version, format=format_) for version in (3, 1))
        begin(new, text="a", budget=9)
        with old.edit("k") as state:
            assert state.note == "a"
            state.note = "b"
        assert version_of(store) == 1
        seen = new.load("k")
        assert (seen.text, seen.budget) == ("b", 9)
        assert old.load("k").note == "b"


def test_new_code_writes_what_old_code_reads() -> None:
    """ROLL-3: with a write version, no old process meets a newer blob, and nothing is lost."""
    store = MemoryStore()
    new, old = process(store, 3, write_version=1), process(store, 1)
    begin(new, text="a", budget=9)
    assert version_of(store) == 1
    with old.edit("k") as state:
        state.note = "b"
    with new.edit("k") as state:
        assert (state.text, state.budget) == ("b", 9)
        state.budget = 10
    assert (old.load("k").note, new.load("k").budget, version_of(store)) == ("b", 10, 1)


def test_code_between_reads_residue_by_the_store() -> None:
    """A blob of version 1 with residue of version 3 is read at 2, by the schema in the store."""
    store = MemoryStore()
    new = process(store, 3, write_version=1)
    begin(new, text="a", budget=9)
    between = process(store, 2)
    assert (between.load("k").note, between.load("k").budget) == ("a", 9)
    with between.edit("k") as state:
        state.budget = 10
    assert (version_of(store), new.load("k").budget, new.load("k").text) == (2, 10, "a")


def test_code_between_refuses_without_the_schema() -> None:
    """Where the store lacks the schema, its fields would show defaults: NewerVersion instead."""
    store, elsewhere = MemoryStore(), MemoryStore()
    new = process(elsewhere, 3, write_version=1)
    begin(new, text="a", budget=9)
    blob = elsewhere.get("k")
    assert blob is not None
    store.put("k", blob.blob, expected=0, write_id="w")
    between = process(store, 2, write_back="on_read")
    with pytest.raises(NewerVersion):
        between.load("k")
    assert store.get("k") == Entry("k", blob.blob, 1, "w")
    assert process(store, 1).load("k").note == "a"


def test_on_read_stops_at_the_write_version() -> None:
    """Write-back brings a blob up to the version that is written, and no further."""
    store = MemoryStore()
    store.put("k", blob_at(1, note="a"), expected=0, write_id="w")
    process(store, 3, write_version=1, write_back="on_read").load("k")
    assert version_of(store) == 1
    process(store, 3, write_version=2, write_back="on_read").load("k")
    assert version_of(store) == 2
    process(store, 3, write_version=1, write_back="on_read").load("k")
    assert version_of(store) == 2
    assert process(store, 1).load("k").note == "a"


def test_a_rollback_loses_nothing() -> None:
    """ROLL-8: after the switch back, old code works on, and code that comes again has all."""
    store = MemoryStore()
    store.put("k", blob_at(1, note="a"), expected=0, write_id="w")
    with process(store, 3).edit("k") as state:
        state.budget = 9
    assert version_of(store) == 3
    old = process(store, 1)
    with old.edit("k") as state:
        state.note = "b"
    assert (version_of(store), process(store, 3).load("k").budget) == (1, 9)
    assert process(store, 3).load("k").text == "b"


EDITS = {
    1: {"text": "note"},
    2: {"text": "note", "budget": "budget"},
    3: {"text": "text", "budget": "budget"},
}
"""What code of each version can edit, and what it calls it."""


@settings(max_examples=25)
@given(st.data())
def test_any_interleaving_loses_nothing(data: st.DataObject) -> None:
    """Processes of three versions, each with some write version, edit one state in any order."""
    store = MemoryStore()
    first = process(store, 3)
    model = {"text": "a", "budget": 5}
    begin(first, **model)
    for _ in range(data.draw(st.integers(1, 8))):
        version = data.draw(st.integers(1, 3))
        one = process(
            store,
            version,
            write_version=data.draw(st.integers(1, version)),
            format=data.draw(st.sampled_from(FORMATS)),
            write_back=data.draw(st.sampled_from(["never", "on_save", "on_read"])),
        )
        edits = EDITS[version]
        seen = one.load("k")
        assert {name: getattr(seen, called) for name, called in edits.items()} == {
            name: model[name] for name in edits
        }
        name = data.draw(st.sampled_from([None, *edits]))
        with one.edit("k") as state:
            if name is not None:
                value = data.draw(
                    st.sampled_from(["a", "b"]) if name == "text" else st.integers(0, 3)
                )
                setattr(state, edits[name], value)
                model[name] = value
    last = process(store, 3).load("k")
    assert {"text": last.text, "budget": last.budget} == model
