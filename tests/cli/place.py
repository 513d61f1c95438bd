"""A small project to run commands in: one subject of three versions, the last by a function."""

from __future__ import annotations

import json
import os
import re
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Final, TypeAlias

import instar

ROOT: Final = Path(__file__).resolve().parents[2]
Run: TypeAlias = Callable[..., "Done"]

_FIELDS: Sequence[Sequence[dict[str, Any]]] = (
    ({"name": "name", "type": "string"}, {"name": "steps", "type": "int"}),
    (
        {"name": "name", "type": "string"},
        {"name": "steps", "type": "long"},
        {"name": "log", "type": {"type": "array", "items": "string"}, "default": []},
    ),
    (
        {"name": "first", "type": "string"},
        {"name": "last", "type": "string"},
        {"name": "steps", "type": "long"},
        {"name": "log", "type": {"type": "array", "items": "string"}, "default": []},
    ),
)

MIGRATION = """\
from instar.migrations import Migration, compute


def split(name: str) -> tuple[str, str]:
    first, _, last = name.partition(" ")
    return first, last


def join(first: str, last: str) -> str:
    return f"{first} {last}"


migration = Migration(
    "job", 2, 3, compute(reads="name", writes=("first", "last"), up=split, down=join)
)
"""


def commands(group: Any, prefix: str = "") -> dict[str, Any]:
    """The commands of a group and of those inside it, by what is typed for them."""
    found: dict[str, Any] = {}
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            found |= commands(command, f"{prefix}{name} ")
        else:
            found[f"{prefix}{name}"] = command
    return found


class Done:
    """What a command gave back."""

    def __init__(self, code: int, out: bytes, err: str) -> None:
        self.code = code
        self.raw = out
        self.out = out.decode("utf-8", "replace")
        self.err = err

    @property
    def json(self) -> Any:
        return json.loads(self.out)


def write_schema(folder: Path, version: int, fields: Sequence[dict[str, Any]]) -> Path:
    path = folder / f"v{version}.avsc"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"type": "record", "name": "Job", "fields": list(fields)}))
    return path


def make_project(root: Path) -> Path:
    """Write the project into ``root``, which becomes its folder."""
    for version, fields in enumerate(_FIELDS, start=1):
        write_schema(root / "schemas" / "job", version, fields)
    step = root / "migrations" / "job" / "v2_v3.py"
    step.parent.mkdir(parents=True)
    step.write_text(MIGRATION)
    (root / "pyproject.toml").write_text("[tool.instar]\n")
    return root


def blob(root: Path, version: int = 1, **options: Any) -> bytes:
    """A blob of Ada Lovelace, written by code of ``version``."""
    registry = instar.Registry.open(root / "schemas", root / "migrations")
    codec = registry.codec("job", version=version, **options)
    names = {"name": "Ada Lovelace"} if version < 3 else {"first": "Ada", "last": "Lovelace"}
    return codec.encode(codec.from_builtins({**names, "steps": 7}))


def perform_text(text: str, folder: Path) -> str:
    """Write and run every block of (part of) a page, in order, in ``folder``; what they print."""
    return "".join(perform(*block, folder) for block in blocks_of(text))


def blocks_of(text: str) -> list[tuple[str, str, str]]:
    """The blocks of (part of) a page: the file to write each to, or none, language and text."""
    fence = r"(?:<!-- file: (\S+) -->\n)?^```(\w+)\n(.*?)^```$"
    return re.findall(fence, text, re.MULTILINE | re.DOTALL)


def perform(file: str, language: str, text: str, folder: Path) -> str:
    """Write a block of JSON to its file, or run it in a process of its own; what it prints."""
    if file:
        path = folder / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(json.loads(text)))
        return ""
    command = ["sh", "-eu"] if language == "sh" else [sys.executable, "-"]
    bin_folder = Path(sys.executable).parent
    done = subprocess.run(
        command,
        input=text,
        cwd=folder,
        env={**os.environ, "PATH": f"{bin_folder}{os.pathsep}{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def end_scans(database: Path) -> None:
    """Put a row into an SQLite store, behind all others, that no scan can go on behind."""
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("INSERT INTO instar_state VALUES (x'ff', 1, 'w', x'')")
