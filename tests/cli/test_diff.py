from __future__ import annotations

import sys
from pathlib import Path

import pytest
from cli.place import Run, write_schema

STRING = {"name": "name", "type": "string"}


def pyproject(root: Path, text: str) -> None:
    (root / "pyproject.toml").write_text(text)


def test_changes_and_verdicts(run: Run, project: Path) -> None:
    """Each change is told at its path with what it breaks, and each reader has its verdicts."""
    done = run("diff", "job", "1", "2")
    assert done.code == 0
    assert done.out.startswith("job 1 -> 2: 2 changes\n")
    assert "job.steps\n  it was int and is long\n" in done.out
    assert "older reads newer, avro: layout breaks: long is not read as int" in done.out
    assert "instar    yes                does not read" in done.out
    assert max(map(len, done.out.splitlines())) <= 80


def test_migrations_count_for_instar(run: Run, project: Path) -> None:
    """What a function bridges is a break to plain readers, and none to instar."""
    verdicts = {
        (found["reading"], found["direction"]): found["compatible"]
        for found in run("diff", "job", "2", "3", "--json").json["verdicts"]
    }
    assert verdicts["instar", "backward"]
    assert verdicts["instar", "forward"]
    assert not verdicts["avro", "backward"]


def test_json(run: Run, project: Path) -> None:
    """--json gives the changes with their breaks, and the verdicts with failing states."""
    found = run("diff", "job", "1", "2", "--json", "--format", "msgpack").json
    assert (found["subject"], found["older"], found["newer"]) == ("job", 1, 2)
    assert [change["path"] for change in found["changes"]] == ["job.steps", "job.log"]
    assert {b["format"] for change in found["changes"] for b in change["breaks"]} == {"msgpack"}
    failing = [v for v in found["verdicts"] if v["failures"]]
    assert {v["direction"] for v in failing} == {"forward"}
    assert "2147483648" in failing[0]["failures"][0]["value"]


@pytest.mark.parametrize(("format_", "code"), [("avro", 1), ("protobuf", 0)])
def test_exit_code(run: Run, project: Path, format_: str, code: int) -> None:
    """--exit-code gives 1 where a change breaks a format that is looked at."""
    done = run("diff", "job", "2", "3", "--rules", "--exit-code", "--format", format_)
    assert done.code == code


def test_rules_alone(run: Run, project: Path) -> None:
    """--rules runs nothing."""
    assert run("diff", "job", "1", "2", "--rules", "--json").json["verdicts"] == []


def test_unlinked_versions(run: Run, project: Path) -> None:
    """Versions that no migration joins are compared all the same, with a warning."""
    (project / "migrations" / "job" / "v2_v3.py").unlink()
    done = run("diff", "job", "2", "3")
    assert done.code == 0
    assert "instar's own reading was not tried" in done.err
    assert "avro" in done.out


def test_no_such_version(run: Run, project: Path) -> None:
    """A version that is not there is misuse."""
    done = run("diff", "job", "1", "9")
    assert done.code == 2
    assert "versions here are 1 to 3" in done.err


def test_without_hypothesis(run: Run, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without hypothesis the rules are told, and a warning says what to install."""
    monkeypatch.setitem(sys.modules, "hypothesis", None)
    done = run("diff", "job", "1", "2")
    assert done.code == 0
    assert "job.steps" in done.out
    assert "instar[test]" in done.err


def test_check_asks_the_mode_of_the_settings(run: Run, project: Path) -> None:
    """check finds the pair of versions that breaks the mode, with the path and a state."""
    pyproject(project, '[tool.instar]\ncompatibility = "FULL_TRANSITIVE"\n')
    done = run("check", "--json")
    assert done.code == 1
    (finding,) = done.json["findings"]
    assert (finding["id"], finding["where"]) == ("compatibility", "job 3 -> 1")
    assert "FULL_TRANSITIVE: version 1 does not read" in finding["what"]
    assert "steps" in finding["what"]
    assert "instar diff job 1 3" in finding["mend"]


def test_check_asks_a_mode_of_one_subject(run: Run, project: Path) -> None:
    """A table gives one subject its own mode."""
    pyproject(project, '[tool.instar.compatibility]\njob = "FULL"\n')
    done = run("check")
    assert done.code == 0
    assert "job: 3 versions, each linked to the next, FULL kept" in done.out


def test_check_refuses_what_is_no_mode(run: Run, project: Path) -> None:
    """A mode that does not exist is misuse, and the hint lists those that do."""
    pyproject(project, '[tool.instar]\ncompatibility = "SIDEWAYS"\n')
    done = run("check")
    assert done.code == 2
    assert "BACKWARD_TRANSITIVE" in done.err


def test_check_finds_a_subject_that_is_not_there(run: Run, project: Path) -> None:
    """A mode for a subject that does not exist is a finding: the name may be misspelt."""
    pyproject(project, '[tool.instar.compatibility]\njobs = "FULL"\n')
    assert "no subject is 'jobs'" in run("check").out


def test_check_finds_a_function_that_fails(run: Run, project: Path) -> None:
    """A function that cannot take every state of the older version is found."""
    path = project / "migrations" / "job" / "v2_v3.py"
    path.write_text(path.read_text().replace('name.partition(" ")', 'name.split(" ")'))
    done = run("check")
    assert done.code == 1
    assert done.out.startswith("compatibility: job 2 -> 3: BACKWARD_TRANSITIVE: version 3")


@pytest.mark.parametrize("asked", [True, False])
def test_check_without_hypothesis(
    run: Run, project: Path, monkeypatch: pytest.MonkeyPatch, asked: bool
) -> None:
    """Without hypothesis it is said that nothing ran: a finding where the settings ask for it."""
    monkeypatch.setitem(sys.modules, "hypothesis", None)
    mode = 'compatibility = "FULL"' if asked else ""
    pyproject(project, f"[tool.instar]\n{mode}\n")
    done = run("check")
    assert done.code == int(asked)
    assert ("extra-missing" in done.out) is asked
    assert "instar[test]" in done.out


def test_schema_that_does_not_load(run: Run, project: Path) -> None:
    """A version that does not load is an error that names the file."""
    write_schema(project / "schemas" / "job", 2, [STRING]).write_text("{")
    done = run("diff", "job", "1", "3")
    assert done.code == 1
    assert "v2.avsc" in done.err


def test_the_root_that_the_project_names(run: Run, project: Path) -> None:
    """A subject whose root only the settings know is compared, and started anew, like others."""
    folder = project / "schemas" / "note"
    folder.mkdir(parents=True)
    leaf, root = (f'{{"type": "record", "name": "{name}", "fields": []}}' for name in "AB")
    for version in (1, 2):
        (folder / f"v{version}.avsc").write_text(f"[{leaf}, {root}]")
    pyproject(project, '[tool.instar]\nroots = {note = "B"}')
    done = run("diff", "note", "1", "2", "--rules")
    assert done.code == 0, done.err
    assert run("new", "note", "--force").code == 0
    assert (folder / "v3.avsc").exists()
