from __future__ import annotations

import gc
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from cli.place import Run, blob

import instar
from instar.bench.result import Result
from instar.bench.result_file import read_result
from instar.cli.bench_tables import tell

SAMPLE = Path(__file__).resolve().parents[1] / "bench" / "sample_result.json"
TINY = ("--generated", "1", "--formats", "json", "--peers", "none", "--processes", "1", "--no-cold")

LOUD = """
from instar.bench.catalogue import Entry
from instar.bench.peers import Peer

def make(versions):
    codec = versions.codec("json")
    return Peer("", "objects", codec.encode, lambda blob: print("hello") or codec.decode(blob))

PEER = Entry("loud", "own", make)
"""


@pytest.fixture(autouse=True)
def few_objects() -> Iterator[None]:
    """Keeps what pytest and other tests hold out of the collections between rounds."""
    gc.freeze()
    yield
    gc.unfreeze()


def test_project(run: Run, project: Path) -> None:
    """The project's only subject is measured; the table fits 80 columns, and JSON has all of it."""
    done = run("bench", *TINY, "--json", "a.json", "--quick")
    assert (done.code, done.err) == (0, "")
    assert "job, version 3 (schemas)" in done.out
    assert "instar json, " in done.out
    assert "msgspec json" in done.out
    assert max(map(len, done.out.splitlines())) <= 80
    found = read_result(project / "a.json")
    assert {row.work for row in found.rows} == {
        "hydrate", "dehydrate", "round trip", "migrate", "project",
    }  # fmt: skip
    assert {row.version for row in found.rows if row.work == "migrate"} == {1, 2}


def test_json_alone(run: Run, project: Path) -> None:
    """With --json - there is nothing else on standard output."""
    done = run("bench", "job", *TINY, "--quick", "--version", "2", "--json", "-")
    assert (done.code, done.json["subject"]["version"]) == (0, 2)


def test_payloads(run: Run, project: Path) -> None:
    """Documents in a folder, and blobs of a store, are what is measured."""
    tiny = TINY[2:]
    (project / "runs").mkdir()
    document = {"first": "Ada", "last": "Lovelace", "steps": 7, "log": ["a", "b"]}
    (project / "runs" / "a.json").write_text(json.dumps(document))
    done = run("bench", *tiny, "--quick", "--payload", "runs", "--json", "-")
    assert [one["items"] for one in done.json["payloads"]] == [2]
    with instar.open_store("a.db") as store:
        store.put("k", blob(project), expected=0, write_id="w")
    done = run("bench", *tiny, "--quick", "--store", "sqlite:///a.db", "--json", "-")
    assert done.json["payloads"][0]["label"].startswith("k, ")


def test_outside_of_a_project(run: Run, outside: Path) -> None:
    """Outside of a project, the sample of an agent's state is measured."""
    done = run("bench", *TINY, "--quick", "--json", "-")
    assert (done.code, done.json["subject"]["name"]) == (0, "agent_state")


@pytest.mark.parametrize(
    ("options", "what"),
    [
        (["--rounds", "3"], "3 rounds say nothing of the spread"),
        (["--processes", "0"], "0 processes measure nothing"),
        (["--peers", "jsn"], "there is no peer 'jsn'"),
        (["--base", "nobody"], "none of the peers"),
        (["--formats", "xml"], "there is no format 'xml'"),
        (["--peer", "nowhere:PEER"], "there is no peer nowhere:PEER"),
        (["--store", "a.db"], "more than one way"),
        (["--version", "9"], "version 9"),
        (["--path", "nowhere"], "nowhere"),
    ],
)
def test_misuse(run: Run, project: Path, options: list[str], what: str) -> None:
    """What cannot be measured is refused with the reason, and nothing is measured."""
    done = run("bench", *TINY, "--quick", *options)
    assert done.code == (1 if "--path" in options else 2)
    assert what in done.err
    assert done.out == ""


