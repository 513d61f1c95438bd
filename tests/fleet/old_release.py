"""An earlier release of this package, built from its commit, in an environment of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
_BUILD = "import sys; from setuptools.build_meta import build_wheel; build_wheel(sys.argv[1])"
_PROGRAM = Path(__file__).with_name("old_program.py")


class OldRelease:
    """Python programs that import the release, and everything else from this environment."""

    def __init__(self, commit: str, folder: Path) -> None:
        packages = _environment(folder / "env")
        with zipfile.ZipFile(_wheel(commit, folder)) as wheel:
            wheel.extractall(packages)  # noqa: S202 - our own, just built
        self._python = folder / "env" / ("Scripts" if os.name == "nt" else "bin") / "python"

    def work(self, schemas: Path, store: str, formats: list[str]) -> dict[str, Any]:
        """Edit the state of each format by what old_program.py does, and say what was there."""
        done = subprocess.run(
            [self._python, "-W", "ignore", _PROGRAM, schemas, store, *formats],
            capture_output=True,
            text=True,
            check=False,
            # Beside the release's own, so that nothing of this checkout is found.
            cwd=schemas,
        )
        assert done.returncode == 0, done.stderr
        found: dict[str, Any] = json.loads(done.stdout)
        return found


def _wheel(commit: str, folder: Path) -> Path:
    pytest.importorskip("setuptools", reason="setuptools builds the old release")
    known = subprocess.run(
        ["git", "cat-file", "-e", f"{commit}^{{commit}}"],
        cwd=ROOT,
        capture_output=True,
        check=False,
    )
    if known.returncode != 0:
        pytest.skip(f"this checkout has no history: commit {commit} is not here")
    archive = subprocess.run(["git", "archive", commit], cwd=ROOT, capture_output=True, check=True)
    with tarfile.open(fileobj=BytesIO(archive.stdout)) as files:
        files.extractall(folder / "source", filter="data")
    subprocess.run(
        [sys.executable, "-c", _BUILD, folder / "dist"],
        cwd=folder / "source",
        capture_output=True,
        check=True,
    )
    (wheel,) = (folder / "dist").glob("*.whl")
    return wheel


def _environment(folder: Path) -> Path:
    """An environment without pip; its folder of packages, which come before those of this one."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    variables = {"base": str(folder), "platbase": str(folder)}
    packages = Path(sysconfig.get_path("purelib", "venv", vars=variables))
    # A .pth in a folder that a .pth names is not read: no editable install of this one is found.
    here = sysconfig.get_path("purelib")
    (packages / "present.pth").write_text(f"{here}\n", encoding="utf-8")
    return packages
