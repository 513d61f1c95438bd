from __future__ import annotations

from pathlib import Path

import pytest
from cli.place import make_project
from material import ROOT

from instar import Registry
from instar.codec.goldens import draft_goldens
from instar.codec.subject import Subject
from instar.schemas.lock import read_lock, released


@pytest.fixture
def subject(tmp_path: Path) -> Subject:
    """A subject of three versions, the last by a function; the first two are released."""
    make_project(tmp_path)
    schemas = tmp_path / "schemas"
    found = Registry.open(schemas, tmp_path / "migrations").subject("job")
    lock = read_lock(schemas, [])
    facts = released(lock, [found.schema(version) for version in (1, 2)])
    lock.path.write_text(lock.text(facts))
    return found


@pytest.fixture
def schemas(subject: Subject, tmp_path: Path) -> Path:
    """The folder of its schemas, with goldens of what is released."""
    for draft in draft_goldens(subject, tmp_path / "schemas"):
        draft.write()
    return tmp_path / "schemas"


@pytest.fixture
def golden(schemas: Path) -> Path:
    """The folder of its goldens."""
    return schemas / "job" / "golden"


@pytest.fixture(scope="session")
def reference() -> Registry:
    """The registry of agent_state and agent_command."""
    return Registry.open(ROOT / "schemas", ROOT / "migrations")