@pytest.mark.parametrize("options", [["other"], ["--payload", "."], ["--payload", "no.json"]])
def test_wrong_names(run: Run, outside: Path, options: list[str]) -> None:
    """A subject that is not there, an empty folder and a missing file are misuse."""
    done = run("bench", *TINY[2:], "--quick", *options)
    assert (done.code, done.out) == (2, "")


def altered(name: str, **changes: Any) -> Path:
    """The sample, with the logarithms of one row's ratios raised."""
    document = json.loads(SAMPLE.read_text(encoding="utf-8"))
    for row in document["rows"]:
        if row["peer"] == "pickle":
            row["logs"] = [one + changes["slower"] for one in row["logs"]]
    file = Path(name)
    file.write_text(json.dumps(document))
    return file


def test_compare(run: Run, outside: Path) -> None:
    """Two results of one build show no difference; exit code 0."""
    done = run("bench", "--compare", SAMPLE, SAMPLE)
    assert done.code == 0
    assert "0 slower, 0 faster" in done.out
    assert max(map(len, done.out.splitlines())) <= 80


def test_compare_slower(run: Run, outside: Path) -> None:
    """A row that is slower beyond the margin makes the exit code 1; a wide margin lets it pass."""
    after = altered("after.json", slower=1.0)
    done = run("bench", "--compare", SAMPLE, after)
    assert done.code == 1
    assert "slower, beyond" in done.out
    assert run("bench", "--compare", SAMPLE, after, "--margin", "9").code == 0
    found = run("bench", "--compare", SAMPLE, after, "--json", "-")
    assert (found.code, found.json["beyond"]) == (1, True)
    beyond = {one["peer"] for one in found.json["verdicts"] if one["beyond"]}
    assert beyond == {"pickle"}


@pytest.mark.parametrize(
    "options",
    [
        ["--compare", "none.json", "none.json"],
        ["--compare", SAMPLE, SAMPLE, "--margin", "-1"],
        ["--compare", SAMPLE, SAMPLE, "--json", "a.json"],
        ["--compare", __file__, __file__],
    ],
)
def test_compare_misuse(run: Run, outside: Path, options: list[Any]) -> None:
    """Files that are no results, and options that do not fit, are misuse."""
    done = run("bench", *options)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("error: ")


def test_table_of_all(capsys: pytest.CaptureFixture[str]) -> None:
    """Each part of a result is in the printed table, in at most 80 columns."""
    result: Result = read_result(SAMPLE)
    tell(result)
    printed = capsys.readouterr().out
    assert max(map(len, printed.splitlines())) <= 80
    for words in ("Cold start", "Scale", "Left out", "To know", "UNSAFE", "to a current blob"):
        assert words in printed
    for payload in result.payloads:
        assert payload.label in printed


def test_place_of_the_json(run: Run, project: Path) -> None:
    """A result that cannot be written is refused before anything is measured."""
    (done, folder) = (run("bench", *TINY, "--json", place) for place in ("nowhere/a.json", "."))
    assert (done.code, folder.code, done.out, folder.out) == (2, 2, "", "")
    assert "its folder is not there" in done.err
    assert "this is a folder" in folder.err


def test_prints(run: Run, project: Path) -> None:
    """What a peer prints does not get into a result on standard output."""
    (project / "loud_peer.py").write_text(LOUD)
    done = run("bench", *TINY, "--quick", "--peer", "loud_peer:PEER", "--json", "-")
    assert "loud" in {row["peer"] for row in done.json["rows"]}
    assert "hello" in done.err


def test_narrow(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """In a narrow terminal nothing but headings is wider than it."""
    monkeypatch.setenv("COLUMNS", "50")
    tell(read_result(SAMPLE))
    lines = capsys.readouterr().out.splitlines()
    wide = [line for line in lines if len(line) > 50]
    assert all(not line.startswith(" ") for line in wide)
