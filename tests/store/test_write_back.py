"""Write-back: when a blob of an older version is replaced though nobody changed its state."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from store.fleet_subject import blob_at, codec_at

import instar
from instar.codec.registry import Registry
from instar.errors import (
    ChecksumMismatch,
    ConfigError,
    NewerVersion,
    StoreError,
    TruncatedBlob,
    UnknownFingerprint,
)
from instar.schemas.avro import parse_avro
from instar.store import MemoryStore, Repository
from instar.store.fetching import FetchingCodec
from instar.store.repository import WriteBack


class Disturbed(MemoryStore):
    """Runs what a test hangs on the next write of a state."""

    def __init__(self) -> None:
        super().__init__()
        self.before: list[Callable[[], None]] = []
        self.put_blob(blob_at(1, note="old"))

    def put(self, key: str, blob: bytes, *, expected: int, write_id: str) -> int:
        if self.before:
            self.before.pop()()
        return super().put(key, blob, expected=expected, write_id=write_id)

    def put_blob(self, blob: bytes) -> None:
        entry = self.get("k")
        super().put("k", blob, expected=entry.revision if entry else 0, write_id=f"w{blob!r}"[:60])

    @property
    def version(self) -> int | None:
        """The version that wrote what is stored."""
        entry = self.get("k")
        return None if entry is None else instar.read_tag(entry.blob).version


@pytest.fixture
def store() -> Disturbed:
    return Disturbed()


def process(store: Disturbed, version: int, write_back: WriteBack) -> Repository[Any]:
    return Repository(codec_at(version), store, write_back=write_back)


@pytest.mark.parametrize("write_back", ["never", "on_save"])
def test_reading_writes_nothing_unless_asked(store: Disturbed, write_back: WriteBack) -> None:
    """ROLL-8: a program that only reads leaves the way back open, whatever it is upgraded to."""
    new = process(store, 3, write_back)
    assert new.load("k").text == "old"
    assert (new.load_entry("k").state.text, store.version) == ("old", 1)
    assert new.get("k") == new.load("k")
    assert process(store, 1, write_back).load("k").note == "old"


def test_an_unchanged_edit_upgrades_on_save(store: Disturbed) -> None:
    """By default, saving is the moment: edit and update replace an older blob."""
    with process(store, 3, "on_save").edit("k"):
        pass
    assert store.version == 3


def test_never_means_never(store: Disturbed) -> None:
    """With never, a state that nobody changed keeps its blob; one that was changed is saved."""
    new = process(store, 3, "never")
    with new.edit("k"):
        pass
    new.update("k", lambda _: None)
    assert store.version == 1
    with new.edit("k") as state:
        state.budget = 7
    assert (store.version, new.load("k").budget) == (3, 7)


def test_on_read_upgrades_what_is_loaded(store: Disturbed) -> None:
    """A load replaces an older blob; the entry is that of the new one, and can be saved over."""
    new = process(store, 3, "on_read")
    loaded = new.load_entry("k")
    entry = store.get("k")
    assert entry is not None
    assert (store.version, loaded.revision, loaded.blob) == (3, 2, entry.blob)
    assert new.save("k", loaded.state, expected=loaded.revision) == 3


def test_on_read_leaves_what_is_current(store: Disturbed) -> None:
    """A blob of the write version, in whatever format, and a scan, write nothing back."""
    new = process(store, 3, "on_read")
    assert [state.text for _, state in new.scan()] == ["old"]
    assert store.version == 1
    current: Any = codec_at(3, format="json")
    store.put_blob(current.encode(current.from_builtins({"id": 1, "text": "t"})))
    before = store.get("k")
    assert new.load("k").text == "t"
    assert store.get("k") == before


def test_on_read_never_takes_a_newer_blob(store: Disturbed) -> None:
    """Older code reads a newer blob by its schemas in the store, and leaves it as it is."""
    process(store, 3, "on_save").update("k", lambda _: None)
    before = store.get("k")
    old = process(store, 1, "on_read")
    assert old.load("k").note == "old"
    with old.edit("k"):
        pass
    old.update("k", lambda _: None)
    assert store.get("k") == before


def test_a_lost_race_fails_no_load(store: Disturbed) -> None:
    """Somebody else who saved meanwhile wins, and what was read is given."""
    saved_meanwhile = blob_at(2, note="theirs", budget=4)
    store.before = [lambda: store.put_blob(saved_meanwhile)]
    loaded = process(store, 3, "on_read").load_entry("k")
    assert (loaded.state.text, loaded.revision) == ("old", 1)
    entry = store.get("k")
    assert entry is not None
    assert (entry.blob, entry.revision) == (saved_meanwhile, 2)


def test_a_store_that_refuses_fails_no_load(store: Disturbed) -> None:
    """A store that cannot be written can be read, with on_read too."""

    def refuse() -> None:
        raise StoreError("the disk is full")

    store.before = [refuse] * 3
    assert process(store, 3, "on_read").load("k").text == "old"
    assert store.version == 1


def test_what_cannot_be_read_is_never_replaced(store: Disturbed) -> None:
    """A newer blob without a schema stays as it is, whatever is tried; newer code reads it."""
    store.put_blob(blob_at(4, title="NEW", budget=1))
    before = store.get("k")
    old = process(store, 2, "on_read")
    for call in (old.load, old.load_entry, old.get, lambda key: old.update(key, lambda _: None)):
        with pytest.raises(NewerVersion) as caught:
            call("k")
        assert (caught.value.have, caught.value.want) == (4, 2)
    with pytest.raises(NewerVersion), old.edit("k"):
        pytest.fail("the block ran")
    assert store.get("k") == before
    assert process(store, 4, "never").load("k").title == "NEW"


def test_the_mode_is_checked(store: Disturbed) -> None:
    """An unknown mode is a ConfigError, and so is on_read without a codec that knows versions."""
    mode: Any = "always"
    with pytest.raises(ConfigError, match="never, on_save, on_read"):
        process(store, 1, mode)

    class Bare:
        def encode(self, state: bytes, /) -> bytes:
            return state

        def decode(self, blob: bytes, /) -> bytes:
            return blob

    with pytest.raises(ConfigError, match="older"):
        Repository(Bare(), store, write_back="on_read")
    with pytest.raises(ConfigError, match="older"):
        Repository(Bare(), store, write_back="never").rewrite()


def test_rewrite_counts_or_names_every_entry(store: Disturbed) -> None:
    """What is older or newer is written at the write version; what cannot be is named."""
    blobs = {
        "newer": blob_at(3, text="t", budget=5),
        "current": blob_at(2, note="n", budget=1),
        "python": blob_at(4, title="T", budget=1),
        "cut": blob_at(1, note="n")[:-1],
    }
    for key, blob in blobs.items():
        MemoryStore.put(store, key, blob, expected=0, write_id="w")
    FetchingCodec(codec_at(4), store).register()
    report = process(store, 2, "never").rewrite()
    assert (report.rewritten, report.current, report.conflicts) == (2, 1, ())
    assert [(each.key, type(each.error)) for each in report.unreadable] == [
        ("cut", TruncatedBlob),
        ("python", NewerVersion),
    ]
    assert store.version == 2
    assert process(store, 3, "never").load("newer").budget == 5
    for key in ("current", "python", "cut"):
        entry = store.get(key)
        assert entry is not None
        assert entry.blob == blobs[key]


def test_rewrite_loses_races(store: Disturbed) -> None:
    """What somebody saved meanwhile stays, and its key is told; a prefix keeps to itself."""
    theirs = blob_at(2, note="theirs", budget=4)
    store.before = [lambda: store.put_blob(theirs)]
    new = process(store, 3, "never")
    assert new.rewrite("other").rewritten == 0
    report = new.rewrite()
    assert (report.rewritten, report.conflicts) == (0, ("k",))
    assert new.load("k").text == "theirs"
    assert new.rewrite("k").rewritten == 1


def test_what_has_the_version_and_cannot_be_read_is_named(store: Disturbed) -> None:
    """A damaged blob, one of another schema, and one of another subject are not current."""
    good = blob_at(2, note="n")
    flipped = bytearray(good)
    flipped[-1] ^= 1
    kind = {"type": "record", "name": "Other", "fields": [{"name": "id", "type": "int"}]}
    for subject in ("job", "other"):
        schemas = [
            parse_avro(json.dumps(kind), subject=subject, version=v, where="t") for v in (1, 2)
        ]
        codec: Any = Registry.of(schemas).codec(subject)
        store.put(subject, codec.encode(codec.from_builtins({"id": 1})), expected=0, write_id="w")
    store.put("flipped", bytes(flipped), expected=0, write_id="w")
    store.put("good", good, expected=0, write_id="w")
    report = process(store, 2, "never").rewrite()
    assert (report.rewritten, report.current, report.is_clean) == (1, 1, False)
    assert {each.key: type(each.error) for each in report.unreadable} == {
        "flipped": ChecksumMismatch,
        "job": UnknownFingerprint,
        "other": UnknownFingerprint,
    }
