"""Earlier releases of this package, as they were, work on one store with this one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from evolve import FORMATS, enum, field, optional, record
from fleet.old_release import OldRelease

from instar import Codec, Registry, Repository, read_tag

BEFORE = "24c5217fddbe3c53811621ad4c020a6705b18b87"
"""The last release that knows nothing of residue."""
RESIDUE = "d9ca9f26fab796b9f917428f0f8835c07b8ee1f2"
"""One that keeps residue, and knows no schemas but its own."""
STORED = "1de74e8f5c0aa9bb966da6511ad91c97939458e6"
"""One that finds the schemas of newer versions in the store."""

OLD_STEP = record("Step", field("note", "string"))
NEW_STEP = record("Step", field("note", "string"), field("cost", "int", default=0))
OLD = record(
    "Job",
    field("title", "string"),
    field("status", enum("Status", "OPEN", "DONE", default="OPEN")),
    field("steps", {"type": "array", "items": OLD_STEP}),
)
NEW = record(
    "Job",
    field("title", "string"),
    field("status", enum("Status", "OPEN", "DONE", "STUCK", default="OPEN")),
    field("steps", {"type": "array", "items": NEW_STEP}),
    field("owner", optional("string"), default=None),
)
STATE: dict[str, Any] = {
    "title": "first",
    "status": "STUCK",
    "steps": [{"note": "a", "cost": 3}, {"note": "b", "cost": 5}],
    "owner": "ada",
}
EDITED = {
    "title": "edited",
    "status": "STUCK",
    "steps": [{"note": "b", "cost": 5}, {"note": "done", "cost": 3}],
    "owner": "ada",
}
PLAIN = {
    "title": "first",
    "status": "OPEN",
    "steps": [{"note": "a", "cost": 0}, {"note": "b", "cost": 0}],
    "owner": None,
}
"""A state that version 1 can express whole."""
PLAIN_EDITED = {
    **PLAIN,
    "title": "edited",
    "steps": [{"note": "b", "cost": 0}, {"note": "done", "cost": 0}],
}
SEEN = {"title": "first", "status": "OPEN", "steps": [{"note": "a"}, {"note": "b"}]}


class Fleet:
    """This release with both versions, and an earlier one with version 1 alone, on one store."""

    def __init__(self, commit: str, folder: Path) -> None:
        self.release = OldRelease(commit, folder)
        self.commit, self.folder = commit, folder
        for name, versions in (("new", (OLD, NEW)), ("old", (OLD,))):
            for number, schema in enumerate(versions, 1):
                file = folder / name / "job" / f"v{number}.avsc"
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(json.dumps(schema), encoding="utf-8")
        self.registry = Registry.open(folder / "new")

    def codec(self, format_: Any, **settings: Any) -> Codec[Any]:
        return self.registry.codec("job", format=format_, **settings)

    def create(
        self, store: str, state: dict[str, Any] = STATE, **settings: Any
    ) -> dict[str, bytes]:
        """The blob of the state in each format, which is its key."""
        blobs: dict[str, bytes] = {}
        for format_ in FORMATS:
            codec = self.codec(format_, **settings)
            with Repository(codec, store) as repository:
                repository.create(format_, codec.from_builtins(state))
                blobs[format_] = repository.load_entry(format_).blob
        return blobs

    def work(self, store: str) -> dict[str, dict[str, Any]]:
        """What the earlier release makes of each state."""
        done = self.release.work(self.folder / "old", store, list(FORMATS))
        assert Path(done["at"]).is_relative_to(self.folder / "env")
        return done["found"]

    def found(self, store: str, format_: Any) -> tuple[Any, bytes]:
        """What this release reads now, and its blob."""
        codec = self.codec(format_)
        with Repository(codec, store) as repository:
            loaded = repository.load_entry(format_)
        return codec.to_builtins(loaded.state), loaded.blob


@pytest.fixture(params=[RESIDUE, STORED], ids=["residue", "stored"], scope="module")
def fleet(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Fleet:
    return Fleet(request.param, tmp_path_factory.mktemp("fleet"))


def test_nothing_is_lost(fleet: Fleet) -> None:
    """Old code edits what new code wrote at the pinned version; new code finds edit and rest."""
    store = f"sqlite:///{fleet.folder}/pinned.db"
    fleet.create(store, write_version=1)
    for format_, done in fleet.work(store).items():
        assert done == {"seen": SEEN}
        state, blob = fleet.found(store, format_)
        assert (format_, state) == (format_, EDITED)
        assert read_tag(blob).version == 1


def test_newer_blobs(fleet: Fleet) -> None:
    """After the switch, old code reads what the store has the schema of, or refuses it whole."""
    store = f"sqlite:///{fleet.folder}/newer.db"
    blobs = fleet.create(store)
    fetches = fleet.commit == STORED
    for format_, done in fleet.work(store).items():
        state, blob = fleet.found(store, format_)
        if fetches:
            assert (done, state) == ({"seen": SEEN}, EDITED)
        else:
            assert done["error"] == "NewerVersion", done
            assert blob == blobs[format_]


def test_a_release_without_residue(tmp_path: Path) -> None:
    """It refuses blobs that carry residue, untouched, and works with all others."""
    fleet = Fleet(BEFORE, tmp_path)
    store, plain = (f"sqlite:///{tmp_path}/{name}.db" for name in ("states", "plain"))
    blobs = fleet.create(store, write_version=1)
    for format_, done in fleet.work(store).items():
        text = format_ in {"json", "yaml"}
        assert done["error"] == ("CorruptPayload" if text else "MalformedTag")
        assert "residue" in done["message"]
        assert fleet.found(store, format_) == (STATE, blobs[format_])
    fleet.create(plain, PLAIN, write_version=1)
    for format_, done in fleet.work(plain).items():
        assert done == {"seen": SEEN}
        assert fleet.found(plain, format_)[0] == PLAIN_EDITED
