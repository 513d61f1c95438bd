"""The folder that ``instar tour`` leaves behind: its store, a blob, and the schemas."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from .. import migrations, schemas
from ..codec.registry import Registry
from ..errors import ConfigError, InstarError
from .project import find_workplace

SUBJECT: Final = "agent_state"
_MARKER: Final = "tour.txt"
_STORE: Final = "agents.db"
_WIDTH: Final = 74


@dataclass(frozen=True, slots=True)
class TourFolder:
    """Where everything is that a tour writes, below ``path``."""

    path: Path

    @property
    def schemas(self) -> Path:
        """The folder of schemas."""
        return self.path / "schemas"

    @property
    def migrations(self) -> Path:
        """The folder of migrations."""
        return self.path / "migrations"

    @property
    def store(self) -> Path:
        """The file of the store."""
        return self.path / _STORE

    @property
    def url(self) -> str:
        """The address of the store."""
        return f"sqlite:///{self.store}"

    def blob(self, key: str) -> Path:
        """The file of the blob that is stored under ``key``."""
        return self.path / f"{key}.blob"


def start_afresh(path: Path, key: str) -> tuple[TourFolder, bool]:
    """The folder with the schemas in it, and whether an earlier tour's files were deleted.

    Nothing is deleted but what a tour makes. Raises ConfigError where such a file is there
    and no tour has made it, or ``path`` is no folder.
    """
    folder = TourFolder(path)
    own = [*_store_files(folder), folder.blob(key), *(file for _, file in _copies(folder))]
    again = (path / _MARKER).is_file()
    _check(path, own, again=again)
    path.mkdir(parents=True, exist_ok=True)
    (path / _MARKER).write_text(_names(path, own), encoding="utf-8")
    for file in own:
        file.unlink(missing_ok=True)
    for source, file in _copies(folder):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(source.read_bytes())
    return folder, again


def _check(path: Path, own: Iterable[Path], *, again: bool) -> None:
    if path.exists() and not path.is_dir():
        raise ConfigError("this is no folder", where=str(path), mend="name another with --out")
    taken = [] if again else [file for file in own if os.path.lexists(file)]
    if taken:
        raise ConfigError(
            "no tour has made this file, so none deletes it",
            where=str(taken[0]),
            mend="name another folder with --out",
        )


def _names(path: Path, own: Iterable[Path]) -> str:
    listed = "\n".join(str(file.relative_to(path)) for file in own)
    return f"Made by instar tour, which deletes these files and makes them anew:\n\n{listed}\n"


def _store_files(folder: TourFolder) -> list[Path]:
    # SQLite leaves the last two behind when its process is killed.
    return [folder.store.with_name(_STORE + ending) for ending in ("", "-wal", "-shm")]


def _copies(folder: TourFolder) -> list[tuple[Path, Path]]:
    """The reference schemas and migrations, which lie beside the code, and where they go."""
    sources = [
        *(Path(next(iter(schemas.__path__))) / SUBJECT).glob("v*.avsc"),
        *(Path(next(iter(migrations.__path__))) / SUBJECT).glob("v*_v*.py"),
    ]
    homes = {".avsc": folder.schemas, ".py": folder.migrations}
    return [(file, homes[file.suffix] / SUBJECT / file.name) for file in sorted(sources)]


def commands_to_try(folder: TourFolder, key: str, registry: Registry) -> list[list[str]]:
    """Three commands, each in lines that work as they are, from the working directory."""
    there = [] if _knows(registry) else _where(folder)
    store, blob = ("--store", folder.url), folder.blob(key)
    return [
        _command(("census",), store, *there),
        _command(("inspect",), store, ("--key", key), *there),
        _command(
            ("convert", str(blob)), ("--to", "json"), ("-o", str(blob.with_suffix(".json"))), *there
        ),
    ]


def _where(folder: TourFolder) -> list[tuple[str, ...]]:
    return [("--schemas", str(folder.schemas)), ("--migrations", str(folder.migrations))]


def _knows(registry: Registry) -> bool:
    """Whether the project at the working directory, if there is one, has the same schemas."""
    try:
        here = find_workplace().open().subject(SUBJECT)
    except InstarError:
        return False
    wanted = registry.subject(SUBJECT)
    versions = wanted.chain.versions
    return here.chain.versions == versions and all(
        here.fingerprint(version) == wanted.fingerprint(version) for version in versions
    )


def _command(first: tuple[str, ...], *options: tuple[str, ...]) -> list[str]:
    # uv says so where it runs us: then instar alone is on no path.
    prefix = ("uv", "run") if "UV" in os.environ else ()
    rows = [shlex.join((*prefix, "instar", *first))]
    for option in options:
        part = shlex.join(option)
        if len(rows[-1]) + len(part) < _WIDTH:
            rows[-1] += f" {part}"
        else:
            rows[-1] += " \\"
            rows.append(f"    {part}")
    return rows
