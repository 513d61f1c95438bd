"""Where a project keeps its schemas and migrations: ``[tool.instar]`` in pyproject.toml."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..errors import ConfigError
from ..schemas.settings import find_settings


@dataclass(frozen=True, slots=True)
class Project:
    """The two folders; ``migrations`` is ``None`` where there is none."""

    schemas: Path
    migrations: Path | None


def find_project(
    schemas: str | Path | None = None, migrations: str | Path | None = None
) -> Project:
    """The folders that were given, completed from the nearest ``pyproject.toml``.

    Raises ``ConfigError`` where no folder is named anywhere, or the settings are wrong.
    """
    if schemas is not None:
        return Project(Path(schemas), None if migrations is None else Path(migrations))
    file, settings = find_settings(Path.cwd())
    if file is None:
        raise ConfigError(
            "no pyproject.toml from here upwards has [tool.instar]",
            where=str(Path.cwd()),
            mend='add it with schemas = "schemas", or name the folder of schemas',
        )
    folder = _path(file, settings, "schemas", "schemas")
    steps = Path(migrations) if migrations is not None else _migrations(file, settings)
    return Project(folder, steps)


def _migrations(file: Path, settings: Mapping[str, Any]) -> Path | None:
    folder = _path(file, settings, "migrations", "migrations")
    return folder if folder.is_dir() or "migrations" in settings else None


def _path(file: Path, settings: Mapping[str, Any], key: str, default: str) -> Path:
    value = settings.get(key, default)
    if not isinstance(value, str):
        raise ConfigError(
            f"{key} must be the path of a folder, found {value!r}", where=f"{file} [tool.instar]"
        )
    return file.parent / value
