from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from cli.place import Done, Run, perform_text, write_schema

ROOT = Path(__file__).resolve().parents[2]
HOW_TO = ROOT / "docs" / "how-to" / "release-a-version.md"
NAME = {"name": "name", "type": "string"}


def lock(project: Path) -> list[str]:
    return (project / "schemas" / "instar.lock").read_text().splitlines()


def ids(done: Done) -> list[str]:
    return [finding["id"] for finding in done.json["findings"]]


def test_a_release_freezes_every_version(run: Run, project: Path) -> None:
    """All versions that are not released go into the lock, and the output says which."""
    done = run("release", "job")
    assert done.code == 0
    assert [line.split()[1] for line in done.out.splitlines()[:3]] == ["v1", "v2", "v3"]
    assert [line.split()[:3] for line in lock(project) if line.startswith("version")] == [
        ["version", "job", str(version)] for version in (1, 2, 3)
    ]
    assert "field job Job.first 4 3" in lock(project)
    assert "removed job Job.name 3" in lock(project)
    assert run("check").code == 0


def test_releasing_twice_changes_nothing(run: Run, project: Path) -> None:
    """A second release says that there is nothing to do."""
    run("release", "job")
    before = lock(project)
    done = run("release", "job")
    assert (done.code, done.out) == (0, "every version of job is released already\n")
    assert lock(project) == before


def test_dry_run_writes_nothing(run: Run, project: Path) -> None:
    """--dry-run prints the lines, and leaves no lock."""
    done = run("release", "job", "--dry-run")
    assert done.code == 0
    assert "field job Job.first 4 3" in done.out.splitlines()
    assert not (project / "schemas" / "instar.lock").exists()


def test_json(run: Run, project: Path) -> None:
    """--json has the versions with their fingerprints, the lines, and whether they were written."""
    done = run("release", "job", "--json").json
    assert [found["version"] for found in done["released"]] == [1, 2, 3]
    assert (done["subject"], done["written"], done["findings"]) == ("job", True, [])
    assert done["lock"] == str(Path("schemas") / "instar.lock")
    assert sorted(done["lines"]) == lock(project)[2:]
    assert run("release", "job", "--json", "--dry-run").json["written"] is False


def test_a_subject_with_findings_is_not_released(run: Run, project: Path) -> None:
    """Whatever is wrong with the subject is told, and nothing is written."""
    (project / "migrations" / "job" / "v2_v3.py").unlink()
    done = run("release", "job")
    assert done.code == 1
    assert done.out.startswith("migration-mismatch: ")
    assert done.out.endswith("job was not released\n")
    assert not (project / "schemas" / "instar.lock").exists()


def test_other_subjects_do_not_matter(run: Run, project: Path) -> None:
    """A subject is released although another one is broken."""
    (write_schema(project / "schemas" / "bad", 1, [])).write_text("{")
    assert run("release", "job").code == 0
    assert run("check").code == 1


def test_a_broken_lock_is_not_written(run: Run, project: Path) -> None:
    """A lock that does not read refuses a release and keeps its text."""
    (project / "schemas" / "instar.lock").write_text("<<<<<<< ours\n")
    assert ids(run("release", "job", "--json")) == ["lock-malformed"]
    assert lock(project) == ["<<<<<<< ours"]


def test_a_version_that_changes_nothing_is_not_released(run: Run, project: Path) -> None:
    """A copy of an earlier version is refused."""
    run("release", "job")
    run("new", "job")
    done = run("release", "job", "--json")
    assert (done.code, ids(done)) == (1, ["release-unchanged"])
    assert run("check").code == 0


@pytest.mark.parametrize(
    ("type_", "default", "refused"),
    [
        (["null", "string"], None, False),
        (["string", "null"], "", False),
        (["null", "string"], "", True),
        (["string", "null"], None, True),
        (["string", "int"], "", False),
        (["string", "int"], 7, True),
    ],
)
def test_a_default_of_a_later_branch(
    run: Run, project: Path, type_: list[str], default: object, refused: bool
) -> None:
    """A union's default that is not of its first branch is read, and not released."""
    write_schema(
        project / "schemas" / "u", 1, [{"name": "u", "type": type_, "default": default}, NAME]
    )
    assert ids(run("release", "u", "--json")) == (["release-default"] if refused else [])
    assert run("check").code == 0


def test_an_unknown_subject_is_misuse(run: Run, project: Path) -> None:
    """A subject that is not there is exit code 2."""
    assert run("release", "nobody").code == 2
    assert run("release", "no body").code == 2


