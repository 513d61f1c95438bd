from __future__ import annotations

import shlex
import shutil
from pathlib import Path

import pytest
from cli.place import ROOT, Run, blob, blocks_of, end_scans, perform
from store.fleet_subject import SCHEMAS, blob_at, codec_at

import instar
from instar.schemas.avro import avsc_text
from instar.store.fetching import FetchingCodec


def fill(**blobs: bytes) -> None:
    """A store of states whose keys have ``/`` for ``__``."""
    with instar.open_store("a.db") as store:
        for name, data in blobs.items():
            store.put(name.replace("__", "/"), data, expected=0, write_id="w")


def keys() -> list[str]:
    with instar.open_store("a.db") as store:
        return [entry.key for entry in store.scan()]


def test_a_dry_run_is_the_default(run: Run, project: Path) -> None:
    """Without --delete, what would go is told, and nothing goes."""
    data = blob(project)
    fill(a__1=data, a__2=data, a__10=data, b__1=data, c=data)
    done = run("prune", "--store", "a.db", "--keep", "1")
    assert done.code == 0
    assert len(keys()) == 5
    assert "would go" in done.out
    assert done.out.endswith(
        f"\n5 states: 2 kept, 1 left, 2 would be deleted ({2 * len(data)} bytes)\n"
        "nothing was deleted: repeat it with --delete\n"
    )
    row = next(line.split() for line in done.out.splitlines() if line.startswith("  a/"))
    assert row == ["a/", "1", "2", str(2 * len(data)), "10"]


def test_delete(run: Run, project: Path) -> None:
    """With --delete, all but the last N of each group go, of whatever version and format."""
    fill(a__1=blob(project), a__2=blob(project, 3, format="json"), a__3=blob(project, 2))
    done = run("prune", "--store", "sqlite:///a.db", "--keep", "1", "--delete")
    assert (done.code, keys()) == (0, ["a/3"])
    assert "deleted" in done.out
    assert "would" not in done.out
    again = run("prune", "--store", "a.db", "--keep", "1", "--delete")
    assert (again.code, again.out) == (0, "1 state: 1 kept, 0 left, 0 deleted (0 bytes)\n")


def test_unreadable(run: Run, project: Path) -> None:
    """What cannot be read stays, is listed with its reason, and makes the exit code 1."""
    data = blob(project)
    fill(a__1=data, a__2=data, a__3=data[:-1], a__4=b"no tag", a__5=blob_at(4, title="T", budget=1))
    done = run("prune", "--store", "a.db", "--keep", "1", "--delete")
    assert (done.code, keys()) == (1, ["a/2", "a/3", "a/4", "a/5"])
    assert "Unreadable, and left (3)" in done.out
    for text in ("a/3: TruncatedBlob", "a/4: Untagged", "a/5: UnknownFingerprint"):
        assert text in done.out
    told = run("prune", "--store", "a.db", "--keep", "1", "--json")
    assert told.code == 1
    assert [(each["key"], each["error"]) for each in told.json["unreadable"]] == [
        ("a/3", "TruncatedBlob"),
        ("a/4", "Untagged"),
        ("a/5", "UnknownFingerprint"),
    ]
    assert all(each["what"] for each in told.json["unreadable"])


def test_json(run: Run, project: Path) -> None:
    """--json says the same for scripts; each group of which something goes is a row."""
    data = blob(project)
    fill(a__1=data, a__2=data, a__3=data, b__1=data, x__10=data, x__9=data, x__last=data)
    done = run("prune", "--store", "a.db", "--keep", "2", "--json", "--delete")
    assert done.code == 1
    assert done.json == {
        "dry_run": False,
        "count": 7,
        "kept": 3,
        "deleted": 1,
        "bytes": len(data),
        "left": 3,
        "groups": [{"group": "a/", "newest": "a/3", "kept": 2, "deleted": 1, "bytes": len(data)}],
        "unreadable": [],
        "conflicts": [],
        "failures": [],
        "unordered": ["x/"],
        "stopped": None,
    }
    assert "order cannot be told" in run("prune", "--store", "a.db", "--keep", "2").out


def test_prefix_and_separator(run: Run, project: Path) -> None:
    """Only keys with the prefix are looked at, and another text may part them."""
    data = blob(project)
    fill(**{"a:1": data, "a:2": data, "b:1": data, "b:2": data})
    done = run(
        "prune", "--store", "a.db", "--keep", "1", "--prefix", "b", "--separator", ":", "--delete"
    )
    assert (done.code, keys()) == (0, ["a:1", "a:2", "b:2"])


def test_many_are_cut_short(run: Run, project: Path) -> None:
    """A page stays a page: twenty groups and twenty keys are listed, and --json has all."""
    data = blob(project)
    many = {f"g{number:02}__{tail}": data for number in range(25) for tail in (1, 2)}
    fill(**many, **{f"h__{number:02}": b"bad" for number in range(22)})
    done = run("prune", "--store", "a.db", "--keep", "1")
    assert "  ... and 5 more groups: --json lists them all" in done.out
    assert "  ... and 2 more: --json lists them all" in done.out
    assert "g20" not in done.out
    told = run("prune", "--store", "a.db", "--keep", "1", "--json").json
    assert (len(told["groups"]), len(told["unreadable"])) == (25, 22)


def test_it_fits_80_columns(run: Run, project: Path) -> None:
    """The table of groups is never wider than 80 columns, however long the keys."""
    data = blob(project)
    fill(**{f"{'long' * 30}/{number}": data for number in range(3)})
    done = run("prune", "--store", "a.db", "--keep", "1")
    assert max(len(line) for line in done.out.splitlines()) <= 80


