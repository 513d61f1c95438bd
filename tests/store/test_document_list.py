"""The documents of a store: which are told, and which are called good."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from store.fleet_subject import MIGRATIONS, SCHEMAS, codec_at

from instar.errors import StoreLayoutError
from instar.migrations import Migration, rename
from instar.schemas.fingerprint import fingerprint
from instar.store import FileStore, MemoryStore, Store
from instar.store.document_list import StoredDocument, list_documents
from instar.store.fetching import FetchingCodec
from instar.store.schema_documents import Document, Version, schema_document, step_document

MARKS = [fingerprint(schema) for schema in SCHEMAS]


def step(version: int, subject: str = "job") -> Version:
    return Version(subject, version, MARKS[version - 1])


def stocked() -> MemoryStore:
    """A store with all that code of version 4 puts."""
    store = MemoryStore()
    FetchingCodec(codec_at(4), store).register()
    return store


def put(*documents: Document) -> MemoryStore:
    store = MemoryStore()
    for document in documents:
        store.put_document(document.name, document.content)
    return store


def verdicts(store: Store) -> dict[str, str]:
    return {document.name: document.verdict for document in list_documents(store)}


def test_what_a_writer_puts_is_good() -> None:
    """Schemas and steps that are data are good; of Python there is nothing to verify."""
    found = list(list_documents(stocked()))
    assert [document.name for document in found] == sorted(document.name for document in found)
    assert {(each.kind, each.version, each.verdict) for each in found} == {
        *(("schema", version, "good") for version in (1, 2, 3, 4)),
        *(("step", version, "good") for version in (2, 3)),
        ("code", 4, "unverified"),
    }
    assert {each.subject for each in found} == {"job"}
    assert {each.fingerprint for each in found} == set(MARKS)
    store = stocked()
    assert all(each.bytes == len(store.get_document(each.name) or b"") for each in found)


def test_a_schema_is_good_by_its_fingerprint_alone() -> None:
    """Another schema, one that is unsound, and no schema are wrong, whatever they are called."""
    one, two, three = (schema_document(schema) for schema in SCHEMAS[:3])
    store = put(
        Document(two.name, one.content),
        Document(three.name, three.content.replace(b'"text"', b'"a b"')),
        Document(f"schema-{7:016x}", b"\xff"),
    )
    found = list(list_documents(store))
    assert {document.verdict for document in found} == {"wrong"}
    assert any(f"{MARKS[0]:016x}" in document.why for document in found)
    assert all(document.why and document.subject is None for document in found)


def test_a_step_is_good_between_good_schemas_alone() -> None:
    """Without both of its schemas a step is not verified; one that leads elsewhere is wrong."""
    up = step_document(MARKS[1], step(3), MIGRATIONS[0])
    two, three = schema_document(SCHEMAS[1]), schema_document(SCHEMAS[2])
    assert verdicts(put(up, two, three))[up.name] == "good"
    assert verdicts(put(up, two))[up.name] == "unverified"
    assert verdicts(put(up, three))[up.name] == "unverified"
    assert verdicts(put(up, three, Document(two.name, b"{}")))[up.name] == "unverified"
    elsewhere = step_document(MARKS[0], step(3), Migration("job", 2, 3, rename("note", "body")))
    assert verdicts(put(elsewhere, schema_document(SCHEMAS[0]), three))[up.name] == "wrong"


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[]",
        b"[" * 100_000,
        b'{"revision":1,"source":"00","migration":{"subject":5}}',
        b'{"revision":1,"source":"00","migration":{"subject":"job"}}',
        step_document(MARKS[1], step(3, "twin"), Migration("twin", 2, 3)).content,
        step_document(MARKS[0], step(2), Migration("job", 1, 2)).content,
    ],
)
def test_what_is_no_step_is_wrong(content: bytes) -> None:
    """A step that does not read, or is one of another subject or version, is wrong."""
    store = put(Document(step(3).step_name, content), *map(schema_document, SCHEMAS))
    assert verdicts(store)[step(3).step_name] == "wrong"


@pytest.mark.parametrize(
    "content", [b"", b"[1]", b'{"revision":1}', b'{"revision":2,"source":"0"}']
)
def test_what_says_no_python_is_wrong(content: bytes) -> None:
    """What stands in the place of a function says so and nothing else."""
    (document,) = list_documents(put(Document(step(4).code_name, content)))
    assert (document.kind, document.verdict, document.subject) == ("code", "wrong", None)


def test_other_documents_are_told() -> None:
    """Documents of other programs, and names that nearly are ours, are listed, never good."""
    near = [f"schema-{7:x}", "schema-", f"step-{7:016x}-0-{7:08x}", "notes"]
    found = list(list_documents(put(*(Document(name, b"12") for name in near))))
    assert [document.name for document in found] == sorted(near)
    assert {(each.kind, each.verdict) for each in found} == {("other", "unverified")}


def test_a_file_that_is_no_document_is_told(tmp_path: Path) -> None:
    """In a file store, a file that no document has is an error that names it."""
    store = FileStore(tmp_path / "s")
    store.put_document("a", b"")
    (tmp_path / "s" / "documents" / "A.document").write_bytes(b"")
    with pytest.raises(StoreLayoutError, match=r"A\.document"):
        list(store.documents())


@settings(max_examples=60)
@given(st.data())
def test_no_document_breaks_the_list(data: st.DataObject) -> None:
    """Whatever bytes were changed, all documents are told, and a reason for each that is not good.

    Spaces, docs and the like may change and leave a document what it says it is.
    """
    store = stocked()
    names = list(store.documents())
    spoilt = data.draw(st.sampled_from(names))
    content = store.get_document(spoilt) or b""
    start = data.draw(st.integers(0, len(content)))
    stop = data.draw(st.integers(start, min(len(content), start + 8)))
    junk = data.draw(st.text('{}[]",:a0\x00é', max_size=4)).encode()
    changed = put(
        *(Document(name, store.get_document(name) or b"") for name in names if name != spoilt),
        Document(spoilt, content[:start] + junk + content[stop:]),
    )
    found: list[StoredDocument] = list(list_documents(changed))
    assert [document.name for document in found] == names
    assert all((document.verdict == "good") == (not document.why) for document in found)
