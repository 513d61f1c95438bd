from __future__ import annotations

from pathlib import Path

import pytest
from cli.place import Run, blob, end_scans

import instar


def fill(project: Path, *blobs: bytes) -> None:
    with instar.open_store("a.db") as store:
        for number, data in enumerate(blobs):
            store.put(f"k{number}", data, expected=0, write_id="w")


def test_rows(run: Run, project: Path) -> None:
    """Blobs are counted by subject, version, format and framing, wire fingerprints included."""
    single = blob(project, framing="avro-single-object")
    fill(project, blob(project), blob(project), blob(project, 3, format="json"), single)
    done = run("census", "--store", "sqlite:///a.db", "--json")
    assert done.code == 0
    assert [
        (row["subject"], row["version"], row["format"], row["framing"], row["count"])
        for row in done.json["rows"]
    ] == [
        ("job", None, "avro", "avro-single-object", 1),
        ("job", 1, "avro", "instar", 2),
        ("job", 3, "json", "instar", 1),
    ]


def test_table(run: Run, project: Path) -> None:
    """The table ends with how many blobs there are, and their size."""
    fill(project, blob(project), blob(project))
    done = run("census", "--store", "a.db")
    assert "job            1  avro    instar       2" in done.out
    assert done.out.endswith(f"2 blobs, {2 * len(blob(project))} bytes\n")
    assert all(line == line.rstrip() for line in done.out.splitlines())


def test_unreadable(run: Run, project: Path) -> None:
    """Blobs whose tag does not read are listed by error, and the exit code says so."""
    fill(project, blob(project), blob(project)[:-1], b"", b"")
    done = run("census", "--store", "a.db")
    assert done.code == 1
    assert "EmptyBlob: 2 blobs (k2, k3)" in done.out
    assert "TruncatedBlob: 1 blob (k1)" in done.out
    rows = run("census", "--store", "a.db", "--json").json["unreadable"]
    assert [row["error"] for row in rows] == ["EmptyBlob", "TruncatedBlob"]


def test_outside_of_a_project(run: Run, project: Path, outside: Path) -> None:
    """Without schemas, blobs whose tag names no subject are counted as unknown."""
    fill(project, blob(project))
    done = run("census", "--store", "a.db")
    assert done.code == 0
    assert "(unknown here)" in done.out


def test_empty_store(run: Run, project: Path) -> None:
    """A store without blobs is counted too."""
    fill(project)
    assert run("census", "--store", "a.db").out == "0 blobs, 0 bytes\n"


@pytest.mark.parametrize("url", ["no.db", "sqlite:///no.db", "file:no", "no"])
def test_missing_store(run: Run, project: Path, url: str) -> None:
    """A mistyped address is misuse, and makes no store."""
    before = sorted(project.rglob("*"))
    done = run("census", "--store", url)
    assert done.code == 2
    assert "there is no store here" in done.err
    assert sorted(project.rglob("*")) == before


def test_what_the_store_cannot_read(run: Run, project: Path) -> None:
    """Damaged and stray files are counted by error, with keys, beside blobs of a known size."""
    with instar.open_store("files") as store:
        for key in ("a/1", "a/2", "b"):
            store.put(key, blob(project), expected=0, write_id="w")
    for name in ("a%2f2", "A"):
        (project / "files" / f"{name}.blob").write_bytes(b"\xff")
    done = run("census", "--store", "files")
    assert done.code == 1
    assert "StoreLayoutError: 2 blobs (A, a/2)" in done.out
    size = 2 * len(blob(project))
    assert done.out.endswith(f"\n4 blobs, {size} bytes without the 2 of unknown size\n")
    told = run("census", "--store", "files", "--json").json
    assert (told["count"], told["bytes"], told["failures"]) == (4, size, 2)
    (row,) = told["unreadable"]
    assert (row["error"], row["count"], row["bytes"]) == ("StoreLayoutError", 2, 0)
    assert (row["keys"], row["failed"]) == (["A", "a/2"], True)
    assert "A.blob" in row["example"]


def test_a_store_that_stops(run: Run, project: Path) -> None:
    """A part of a census is not shown as one: the error is, with how far the scan came."""
    fill(project, blob(project), blob(project))
    end_scans(project / "a.db")
    for options in ((), ("--json",)):
        done = run("census", "--store", "a.db", *options)
        assert (done.code, done.out) == (1, "")
        assert "has a key that is no text" in done.err
        assert "the scan stopped behind the key 'k1'" in done.err
