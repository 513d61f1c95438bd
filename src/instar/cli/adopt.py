"""``instar adopt``: existing JSON documents into a store, as tagged blobs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from json import dumps
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from ..codec.documents import ABSENT, DocumentCodec
from ..codec.registry import Registry
from ..errors import Conflict
from ..schemas.infer import read_documents
from ..schemas.model import JsonValue
from ..store.adopt import AdoptReport, Refusal
from ..store.adopt import adopt as adopt_documents
from ..store.repository import Repository
from ..store.url import open_store
from .options import Files, Json, Migrations, Schemas, WrittenFormat
from .output import count, error_json, heading, line, print_json, progress, table
from .project import find_workplace
from .shorten import shorten
from .sources import check_files, check_lasting

EXAMPLE: Final = """\b
Example:
  instar adopt runs/*.json --subject agent_run --store sqlite:///agents.db
  instar adopt log.jsonl --subject event --store ./events --key id
"""


def adopt(  # noqa: PLR0913 - each is one option
    files: Files,
    *,
    subject: Annotated[str, typer.Option(metavar="NAME", help="The subject they are states of.")],
    store: Annotated[
        str,
        typer.Option(
            metavar="URL", help="The store, made if missing: sqlite:///agents.db or a path."
        ),
    ],
    key: Annotated[
        str | None,
        typer.Option(
            metavar="FIELD",
            help="Field that holds the key, as session.id. Without it, the file's name.",
        ),
    ] = None,
    format: WrittenFormat = None,  # noqa: A002 - the name of the option
    version: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="The version whose form they have, else the latest."),
    ] = None,
    schemas: Schemas = None,
    migrations: Migrations = None,
    json: Json = False,
) -> None:
    """Take JSON documents that carry no tag into a store.

    Each document is stored whole, under a key that must be new, or not at all. What could
    not be kept exactly is listed by place. Exit code 1 if a document was not stored.
    """
    check_files(files)
    check_lasting(store)
    place = find_workplace(schemas, migrations)
    registry = place.open([subject])
    codec: Any = registry.codec(subject, format=format or place.format, version=version)
    documents = _documents(registry, subject, codec.version)
    with open_store(store) as opened:
        report, refused = _adopt(files, Repository(codec, opened), documents, key)
    if json:
        print_json(_to_json(report, refused))
    else:
        _tell(report, refused, store)
    if refused or report.conflicts or report.failures:
        raise typer.Exit(1)


def _adopt(
    files: list[Path], repository: Repository[Any], documents: DocumentCodec, key: str | None
) -> tuple[AdoptReport, tuple[Refusal, ...]]:
    """The report, and all that was refused: what does not read as JSON among it."""
    bad: list[Refusal] = []
    with progress("Adopting") as advance:
        report = adopt_documents(
            read_documents(files, on_error=lambda error: bad.append(Refusal(error.where, error))),
            repository.create,
            documents,
            key=key,
            progress=lambda _: advance(),
        )
    return report, (*bad, *report.refused)


def _documents(registry: Registry, subject: str, version: int) -> DocumentCodec:
    return DocumentCodec(registry.subject(subject).types(version))


def _tell(report: AdoptReport, refused: Sequence[Refusal], store: str) -> None:
    _tell_refusals("Refused", refused)
    _tell_refusals("In conflict", report.conflicts)
    _tell_refusals("The store failed", report.failures)
    if report.changes:
        heading("Not kept exactly")
        table(("place", "how", "times", "for example"), list(_changes(report)), right=("times",))
        line()
    failed = f", {len(report.failures):,} failed" if report.failures else ""
    line(
        f"{count(len(report.adopted), 'document')} adopted into {store}, "
        f"{len(refused):,} refused, {len(report.conflicts):,} in conflict{failed}"
    )


def _tell_refusals(title: str, refusals: Sequence[Refusal]) -> None:
    if refusals:
        heading(title)
    for refusal in refusals:
        error = refusal.error
        where = "" if error.where in {"", refusal.place} else f"{error.where}: "
        what = "this key is there already" if isinstance(error, Conflict) else error.what
        line(f"  {refusal.place}: {where}{what}")


def _changes(report: AdoptReport) -> Iterator[tuple[str, ...]]:
    for change in report.changes:
        example = f"{_shown(change.example.before)} -> {_shown(change.example.after)}"
        yield change.place, change.kind, f"{change.count:,}", example


def _shown(value: JsonValue) -> str:
    return ABSENT if value is ABSENT else dumps(shorten(value), ensure_ascii=False)


def _to_json(report: AdoptReport, refused: Sequence[Refusal]) -> dict[str, Any]:
    return {
        "adopted": list(report.adopted),
        "refused": [_refusal_json(refusal) for refusal in refused],
        "conflicts": [_refusal_json(refusal) for refusal in report.conflicts],
        "failures": [_refusal_json(refusal) for refusal in report.failures],
        "changes": [
            {
                "place": change.place,
                "kind": change.kind,
                "count": change.count,
                "document": change.document,
                "before": change.example.before,
                "after": change.example.after,
            }
            for change in report.changes
        ],
    }


def _refusal_json(refusal: Refusal) -> dict[str, str]:
    return {"document": refusal.place, **error_json(refusal.error)}
