"""``instar infer``: a first schema from sample JSON documents."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from keyword import iskeyword
from pathlib import Path
from shlex import quote
from typing import Annotated, Any, Final

import typer

from ..errors import ConfigError
from ..schemas.avro.writer import avsc_text, to_avro
from ..schemas.infer import Document, infer_schema, read_documents
from ..schemas.model import Schema
from ..store.durable import replace_file
from .options import Files, Json
from .outline import outline, tally
from .output import count, heading, line, print_json, progress, table
from .project import schema_folder
from .sources import check_files

EXAMPLE: Final = """\b
Example:
  instar infer runs/*.json --subject agent_run
  instar infer log.jsonl --subject event --enums --dry-run
"""

_FILES_NAMED: Final = 3
_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_NAMESPACE: Final = re.compile(rf"{_NAME.pattern}(\.{_NAME.pattern})*")


def infer(  # noqa: PLR0913 - each is one option
    files: Files,
    *,
    subject: Annotated[str, typer.Option(metavar="NAME", help="What to call this kind of state.")],
    schemas: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Folder to write to. Without it, that of pyproject.toml, or schemas.",
        ),
    ] = None,
    enums: Annotated[
        bool, typer.Option("--enums", help="Make enums of texts with few, repeated values.")
    ] = False,
    namespace: Annotated[
        str | None, typer.Option(metavar="NS", help="What goes before the names of the types.")
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Write nothing; print the schema last.")
    ] = False,
    force: Annotated[
        bool, typer.Option("--force", help="Replace a version 1 that is there.")
    ] = False,
    json: Json = False,
) -> None:
    """Propose version 1 of a schema that holds every sample document.

    Writes DIR/NAME/v1.avsc and says what was decided. Review it before any state is
    written with it: a released version never changes.
    """
    _check_name(subject)
    _check_namespace(namespace)
    check_files(files)
    target = schema_folder(schemas) / subject / "v1.avsc"
    if not (dry_run or force):
        _check_free(target)
    schema, seen = _inferred(files, subject, enums=enums, namespace=namespace)
    text = avsc_text(schema)
    if not dry_run:
        _write(target, text)
    written = None if dry_run else str(target)
    if json:
        print_json(_to_json(schema, seen, written))
        return
    _tell(schema, seen)
    if dry_run:
        heading("Schema")
        line(text.rstrip())
    else:
        _tell_next(target, subject, files, seen)


def _write(target: Path, text: str) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    if not target.exists():
        target.touch()  # with the usual mode: a schema is no secret, as states are
    replace_file(target, [text.encode()])


def _check_name(subject: str) -> None:
    if not _NAME.fullmatch(subject) or iskeyword(subject):
        raise ConfigError(
            f"{subject!r} cannot name a subject",
            mend="use ASCII letters, digits and '_', no digit first and no keyword: agent_run",
        )


def _check_namespace(namespace: str | None) -> None:
    if namespace and not _NAMESPACE.fullmatch(namespace):
        raise ConfigError(
            f"{namespace!r} is no Avro namespace",
            mend="join names of ASCII letters, digits and '_', no digit first, by dots: org.agents",
        )


def _check_free(target: Path) -> None:
    others = sorted(target.parent.glob("v*.*")) if target.parent.is_dir() else []
    if others:
        raise ConfigError(
            f"the subject has a schema: {', '.join(path.name for path in others)}",
            where=str(target.parent),
            mend="choose another --subject, or add --force to replace version 1",
        )


def _inferred(
    files: Sequence[Path], subject: str, *, enums: bool, namespace: str | None
) -> tuple[Schema, int]:
    """The schema, and how many documents it was inferred from."""
    seen = 0

    def counted(advance: Callable[[], None]) -> Iterator[Document]:
        nonlocal seen
        for document in read_documents(files):
            yield document
            seen += 1
            advance()

    with progress("Reading documents") as advance:
        schema = infer_schema(counted(advance), subject=subject, enums=enums, namespace=namespace)
    return schema, seen


def _tell(schema: Schema, seen: int) -> None:
    rows = outline(schema)
    line(f"{schema.subject}, from {count(seen, 'document')}")
    heading("Fields")
    seen_of = [(row.path, row.type, row.seen or "all") for row in rows]
    table(("field", "type", "seen in"), seen_of)
    heading("In all")
    kinds = ", ".join(f"{word}: {number:,}" for word, number in tally(schema).items() if number)
    line(f"  {kinds}")
    if any("json" in row.type for row in rows):
        line("  json: the samples differ too much there, or are empty, to say more")


def _to_json(schema: Schema, seen: int, written: str | None) -> dict[str, Any]:
    return {
        "written": written,
        "documents": seen,
        "counts": tally(schema),
        "fields": [asdict(row) for row in outline(schema)],
        "schema": to_avro(schema),
    }


def _tell_next(target: Path, subject: str, files: Sequence[Path], seen: int) -> None:
    named = " ".join(quote(str(file)) for file in files[:_FILES_NAMED])
    more = " ..." if len(files) > _FILES_NAMED else ""
    heading("Written")
    line(f"  {target}")
    heading("Next")
    line("  1. Read it: are the names, the optional fields and the maps what you mean?")
    line(f"  2. Store the {count(seen, 'document')} as tagged blobs:")
    line(f"     instar adopt {named}{more} \\")
    line(f"       --subject {subject} --store sqlite:///{subject}.db")
    line("  3. Write the Python types:")
    line(f"     instar generate {subject} --out src")
