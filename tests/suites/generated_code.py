"""Generates packages for schemas, imports them, and holds them to mypy."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest
from material import ROOT

from instar.codec.generate import generate
from instar.codec.subject import Subject
from instar.codec.types import bind_types
from instar.schemas.model import Schema

Packages = list[tuple[Schema, Path]]


def write_packages(schemas: Iterable[Schema], folder: Path) -> Packages:
    """The generated package of each schema, in ``folder``."""
    found: Packages = []
    for schema in schemas:
        for name, text in generate(Subject([schema]), {}).items():
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_text(text, encoding="utf-8")
        found.append((schema, folder / schema.subject))
    return found


def check_imported(packages: Packages) -> None:
    """Each module is imported, and its classes are those of its schema."""
    for schema, package in packages:
        name = f"generated_{schema.subject}"
        spec = importlib.util.spec_from_file_location(name, package / f"v{schema.version}.py")
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)
        assert bind_types(schema, module).root is module.TYPES[schema.root]
    print(f"generate: {len(packages)} modules imported")  # noqa: T201 - a suite shows its count


def check_typed(packages: Packages) -> None:
    """All of the code passes mypy, strict."""
    if importlib.util.find_spec("mypy") is None:
        pytest.skip("mypy is not installed")
    folders = [str(package) for _, package in packages]
    options = ("--strict", "--config-file=", "--python-version=3.11", "--follow-imports=silent")
    done = subprocess.run(
        [sys.executable, "-m", "mypy", *options, *folders],
        cwd=ROOT,
        env={**os.environ, "MYPYPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
