"""Schemas that travel with a store: who puts them, who reads by them, what is refused."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from store.fleet_subject import MIGRATIONS, SCHEMAS, blob_at, codec_at

from instar.codec.codec import Codec
from instar.codec.registry import Registry
from instar.errors import (
    InstarError,
    NewerVersion,
    StoreError,
    WrongFingerprint,
    WrongSubject,
)
from instar.migrations import Migration, convert, rename
from instar.migrations.rules import scale
from instar.schemas.avro import parse_avro
from instar.schemas.fingerprint import fingerprint
from instar.schemas.model import NamedType, Schema
from instar.schemas.numbering import number_fields
from instar.schemas.portable import schema_to_text
from instar.store import FileStore, MemoryStore, Repository, SQLiteStore, Store
from instar.store.document_list import list_documents
from instar.store.fetching import FetchingCodec
from instar.store.schema_documents import (
    Version,
    read_schema,
    read_step,
    schema_document,
    schema_name,
    step_document,
)
from instar.store.stored_schemas import fetch_schema

MARKS = [fingerprint(schema) for schema in SCHEMAS]


def step(version: int) -> Version:
    return Version("job", version, MARKS[version - 1])


@pytest.fixture(params=["memory", "files", "sqlite"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    made = {
        "memory": MemoryStore,
        "files": lambda: FileStore(tmp_path / "s"),
        "sqlite": lambda: SQLiteStore(tmp_path / "s.db"),
    }[request.param]()
    with made as opened:
        yield opened


def saved(store: Store, version: int, key: str = "k", **fields: Any) -> Repository[Any]:
    """A process of this version that saved a state."""
    codec = codec_at(version)
    repository: Repository[Any] = Repository(codec, store)
    repository.create(key, codec.from_builtins({"id": 1, **fields}))
    return repository


def test_the_first_save_puts_what_the_process_knows(store: Store) -> None:
    """Schemas and data-only migrations lie under their fingerprints; a function does not."""
    saved(store, 4, title="A", budget=1)
    for schema, mark in zip(SCHEMAS, MARKS, strict=True):
        assert store.get_document(schema_name(mark)) == schema_to_text(schema).encode()
    assert (
        read_step(store.get_document(step(3).step_name) or b"", step(3)).migration
        == (MIGRATIONS[0])
    )
    assert read_step(store.get_document(step(2).step_name) or b"", step(2)).source == MARKS[0]
    assert store.get_document(step(4).step_name) is None
    assert json.loads(store.get_document(step(4).code_name) or b"") == {
        "revision": 1,
        "source": f"{MARKS[2]:016x}",
    }


def test_reading_puts_nothing(store: Store) -> None:
    """A process that only reads leaves no document."""
    store.put("k", blob_at(1, note="n"), expected=0, write_id="w")
    repository: Repository[Any] = Repository(codec_at(3), store)
    repository.load("k")
    list(repository.scan())
    assert store.get_document(schema_name(MARKS[0])) is None


def test_older_code_reads_a_version_that_came_after_it(store: Store) -> None:
    """A process of version 1 reads what one of version 3 saved, by the schemas in the store."""
    saved(store, 3, text="hello", budget=9)
    old: Repository[Any] = Repository(codec_at(1), store)
    state = old.load("k")
    assert isinstance(old.codec, Codec)
    assert type(state) is old.codec.type
    assert (state.id, state.note) == (1, "hello")
    assert [found.note for _, found in old.scan()] == ["hello"]


def test_a_function_does_not_travel(store: Store) -> None:
    """A step that is Python keeps older code out: NewerVersion says so, and the blob stays."""
    saved(store, 4, title="A", budget=1)
    before = store.get("k")
    old: Repository[Any] = Repository(codec_at(2), store)
    with pytest.raises(NewerVersion, match=r"3 -> 4 is Python.*have it write version 3") as caught:
        old.load("k")
    assert (caught.value.have, caught.value.want) == (4, 2)
    assert store.get("k") == before


def test_a_schema_that_comes_later_is_found(store: Store) -> None:
    """NewerVersion may be tried again: the same repository reads once the schema is there."""
    store.put("k", blob_at(2, note="n", budget=3), expected=0, write_id="w")
    now = [0.0]
    codec: FetchingCodec[Any] = FetchingCodec(codec_at(1), store, clock=lambda: now[0])
    blob = store.get("k")
    assert blob is not None
    with pytest.raises(NewerVersion):
        codec.decode(blob.blob)
    FetchingCodec(codec_at(2), store).register()
    with pytest.raises(NewerVersion):
        codec.decode(blob.blob)  # it was not there a moment ago
    now[0] = 1.5
    assert codec.decode(blob.blob).note == "n"


def test_what_was_fetched_is_kept() -> None:
    """A fetched version costs the store nothing when it is met again."""
    store = Counting()
    saved(store, 3, text="hello", budget=9)
    old: Repository[Any] = Repository(codec_at(1), store)
    old.load("k")
    asked = store.asked
    old.load("k")
    assert store.asked == asked > 0


class Counting(MemoryStore):
    """Counts how often it is asked for a document."""

    def __init__(self) -> None:
        super().__init__()
        self.asked = 0

    def get_document(self, name: str) -> bytes | None:
        self.asked += 1
        return super().get_document(name)


def test_documents_are_put_once_for_each_process() -> None:
    """Later saves ask for no document; another process sees in two looks that all is there."""
    store = Counting()
    repository = saved(store, 3, text="a", budget=1)
    asked = store.asked
    with repository.edit("k") as state:
        state.text = "b"
    assert store.asked == asked
    saved_again: Repository[Any] = Repository(codec_at(3), store)
    with saved_again.edit("k") as state:
        state.text = "c"
    assert store.asked == asked + 2


def test_schemas_differ_in_words_alone(store: Store) -> None:
    """Docs are no part of a fingerprint: the schema with the other docs is left, and no problem."""
    documented = replace(
        SCHEMAS[0], types={n: replace(t, doc="A job.") for n, t in SCHEMAS[0].types.items()}
    )
    registry = Registry.of([documented])
    assert FetchingCodec(codec_at(1), store).register() == []
    codec: FetchingCodec[Any] = FetchingCodec(registry.codec("job"), store)
    assert codec.register() == []
    assert store.get_document(schema_name(MARKS[0])) == schema_document(SCHEMAS[0]).content


def test_versions_of_one_fingerprint_stay_apart(store: Store) -> None:
    """A version that goes back to an earlier schema is read as what it is."""
    again = replace(SCHEMAS[0], version=3)
    codec: Any = Registry.of([*SCHEMAS[:2], again]).codec("job")
    new: Repository[Any] = Repository(codec, store)
    new.create("k", codec.from_builtins({"id": 5, "note": "back"}))
    old: Repository[Any] = Repository(codec_at(2), store)
    assert (old.load("k").note, old.load("k").budget) == ("back", 0)


def test_two_subjects_of_one_fingerprint_stay_apart(store: Store) -> None:
    """Subjects with the same schemas share documents of schemas, and have steps of their own."""
    twins = [replace(schema, subject="twin") for schema in SCHEMAS[:2]]
    new: Any = Registry.of(twins).codec("twin")
    repository: Repository[Any] = Repository(new, store)
    repository.create("t", new.from_builtins({"id": 1, "note": "twin", "budget": 2}))
    old: Repository[Any] = Repository(codec_at(1), store)
    with pytest.raises(WrongSubject, match="a state of twin"):
        old.load("t")
    saved(store, 2, note="job", budget=3)
    assert old.load("k").note == "job"
    old_twin: Repository[Any] = Repository(Registry.of(twins[:1]).codec("twin"), store)
    assert old_twin.load("t").note == "twin"


POISON = {
    "no JSON": b"\xff{",
    "no schema": b"{}",
    "another schema": schema_document(SCHEMAS[0]).content,
    "an unsound schema": schema_document(SCHEMAS[2]).content.replace(b'"text"', b'"a b"'),
    "too deep": b"[" * 100_000,
    "empty": b"",
}


@pytest.mark.parametrize("poison", POISON)
def test_a_wrong_schema_is_refused(poison: str) -> None:
    """What is not the schema of its fingerprint is never used; known versions are read on."""
    store = MemoryStore()
    store.put_document(schema_name(MARKS[2]), POISON[poison])
    with pytest.warns(RuntimeWarning, match=f"{MARKS[2]:016x}"):
        new = saved(store, 3, text="new", budget=1)
    before = store.get("k")
    store.put("old", blob_at(1, note="old"), expected=0, write_id="w")
    old: Repository[Any] = Repository(codec_at(1), store)
    with pytest.raises(WrongFingerprint) as caught:
        old.load("k")
    assert isinstance(caught.value, StoreError)
    assert caught.value.wanted == MARKS[2]
    assert caught.value.found == (MARKS[0] if poison == "another schema" else None)
    assert old.load("old").note == "old"
    assert new.load("k").text == "new"
    assert new.load("old").text == "old"
    assert store.get("k") == before
    saved(store, 1, key="more", note="more")
    assert new.load("more").text == "more"


def test_both_fingerprints_are_named() -> None:
    """A schema that is kept under another's fingerprint is refused with both."""
    with pytest.raises(WrongFingerprint, match=f"{MARKS[1]:016x}.*{MARKS[0]:016x}"):
        read_schema(schema_document(SCHEMAS[0]).content, MARKS[1])


