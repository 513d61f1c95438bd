"""``pytest --instar``: run by pytest itself, within this process."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from cli.place import ROOT, Run, make_project, perform_text, write_schema

pytest_plugins = "pytester"

PAGE = (ROOT / "docs" / "how-to" / "test-in-ci.md").read_text(encoding="utf-8")
CHOSEN = re.findall(r"^pytest --instar schemas (.+)$", PAGE, re.MULTILINE)

LOSSY = ', lossy=("name", "first", "last")'
"""What the step of the project loses, and does not say by itself."""


@pytest.fixture
def place(pytester: pytest.Pytester, run: Run, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project whose subject is released, and that has one test of its own."""
    monkeypatch.delenv("PYTEST_ADDOPTS", raising=False)
    project = make_project(pytester.path)
    step = project / "migrations" / "job" / "v2_v3.py"
    step.write_text(step.read_text().replace("down=join", f"down=join{LOSSY}"))
    assert run("release", "job").code == 0
    (project / "test_own.py").write_text("def test_own():\n    pass\n")
    return project


def play(pytester: pytest.Pytester, *args: str) -> pytest.RunResult:
    return pytester.runpytest_inprocess("--instar", "schemas", "-p", "no:cacheprovider", *args)


def test_items_have_readable_ids(pytester: pytest.Pytester, place: Path) -> None:
    """Checks and goldens stand beside the project's own tests, each with its place as id."""
    found = play(pytester, "--collect-only", "-q").outlines
    assert found[:3] == ["test_own.py::test_own", "instar::check", "instar::job::check"]
    goldens = [line for line in found if line.startswith("instar::job::golden::")]
    assert "instar::job::golden::v1/defaults.avro" in goldens
    assert len(goldens) == 5 * len(list(place.glob("schemas/job/golden/*/*.avro")))


def test_a_project_in_order_passes(pytester: pytest.Pytester, place: Path) -> None:
    """All items pass, and the head of the run says what reads the goldens."""
    done = play(pytester, "--strict-markers", "-W", "error", "-k", "not law")
    done.assert_outcomes(passed=3 + 5 * len(list(place.glob("schemas/job/golden/*/*.avro"))))
    done.stdout.fnmatch_lines([f"instar: {place / 'schemas'}, goldens read by *library*"])
    assert done.ret == 0


def test_laws_are_items(pytester: pytest.Pytester, place: Path) -> None:
    """Each law is an item for each route, which holds, or fails with a state that shows why."""
    assert set(play(pytester, "-k", "law and round-trip").parseoutcomes()) >= {"passed"}
    step = place / "migrations" / "job" / "v2_v3.py"
    step.write_text(step.read_text().replace(LOSSY, ""))
    done = play(pytester, "-k", "law and round-trip")
    assert done.parseoutcomes()["failed"] == 2
    done.stdout.fnmatch_lines(["*law-broken: job 2 -> 3 -> 2: *", "*name: expected '', found ' '"])


def test_items_are_chosen(pytester: pytest.Pytester, place: Path) -> None:
    """-m and -k choose among them."""
    del place
    assert play(pytester, "-m", "not instar").parseoutcomes()["passed"] == 1
    assert play(pytester, "-k", "job and check").parseoutcomes()["passed"] == 1
    assert play(pytester, "-k", "defaults.avro").parseoutcomes()["passed"] == 3


def test_findings_fail(pytester: pytest.Pytester, place: Path) -> None:
    """What is wrong fails its item alone, with what instar check says and no traceback."""
    golden = place / "schemas" / "job" / "golden"
    (golden / "v1" / "defaults.avro").write_bytes(b"x")
    (place / "migrations" / "jobs").mkdir()
    shutil.copy(place / "migrations" / "job" / "v2_v3.py", place / "migrations" / "jobs")
    done = play(pytester, "-rf")
    assert done.parseoutcomes()["failed"] == 3
    text = done.stdout.str()
    for id_ in ("check", "job::check", "job::golden::v1/defaults.avro"):
        assert f"FAILED instar::{id_}" in text
    path = Path("schemas", "job", "golden", "v1", "defaults.avro")
    assert f"golden-edited: {path}: this golden is not what was recorded" in text
    assert "    restore it from its history" in text
    assert "migration-orphan: " in text
    assert "golden-value: " in text
    assert "Traceback" not in text
    assert "pytest_items.py" not in text


def test_a_subject_that_does_not_open(pytester: pytest.Pytester, place: Path) -> None:
    """It has a check that fails, and no goldens; other subjects are tested."""
    write_schema(place / "schemas" / "other", 1, []).write_text("{")
    done = play(pytester, "-k", "check", "-rf")
    assert done.parseoutcomes()["failed"] == 1
    done.stdout.fnmatch_lines(["*schema-syntax: *other*v1.avsc:1:2: *", "FAILED instar::other::*"])


def test_no_such_folder(pytester: pytest.Pytester, place: Path) -> None:
    """A folder that is not there is an error of collection, told in a line."""
    shutil.rmtree(place / "schemas")
    done = play(pytester)
    done.assert_outcomes(errors=1)
    done.stdout.fnmatch_lines(["*there is no such folder of schemas*"])
    assert "Traceback" not in done.stdout.str()


@pytest.mark.parametrize("settings", ["", "[tool.instar]\n", '[tool.instar]\nschemas = "other"\n'])
def test_migrations_are_found(pytester: pytest.Pytester, place: Path, settings: str) -> None:
    """Migrations are those of the settings, or those beside the schemas."""
    (place / "pyproject.toml").write_text(settings)
    assert play(pytester, "-k", "check").ret == 0
    (place / "migrations").rename(place / "steps")
    assert play(pytester, "-k", "job and check").parseoutcomes()["failed"] == 1
    (place / "pyproject.toml").write_text('[tool.instar]\nmigrations = "steps"\n')
    assert play(pytester, "-k", "check").ret == 0


def test_nothing_is_imported_without_the_option(tmp_path: Path) -> None:
    """Without --instar the plugin is there, and instar is not imported."""
    (tmp_path / "test_own.py").write_text(
        "import sys\n\ndef test_own(pytestconfig):\n"
        "    assert pytestconfig.pluginmanager.has_plugin('instar')\n"
        "    assert 'instar' not in sys.modules\n"
    )
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", tmp_path],
        cwd=tmp_path,
        env={name: value for name, value in os.environ.items() if name != "PYTEST_ADDOPTS"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("args", CHOSEN)
def test_the_how_to_chooses(pytester: pytest.Pytester, place: Path, args: str) -> None:
    """Each command line of the page, but for the subject's name, chooses something."""
    del place
    done = play(pytester, *shlex.split(args.replace("ticket", "job")))
    assert done.ret == 0
    assert "failed" not in done.stdout.str()


@pytest.mark.skipif(sys.platform == "win32", reason="the page is written for a POSIX shell")
def test_the_how_to_runs(tmp_path: Path) -> None:
    """What the page says of a first release works, in order, in an empty folder."""
    printed = perform_text(PAGE.partition("\n## Start")[2].partition("\n## ")[0], tmp_path)
    assert "ticket v1" in printed
    assert "instar .." in printed
    assert "ticket: " in printed
