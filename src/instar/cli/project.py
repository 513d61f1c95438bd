"""What the command line takes from ``[tool.instar]`` of the nearest pyproject.toml."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, get_args

from ..codec.project import find_project, find_settings
from ..codec.registry import Registry
from ..codec.tag import Format
from ..errors import ConfigError
from ..schemas.reading import ReadSettings
from .output import warn


@dataclass(frozen=True, slots=True)
class Workplace:
    """Where the schemas, migrations and generated packages are, and the format to write.

    ``migrations`` and ``generated`` are None where there are none. ``reading`` says how
    schemas are read.
    """

    schemas: Path
    migrations: Path | None
    generated: Path | None
    format: Format
    reading: ReadSettings = field(default_factory=ReadSettings)

    def open(self, subjects: list[str] | None = None) -> Registry:
        """The registry of ``subjects``, or of all. Raises SchemaError, MigrationError, ..."""
        return Registry.open(self.schemas, self.migrations, subjects=subjects)


def find_workplace(schemas: Path | None = None, migrations: Path | None = None) -> Workplace:
    """The folders given, completed from pyproject.toml.

    Without either, ``schemas`` and ``migrations`` of the working directory are taken if
    they are there: who has just inferred a schema has no settings yet. Raises ConfigError.
    """
    file, settings = find_settings(Path.cwd())
    if schemas is None and file is None and Path("schemas").is_dir():
        schemas = Path("schemas")
        if migrations is None and Path("migrations").is_dir():
            migrations = Path("migrations")
    project = find_project(schemas, migrations)
    folder = None if file is None else file.parent
    return Workplace(
        _near(project.schemas),
        project.migrations and _near(project.migrations),
        _generated(folder, settings),
        _format(file, settings),
        project.reading,
    )


def find_registry(schemas: Path | None, migrations: Path | None) -> Registry | None:
    """The registry of whatever opens, or None outside of any project.

    Raises ConfigError where a folder was named that is not there.
    """
    file, _ = find_settings(Path.cwd())
    if schemas is None and file is None and not Path("schemas").is_dir():
        return None
    place = find_workplace(schemas, migrations)
    registry, findings = Registry.collect(place.schemas, place.migrations)
    for finding in findings:
        warn(str(finding))
    return registry


def _generated(folder: Path | None, settings: Mapping[str, Any]) -> Path | None:
    value = settings.get("generated")
    if folder is None or value is None:
        return None
    if not isinstance(value, str):
        raise ConfigError(
            f"generated must be the path of a folder, found {value!r}",
            where=f"{folder / 'pyproject.toml'} [tool.instar]",
        )
    return _near(folder / value)


def _format(file: Path | None, settings: Mapping[str, Any]) -> Format:
    value = settings.get("format", "avro")
    for known in get_args(Format):
        if value == known:
            found: Format = known
            return found
    raise ConfigError(
        f"format is {value!r}",
        where=f"{file} [tool.instar]",
        mend=f"formats are {', '.join(get_args(Format))}",
    )


def _near(path: Path) -> Path:
    """``path`` from the working directory, where it is below that: messages are shorter."""
    here = Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path


def schema_folder(schemas: Path | None) -> Path:
    """Where a new schema goes: the folder given, that of pyproject.toml, or ``schemas``."""
    file, _ = find_settings(Path.cwd())
    if schemas is None and file is None:
        return Path("schemas")
    return _near(find_project(schemas).schemas)
