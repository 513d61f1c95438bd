"""What a census counts."""

from __future__ import annotations

import json

import pytest

from instar.codec.tag.binary_frame import pack_binary
from instar.codec.tag.single_object import pack_single_object
from instar.store import MemoryStore, Repository
from instar.store.census import CensusRow, take_census

SUBJECTS = {7: "agent_state", 9: "agent_command"}


@pytest.fixture
def store() -> MemoryStore:
    store = MemoryStore()
    blobs = {
        "a": pack_binary("avro", 1, 7, b"one"),
        "b": pack_binary("avro", 1, 7, b"another"),
        "c": pack_binary("msgpack", 2, 7, b""),
        "d": pack_binary("avro", 1, 8, b""),
        "e": pack_single_object(9, b"x"),
        "f": b"",
        "g": b"no tag",
        "h": b"no tag either",
        "i": pack_binary("avro", 1, 7, b"cut")[:-1],
    }
    for key, blob in blobs.items():
        store.put(key, blob, expected=0, write_id="w")
    return store


def size(store: MemoryStore, keys: str) -> int:
    return sum(len(entry.blob) for entry in store.scan() if entry.key in keys)


def test_rows_go_by_subject_format_version_and_framing(store: MemoryStore) -> None:
    """Blobs of one subject, format, version and framing are one row; rows are sorted."""
    census = take_census(store.scan(), SUBJECTS)
    assert census.rows == (
        CensusRow(None, "avro", 1, "instar", 1, size(store, "d")),
        CensusRow("agent_command", "avro", None, "avro-single-object", 1, size(store, "e")),
        CensusRow("agent_state", "avro", 1, "instar", 2, size(store, "ab")),
        CensusRow("agent_state", "msgpack", 2, "instar", 1, size(store, "c")),
    )


def test_what_cannot_be_read_is_counted(store: MemoryStore) -> None:
    """Unreadable blobs are rows by error class, with keys and an example; none is skipped."""
    census = take_census(store.scan(), SUBJECTS)
    rows = [(row.error, row.count, row.bytes, row.keys) for row in census.unreadable]
    assert rows == [
        ("EmptyBlob", 1, 0, ("f",)),
        ("TruncatedBlob", 1, size(store, "i"), ("i",)),
        ("Untagged", 2, 19, ("g", "h")),
    ]
    assert all(row.example for row in census.unreadable)
    assert census.count == 9
    assert census.bytes == size(store, "abcdefghi")


def test_only_the_first_keys_are_kept() -> None:
    """A census of a million bad blobs stays small: five keys for each error."""
    store = MemoryStore()
    for number in range(8):
        store.put(f"k{number}", b"bad", expected=0, write_id="w")
    (row,) = take_census(store.scan()).unreadable
    assert (row.count, row.keys) == (8, ("k0", "k1", "k2", "k3", "k4"))


def test_a_census_is_plain_json(store: MemoryStore) -> None:
    """to_json gives what json.dumps takes and gives back."""
    census = Repository(_NoCodec(), store).census(SUBJECTS)
    plain = census.to_json()
    assert json.loads(json.dumps(plain)) == plain
    assert plain["count"] == 9
    assert plain["rows"][2]["subject"] == "agent_state"
    assert plain["unreadable"][2]["keys"] == ["g", "h"]


def test_an_empty_store_has_an_empty_census() -> None:
    """Nothing stored, nothing counted."""
    census = take_census(MemoryStore().scan())
    assert (census.count, census.bytes, census.rows, census.unreadable) == (0, 0, (), ())


class _NoCodec:
    """A census never decodes, so this is never called."""

    def encode(self, state: object, /) -> bytes:
        raise AssertionError(state)

    def decode(self, blob: bytes, /) -> object:
        raise AssertionError(blob)
