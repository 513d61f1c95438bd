"""``instar census``: what a store holds, by subject, format, version and framing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Final, TypeVar

import typer

from ..store.census import Census, CensusRow, SchemaPlace, take_census
from ..store.every_entry import every_entry
from ..store.stored_schemas import fetch_schema
from .known import newest_versions, subjects_by_fingerprint
from .options import ExistingStore, Json, Migrations, Schemas
from .output import count, heading, line, print_json, progress, table
from .project import find_registry
from .sources import open_existing

EXAMPLE: Final = """\b
Example:
  instar census --store sqlite:///agents.db
  instar census --store sqlite:///agents.db --json
"""

E = TypeVar("E")


def census(
    *,
    store: ExistingStore,
    schemas: Schemas = None,
    migrations: Migrations = None,
    json: Json = False,
) -> None:
    """Count what a store holds by subject, format, version and framing.

    Reads the tag of every blob and writes nothing. The schemas of the project, if there is
    one, and those in the store give the subjects that tags leave out. What is newer than the
    project, or has a schema that is nowhere, is listed. Exit code 1 if a blob, or its tag,
    cannot be read.
    """
    registry = find_registry(schemas, migrations)
    with open_existing(store) as opened, progress("Reading tags") as advance:
        found = take_census(
            _each(every_entry(opened), advance),
            None if registry is None else subjects_by_fingerprint(registry),
            newest=newest_versions(registry),
            fetch=partial(fetch_schema, opened),
        )
    if json:
        print_json(found.to_json())
    else:
        _tell(found)
    if found.unreadable:
        raise typer.Exit(1)


_PLACES: Final[Mapping[SchemaPlace, str]] = {
    "here": "schema in this project",
    "store": "schema in the store",
    "missing": "schema neither here nor in the store",
    "wrong": "what the store keeps as its schema is another one, or none",
}


def _each(entries: Iterable[E], advance: Callable[[], None]) -> Iterator[E]:
    for entry in entries:
        yield entry
        advance()


def _tell(found: Census) -> None:
    if found.rows:
        columns = ("subject", "version", "format", "framing", "blobs", "bytes")
        table(columns, [_row(row) for row in found.rows], right=("version", "blobs", "bytes"))
    strange = [row for row in found.rows if row.newer or row.schema in {"missing", "wrong"}]
    if strange:
        heading("Not known here")
        for kind in strange:
            line(f"  {_name(kind)}: {count(kind.count, 'blob')}, {_standing(kind)}")
        line()
    if found.unreadable:
        heading("Unreadable")
        for row in found.unreadable:
            shown = ", ".join(row.keys) + (", ..." if row.count > len(row.keys) else "")
            line(f"  {row.error}: {count(row.count, 'blob')} ({shown})")
            line(f"      {row.example}")
        line()
    without = f" without the {found.failures:,} of unknown size" if found.failures else ""
    line(f"{count(found.count, 'blob')}, {count(found.bytes, 'byte')}{without}")


def _name(row: CensusRow) -> str:
    version = "" if row.version is None else f" version {row.version}"
    return f"{row.subject or '(unknown subject)'}{version}"


def _standing(row: CensusRow) -> str:
    newer = "newer, " if row.newer else ""
    return newer + _PLACES[row.schema or "missing"]


def _row(row: CensusRow) -> tuple[str, ...]:
    return (
        row.subject or "(unknown here)",
        "-" if row.version is None else str(row.version),
        row.format,
        row.framing,
        f"{row.count:,}",
        f"{row.bytes:,}",
    )
