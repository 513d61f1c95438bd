"""LIM-7: a state that is saved whole after each step, and what keeping the last of them saves."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from instar.codec.codec import Codec
from instar.codec.registry import Registry
from instar.errors import StoreError
from instar.schemas.avro import parse_avro
from instar.schemas.numbering import number_fields
from instar.store import Entry, MemoryStore, PruneReport, Repository

MESSAGES, SIZE, KEEP = 1000, 1000, 3


@pytest.fixture
def codec() -> Codec[Any]:
    text = json.dumps(
        {
            "type": "record",
            "name": "Chat",
            "fields": [{"name": "messages", "type": {"type": "array", "items": "string"}}],
        }
    )
    (schema,) = number_fields([parse_avro(text, subject="chat", version=1, where="chat v1")])
    return Registry.of([schema]).codec("chat")


class Weighing(MemoryStore):
    """Knows how many bytes of blobs were put, are there, and were there at most."""

    def __init__(self, *, keeps: bool = True) -> None:
        super().__init__()
        self.keeps = keeps
        self.written = self.live = self.most = 0

    def put(self, key: str, blob: bytes, *, expected: int, write_id: str) -> int:
        self.written += len(blob)
        self.live += len(blob)
        self.most = max(self.most, self.live)
        # What nobody reads again is weighed alone: half a gigabyte need not be held for a sum.
        kept = blob if self.keeps else b""
        return super().put(key, kept, expected=expected, write_id=write_id)

    def delete(self, key: str, *, expected: int, write_id: str) -> None:
        entry = self.get(key)
        super().delete(key, expected=expected, write_id=write_id)
        self.live -= len(entry.blob) if entry else 0


def converse(repository: Repository[Any], codec: Codec[Any], *, prune_each: int = 0) -> None:
    """Say something, and save all of it, many times."""
    chat = codec.from_builtins({"messages": []})
    for number in range(MESSAGES):
        chat.messages.append("x" * SIZE)
        repository.create(f"thread-7/{number}", chat)
        if prune_each and number % prune_each == prune_each - 1:
            assert repository.prune(keep=KEEP, prefix="thread-7/").is_clean


def test_checkpoints_grow_with_the_square(codec: Codec[Any]) -> None:
    """LIM-7: a thousand messages of 1 kB are 1 MB, and five hundred times that where all stay."""
    store = Weighing(keeps=False)
    converse(Repository(codec, store), codec)
    square = SIZE * MESSAGES * (MESSAGES + 1) // 2
    assert square < store.live < 1.01 * square


def test_keeping_the_last_ones_makes_it_a_line(codec: Codec[Any]) -> None:
    """LIM-7: with the last three kept, what is stored is three times the conversation."""
    store = Weighing()
    repository = Repository(codec, store)
    converse(repository, codec, prune_each=50)
    assert store.live < 1.01 * KEEP * SIZE * MESSAGES
    assert store.most < 1.01 * (KEEP + 50) * SIZE * MESSAGES
    assert store.written > SIZE * MESSAGES * (MESSAGES + 1) // 2
    assert [key.rpartition("/")[2] for key in [*repository.keys()]] == ["997", "998", "999"]
    assert len(repository.load("thread-7/999").messages) == MESSAGES


class Failing(MemoryStore):
    """Saves, and deletes nothing."""

    def delete(self, key: str, *, expected: int, write_id: str) -> None:
        raise StoreError("no")


class Blind(MemoryStore):
    """Saves, and cannot be scanned."""

    def scan(self, prefix: str = "", after: str = "") -> Iterator[Entry]:
        raise StoreError("no")


@pytest.mark.parametrize("kind", [Failing, Blind])
def test_a_prune_that_fails_fails_no_save(kind: type[MemoryStore], codec: Codec[Any]) -> None:
    """LIM-7: whatever the store refuses a pruner, each save is there, and each report says why."""
    store = kind()
    repository: Repository[Any] = Repository(codec, store)
    chat = codec.from_builtins({"messages": []})
    reports: list[PruneReport] = []
    for number in range(3):
        chat.messages.append("said")
        repository.create(f"t/{number}", chat)
        reports.append(repository.prune(keep=1, prefix="t/"))
    report = reports[-1]
    assert [each.deleted for each in reports] == [0, 0, 0]
    assert [len(repository.load(f"t/{number}").messages) for number in range(3)] == [1, 2, 3]
    assert not report.is_clean
    assert [each.key for each in report.failures] == (["t/0", "t/1"] if kind is Failing else [])
    assert (report.stopped is not None) == (kind is Blind)
