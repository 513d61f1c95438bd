from __future__ import annotations

from pathlib import Path

import pytest
from cli.place import Run
from store.fleet_subject import SCHEMAS, codec_at

import instar
from instar.schemas.fingerprint import fingerprint
from instar.store.fetching import FetchingCodec
from instar.store.schema_documents import schema_name


def fill(version: int = 4) -> None:
    with instar.open_store("a.db") as store:
        FetchingCodec(codec_at(version), store).register()


def test_documents_are_listed(run: Run, outside: Path) -> None:
    """Without any project, each document is a row, and the page fits 80 columns."""
    fill()
    done = run("documents", "--store", "a.db")
    assert done.code == 0
    mark = fingerprint(SCHEMAS[0])
    row = next(line.split() for line in done.out.splitlines() if f"schema-{mark:016x}" in line)
    assert (row[1:3], row[4]) == (["job", "1"], "good")
    assert "Not verified (1)" in done.out
    assert "\n7 documents, " in done.out
    assert max(len(line) for line in done.out.splitlines()) <= 80


def test_json(run: Run, outside: Path) -> None:
    """--json has all of it, and a fingerprint is text."""
    fill(1)
    (document,) = run("documents", "--store", "a.db", "--json").json["documents"]
    mark = f"{fingerprint(SCHEMAS[0]):016x}"
    size = document.pop("bytes")
    assert document == {
        "name": f"schema-{mark}",
        "kind": "schema",
        "subject": "job",
        "version": 1,
        "fingerprint": mark,
        "verdict": "good",
        "why": "",
    }
    assert size > 100


def test_a_wrong_document_is_a_finding(run: Run, outside: Path) -> None:
    """What is not what its name says is told with the reason, and the exit code says so."""
    fill(1)
    with instar.open_store("a.db") as store:
        store.put_document(schema_name(7), b"{}")
    done = run("documents", "--store", "a.db")
    assert done.code == 1
    assert "Wrong (1)" in done.out
    assert "0000000000000007 does not read" in done.out
    told = run("documents", "--store", "a.db", "--json")
    assert (told.code, told.json["wrong"], told.json["count"]) == (1, 1, 2)


def test_no_documents(run: Run, outside: Path) -> None:
    """A store without documents has none."""
    instar.open_store("a.db").close()
    assert run("documents", "--store", "a.db").out == "0 documents, 0 bytes\n"


@pytest.mark.parametrize("url", ["no.db", "memory:"])
def test_missing_store(run: Run, outside: Path, url: str) -> None:
    """A mistyped address is misuse, and makes no store."""
    assert run("documents", "--store", url).code == 2
    assert list(outside.iterdir()) == []
