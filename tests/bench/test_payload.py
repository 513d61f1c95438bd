"""States to measure come from documents, from stores, or are made up."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import instar
from instar.bench.payload import from_files, from_store, made_up
from instar.bench.payload.chosen import grown, main_list, short, size_text, three_of, unique
from instar.bench.payload.maker import Maker
from instar.bench.peers import FORMATS, Versions
from instar.codec.registry import Registry
from instar.errors import ChecksumMismatch, ConfigError, ValueMismatch


def test_sample(versions: Versions) -> None:
    """The reference subject is made up as an agent has it, with so many messages."""
    (found,) = made_up(versions, [5])
    assert found.label.startswith("5 items, ")
    assert found.items == 5
    messages: Any = found.document["messages"]
    assert len(messages) == 5
    assert found.document != found.other


def test_by_schema(registry: Registry) -> None:
    """Any other subject is made up from its schema, the same each time, in every format."""
    versions = Versions.latest(registry, "agent_command")
    (found,) = made_up(versions, [3])
    assert made_up(versions, [3])[0] == found
    for name in FORMATS:
        codec = versions.codec(name)
        state = codec.from_builtins(found.document)
        assert codec.decode(codec.encode(state)) == state


def test_list_of_records_grows(versions: Versions) -> None:
    """The main list is one of records, and has as many items as are asked for."""
    types = versions.registry.subject("agent_state").types(3)
    state = Maker(types, 50).state()
    assert len(state.messages) == 50
    assert len(state.plan) < 5


def test_grown() -> None:
    """A document's longest list of objects is cut or repeated, and nothing else is changed."""
    document: dict[str, Any] = {"a": [1] * 9, "b": {"c": [{"n": 1}, {"n": 2}]}}
    assert main_list(document) == [{"n": 1}, {"n": 2}]
    longer = grown(document, 5)
    assert [item["n"] for item in longer["b"]["c"]] == [1, 2, 1, 2, 1]
    assert longer["a"] == [1] * 9
    assert grown(document, 1)["b"]["c"] == [{"n": 1}]
    assert len(document["b"]["c"]) == 2
    assert grown({"a": 1}, 5) == {"a": 1}


def test_three_of() -> None:
    """Of many, the first, the middle and the last are taken."""
    assert three_of([1, 2]) == [1, 2]
    assert three_of(list(range(11))) == [0, 5, 10]


def test_labels() -> None:
    """Sizes are short, and labels that come again are numbered."""
    assert [size_text(n) for n in (5, 1500, 31_000, 2_000_000)] == [
        "5 B",
        "1.5 KB",
        "31 KB",
        "2.0 MB",
    ]
    assert short("a" * 36) == "a" * 36
    assert short("a" * 30 + "b" * 30) == f"{'a' * 16}...{'b' * 16}"
    assert unique(["a", "b", "a"]) == ["a #1", "b", "a #2"]


@pytest.fixture
def notes(tmp_path: Path) -> Versions:
    """A subject as ``instar infer`` proposes it."""
    text = json.dumps(
        {"type": "record", "name": "Note", "fields": [
            {"name": "text", "type": "string"},
            {"name": "tags", "type": {"type": "array", "items": "string"}},
        ]}
    )  # fmt: skip
    folder = tmp_path / "schemas" / "note"
    folder.mkdir(parents=True)
    (folder / "v1.avsc").write_text(text)
    return Versions.latest(Registry.open(tmp_path / "schemas"), "note")


def test_files(notes: Versions, tmp_path: Path) -> None:
    """Documents are read as adopt reads them, and measured by size; two are each other's check."""
    file = tmp_path / "notes.jsonl"
    lines = [{"text": "x" * n, "tags": ["t"] * n} for n in (7, 1, 3, 5, 2)]
    file.write_text("\n".join(map(json.dumps, lines)))
    found = from_files(notes, [file])
    assert [one.items for one in found] == [1, 3, 7]
    assert found[0].label.startswith("notes.jsonl#2, ")
    assert found[0].origin == "5 documents of 1 files"
    assert found[0].other == found[1].document


def test_one_file(notes: Versions, tmp_path: Path) -> None:
    """A single document is checked with a state that is made up."""
    (tmp_path / "a.json").write_text('{"text": "a", "tags": []}')
    (found,) = from_files(notes, [tmp_path / "a.json"])
    assert found.other != found.document
    assert found.items == 0


def test_no_state(notes: Versions, tmp_path: Path) -> None:
    """A document that the subject cannot hold is an error that names it."""
    (tmp_path / "a.json").write_text('{"text": 1, "tags": []}')
    with pytest.raises(ValueMismatch, match=r"a\.json"):
        from_files(notes, [tmp_path / "a.json"])


def test_store(notes: Versions, tmp_path: Path) -> None:
    """Blobs of a store are read, whatever format they have; an empty store is refused."""
    codec = notes.codec("avro")
    url = f"sqlite:///{tmp_path / 'a.db'}"
    with instar.open_store(url) as store:
        with pytest.raises(ConfigError, match="holds nothing"):
            from_store(notes, store, url)
        blob = codec.encode(codec.from_builtins({"text": "a", "tags": ["b"]}))
        store.put("k", blob, expected=0, write_id="w")
        (found,) = from_store(notes, store, url)
    assert found.label.startswith("k, ")
    assert found.document == {"text": "a", "tags": ["b"]}


def test_store_of_several_subjects(versions: Versions, registry: Registry, tmp_path: Path) -> None:
    """Blobs of other subjects are passed over, and told; a damaged one is named by its key."""
    url = f"sqlite:///{tmp_path}/a.db"
    command = Versions.latest(registry, "agent_command")
    codec = versions.codec("json")
    own = codec.encode(codec.from_builtins(made_up(versions, [1])[0].document))
    theirs = command.codec("avro")
    other = theirs.encode(theirs.from_builtins(made_up(command, [1])[0].document))
    with instar.open_store(url) as store:
        store.put("other", other, expected=0, write_id="w")
        with pytest.raises(ConfigError, match="holds nothing of agent_state"):
            from_store(versions, store, url)
        store.put("own", own, expected=0, write_id="w")
        (found,) = from_store(versions, store, url)
        assert found.origin == f"1 of the 2 blobs of {url}"
        store.put("torn", own.replace(b"agent", b"asent"), expected=0, write_id="w")
        with pytest.raises(ChecksumMismatch) as caught:
            from_store(versions, store, url)
    assert caught.value.__notes__ == ["while reading the key 'torn'"]
