"""``instar generate``: typed Python packages from schemas."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Final

import typer

from ..codec.generate import check_generated, write_generated
from ..errors import ConfigError
from .options import Json, Migrations, Schemas, WrittenFormat
from .output import count, line, print_json, warn
from .packages import packages
from .project import Workplace, find_workplace

EXAMPLE: Final = """\b
Example:
  instar generate --out src/myapp/state
  instar generate agent_state --out src/myapp/state --check
"""


def generate(  # noqa: PLR0913 - each is one option
    subjects: Annotated[
        list[str] | None,
        typer.Argument(metavar="SUBJECT", help="All subjects, if none is named."),
    ] = None,
    *,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Folder of the packages. Without it, `generated` of pyproject.toml.",
        ),
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; exit 1 if anything would change.")
    ] = False,
    format: WrittenFormat = None,  # noqa: A002 - the name of the option
    schemas: Schemas = None,
    migrations: Migrations = None,
    json: Json = False,
) -> None:
    """Write one typed Python package for each subject.

    A package holds the types of every version, the migrations, and `codec`, which reads
    every version and writes the latest. Files that are up to date are not touched.
    """
    place = find_workplace(schemas, migrations)
    folder = _folder(out, place)
    registry = place.open(subjects or None)
    wanted = packages(
        registry, subjects or registry.subjects, place.migrations, format or place.format
    )
    if check:
        _tell_drift(folder, check_generated(wanted, folder), len(wanted), json=json)
    else:
        _tell_written(folder, write_generated(wanted, folder), len(wanted), json=json)
    _warn_of_shadows(folder, subjects or registry.subjects)


def _warn_of_shadows(folder: Path, subjects: Iterable[str]) -> None:
    """Warn of packages that hide a standard module where their folder is on the path itself."""
    if (folder / "__init__.py").exists():
        return
    for name in sorted(sys.stdlib_module_names.intersection(subjects)):
        warn(
            f"{folder / name} hides Python's module {name} wherever {folder} is on the import "
            f"path; put an __init__.py into {folder} and import from that package, or rename the "
            "subject"
        )


def _folder(out: Path | None, place: Workplace) -> Path:
    folder = out or place.generated
    if folder is None:
        raise ConfigError(
            "nothing says where to write",
            mend='add --out DIR, or generated = "DIR" to [tool.instar] in pyproject.toml',
        )
    return folder


def _tell_written(folder: Path, changed: list[str], files: int, *, json: bool) -> None:
    if json:
        print_json({"out": str(folder), "files": files, "changed": changed})
        return
    for name in changed:
        line(f"  {folder / name}" if (folder / name).exists() else f"  {folder / name} (removed)")
    line(f"{count(files, 'file')} in {folder}: {len(changed)} changed")


def _tell_drift(folder: Path, drift: list[str], files: int, *, json: bool) -> None:
    if json:
        print_json({"out": str(folder), "files": files, "drift": drift})
    elif drift:
        for sentence in drift:
            line(f"  {sentence}")
        line(f"{count(len(drift), 'file')} in {folder} drifted; run instar generate")
    else:
        line(f"{count(files, 'file')} in {folder}: all current")
    if drift:
        raise typer.Exit(1)
