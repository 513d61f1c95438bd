from __future__ import annotations

import runpy
from pathlib import Path

import pytest
from cli.place import Run

from instar.migrations import Migration, rename
from instar.migrations.data import to_data

GENERATED = {"__init__.py", "v1.py", "v2.py", "v2_v3.py", "v3.py"}


def files(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_writes_a_package_for_each_subject(run: Run, project: Path) -> None:
    """A package holds a module for each version and migration; nothing changes the next time."""
    assert run("generate", "--out", "out").code == 0
    assert files(project / "out" / "job") == GENERATED
    assert run("generate", "--out", "out").out == "5 files in out: 0 changed\n"


def test_check_of_current_code(run: Run, project: Path) -> None:
    """--check finds nothing in what was just written."""
    run("generate", "job", "--out", "out")
    done = run("generate", "--out", "out", "--check")
    assert (done.code, done.out) == (0, "5 files in out: all current\n")


def test_check_writes_nothing(run: Run, project: Path) -> None:
    """--check lists what is missing, exits 1, and leaves the folder as it was."""
    done = run("generate", "--out", "out", "--check", "--json")
    assert done.code == 1
    assert done.json["drift"] == [f"job/{name} is missing" for name in sorted(GENERATED)]
    assert not (project / "out").exists()


@pytest.mark.parametrize("name", ["v1.py", "__init__.py", "v2_v3.py"])
def test_check_finds_an_edit(run: Run, project: Path, name: str) -> None:
    """A file that was edited by hand is drift, by name."""
    run("generate", "--out", "out")
    with (project / "out" / "job" / name).open("a") as file:
        file.write("# mine\n")
    done = run("generate", "--out", "out", "--check")
    assert done.code == 1
    assert f"job/{name} is not what" in done.out
    assert "run instar generate" in done.out


def test_check_finds_losses_that_changed(run: Run, project: Path) -> None:
    """A migration that loses more makes the modules of both versions drift, and the package."""
    run("generate", "--out", "out")
    step = project / "migrations" / "job" / "v2_v3.py"
    step.write_text(step.read_text().replace("down=join", 'down=join, lossy=("name", "last")'))
    found = run("generate", "--out", "out", "--check", "--json").json["drift"]
    drifted = ("__init__.py", "v2.py", "v2_v3.py", "v3.py")
    assert found == [f"job/{name} is not what the schemas and migrations give" for name in drifted]
    assert run("generate", "--out", "out").code == 0
    assert "- changed: last (" in (project / "out" / "job" / "v3.py").read_text()
    assert "versions 1 and 2 may lose:" in (project / "out" / "job" / "__init__.py").read_text()


def test_removed_migration(run: Run, project: Path) -> None:
    """A module whose migration is gone is removed, and the output says so."""
    run("generate", "--out", "out")
    (project / "out" / "job" / "v9_v10.py").write_text(
        (project / "out" / "job" / "v2_v3.py").read_text()
    )
    assert "v9_v10.py (removed)" in run("generate", "--out", "out").out
    assert files(project / "out" / "job") == GENERATED


def test_json(run: Run, project: Path) -> None:
    """--json names the folder, how many files there are and those that changed."""
    done = run("generate", "--out", "out", "--json").json
    assert (done["out"], done["files"], len(done["changed"])) == ("out", 5, 5)


def test_settings(run: Run, project: Path) -> None:
    """pyproject.toml can name the folder and the format."""
    (project / "pyproject.toml").write_text(
        '[tool.instar]\ngenerated = "gen"\nformat = "msgpack"\n'
    )
    assert run("generate").code == 0
    assert 'format="msgpack"' in (project / "gen" / "job" / "__init__.py").read_text()


def test_migration_that_is_data(run: Run, project: Path) -> None:
    """A migration in JSON becomes a module that holds the same."""
    migration = Migration("job", 1, 2, rename("name", "name"))
    (project / "migrations" / "job" / "v1_v2.json").write_text(to_data(migration))
    assert run("generate", "--out", "out").code == 0
    module = project / "out" / "job" / "v1_v2.py"
    assert "Made of v1_v2.json" in module.read_text()
    assert runpy.run_path(str(module))["migration"] == migration
    assert run("generate", "--out", "out", "--check").code == 0


def test_nowhere_to_write(run: Run, project: Path) -> None:
    """Without a folder it is misuse, and the hint names both ways to give one."""
    done = run("generate")
    assert done.code == 2
    assert "--out DIR" in done.err
    assert "generated =" in done.err


def test_unknown_subject(run: Run, project: Path) -> None:
    """A subject that is not there is misuse, and nothing is written."""
    done = run("generate", "nope", "--out", "out")
    assert done.code == 2
    assert "there is no subject 'nope'" in done.err
    assert not (project / "out").exists()


def test_foreign_file_is_kept(run: Run, project: Path) -> None:
    """A file that instar did not write is never overwritten."""
    mine = project / "out" / "job" / "v1.py"
    mine.parent.mkdir(parents=True)
    mine.write_text("mine = 1\n")
    assert run("generate", "--out", "out").code == 2
    assert mine.read_text() == "mine = 1\n"


@pytest.mark.parametrize(
    ("name", "inside", "warns"),
    [("json", False, True), ("json", True, False), ("job", False, False)],
)
def test_a_package_that_hides_a_standard_module(
    run: Run, project: Path, name: str, inside: bool, warns: bool
) -> None:
    """A subject named like a standard module is warned of, unless its folder is a package."""
    (project / "schemas" / "job").rename(project / "schemas" / name)
    if name != "job":
        (project / "migrations" / "job").rename(project / "migrations" / name)
        for path in (project / "migrations" / name).glob("*.py"):
            path.write_text(path.read_text().replace('"job"', f'"{name}"'))
    (project / "out").mkdir()
    if inside:
        (project / "out" / "__init__.py").touch()
    done = run("generate", "--out", "out")
    assert done.code == 0
    assert (f"hides Python's module {name}" in done.err) == warns
    assert (files(project / "out" / name)) == GENERATED
