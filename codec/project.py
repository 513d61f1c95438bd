"""Where a project keeps its schemas and migrations: ``[tool.instar]`` in pyproject.toml."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import Any, Final, cast, get_args

from ..errors import ConfigError
from ..schemas.arguments import check_argument
from ..schemas.reading import ReadSettings, TimeUnit

KEYS: Final = (
    "schemas",
    "migrations",
    "generated",
    "format",
    "lenient",
    "protobuf_times",
    "roots",
    "compatibility",
)
"""What ``[tool.instar]`` may hold; the command line reads some of it."""


@dataclass(frozen=True, slots=True)
class Project:
    """The two folders, of which ``migrations`` may be ``None``, and how schemas are read."""

    schemas: Path
    migrations: Path | None
    reading: ReadSettings = field(default_factory=ReadSettings)


def find_project(
    schemas: str | Path | None = None, migrations: str | Path | None = None
) -> Project:
    """The folders that were given, completed from the nearest ``pyproject.toml``.

    How schemas are read is always taken from the ``pyproject.toml`` above them. Raises
    ``ConfigError`` where no folder is named anywhere, or the settings are wrong.
    """
    for name, folder in (("schemas", schemas), ("migrations", migrations)):
        if folder is not None:
            check_argument(name, folder, (str, PathLike), "the path of a folder")
    if schemas is not None:
        steps = None if migrations is None else Path(migrations)
        file, settings = find_settings(Path(schemas).resolve())
        return Project(Path(schemas), steps, _reading(file, settings))
    file, settings = find_settings(Path.cwd())
    if file is None:
        raise ConfigError(
            "no pyproject.toml from here upwards has [tool.instar]",
            where=str(Path.cwd()),
            mend='add it with schemas = "schemas", or name the folder of schemas',
        )
    folder = _path(file, settings, "schemas", "schemas")
    steps = Path(migrations) if migrations is not None else _migrations(file, settings)
    return Project(folder, steps, _reading(file, settings))


def _reading(file: Path | None, settings: Mapping[str, Any]) -> ReadSettings:
    roots, lenient = settings.get("roots", {}), settings.get("lenient", False)
    where = f"{file} [tool.instar]"
    if not isinstance(roots, dict) or not all(
        isinstance(name, str) for name in cast("dict[str, object]", roots).values()
    ):
        raise ConfigError(
            f"roots must give the full name of a record by subject, found {roots!r}", where=where
        )
    if not isinstance(lenient, bool):
        raise ConfigError(f"lenient must be true or false, found {lenient!r}", where=where)
    times = _protobuf_times(settings.get("protobuf_times", "micros"), where)
    return ReadSettings(cast("dict[str, str]", roots), lenient, times)


def _protobuf_times(found: object, where: str) -> TimeUnit | Mapping[str, int]:
    if isinstance(found, str) and found in get_args(TimeUnit):
        return cast("TimeUnit", found)
    if isinstance(found, dict):
        first = cast("dict[str, object]", found)
        if all(type(version) is int and version > 0 for version in first.values()):
            return cast("dict[str, int]", found)
    raise ConfigError(
        "protobuf_times must be micros, nanos, or give by subject the first version that has"
        f" nanoseconds, found {found!r}",
        where=where,
    )


def _migrations(file: Path, settings: Mapping[str, Any]) -> Path | None:
    folder = _path(file, settings, "migrations", "migrations")
    return folder if folder.is_dir() or "migrations" in settings else None


def find_settings(start: Path) -> tuple[Path | None, Mapping[str, Any]]:
    """The nearest ``pyproject.toml`` with ``[tool.instar]``, and what stands there.

    Nothing where there is none. Raises ``ConfigError`` for a file that does not read, and for
    a key that means nothing.
    """
    for folder in (start, *start.parents):
        file = folder / "pyproject.toml"
        # A folder or a broken link of that name is an error, and not as good as no file.
        if file.exists() or file.is_symlink():
            tool = _table(_read(file), "tool", f"{file}")
            if "instar" in tool:
                where = f"{file} [tool.instar]"
                settings = _table(tool, "instar", where)
                _check_known(settings, where)
                return file, settings
    return None, {}


def _table(parent: Mapping[str, Any], key: str, where: str) -> dict[str, Any]:
    found = parent.get(key, {})
    if not isinstance(found, dict):
        raise ConfigError(f"{key} must be a table, found {found!r}", where=where)
    return cast("dict[str, Any]", found)


def _check_known(settings: Mapping[str, Any], where: str) -> None:
    unknown = [key for key in settings if key not in KEYS]
    if unknown:
        raise ConfigError(
            f"there is no setting {', '.join(map(repr, unknown))}",
            where=where,
            mend=f"settings are {', '.join(KEYS)}",
        )


def _read(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ConfigError(f"the file does not read: {error}", where=str(file)) from error


def _path(file: Path, settings: Mapping[str, Any], key: str, default: str) -> Path:
    value = settings.get(key, default)
    if not isinstance(value, str):
        raise ConfigError(
            f"{key} must be the path of a folder, found {value!r}", where=f"{file} [tool.instar]"
        )
    return file.parent / value
