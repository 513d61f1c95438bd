from __future__ import annotations

from typing import Any

import pytest

from instar.codec.documents import ABSENT, Change, DocumentCodec
from instar.codec.types import build_types
from instar.errors import Conflict, StoreError
from instar.schemas.infer import Document, infer_schema
from instar.store.adopt import AdoptReport, ChangeCount, adopt

SAMPLES = [
    Document("runs/a.json", {"id": "x", "n": 1, "cost": 1.5}),
    Document("runs/b.jsonl", {"id": "y", "n": None, "cost": 2}, 1),
    Document("runs/b.jsonl", {"id": "z", "cost": 3}, 2),
]
CODEC = DocumentCodec(build_types(infer_schema(SAMPLES, subject="run")))


class Shelf(dict[str, Any]):
    """A store of states, as far as adopting needs one."""

    def create(self, key: str, state: Any) -> None:
        if key in self:
            raise Conflict(key, 0, 1)
        self[key] = state


def adopted(*documents: Document, shelf: Shelf | None = None, **options: Any) -> AdoptReport:
    shelf = Shelf() if shelf is None else shelf
    return adopt(documents, shelf.create, CODEC, **options)


def test_keys_are_file_names_and_numbers() -> None:
    """A document is stored under its file's name, with its number where there are several."""
    shelf = Shelf()
    report = adopted(*SAMPLES, shelf=shelf)
    assert report.adopted == tuple(shelf) == ("a", "b#1", "b#2")


def test_keys_from_a_field() -> None:
    """A path in the document gives the key instead."""
    assert adopted(*SAMPLES, key="id").adopted == ("x", "y", "z")


@pytest.mark.parametrize("key", ["cost", "nowhere", "id.more"])
def test_field_that_gives_no_key(key: str) -> None:
    """A document without a text or integer at the path is refused, and says so."""
    report = adopted(SAMPLES[0], key=key)
    assert not report.adopted
    assert str(report.refused[0].error) == (
        f"runs/a.json: {key} holds no text or integer to use as key"
    )


def test_one_bad_document_stops_no_other() -> None:
    """A document that does not fit is refused whole; the others are adopted."""
    bad = Document("bad.json", {"id": "x", "n": "1", "cost": 1.5})
    shelf = Shelf()
    report = adopted(bad, Document("list.json", []), SAMPLES[0], shelf=shelf)
    assert list(shelf) == ["a"]
    assert [refusal.place for refusal in report.refused] == ["bad.json", "list.json"]
    assert "run.n" in str(report.refused[0].error)


def test_existing_keys_are_left_alone() -> None:
    """A key that exists is a conflict in the report, and keeps what it has."""
    shelf = Shelf(a="before")
    report = adopted(*SAMPLES, shelf=shelf)
    assert shelf["a"] == "before"
    assert [conflict.place for conflict in report.conflicts] == ["runs/a.json"]
    assert report.adopted == ("b#1", "b#2")


def test_changes_are_counted_by_place() -> None:
    """What could not be kept exactly is counted by place, with an example."""
    where = "runs/b.jsonl#1"
    cost = Change("cost", "number-type", 2, 2.0)
    count = Change("n", "absent-null-merged", None, ABSENT)
    assert adopted(*SAMPLES).changes == (
        ChangeCount("cost", "number-type", 2, where, cost),
        ChangeCount("n", "absent-null-merged", 1, where, count),
    )


def test_changes_of_refused_documents_do_not_count() -> None:
    """A document that was not adopted was not changed."""
    assert not adopted(SAMPLES[1], shelf=Shelf({"b#1": 1})).changes


def test_progress_is_told_of_every_document() -> None:
    """Progress is called once for each document, adopted or not."""
    seen: list[Document] = []
    adopted(*SAMPLES, Document("bad.json", 1), progress=seen.append)
    assert [document.place for document in seen] == [
        "runs/a.json",
        "runs/b.jsonl#1",
        "runs/b.jsonl#2",
        "bad.json",
    ]


def test_a_failing_store_is_no_refusal() -> None:
    """An error of the store itself ends the run; it is not the document's fault."""

    def fail(key: str, state: Any) -> None:
        raise StoreError("the disk is full", where=key)

    with pytest.raises(StoreError, match="disk is full"):
        adopt(SAMPLES, fail, CODEC)


def test_a_key_that_the_store_cannot_read_stops_no_other() -> None:
    """Where the store names the key at fault, its document is told of, and the others go on."""
    kept: list[str] = []

    def create(key: str, state: Any) -> None:
        if key == "b#1":
            error = StoreError("the file is damaged", where=key)
            error.key = key
            raise error
        kept.append(key)

    report = adopt(SAMPLES, create, CODEC)
    assert [failure.place for failure in report.failures] == ["runs/b.jsonl#1"]
    assert list(report.adopted) == kept == ["a", "b#2"]
