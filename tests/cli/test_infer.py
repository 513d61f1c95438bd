from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from cli.place import Run

from instar.cli.outline import outline, tally
from instar.schemas.avro.reader import read_avro
from instar.schemas.model import Array, Field, Primitive, Record, Schema

RUNS: list[dict[str, Any]] = [
    {"id": "a", "cost": 1, "calls": {"x/y": 1}, "steps": [{"n": 1, "out": "t"}], "free": {}},
    {"id": "b", "cost": 2.5, "calls": {}, "steps": [{"n": 2, "out": 5}], "error": "no"},
]


@pytest.fixture
def runs(outside: Path) -> Path:
    for number, document in enumerate(RUNS):
        (outside / f"r{number}.json").write_text(json.dumps(document))
    return outside


def test_writes_version_1(run: Run, runs: Path) -> None:
    """The schema is written where a registry finds it, and the next commands are shown."""
    done = run("infer", "r0.json", "r1.json", "--subject", "run")
    assert done.code == 0
    path = runs / "schemas" / "run" / "v1.avsc"
    names = [field.name for field in read_avro(path, "run", 1).record.fields]
    assert names == ["id", "cost", "calls", "steps", "free", "error"]
    assert "instar adopt r0.json r1.json \\\n       --subject run" in done.out
    assert "instar generate run" in done.out


def test_says_what_was_decided(run: Run, runs: Path) -> None:
    """Optional fields, maps, unions and json are told, with how many samples had them."""
    done = run("infer", "r0.json", "r1.json", "--subject", "run", "--json").json
    fields = {row["path"]: (row["type"], row["seen"]) for row in done["fields"]}
    assert done["documents"] == 2
    assert fields["cost"] == ("double", "")
    assert fields["calls"] == ("map of long", "")
    assert fields["error"] == ("string, or null", "1 of 2")
    assert fields["steps"] == ("list of record Step", "")
    assert fields["steps[].out"][0] in {"string or long", "long or string"}
    assert done["counts"]["unions"] == 1
    assert done["written"] == str(Path("schemas", "run", "v1.avsc"))


def test_dry_run(run: Run, runs: Path) -> None:
    """--dry-run prints the schema and writes nothing."""
    done = run("infer", "r0.json", "--subject", "run", "--dry-run")
    schema = json.loads(done.out.partition("\nSchema\n")[2])
    assert (done.code, schema["type"], schema["name"]) == (0, "record", "Run")
    assert not (runs / "schemas").exists()


def test_never_overwrites(run: Run, runs: Path) -> None:
    """A subject that has a schema is kept, unless --force says otherwise."""
    run("infer", "r0.json", "--subject", "run")
    path = runs / "schemas" / "run" / "v1.avsc"
    before = path.read_text()
    done = run("infer", "r1.json", "--subject", "run")
    assert done.code == 2
    assert "--force" in done.err
    assert path.read_text() == before
    assert run("infer", "r1.json", "--subject", "run", "--force").code == 0
    assert path.read_text() != before


def test_options_of_inference(run: Run, runs: Path) -> None:
    """--enums and --namespace shape the schema, and --schemas says where it goes."""
    (runs / "r.jsonl").write_text('{"state": "on"}\n{"state": "off"}\n' * 5)
    args = ("r.jsonl", "--subject", "run", "--enums", "--namespace", "org.x", "--schemas", "s")
    assert run("infer", *args).code == 0
    schema = read_avro(runs / "s" / "run" / "v1.avsc", "run", 1)
    assert schema.root == "org.x.Run"
    assert tally(schema)["enums"] == 1
    assert outline(schema)[0].type == "enum of 2"


def test_outline_tells_vectors() -> None:
    """A vector is told from a list, by what its numbers are."""
    kind = Array(Primitive("float"), vector=True)
    schema = Schema("s", 1, "avro", "R", {"R": Record("R", (Field("it", kind),))})
    assert outline(schema)[0].type == "vector of floats"


def test_project_folder(run: Run, project: Path) -> None:
    """In a project, the schema goes to the folder that the settings name."""
    (project / "pyproject.toml").write_text('[tool.instar]\nschemas = "forms"\n')
    (project / "r.json").write_text("{}")
    assert run("infer", "r.json", "--subject", "run").code == 0
    assert (project / "forms" / "run" / "v1.avsc").is_file()


@pytest.mark.parametrize(
    ("name", "data", "says"),
    [
        ("bad.json", b"", "bad.json:1: is not JSON"),
        ("bad.json", b"\xff\xfe\x00", "is not UTF-8"),
        ("bad.json", b'{"a": 1', "is not JSON"),
        ("bad.json", b"[1, 2]", "must be an object"),
        ("bad.jsonl", b'{"a": 1}\n{\n', "bad.jsonl:2"),
        ("bad.json", b"[]", "there is no document"),
    ],
)
def test_bad_documents(run: Run, outside: Path, name: str, data: bytes, says: str) -> None:
    """A file that is no document is an error with its place, and no schema is written."""
    (outside / name).write_bytes(data)
    done = run("infer", name, "--subject", "run")
    assert done.code == 1
    assert says in done.err
    assert not (outside / "schemas").exists()


@pytest.mark.parametrize(
    "subject", ["", "a b", "../up", "1st", "é", "a-b", "a\n", "a.b", "class", "None"]
)
def test_bad_subject(run: Run, runs: Path, subject: str) -> None:
    """A name that no subject can have is misuse."""
    done = run("infer", "r0.json", "--subject", subject)
    assert done.code == 2
    assert "cannot name a subject" in done.err


@pytest.mark.parametrize("subject", ["_run", "_1", "__"])
def test_odd_subject(run: Run, runs: Path, subject: str) -> None:
    """Any name of Python can name a subject, and what is written passes the check."""
    assert run("infer", "r0.json", "--subject", subject).code == 0
    assert run("check").code == 0


@pytest.mark.parametrize("namespace", ["a b", "a.", ".a", "a..b", "1a", "é", "a-b", "a\n", "a/b"])
def test_bad_namespace(run: Run, runs: Path, namespace: str) -> None:
    """A namespace that Avro does not take is misuse, and nothing is written."""
    done = run("infer", "r0.json", "--subject", "run", "--namespace", namespace)
    assert done.code == 2
    assert "no Avro namespace" in done.err
    assert not (runs / "schemas").exists()


@pytest.mark.parametrize("namespace", ["", "_", "org._x.A1", "class"])
def test_namespace(run: Run, runs: Path, namespace: str) -> None:
    """What is written under a namespace that Avro takes passes the check."""
    assert run("infer", "r0.json", "--subject", "run", "--namespace", namespace).code == 0
    assert run("check").code == 0