def test_outside_of_a_project(run: Run, project: Path, outside: Path) -> None:
    """Without schemas anywhere nothing can be read, so nothing is deleted."""
    data = blob(project)
    fill(a__1=data, a__2=data)
    done = run("prune", "--store", "a.db", "--keep", "1", "--delete")
    assert (done.code, keys()) == (1, ["a/1", "a/2"])


@pytest.mark.parametrize("known", [0, 2])
def test_schemas_in_the_store(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, known: int
) -> None:
    """What the project lacks, or all of it where there is none, is read by the store's schemas."""
    monkeypatch.chdir(tmp_path)
    for schema in SCHEMAS[:known]:
        file = tmp_path / "schemas" / "job" / f"v{schema.version}.avsc"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(avsc_text(schema))
    fill(a__1=blob_at(1, note="n"), a__2=blob_at(2, note="n", budget=1))
    fill(a__3=blob_at(3, text="t", budget=7), a__4=blob_at(4, title="T", budget=7))
    with instar.open_store("a.db") as store:
        FetchingCodec(codec_at(4), store).register()
    done = run("prune", "--store", "a.db", "--keep", "1", "--delete")
    # What leads to version 4 is Python, so that nobody here can read it.
    assert (done.code, keys()) == (1, ["a/3", "a/4"])
    assert "(1)" in done.out


@pytest.mark.parametrize(
    "args",
    [
        ("no.db", "--keep", "1"),
        ("a.db", "--keep", "0"),
        ("a.db",),
        ("a.db", "--keep", "1", "--separator", ""),
        ("memory:", "--keep", "1"),
    ],
)
def test_misuse(run: Run, project: Path, args: tuple[str, ...]) -> None:
    """A mistyped address, no number and nothing to separate are misuse; nothing is made or gone."""
    fill(a__1=blob(project), a__2=blob(project))
    before = sorted(project.rglob("*"))
    assert run("prune", "--store", *args).code == 2
    assert sorted(project.rglob("*")) == before
    assert len(keys()) == 2


def test_how_to_keep_the_last_checkpoints(run: Run, outside: Path) -> None:
    """The commands of the page run on what its Python leaves, and keep what they say."""
    page = (ROOT / "docs" / "how-to" / "keep-the-last-checkpoints.md").read_text(encoding="utf-8")
    before, _, after = page.partition("```sh\n")
    schema, *found = blocks_of(before)
    perform(*schema, outside)
    code = "\n".join(text for _, language, text in found if language == "python")
    perform("", "python", code, outside)
    dry, real = after.partition("```")[0].splitlines()
    with instar.open_store("chat.db") as store:
        data = store.get("thread-7/0047")
        assert data
        for number in range(50, 52):
            store.put(f"thread-7/{number:04}", data.blob, expected=0, write_id="w")
    told = run(*shlex.split(dry)[1:])
    assert (told.code, "would go" in told.out, "thread-7/" in told.out) == (0, True, True)
    assert run(*shlex.split(real)[1:]).code == 0
    with instar.open_store("chat.db") as store:
        assert [entry.key for entry in store.scan()] == [
            f"thread-7/{number:04}" for number in (49, 50, 51)
        ]


def test_what_a_store_cannot_read(run: Run, project: Path) -> None:
    """A file that no store wrote is told, stays, and keeps no other state from being pruned."""
    data = blob(project)
    with instar.open_store("files") as store:
        for number in range(4):
            store.put(f"a/{number}", data, expected=0, write_id="w")
    damaged = project / "files" / "a%2f2.blob"
    damaged.write_bytes(b"\xff")
    done = run("prune", "--store", "files", "--keep", "1", "--delete")
    assert done.code == 1
    assert "The store failed (1)\n  a/2: StoreLayoutError\n" in done.out
    assert "4 states: 1 kept, 1 left, 2 deleted" in done.out
    assert damaged.read_bytes() == b"\xff"
    told = run("prune", "--store", "files", "--keep", "1", "--json").json
    assert [(each["key"], each["error"]) for each in told["failures"]] == [
        ("a/2", "StoreLayoutError")
    ]


def test_a_store_that_stops(run: Run, project: Path) -> None:
    """Where a scan cannot go on, what was done is told with the reason, and the exit code is 1."""
    data = blob(project)
    fill(a__0=data, a__1=data, a__2=data, b__0=data, b__1=data)
    end_scans(project / "a.db")
    done = run("prune", "--store", "a.db", "--keep", "1", "--delete")
    assert done.code == 1
    assert "Stopped: the store failed" in done.out
    assert "5 states: 1 kept, 2 left, 2 deleted" in done.out
    told = run("prune", "--store", "a.db", "--keep", "1", "--json").json
    assert told["stopped"]["error"] == "StoreLayoutError"


def test_a_stray_file(run: Run, project: Path) -> None:
    """A copy that somebody made in the folder is told, stays, and keeps nothing from being done."""
    data = blob(project)
    with instar.open_store("files") as store:
        for number in range(3):
            store.put(f"a/{number}", data, expected=0, write_id="w")
    stray = project / "files" / "a%2f1 (copy).blob"
    shutil.copy(project / "files" / "a%2f1.blob", stray)
    done = run("prune", "--store", "files", "--keep", "1", "--prefix", "a/", "--delete")
    assert done.code == 1
    assert "The store failed (1)\n  a/1 (copy): StoreLayoutError\n" in done.out
    assert "no key has this file name" in done.out
    assert "4 states: 1 kept, 1 left, 2 deleted" in done.out
    assert stray.exists()
