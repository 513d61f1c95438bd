"""Loads migrations from files ``<subject>/v<N>_v<M>.py``, by path and not by import name, and
from files of data, ``<subject>/v<N>_v<M>.json``.
"""

from __future__ import annotations

import re
import sys
import traceback
import uuid
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import CodeType, ModuleType

from ..errors import ConfigError, LimitExceeded, MigrationError, MigrationFileError
from .data import from_data
from .migration import Migration

_FILE_NAME = re.compile(r"v([1-9][0-9]*)_v([1-9][0-9]*)")


def load_migrations(
    folder: Path, subject: str, errors: list[MigrationError] | None = None
) -> tuple[Migration, ...]:
    """The migrations in ``folder/subject``, by source version.

    A subject without a folder has none. Raises ConfigError where ``folder`` is missing and
    MigrationFileError, with file and line, for a file that does not load; where ``errors`` is
    given they are added to it and the other files still load.
    """
    if not folder.is_dir():
        raise ConfigError("there is no such folder of migrations", where=str(folder))
    loaded: list[Migration] = []
    for path in migration_files(folder, subject):
        try:
            loaded.append(_load(path, subject))
        except MigrationFileError as error:
            if errors is None:
                raise
            errors.append(error)
    return tuple(sorted(loaded, key=lambda step: (step.source, step.target)))


def migration_files(folder: Path, subject: str) -> list[Path]:
    """The files in ``folder/subject`` that are migrations, or almost named so, by name."""
    inside = (folder / subject).glob("v[0-9]*")
    return sorted(path for path in inside if path.suffix in {".py", ".json"})


def _load(path: Path, subject: str) -> Migration:
    match = _FILE_NAME.fullmatch(path.stem)
    if match is None:
        raise MigrationFileError(
            "the name does not say which versions it joins",
            where=str(path),
            mend=f"name it as v2_v3{path.suffix} is named",
        )
    migration = _data(path) if path.suffix == ".json" else _migration(path)
    expected = (subject, int(match[1]), int(match[2]))
    found = (migration.subject, migration.source, migration.target)
    if found != expected:
        raise MigrationFileError(
            f"it holds the migration {migration.name}, and its name says"
            f" {expected[0]} {expected[1]} -> {expected[2]}",
            where=str(path),
            mend="make the file and what it holds agree",
        )
    return migration


def _data(path: Path) -> Migration:
    try:
        return from_data(path.read_text(encoding="utf-8"))
    except (MigrationError, LimitExceeded) as error:
        where = f"{path}:{error.where}" if error.where else str(path)
        raise MigrationFileError(error.what, where=where, mend=error.mend) from error
    except (OSError, UnicodeDecodeError) as error:
        raise MigrationFileError(f"the file does not read: {error}", where=str(path)) from error


def _migration(path: Path) -> Migration:
    found = getattr(_execute(path), "migration", None)
    if not isinstance(found, Migration):
        what = "no `migration`" if found is None else f"a `migration` that is {found!r}"
        raise MigrationFileError(
            f"the file defines {what}",
            where=str(path),
            mend="add: migration = Migration(subject, source, target, ...)",
        )
    return found


class _FreshLoader(SourceFileLoader):
    """Compiles the file each time: cached bytecode is stale when a file changes twice within
    a second, and would litter a folder of the user's.
    """

    def get_code(self, fullname: str) -> CodeType:
        path = self.get_filename(fullname)
        code: CodeType = self.source_to_code(self.get_data(path), path)
        return code


def _execute(path: Path) -> ModuleType:
    # A name of its own per load: two registries may load one file at the same time.
    name = f"_instar_migration_{uuid.uuid4().hex}"
    loader = _FreshLoader(name, str(path))
    spec = spec_from_loader(name, loader)
    if spec is None:
        raise MigrationFileError("the file cannot be loaded", where=str(path))
    module = module_from_spec(spec)
    sys.modules[name] = module  # Dataclasses defined in the file look themselves up here.
    try:
        loader.exec_module(module)
    except (Exception, SystemExit) as error:
        raise _file_error(path, error) from error
    finally:
        del sys.modules[name]
    return module


def _file_error(path: Path, error: BaseException) -> MigrationFileError:
    line = _line(path, error)
    where = f"{path}:{line}" if line else str(path)
    if isinstance(error, SyntaxError):
        return MigrationFileError(f"syntax error: {error.msg}", where=where)
    if isinstance(error, MigrationError):
        return MigrationFileError(error.what, where=where, mend=error.mend)
    return MigrationFileError(f"it raised {type(error).__name__}: {error}", where=where)


def _line(path: Path, error: BaseException) -> int | None:
    if isinstance(error, SyntaxError) and error.filename == str(path):
        return error.lineno
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if frame.filename == str(path)]
    return lines[-1] if lines else None
