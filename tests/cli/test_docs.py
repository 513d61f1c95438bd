from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from cli.place import Run, commands
from typer.main import get_command

from instar.cli import app
from instar.cli.findings import RULES

ROOT = Path(__file__).resolve().parents[2]
REFERENCE = (ROOT / "docs" / "reference" / "cli.md").read_text(encoding="utf-8")
HOW_TO = (ROOT / "docs" / "how-to" / "adopt-existing-json.md").read_text(encoding="utf-8")
COMMANDS = commands(get_command(app))


def section(name: str) -> str:
    found = re.search(rf"^## `instar {name}\b.*?(?=^## |\Z)", REFERENCE, re.MULTILINE | re.DOTALL)
    assert found, f"docs/reference/cli.md has no section on instar {name}"
    return found[0]


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_is_documented(name: str) -> None:
    """The reference has a section for each command that names each of its options."""
    documented = set(re.findall(r"`(--?[a-z-]+)", section(name)))
    options = {
        option for param in COMMANDS[name].params for option in param.opts if option[0] == "-"
    }
    assert options - documented == set()
    assert {option for option in documented if option[:2] == "--"} <= options


def test_only_commands_are_documented() -> None:
    """The reference has no section for a command that is not there."""
    titles = re.findall(r"^## `instar ((?:[a-z]+ ?)+)", REFERENCE, re.MULTILINE)
    assert {name.strip() for name in titles} == set(COMMANDS)


def test_every_finding_is_documented() -> None:
    """The reference lists each id that instar check gives, with its purpose."""
    listed = re.findall(r"^\| `([a-z-]+)` \| (.*) \|$", section("check"), re.MULTILINE)
    assert [(rule.id, rule.purpose) for rule in sorted(RULES, key=lambda rule: rule.id)] == sorted(
        row for row in listed if not row[0].startswith("--")
    )


@pytest.mark.skipif(sys.platform == "win32", reason="the page is written for a POSIX shell")
def test_how_to_adopt_runs(tmp_path: Path) -> None:
    """Every shell block of the page works, in order, in an empty folder."""
    blocks = re.findall(r"^```sh\n(.*?)^```$", HOW_TO, re.MULTILINE | re.DOTALL)
    bin_folder = Path(sys.executable).parent
    done = subprocess.run(
        ["sh", "-eu"],
        input="\n".join(blocks),
        cwd=tmp_path,
        env={**os.environ, "PATH": f"{bin_folder}{os.pathsep}{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert len(blocks) == 7
    assert "3 documents adopted into sqlite:///runs.db, 0 refused, 0 in conflict" in done.stdout
    assert "0 -> 0.0" in done.stdout
    assert "status='retrying'" in done.stdout
    assert "src is current" in done.stdout


def test_how_to_write_a_migration(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page shows what the two commands print for its own schemas."""
    page = (ROOT / "docs" / "how-to" / "write-a-migration.md").read_text(encoding="utf-8")
    monkeypatch.chdir(tmp_path)

    def write(path: str) -> None:
        mark = rf"(?:<!-- file: {path} -->\n```json|# file: {path})"
        found = re.search(rf"^{mark}\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
        assert found
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        Path(path).write_text(found[1], encoding="utf-8")

    def shown(language: str) -> str:
        found = re.search(rf"^```{language}\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
        return found[1] if found else ""

    write("schemas/ticket/v1.avsc")
    write("schemas/ticket/v2.avsc")
    assert run("migration", "new", "ticket").code == 0
    assert Path("migrations/ticket/v1_v2.py").read_text(encoding="utf-8") == shown("py")
    write("migrations/ticket/v1_v2.py")
    assert run("migration", "path", "ticket", "2", "1").out == shown("text")