def unsummed(content: bytes) -> bytes:
    """A step without its sum, as what put none had it, so that all else of it is looked at."""
    plain = json.loads(content)
    del plain["sum"]
    return json.dumps(plain, sort_keys=True, separators=(",", ":")).encode()


RENAMED = step_document(MARKS[1], step(3), MIGRATIONS[0]).content
STEPS = {
    "no JSON": b"{",
    "no object": b"[]",
    "no migration": b'{"revision":1,"source":"00"}',
    "newer": b'{"revision":2,"source":"00","migration":{}}',
    "no op": unsummed(RENAMED).replace(b"rename", b"run"),
    "damaged": RENAMED.replace(b'"text"', b'"next"'),
    "a damaged sum": RENAMED.replace(b'"sum":"', b'"sum":"0'),
    "a sum that is none": RENAMED[: RENAMED.index(b'"sum"')] + b'"sum":null}',
    "another step": step_document(MARKS[0], step(2), MIGRATIONS[0]).content,
    "too deep": b"[" * 100_000,
}


@pytest.mark.parametrize("poison", STEPS)
def test_a_wrong_step_is_refused(poison: str) -> None:
    """What is no step to its version is never used, nor overwritten; the save is not lost."""
    store = MemoryStore()
    name = step(3).step_name
    if poison == "another step":
        name = step(2).step_name
    store.put_document(name, STEPS[poison])
    with pytest.warns(RuntimeWarning, match="step-"):
        saved(store, 3, text="new", budget=1)
    old: Repository[Any] = Repository(codec_at(1), store)
    with pytest.raises(WrongFingerprint, match="step-"):
        old.load("k")
    assert store.get_document(name) == STEPS[poison]