def test_an_edited_release_is_found(run: Run, project: Path) -> None:
    """A released version that was edited is a finding at its file, with what to do."""
    run("release", "job")
    write_schema(project / "schemas" / "job", 1, [NAME])
    found = run("check", "--json").json["findings"]
    assert found[0]["id"] == "release-edited"
    assert found[0]["where"] == str(Path("schemas") / "job" / "v1.avsc")
    assert "instar new job" in found[0]["mend"]


def test_a_deleted_release_is_found(run: Run, project: Path) -> None:
    """A released version whose file is gone is a finding at its line of the lock."""
    run("release", "job")
    (project / "schemas" / "job" / "v3.avsc").unlink()
    found = {f["id"]: f for f in run("check", "--json").json["findings"]}
    assert re.search(r"instar\.lock:\d+$", found["release-missing"]["where"])


def test_a_subject_that_is_gone_is_found(run: Run, project: Path) -> None:
    """Lines of a subject that has no folder are a finding, once."""
    run("release", "job")
    path = project / "schemas" / "instar.lock"
    path.write_text(path.read_text() + "version old 1 00000000000000ff\n")
    assert ids(run("check", "--json")) == ["lock-subject"]


@pytest.mark.parametrize(
    ("second", "id_"),
    [
        ("int32 c = 2;", "lock-number-reused"),
        ("int32 a = 3;", "lock-number-changed"),
        ("int32 a = 1; string b = 2;", "lock-name-reused"),
        ("string a = 1;", "lock-type-changed"),
    ],
)
def test_a_breach_of_the_ledger_is_found(run: Run, project: Path, second: str, id_: str) -> None:
    """Numbers and names that are taken are findings, and refuse a release."""
    folder = project / "schemas" / "p"
    folder.mkdir()
    for version, body in enumerate(("int32 a = 1; int32 b = 2;", "int32 a = 1;"), start=1):
        text = f'syntax = "proto3"; message P {{ {body} }}'
        (folder / f"v{version}.proto").write_text(text)
    assert run("release", "p").code == 0
    kept = "" if "a =" in second else "int32 a = 1;"
    (folder / "v3.proto").write_text(f'syntax = "proto3"; message P {{ {kept} {second} }}')
    assert id_ in ids(run("check", "--json"))
    done = run("release", "p", "--json")
    assert (done.code, done.json["written"]) == (1, False)
    assert id_ in ids(done)


def test_github_annotations(run: Run, project: Path) -> None:
    """--github prints one workflow command for each finding, and keeps the exit code."""
    lines = ["junk: 100%, no fact", "version job 1 00000000000000ff"]
    (project / "schemas" / "instar.lock").write_text("\n".join(lines))
    done = run("check", "--github")
    assert done.code == 1
    first, second = done.out.splitlines()
    place = str(Path("schemas") / "instar.lock")
    assert first.startswith(
        f"::error file={place},line=1,title=lock-malformed::this states no fact: 'junk: 100%25, no"
    )
    assert second.startswith("::error file=schemas/job/v1.avsc,title=release-edited::version 1")


def test_github_annotations_have_lines_and_columns(run: Run, project: Path) -> None:
    """A fault with line and column is shown there, in either language."""
    (project / "schemas" / "job" / "v2.avsc").write_text('{"type": "record",\n "name": "a b"}')
    (project / "schemas" / "p").mkdir()
    (project / "schemas" / "p" / "v1.proto").write_text('syntax = "proto3";\n message M { x }')
    avro, proto = run("check", "--github").out.splitlines()
    assert avro.startswith(f"::error file={Path('schemas', 'job', 'v2.avsc')},line=2,col=10,title=")
    assert proto.startswith(f"::error file={Path('schemas', 'p', 'v1.proto')},line=2,col=16,title=")


def test_github_says_nothing_without_findings(run: Run, project: Path) -> None:
    """--github prints nothing in a project that is in order, and is no kind of --json."""
    assert (run("check", "--github").code, run("check", "--github").out) == (0, "")
    assert run("check", "--github", "--json").code == 2


@pytest.mark.skipif(sys.platform == "win32", reason="the page is written for a POSIX shell")
def test_the_how_to_runs(tmp_path: Path) -> None:
    """Every block of the page works, in order, in an empty folder."""
    printed = perform_text(HOW_TO.read_text(), tmp_path)
    assert "ticket v1" in printed
    assert "  tags\n" in printed
    assert "ticket v2" in printed
    assert re.search(r"^version 1 of ticket was edited after its release: ", printed, re.MULTILINE)
