from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli.place import Run

import instar

DOCUMENTS = (
    {"id": "a", "cost": 1, "note": None},
    {"id": "b", "cost": 2.5},
    {"id": "c", "cost": 3, "note": "x"},
)


@pytest.fixture
def inferred(run: Run, outside: Path) -> Path:
    """A folder with three documents and the schema that was inferred from them."""
    for document in DOCUMENTS:
        (outside / f"{document['id']}.json").write_text(json.dumps(document))
    assert run("infer", "a.json", "b.json", "c.json", "--subject", "run").code == 0
    return outside


FILES = ("a.json", "b.json", "c.json", "--subject", "run", "--store", "runs.db")


def keys() -> list[str]:
    with instar.open_store("runs.db", create=False) as store:
        return [entry.key for entry in store.scan()]


def test_adopts_and_reports_changes(run: Run, inferred: Path) -> None:
    """Every document is stored under its file's name; what changed is told by place."""
    done = run("adopt", *FILES)
    assert done.code == 0
    assert keys() == ["a", "b", "c"]
    assert "number-type" in done.out
    assert "1 -> 1.0" in done.out
    assert done.out.endswith("3 documents adopted into runs.db, 0 refused, 0 in conflict\n")


def test_json(run: Run, inferred: Path) -> None:
    """--json holds keys, refusals, conflicts and changes."""
    done = run("adopt", *FILES, "--json").json
    assert done["adopted"] == ["a", "b", "c"]
    assert (done["refused"], done["conflicts"]) == ([], [])
    assert {
        "place": "cost",
        "kind": "number-type",
        "count": 2,
        "document": "a.json",
        "before": 1,
        "after": 1.0,
    } in done["changes"]


@pytest.mark.parametrize("format_", ["avro", "protobuf", "msgpack", "json", "yaml"])
def test_format(run: Run, inferred: Path, format_: str) -> None:
    """--format says how the blobs are written."""
    assert run("adopt", *FILES, "--format", format_).code == 0
    rows = run("census", "--store", "runs.db", "--json").json["rows"]
    assert [(row["subject"], row["format"], row["count"]) for row in rows] == [("run", format_, 3)]


def test_key_field(run: Run, inferred: Path) -> None:
    """--key takes the key from a field."""
    (inferred / "all.jsonl").write_text("\n".join(map(json.dumps, DOCUMENTS)))
    done = run("adopt", "all.jsonl", "--subject", "run", "--store", "runs.db", "--key", "id")
    assert (done.code, keys()) == (0, ["a", "b", "c"])


def test_refused_document(run: Run, inferred: Path) -> None:
    """A document that does not fit is named with the path, and stops no other."""
    (inferred / "b.json").write_text('{"id": "b", "cost": "much"}')
    done = run("adopt", *FILES)
    assert done.code == 1
    assert "b.json: run.cost: " in done.out
    assert keys() == ["a", "c"]


def test_unreadable_document(run: Run, inferred: Path) -> None:
    """A file that is no JSON is refused with its line, and stops no other."""
    (inferred / "b.json").write_text("{")
    done = run("adopt", *FILES, "--json")
    assert done.code == 1
    assert [refusal["error"] for refusal in done.json["refused"]] == ["DocumentError"]
    assert keys() == ["a", "c"]


def test_conflict(run: Run, inferred: Path) -> None:
    """A key that is there is left as it is, and the second run says so."""
    run("adopt", *FILES)
    done = run("adopt", *FILES)
    assert done.code == 1
    assert "a.json: a: this key is there already" in done.out
    assert "0 documents adopted into runs.db, 0 refused, 3 in conflict" in done.out


def test_documents_of_an_older_version(run: Run, inferred: Path) -> None:
    """--version takes documents that have the form of an older version, and writes that."""
    folder = inferred / "schemas" / "run"
    schema = json.loads((folder / "v1.avsc").read_text())
    schema["fields"].append({"name": "tries", "type": "int", "default": 0})
    (folder / "v2.avsc").write_text(json.dumps(schema))
    assert run("adopt", *FILES, "--version", "1").code == 0
    assert run("census", "--store", "runs.db", "--json").json["rows"][0]["version"] == 1


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (("none.json", "--subject", "run", "--store", "runs.db"), "there is no such file"),
        ((".", "--subject", "run", "--store", "runs.db"), "this is a folder"),
        (("a.json", "--subject", "nope", "--store", "runs.db"), "there is no subject 'nope'"),
        (("a.json", "--subject", "run", "--store", "memory:"), "in memory"),
        (("a.json", "--subject", "run", "--store", "odd://x"), "no store is called 'odd'"),
        (("a.json", "--subject", "run"), "--store"),
    ],
)
def test_misuse(run: Run, inferred: Path, args: tuple[str, ...], says: str) -> None:
    """A command that cannot be carried out is misuse, and makes no store."""
    done = run("adopt", *args)
    assert done.code == 2
    assert says in done.err
    assert not (inferred / "runs.db").exists()


def test_a_key_that_the_store_cannot_read(run: Run, inferred: Path) -> None:
    """Where a file of the store is damaged, its document is named, and the others are stored."""
    options = ("adopt", "a.json", "b.json", "c.json", "--subject", "run", "--store", "files")
    instar.open_store("files").close()
    damaged = inferred / "files" / "b.blob"
    damaged.write_bytes(b"\xff")
    done = run(*options)
    assert done.code == 1
    assert "The store failed\n  b.json: " in done.out
    assert done.out.endswith("2 documents adopted into files, 0 refused, 0 in conflict, 1 failed\n")
    assert damaged.read_bytes() == b"\xff"
    told = run(*options, "--json").json
    assert [(each["document"], each["error"]) for each in told["failures"]] == [
        ("b.json", "StoreLayoutError")
    ]
    assert len(told["conflicts"]) == 2
