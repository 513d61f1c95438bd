"""``instar new``: starts the next version of a subject from its latest."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from ..errors import ConfigError
from ..schemas.avro.writer import avsc_text
from ..schemas.folder import load_subjects
from ..schemas.infer import infer_schema, read_documents
from ..schemas.infer.extend import Difference, Extension, extend_schema
from ..schemas.lock import read_lock
from ..schemas.lock.release import version_place
from ..schemas.model import Schema
from .options import Json, Schemas
from .outline import type_words
from .output import heading, line, print_json
from .project import Workplace, find_workplace
from .sources import check_files

EXAMPLE: Final = """\b
Example:
  instar new agent_state
  instar new agent_state --from-json runs/*.json
"""
_HINTS: Final = {
    "avro": 'a new field needs a "default", a renamed one its former name in "aliases"',
    "protobuf": "a new field needs a number that was never used, and a removed one `reserved`",
}


def new(  # noqa: PLR0913 - each is one option
    subject: Annotated[str, typer.Argument(metavar="SUBJECT", help="The subject.")],
    files: Annotated[
        list[Path] | None,
        typer.Argument(metavar="[FILES]", help="Sample documents, for --from-json."),
    ] = None,
    *,
    from_json: Annotated[
        bool, typer.Option("--from-json", help="Add the fields that the FILES have.")
    ] = False,
    force: Annotated[
        bool, typer.Option("--force", help="Although the latest version is not released.")
    ] = False,
    schemas: Schemas = None,
    json: Json = False,
) -> None:
    """Start the next version of SUBJECT: its latest schema under the next number.

    With --from-json, each field that the sample documents have and the schema lacks is added
    as an optional one, and what else does not fit is told.
    """
    _check_files(files or [], from_json=from_json)
    place = find_workplace(schemas)
    latest = load_subjects(place.schemas, [subject], settings=place.reading)[subject][-1]
    source = Path(version_place(place.schemas / subject, latest.version))
    if not force:
        _check_released(place, latest, source)
    target = source.with_name(f"v{latest.version + 1}{source.suffix}")
    if not from_json:
        target.write_bytes(source.read_bytes())
        extension = Extension(latest, (), ())
    else:
        extension = _extended(latest, source, files or [])
        target.write_text(avsc_text(extension.schema), encoding="utf-8")
    if json:
        print_json(_to_json(latest, target, extension))
    else:
        _tell(latest, source, target, extension, from_json=from_json)


def _check_files(files: Sequence[Path], *, from_json: bool) -> None:
    if from_json != bool(files):
        what = "--from-json needs FILES" if from_json else "FILES need --from-json"
        raise ConfigError(what, mend="instar new SUBJECT --from-json FILES")
    check_files(files)


def _check_released(place: Workplace, latest: Schema, source: Path) -> None:
    lock = read_lock(place.schemas, [])
    if not lock.is_released(latest.subject, latest.version):
        raise ConfigError(
            f"version {latest.version} is not released yet",
            where=str(source),
            mend=f"edit that; or freeze it with instar release {latest.subject}; or add --force",
        )


def _extended(latest: Schema, source: Path, files: Sequence[Path]) -> Extension:
    if source.suffix != ".avsc":
        raise ConfigError(
            "--from-json writes Avro only: a .proto is read through protoc, which keeps nothing "
            "of its layout, so it could not be written again as you know it",
            where=str(source),
            mend="leave --from-json out, and add the fields by hand; instar infer FILES "
            "--dry-run shows what the samples have",
        )
    samples = infer_schema(read_documents(files), subject=latest.subject, narrow=True)
    return extend_schema(latest, samples)


def _difference_words(difference: Difference, have: Schema) -> str:
    found = _words(difference.samples, have)
    return f"the schema has {_words(difference.have, have)}, the samples have {found}"


def _words(type_: Any, schema: Schema) -> str:
    try:
        return type_words(schema, type_)
    except KeyError:  # a type of the samples, which has no name that anybody knows
        return "an object"


def _to_json(latest: Schema, target: Path, extension: Extension) -> dict[str, Any]:
    return {
        "written": str(target),
        "from": latest.version,
        "added": list(extension.added),
        "differences": [
            {"path": found.path, "what": _difference_words(found, extension.schema)}
            for found in extension.differences
        ],
    }


def _tell(
    latest: Schema, source: Path, target: Path, extension: Extension, *, from_json: bool
) -> None:
    line(f"{target}, from {source.name}")
    if from_json:
        heading("Added, as optional")
        for path in extension.added or ("nothing: the schema has every field of the samples",):
            line(f"  {path}")
    if extension.differences:
        heading("Left to you")
        for found in extension.differences:
            line(f"  {found.path}: {_difference_words(found, extension.schema)}")
    heading("Next")
    line(f"  1. Edit it: {_HINTS[latest.language]}.")
    line("  2. instar check says whether it needs a migration.")
    line(f"  3. instar release {latest.subject}")
