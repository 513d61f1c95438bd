"""``instar census``: what a store holds, by subject, format, version and framing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Annotated, Final

import typer

from ..store.census import Census, CensusRow, take_census
from ..store.store import Entry
from .known import subjects_by_fingerprint
from .options import Json, Migrations, Schemas
from .output import count, heading, line, print_json, progress, table
from .project import find_registry
from .sources import open_existing

EXAMPLE: Final = """\b
Example:
  instar census --store sqlite:///agents.db
  instar census --store sqlite:///agents.db --json
"""


def census(
    *,
    store: Annotated[
        str,
        typer.Option(metavar="URL", help="The store: sqlite:///agents.db, or a path."),
    ],
    schemas: Schemas = None,
    migrations: Migrations = None,
    json: Json = False,
) -> None:
    """Count what a store holds by subject, format, version and framing.

    Reads the tag of every blob and writes nothing. The schemas of the project, if there is
    one, give the subjects that tags leave out. Exit code 1 if a tag cannot be read.
    """
    names = subjects_by_fingerprint(find_registry(schemas, migrations))
    with open_existing(store) as opened, progress("Reading tags") as advance:
        found = take_census(_each(opened.scan(), advance), names)
    if json:
        print_json(found.to_json())
    else:
        _tell(found)
    if found.unreadable:
        raise typer.Exit(1)


def _each(entries: Iterable[Entry], advance: Callable[[], None]) -> Iterator[Entry]:
    for entry in entries:
        yield entry
        advance()


def _tell(found: Census) -> None:
    if found.rows:
        columns = ("subject", "version", "format", "framing", "blobs", "bytes")
        table(columns, [_row(row) for row in found.rows], right=("version", "blobs", "bytes"))
    if found.unreadable:
        heading("Unreadable")
        for row in found.unreadable:
            shown = ", ".join(row.keys) + (", ..." if row.count > len(row.keys) else "")
            line(f"  {row.error}: {count(row.count, 'blob')} ({shown})")
            line(f"      {row.example}")
        line()
    line(f"{count(found.count, 'blob')}, {count(found.bytes, 'byte')}")


def _row(row: CensusRow) -> tuple[str, ...]:
    return (
        row.subject or "(unknown here)",
        "-" if row.version is None else str(row.version),
        row.format,
        row.framing,
        f"{row.count:,}",
        f"{row.bytes:,}",
    )
