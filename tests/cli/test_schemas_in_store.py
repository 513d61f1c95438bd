"""Commands that look in the store for schemas that the project lacks."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli.place import Run
from store.fleet_subject import SCHEMAS, blob_at, codec_at

import instar
from instar.schemas.avro import avsc_text
from instar.store.fetching import FetchingCodec


def fill(*, known: int) -> None:
    """A store with a blob of each version, which knows the schemas up to ``known``."""
    blobs = (
        *(blob_at(1, note="n"), blob_at(2, note="n", budget=7)),
        *(blob_at(3, text="t", budget=7), blob_at(4, title="T", budget=7)),
    )
    with instar.open_store("a.db") as store:
        for number, blob in enumerate(blobs, 1):
            store.put(f"k{number}", blob, expected=0, write_id="w")
        FetchingCodec(codec_at(known), store).register()


@pytest.fixture
def old_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project that knows versions 1 and 2, with a store that knows all."""
    for schema in SCHEMAS[:2]:
        file = tmp_path / "schemas" / "job" / f"v{schema.version}.avsc"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(avsc_text(schema))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_census_names_what_is_newer(run: Run, old_project: Path) -> None:
    """Blobs that came after the project are told of, with where their schema is."""
    fill(known=4)
    done = run("census", "--store", "a.db")
    assert done.code == 0
    assert "job version 3: 1 blob, newer, schema in the store" in done.out
    seen = run("census", "--store", "a.db", "--json").json
    assert (seen["newer"], seen["unknown"]) == (2, 0)


def test_census_names_what_nobody_knows(run: Run, old_project: Path) -> None:
    """Blobs whose schema is nowhere are told of, and none is left out."""
    fill(known=3)
    done = run("census", "--store", "a.db")
    assert "(unknown subject) version 4: 1 blob, schema neither here nor in the store" in done.out
    assert "4 blobs" in done.out


def test_inspect_reads_by_the_store(run: Run, old_project: Path) -> None:
    """A newer blob is shown whole, by the schema that the store has."""
    fill(known=3)
    done = run("inspect", "--store", "a.db", "--key", "k3", "--json")
    assert done.code == 0
    assert done.json["fetched"] is True
    assert (done.json["schema"]["version"], done.json["version"]) == (3, 3)
    assert done.json["state"] == {"id": 1, "text": "t", "budget": 7}
    older = run("inspect", "--store", "a.db", "--key", "k3", "--version", "1", "--json")
    assert older.json["state"] == {"id": 1, "note": "t"}
    assert "from the store" in run("inspect", "--store", "a.db", "--key", "k3").out


def test_inspect_a_file_by_the_store(run: Run, old_project: Path) -> None:
    """A FILE may be named with a store, for its schemas alone."""
    fill(known=3)
    (old_project / "a.blob").write_bytes(blob_at(3, text="t", budget=7))
    assert run("inspect", "a.blob").code == 1
    assert run("inspect", "a.blob", "--store", "a.db", "--json").json["state"]["text"] == "t"


def test_inspect_stops_at_python(run: Run, old_project: Path) -> None:
    """A version beyond a step of Python functions stays unknown, and is an error."""
    fill(known=4)
    done = run("inspect", "--store", "a.db", "--key", "k4")
    assert done.code == 1
    assert "fingerprint" in done.out


def test_inspect_outside_of_a_project(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a project, the store alone says what its blobs are."""
    monkeypatch.chdir(tmp_path)
    fill(known=3)
    seen = run("inspect", "--store", "a.db", "--key", "k1", "--json").json
    assert (seen["schema"]["subject"], seen["state"]) == ("job", {"id": 1, "note": "n"})
    assert json.loads(run("census", "--store", "a.db", "--json").out)["unknown"] == 1


def test_inspect_tells_of_a_wrong_schema(run: Run, old_project: Path) -> None:
    """A document that is not what it is kept as is an error that names both fingerprints."""
    mark = codec_at(3).fingerprint
    with instar.open_store("a.db") as store:
        store.put("k3", blob_at(3, text="t", budget=7), expected=0, write_id="w")
        wrong = store.put_document(f"schema-{mark:016x}", b"{}")
    assert wrong == b"{}"
    done = run("inspect", "--store", "a.db", "--key", "k3")
    assert (done.code, f"{mark:016x}" in done.err) == (1, True)