def test_no_flipped_bit_of_a_step_is_believed() -> None:
    """A step says what was put, or it is refused: a number in a rule would be another one."""
    scaled = Migration("job", 2, 3, rename("note", "text"), convert("budget", scale("100")))
    content = step_document(MARKS[1], step(3), scaled).content
    assert read_step(content, step(3)) == read_step(unsummed(content), step(3))
    for at in range(len(content) * 8):
        flipped = bytearray(content)
        flipped[at // 8] ^= 1 << at % 8
        try:
            found = read_step(bytes(flipped), step(3))
        except WrongFingerprint:
            continue
        assert found.migration == scaled
        assert found.source == MARKS[1]


def test_a_step_without_a_sum_is_read() -> None:
    """Stores have steps that were put before there were sums; they are not called good."""
    store = MemoryStore()
    store.put_document(step(3).step_name, unsummed(RENAMED))
    saved(store, 3, text="new", budget=1)
    old: Repository[Any] = Repository(codec_at(2), store)
    assert old.load("k").note == "new"
    (found,) = [each for each in list_documents(store) if each.name == step(3).step_name]
    assert (found.verdict, found.why) == ("unverified", "it has no sum that vouches for it")


def test_a_step_that_does_not_fit_is_refused() -> None:
    """Ops that do not lead from the one schema to the other leave the version unreadable."""
    store = MemoryStore()
    wrong = type(MIGRATIONS[0])("job", 2, 3)
    store.put_document(step(3).step_name, step_document(MARKS[1], step(3), wrong).content)
    with pytest.warns(RuntimeWarning, match="another step"):
        saved(store, 3, text="new", budget=1)
    old: Repository[Any] = Repository(codec_at(1), store)
    with pytest.raises(NewerVersion, match="does not lead to this version"):
        old.load("k")


def test_a_line_that_parted_is_refused() -> None:
    """A version that followed another version 2 than ours cannot be led down to ours."""
    store = MemoryStore()
    parted = [replace(SCHEMAS[2], version=version) for version in (1, 2, 3)]
    codec: Any = Registry.of(parted).codec("job")
    repository: Repository[Any] = Repository(codec, store)
    repository.create("k", codec.from_builtins({"id": 1, "text": "x", "budget": 1}))
    ours: Repository[Any] = Repository(codec_at(2), store)
    with pytest.raises(NewerVersion, match="here already"):
        ours.load("k")


@settings(max_examples=100)
@given(st.data())
def test_no_document_breaks_a_reader(data: st.DataObject) -> None:
    """Whatever bytes were changed in a document, reading works or ends in an error of ours."""
    store = MemoryStore()
    documents = [schema_document(schema) for schema in SCHEMAS[:3]]
    documents += [
        step_document(MARKS[0], step(2), type(MIGRATIONS[0])("job", 1, 2)),
        step_document(MARKS[1], step(3), MIGRATIONS[0]),
    ]
    spoilt = data.draw(st.integers(0, len(documents) - 1))
    for index, document in enumerate(documents):
        content = document.content
        if document.name.startswith("step-") and data.draw(st.booleans()):
            content = unsummed(content)
        if index == spoilt:
            start = data.draw(st.integers(0, len(content)))
            stop = data.draw(st.integers(start, min(len(content), start + 8)))
            junk = data.draw(st.text('{}[]",:a0\x00é', max_size=4)).encode()
            content = content[:start] + junk + content[stop:]
        store.put_document(document.name, content)
    new = codec_at(3)
    blob = new.encode(new.from_builtins({"id": 1, "text": "t", "budget": 3}))
    try:
        state = FetchingCodec(codec_at(1), store).decode(blob)
    except InstarError:
        return
    assert (state.id, state.note) == (1, "t")


def wide(version: int, types: int) -> Schema:
    """A job that has a note, and items of so many types in all."""
    items = [{"name": f"I{n}", "type": "enum", "symbols": ["A"]} for n in range(types - 1)]
    fields = [{"name": "id", "type": "long"}, {"name": "note", "type": "string"}]
    fields += [
        {"name": f"i{n}", "type": ["null", item], "default": None} for n, item in enumerate(items)
    ]
    return parse_avro(
        json.dumps({"type": "record", "name": "Job", "namespace": "acme", "fields": fields}),
        subject="job",
        version=version,
        where=f"job v{version}",
    )


@pytest.mark.parametrize(("types", "travels"), [(2000, True), (2001, False)])
def test_what_a_reader_would_refuse_is_not_put(types: int, travels: bool) -> None:
    """A schema of more types than readers take is told at the save, which is not lost by it."""
    store = MemoryStore()
    line = number_fields([SCHEMAS[0], wide(2, types)])
    codec: Any = Registry.of(line).codec("job")
    new: Repository[Any] = Repository(codec, store)
    mark = codec.fingerprint
    if travels:
        new.create("k", codec.from_builtins({"id": 1, "note": "n"}))
        assert fetch_schema(store, mark) is not None
        return
    with pytest.warns(RuntimeWarning, match="version 2 of job does not travel.*2000 types") as told:
        new.create("k", codec.from_builtins({"id": 1, "note": "n"}))
    assert len(told) == 1
    assert new.load("k").note == "n"
    assert store.get_document(schema_name(mark)) is None
    assert fetch_schema(store, fingerprint(line[0])) is not None
    with pytest.raises(NewerVersion):
        Repository(codec_at(1), store).load("k")


def test_a_schema_that_is_too_large_is_not_put() -> None:
    """A schema of more bytes than a document takes is told in the same way."""
    store = MemoryStore()
    fat = replace(SCHEMAS[0], attributes={}, types=_documented(SCHEMAS[0], "x" * (4 << 20)))
    codec: Any = Registry.of([fat]).codec("job")
    with pytest.warns(RuntimeWarning, match="does not travel.* bytes"):
        Repository(codec, store).create("k", codec.from_builtins({"id": 1, "note": "n"}))
    assert list(store.documents()) == []


def _documented(schema: Schema, doc: str) -> dict[str, NamedType]:
    return {name: replace(type_, doc=doc) for name, type_ in schema.types.items()}
