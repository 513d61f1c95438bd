"""Generated code under the type checkers and linters that users run."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
GOLDEN = ROOT / "tests" / "golden" / "generate"
PACKAGES = sorted(path.parent for path in GOLDEN.glob("*/__init__.py"))


def run(tool: str, *arguments: str, cwd: Path) -> None:
    """Run a checker; skips the test where it is not installed."""
    if importlib.util.find_spec(tool) is None:
        pytest.skip(f"{tool} is not installed")
    environment = {**os.environ, "MYPYPATH": os.pathsep.join((str(ROOT / "src"), str(GOLDEN)))}
    command = [sys.executable, "-m", tool, *arguments]
    done = subprocess.run(
        command, cwd=cwd, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_basedpyright_accepts_generated_code(tmp_path: Path) -> None:
    """Generated packages pass basedpyright, strict."""
    project = tmp_path / "pyrightconfig.json"
    settings = {
        "include": [str(GOLDEN)],
        "extraPaths": [str(ROOT / "src")],
        "typeCheckingMode": "strict",
        "pythonVersion": "3.11",
    }
    project.write_text(json.dumps(settings), encoding="utf-8")
    run("basedpyright", "--pythonpath", sys.executable, "-p", str(project), cwd=tmp_path)


def test_mypy_accepts_generated_code() -> None:
    """Generated packages pass mypy, strict."""
    packages = [str(package) for package in PACKAGES]
    # Silent: as for users, to whom instar is an installed package and not their own source.
    options = ("--strict", "--config-file=", "--python-version=3.11", "--follow-imports=silent")
    run("mypy", *options, *packages, cwd=ROOT)


USE = '''"""What a user writes."""

from array import array

from agent_state.v3 import AgentState


def first(state: AgentState) -> float:
    state.embedding = array("f", [0.5])
    state.embedding = [0.5]  # type: ignore[assignment]
    return state.embedding[0]
'''


def test_checkers_know_vectors(tmp_path: Path) -> None:
    """To both, a vector is an array of floats; a list given for it is an error."""
    (tmp_path / "use.py").write_text(USE, encoding="utf-8")
    project = tmp_path / "pyrightconfig.json"
    settings = {
        "include": ["use.py"],
        "extraPaths": [str(ROOT / "src"), str(GOLDEN)],
        "typeCheckingMode": "strict",
        "pythonVersion": "3.11",
        "reportUnnecessaryTypeIgnoreComment": True,
    }
    project.write_text(json.dumps(settings), encoding="utf-8")
    run("basedpyright", "--pythonpath", sys.executable, "-p", str(project), cwd=tmp_path)
    options = ("--strict", "--config-file=", "--python-version=3.11", "--follow-imports=silent")
    run("mypy", *options, "use.py", cwd=tmp_path)


@pytest.mark.parametrize(
    "check", [("format", "--check"), ("check", "--select", "I,F,E4,E7,E9,UP,RUF022")]
)
def test_ruff_would_change_nothing(check: tuple[str, ...], tmp_path: Path) -> None:
    """What instar writes itself is laid out as ruff does, with its imports in ruff's order."""
    copy = tmp_path / "generated"
    shutil.copytree(GOLDEN, copy, ignore=shutil.ignore_patterns("v*_v*.py", "*.avsc"))
    run("ruff", *check, "--isolated", "--line-length=100", "--no-cache", str(copy), cwd=tmp_path)
