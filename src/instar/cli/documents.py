"""``instar documents``: the schemas and steps that travel with a store, each verified."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict
from typing import Any, Final, TypeVar

import typer

from ..store.document_list import StoredDocument, list_documents
from .options import ExistingStore, Json
from .output import count, heading, line, print_json, progress, table
from .sources import open_existing

EXAMPLE: Final = """\b
Example:
  instar documents --store sqlite:///agents.db
  instar documents --store sqlite:///agents.db --json
"""

D = TypeVar("D")


def documents(*, store: ExistingStore, json: Json = False) -> None:
    """List what a store keeps beside the states: schemas, and the steps between them.

    A schema is good where it has the fingerprint that it is kept under, and a step where it
    leads from one good schema to another. Needs no project and writes nothing. Exit code 1
    if a document is not what its name says.
    """
    with open_existing(store) as opened, progress("Reading documents") as advance:
        found = list(_each(list_documents(opened), advance))
    if json:
        print_json(_to_json(found))
    else:
        _tell(found)
    if any(document.verdict == "wrong" for document in found):
        raise typer.Exit(1)


def _each(items: Iterable[D], advance: Callable[[], None]) -> Iterator[D]:
    for item in items:
        yield item
        advance()


def _tell(found: Sequence[StoredDocument]) -> None:
    if found:
        columns = ("document", "subject", "version", "bytes", "verdict")
        table(columns, [_row(document) for document in found], right=columns[2:4])
    for title, verdict in (("Wrong", "wrong"), ("Not verified", "unverified")):
        named = [document for document in found if document.verdict == verdict]
        if named:
            heading(f"{title} ({len(named):,})")
        for document in named:
            line(f"  {document.name}")
            line(f"      {document.why}")
    if found:
        line()
    size = sum(document.bytes for document in found)
    line(f"{count(len(found), 'document')}, {count(size, 'byte')}")


def _row(document: StoredDocument) -> tuple[str, ...]:
    return (
        document.name,
        document.subject or "-",
        "-" if document.version is None else str(document.version),
        f"{document.bytes:,}",
        document.verdict,
    )


def _to_json(found: Sequence[StoredDocument]) -> dict[str, Any]:
    return {
        "count": len(found),
        "bytes": sum(document.bytes for document in found),
        "wrong": sum(document.verdict == "wrong" for document in found),
        "documents": [_document_json(document) for document in found],
    }


def _document_json(document: StoredDocument) -> dict[str, Any]:
    mark = document.fingerprint
    # 64 bits are more than the numbers of many JSON readers hold.
    return {**asdict(document), "fingerprint": None if mark is None else f"{mark:016x}"}
