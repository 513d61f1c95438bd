"""Subjects for the tests of the lock: written into a folder, released, and read again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from instar.errors import InstarError
from instar.schemas.folder import load_subjects
from instar.schemas.lock import Breach, Lock, find_breaches, read_lock, released
from instar.schemas.lock.facts import Fact
from instar.schemas.model import Schema

HEAD = 'syntax = "proto3";\n'


def field(name: str, type_: Any = "string", *former: str) -> dict[str, Any]:
    aliases = {"aliases": [*former]} if former else {}
    return {"name": name, "type": type_, "default": "", **aliases}


def write_avro(folder: Path, version: int, *fields: Any, name: str = "T", **root: Any) -> Path:
    """Write a version whose fields are given as nodes, or as names of strings."""
    nodes = [field(f) if isinstance(f, str) else f for f in fields]
    return write(
        folder,
        f"v{version}.avsc",
        json.dumps({"type": "record", "name": name, "fields": nodes, **root}),
    )


def write_proto(folder: Path, version: int, body: str, more: str = "") -> Path:
    """Write a version whose message ``T`` has ``body``, beside ``more``."""
    return write(folder, f"v{version}.proto", f"{HEAD}message T {{ {body} }}\n{more}")


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / "t" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def lock_of(folder: Path) -> Lock:
    problems: list[InstarError] = []
    lock = read_lock(folder, problems)
    assert problems == []
    return lock


def versions(folder: Path) -> tuple[Schema, ...]:
    return load_subjects(folder)["t"]


def freeze(folder: Path) -> tuple[Fact, ...]:
    """Release every version of the subject, and give the facts that this added."""
    lock = lock_of(folder)
    facts = released(lock, versions(folder))
    (folder / "instar.lock").write_text(lock.text(facts))
    return facts


def breaches(folder: Path) -> list[Breach]:
    return find_breaches(lock_of(folder), versions(folder))
