"""``instar diff``: what changed between two versions, and who can still read what."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import wrap
from typing import Annotated, Any, Final

import msgspec
import typer

from ..codec.compatibility import (
    Break,
    Change,
    Direction,
    RawFormat,
    Reading,
    Settings,
    Verdict,
    diff,
    verdict,
)
from ..codec.compatibility.change import RAW_FORMATS
from ..codec.subject import Subject
from ..errors import MigrationError, MissingExtra, NoSuchSubject
from ..migrations.loader import load_migrations
from ..schemas.folder import load_subjects
from ..schemas.model import Schema
from .losses import Way, tell_losses
from .options import Json, Migrations, Schemas
from .output import WIDTH, count, heading, line, print_json, table, warn
from .project import Workplace, find_workplace

EXAMPLE: Final = """\b
Example:
  instar diff agent_state 2 3
  instar diff agent_state 1 3 --format avro --exit-code
"""

_LONGEST: Final = 300
"""Characters of a value that are shown."""
_DIRECTIONS: Final[dict[Direction, str]] = {
    "backward": "newer reads older",
    "forward": "older reads newer",
}


def diff_command(  # noqa: PLR0913 - each is one option
    subject: Annotated[str, typer.Argument(metavar="SUBJECT", help="A kind of state.")],
    older: Annotated[int, typer.Argument(metavar="A", min=1, help="The older version.")],
    newer: Annotated[int, typer.Argument(metavar="B", min=1, help="The newer version.")],
    *,
    format: Annotated[  # noqa: A002 - the name of the option
        RawFormat | None,
        typer.Option("--format", help="Look at the plain readers of this format alone."),
    ] = None,
    rules: Annotated[
        bool, typer.Option("--rules", help="Apply the rules alone; write and read no values.")
    ] = False,
    exit_code: Annotated[
        bool, typer.Option("--exit-code", help="Exit with 1 if a change breaks a reader.")
    ] = False,
    schemas: Schemas = None,
    migrations: Migrations = None,
    json: Json = False,
) -> None:
    """Name every change between two versions, and what it breaks for whom.

    Backward means that newer code reads what older code wrote, forward the reverse. The
    rules say what to expect of plain readers of each format; then values are written at one
    version and read at the other, by plain readers and by instar with its migrations. Last
    comes what instar loses on the way, field by field.
    """
    place = find_workplace(schemas, migrations)
    line_ = _line(place, subject)
    pair = _version(line_, older), _version(line_, newer)
    formats = RAW_FORMATS if format is None else (format,)
    changes = [_narrowed(change, formats) for change in diff(*pair)]
    opened = _subject(place, line_)
    verdicts = [] if rules else list(_verdicts(opened, pair, formats))
    ways = [] if opened is None else [Way.of(opened, *ends) for ends in _ways(older, newer)]
    if json:
        _print(pair, changes, verdicts, ways)
    else:
        _tell(pair, changes, verdicts)
        _tell_ways(ways)
    if exit_code and any(change.breaks for change in changes):
        raise typer.Exit(1)


def _line(place: Workplace, subject: str) -> Sequence[Schema]:
    return load_subjects(place.schemas, [subject], settings=place.reading)[subject]


def _version(versions: Sequence[Schema], wanted: int) -> Schema:
    for schema in versions:
        if schema.version == wanted:
            return schema
    raise NoSuchSubject(
        f"there is no version {wanted}",
        where=versions[0].subject,
        mend=f"versions here are 1 to {len(versions)}",
    )


def _narrowed(change: Change, formats: Sequence[RawFormat]) -> Change:
    kept = tuple(found for found in change.breaks if found.format in formats)
    return msgspec.structs.replace(change, breaks=kept)


def _ways(older: int, newer: int) -> list[tuple[int, int]]:
    return [(older, newer), (newer, older)]


def _verdicts(
    subject: Subject | None,
    pair: tuple[Schema, Schema],
    formats: Sequence[RawFormat],
) -> Iterator[Verdict]:
    try:
        if subject is not None:
            yield from verdict(*pair, "FULL", "instar", Settings(subject))
        for format_ in formats:
            yield from verdict(*pair, "FULL", format_)
    except MissingExtra as error:
        warn(str(error))


def _subject(place: Workplace, versions: Sequence[Schema]) -> Subject | None:
    """The subject with its migrations, or None where the versions are not linked."""
    name = versions[0].subject
    try:
        steps = load_migrations(place.migrations, name) if place.migrations else ()
        return Subject(versions, steps)
    except MigrationError as error:
        warn(f"instar's own reading was not tried: {error}")
        return None


def _tell(
    pair: tuple[Schema, Schema], changes: Sequence[Change], verdicts: Sequence[Verdict]
) -> None:
    older, newer = pair
    line(f"{older.subject} {older.version} -> {newer.version}: {count(len(changes), 'change')}")
    for change in changes:
        line(f"\n{change.path}")
        _wrapped(change.what)
        for text in _effects(change):
            _wrapped(text, "  ")
    if verdicts:
        heading("Written at one version, read at the other")
        columns = ["reader", *_DIRECTIONS.values()]
        readings: list[Reading] = list(dict.fromkeys(found.reading for found in verdicts))
        table(columns, [_row(reading, verdicts) for reading in readings])
        for found in verdicts:
            _tell_failures(found)


def _tell_ways(ways: Sequence[Way]) -> None:
    for way in ways:
        heading(f"Lost when a state of {way.source} is read as {way.target} by instar")
        tell_losses(way)


def _wrapped(text: str, indent: str = "") -> None:
    first = f"  {indent}"
    for part in wrap(text, WIDTH, initial_indent=first, subsequent_indent=f"{first}  "):
        line(part)


def _effects(change: Change) -> Iterator[str]:
    """A sentence for each way in which a change breaks, the formats it is the same in joined."""
    grouped: dict[tuple[Direction, str, str], list[Break]] = {}
    for found in change.breaks:
        grouped.setdefault((found.direction, found.aspect, found.why), []).append(found)
    for direction in _DIRECTIONS:
        for (way, aspect, why), breaks in grouped.items():
            if way == direction:
                formats = ", ".join(found.format for found in breaks)
                yield f"{_DIRECTIONS[way]}, {formats}: {aspect} breaks: {why}"
    if change.source:
        yield f"source: {change.source}"
    if not change.breaks and not change.source:
        yield "breaks nothing"


def _row(reading: Reading, verdicts: Sequence[Verdict]) -> list[str]:
    found = {v.direction: v for v in verdicts if v.reading == reading}
    return [reading, *(_word(found[direction]) for direction in _DIRECTIONS)]


def _word(found: Verdict) -> str:
    if found.refused:
        return "has no such form"
    if found.compatible:
        return "yes"
    return "other values" if found.layout else "does not read"


def _tell_failures(found: Verdict) -> None:
    title = f"{found.reading}, {_DIRECTIONS[found.direction]}"
    if found.refused:
        line(f"\n{title}")
        _wrapped(found.refused)
    elif found.failures:
        line(f"\n{title}")
        for failure in found.failures:
            _wrapped(failure.what)
            if failure.value is not None:
                _wrapped(f"with {_short(failure.value)}", "  ")
    if found.disagreement:
        line(f"\n{title}: rules and run disagree, and the run decides")
        _wrapped(found.disagreement)


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


def _print(
    pair: tuple[Schema, Schema],
    changes: Sequence[Change],
    verdicts: Sequence[Verdict],
    ways: Sequence[Way],
) -> None:
    older, newer = pair
    print_json(
        {
            "subject": older.subject,
            "older": older.version,
            "newer": newer.version,
            "changes": [_plain_change(change) for change in changes],
            "verdicts": [_plain_verdict(found) for found in verdicts],
            "losses": [way.plain() for way in ways],
        }
    )


def _plain_change(change: Change) -> dict[str, Any]:
    plain: dict[str, Any] = msgspec.to_builtins(change)
    del plain["records"]
    return plain


def _plain_verdict(found: Verdict) -> dict[str, Any]:
    return {
        "reading": found.reading,
        "direction": found.direction,
        "compatible": found.compatible,
        "layout": found.layout,
        "failures": [
            {
                "writer": failure.writer,
                "reader": failure.reader,
                "record": failure.place,
                "aspect": "layout" if failure.layout else "value",
                "what": failure.what,
                "value": None if failure.value is None else repr(failure.value),
            }
            for failure in found.failures
        ],
        "changes": [change.path for change in found.changes],
        "disagreement": found.disagreement,
        "refused": found.refused,
    }
