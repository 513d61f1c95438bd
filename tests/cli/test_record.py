from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from cli.place import Run, write_schema

from instar.cli.record import tell_left_out


@pytest.fixture
def golden(run: Run, project: Path) -> Path:
    """The folder of goldens of a project whose subject is released."""
    assert run("release", "job").code == 0
    return project / "schemas" / "job" / "golden"


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.glob("*/*")}


def test_a_release_records(run: Run, golden: Path) -> None:
    """Each version that is released has goldens in every format, and recording adds nothing."""
    assert sorted(path.name for path in golden.iterdir()) == ["v1", "v2", "v3"]
    assert {path.suffix for path in golden.glob("v3/*")} == {
        *(".avro", ".protobuf", ".msgpack", ".json", ".yaml", ".txt")
    }
    done = run("record")
    assert (done.code, done.out.splitlines()[-1].rpartition(", ")[2]) == (0, "0 new files")
    assert run("check").code == 0


def test_a_release_says_what_it_records(run: Run, project: Path) -> None:
    """--dry-run counts the files and writes none; --json lists them."""
    dry = run("release", "job", "--dry-run")
    assert " files of goldens would be written\n" in dry.out
    assert not (project / "schemas" / "job" / "golden").exists()
    done = run("release", "job", "--json").json
    assert str(Path("schemas", "job", "golden", "v1", "defaults.avro")) in done["goldens"]
    assert all(Path(path).is_file() for path in done["goldens"])
    assert run("release", "job", "--json").json["goldens"] == []


def test_goldens_are_recorded_later(run: Run, golden: Path) -> None:
    """Versions that were released without goldens get them, and nothing else is touched."""
    before = {path: path.read_bytes() for path in golden.glob("*/*")}
    shutil.rmtree(golden / "v2")
    done = run("record", "job", "--json").json
    assert done["findings"] == []
    assert {Path(path).parent.name for path in done["written"]} == {"v2"}
    assert done["goldens"] == {"job": len(list(golden.glob("*/*.avro"))) * 5}
    assert "library" in done["engines"]
    assert {path: path.read_bytes() for path in golden.glob("*/*")} == before
    shutil.rmtree(golden)
    told = run("record").out.splitlines()
    assert told[0].startswith("job: ")
    assert told[-1] == "commit them with the schemas; they never change from now on"


def test_a_release_needs_goldens_of_earlier_ones(run: Run, project: Path, golden: Path) -> None:
    """The next version is not released while one before it has none."""
    shutil.rmtree(golden / "v1")
    fields = [{"name": "first", "type": "string"}, {"name": "more", "type": "int", "default": 0}]
    write_schema(project / "schemas" / "job", 4, fields)
    done = run("release", "job")
    assert (done.code, done.out.splitlines()[-1]) == (1, "job was not released")
    assert "version 1 of job was released and has no goldens" in done.out
    assert "run: instar record job" in done.out
    assert not (golden / "v4").exists()
    assert [found["id"] for found in run("check", "--json").json["findings"]] == ["golden-missing"]
    assert run("record", "job").code == 0
    assert run("release", "job").code == 0
    assert "defaults.avro" in names(golden)
    assert (golden / "v4" / "defaults.avro").is_file()


def test_goldens_of_another_release_refuse_it(run: Run, project: Path, golden: Path) -> None:
    """Goldens that are there already have to be of the version that is released."""
    fields = [{"name": "first", "type": "string"}]
    write_schema(project / "schemas" / "job", 4, fields)
    shutil.copytree(golden / "v3", golden / "v4")
    done = run("release", "job", "--json")
    assert (done.code, done.json["written"]) == (1, False)
    assert {found["id"] for found in done.json["findings"]} == {"golden-strange"}
    shutil.rmtree(golden / "v4")
    assert run("release", "job").code == 0


def test_an_edited_golden_is_told(run: Run, golden: Path) -> None:
    """A golden that was edited is exit code 1 of record, check and release, and stays."""
    path = golden / "v1" / "defaults.json"
    path.write_bytes(path.read_bytes().replace(b'"steps": 0', b'"steps": 1').replace(b":0", b":1"))
    text = path.read_bytes()
    for command in (("record",), ("check",), ("release", "job")):
        done = run(*command)
        assert done.code == 1
        assert done.out.startswith(f"golden-edited: {Path('schemas', 'job', 'golden', 'v1')}")
    assert path.read_bytes() == text


def test_a_golden_that_is_read_otherwise_is_told(run: Run, project: Path, golden: Path) -> None:
    """A migration that fails for a recorded state is a finding of record."""
    step = project / "migrations" / "job" / "v2_v3.py"
    step.write_text(step.read_text().replace("return first, last", "return 1 / 0, last"))
    done = run("record", "--json")
    assert done.code == 1
    assert {found["id"] for found in done.json["findings"]} == {"golden-upgrade"}
    assert done.json["written"] == []


def test_recording_without_a_kernel_says_so(
    run: Run, golden: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the kernel was not built, it is said that one engine alone has read them."""
    monkeypatch.setattr("instar.codec.engines.missing_kernel", lambda: "no kernel was built")
    monkeypatch.setattr("instar.cli.record.missing_kernel", lambda: "no kernel was built")
    done = run("record")
    assert done.code == 0
    assert "the library engine alone: no kernel was built" in done.err


def test_what_is_left_out_is_told_once(capsys: pytest.CaptureFixture[str]) -> None:
    """A format that is not installed is one warning, however many goldens lack it."""
    tell_left_out({"a.yaml": "it is not there", "b.yaml": "it is not there"})
    assert capsys.readouterr().err == "warning: a.yaml and 1 more not recorded: it is not there\n"


def test_an_unknown_subject_is_misuse(run: Run, project: Path) -> None:
    """A subject that is not there is exit code 2."""
    assert run("record", "nobody").code == 2
