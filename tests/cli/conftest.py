from __future__ import annotations

from pathlib import Path

import pytest
from cli.place import Done, Run, make_project
from typer.testing import CliRunner

from instar.cli import app


@pytest.fixture
def run() -> Run:
    """Runs a command in this process; anything but an exit of its own is an error."""

    def invoke(*args: str | Path, stdin: bytes = b"") -> Done:
        result = CliRunner().invoke(app, [str(arg) for arg in args], input=stdin)
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return Done(result.exit_code, result.stdout_bytes, result.stderr)

    return invoke


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project that is in order, as the working directory."""
    monkeypatch.chdir(tmp_path)
    return make_project(tmp_path)


@pytest.fixture
def outside(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working directory, in no project."""
    folder = tmp_path_factory.mktemp("outside")
    monkeypatch.chdir(folder)
    return folder
