"""What a census counts."""

from __future__ import annotations

import json

import pytest
from store.fleet_subject import SCHEMAS, blob_at, codec_at

from instar.codec.tag.binary_frame import pack_binary
from instar.codec.tag.single_object import pack_single_object
from instar.schemas.fingerprint import fingerprint
from instar.store import MemoryStore, Repository
from instar.store.census import CensusRow, take_census
from instar.store.fetching import FetchingCodec
from instar.store.schema_documents import schema_name

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
        CensusRow(None, "avro", 1, "instar", 1, size(store, "d"), "missing"),
        CensusRow("agent_command", "avro", None, "avro-single-object", 1, size(store, "e"), "here"),
        CensusRow("agent_state", "avro", 1, "instar", 2, size(store, "ab"), "here"),
        CensusRow("agent_state", "msgpack", 2, "instar", 1, size(store, "c"), "here"),
    )


def test_what_is_newer_and_what_is_unknown_is_counted() -> None:
    """Older code tells apart what is newer with a schema in the store, and without one."""
    store = MemoryStore()
    blobs = (
        *(blob_at(1, note="n"), blob_at(2, note="n", budget=1)),
        *(blob_at(3, text="t", budget=1), blob_at(4, title="T", budget=1)),
    )
    for number, blob in enumerate(blobs):
        store.put(f"k{number}", blob, expected=0, write_id="w")
    FetchingCodec(codec_at(3), store).register()
    census = Repository(codec_at(2), store).census()
    assert [(row.subject, row.version, row.schema, row.newer) for row in census.rows] == [
        (None, 4, "missing", False),
        ("job", 1, "here", False),
        ("job", 2, "here", False),
        ("job", 3, "store", True),
    ]
    assert (census.count, census.newer, census.unknown) == (4, 1, 1)
    assert census.to_json()["newer"] == 1


def test_a_wrong_schema_stops_no_census() -> None:
    """A document that is not the schema of its fingerprint is told of, and the rest is counted."""
    store = MemoryStore()
    store.put("k", blob_at(2, note="n", budget=1), expected=0, write_id="w")
    store.put_document(schema_name(fingerprint(SCHEMAS[1])), b"{}")
    (row,) = Repository(codec_at(1), store).census().rows
    assert (row.count, row.schema) == (1, "wrong")


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
