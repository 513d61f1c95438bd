"""The schemas that travel with a store: put by who writes a version, fetched by who lacks it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from msgspec.structs import replace

from ..codec.subject import Subject
from ..errors import InstarError, LimitExceeded, WrongFingerprint
from ..migrations.migration import Migration
from ..schemas.model import Schema
from .schema_documents import (
    Document,
    Version,
    check_travels,
    read_schema,
    read_step,
    schema_document,
    schema_name,
    step_document,
)
from .store import Store

_MOST_STEPS: Final = 1000


@dataclass(frozen=True, slots=True)
class Line:
    """Versions that lead up from a known one, and what joins them, lowest first.

    ``python`` is the hop whose migration is Python, where the line ends because of one.
    """

    schemas: tuple[Schema, ...]
    migrations: tuple[Migration, ...]
    python: tuple[int, int] | None = None


def register(store: Store, subject: Subject, version: int) -> list[InstarError]:
    """Put the versions of ``subject`` up to ``version``, and the steps between them.

    What is there already is compared. Returned is what is there and is something else, and what
    was not put since a reader would refuse it: code that lacks that version cannot read it then.
    Raises StoreError where the store fails.
    """
    if all(_is_there(store, document) for document in _documents(subject, version)):
        return []
    problems: list[InstarError] = []
    for number in range(1, version + 1):
        for document in _documents(subject, number):
            problems += _put(store, document, version_of(subject, number))
    return problems


def version_of(subject: Subject, number: int) -> Version:
    """A version of ``subject``, which knows it."""
    return Version(subject.name, number, subject.fingerprint(number))


def fetch_line(store: Store, newest: Version, knows: Callable[[Version], bool]) -> Line | None:
    """The versions from the one after a known one up to ``newest``.

    ``knows`` says what is known already; version 1 is the end in any case. None where the
    store lacks a schema or a link. Nothing that is fetched is run. Raises WrongFingerprint for
    what is not what it is kept as, LimitExceeded for more than 1000 versions, and StoreError.
    """
    schemas, migrations = list[Schema](), list[Migration]()
    at = newest
    while not knows(at):
        schema = fetch_schema(store, at.fingerprint)
        if schema is None:
            return None
        schemas.append(replace(schema, subject=at.subject, version=at.number))
        if at.number == 1:
            break
        content = store.get_document(at.step_name)
        if content is None:
            return _python_end(store, at)
        step = read_step(content, at)
        migrations.append(step.migration)
        at = Version(at.subject, at.number - 1, step.source)
        if len(schemas) > _MOST_STEPS:
            raise LimitExceeded(f"the store has more than {_MOST_STEPS} versions that are not here")
    return Line(tuple(schemas[::-1]), tuple(migrations[::-1]))


def fetch_schema(store: Store, mark: int) -> Schema | None:
    """The schema with the fingerprint ``mark``, or None.

    Subject and version are those of whoever put it. Raises WrongFingerprint, StoreError.
    """
    content = store.get_document(schema_name(mark))
    return None if content is None else read_schema(content, mark)


def _python_end(store: Store, at: Version) -> Line | None:
    if store.get_document(at.code_name) is None:
        return None
    return Line((), (), (at.number - 1, at.number))


def _documents(subject: Subject, number: int) -> Iterator[Document]:
    """What is kept of a version, the schema last: where it is, so is what leads to it."""
    if number > 1:
        hop = (number - 1, number)
        migration = subject.chain.step(*hop) or Migration(subject.name, *hop)
        source = subject.fingerprint(number - 1)
        yield step_document(source, version_of(subject, number), migration)
    yield schema_document(subject.schema(number))


def _is_there(store: Store, document: Document) -> bool:
    return store.get_document(document.name) == document.content


def _put(store: Store, document: Document, version: Version) -> Iterator[InstarError]:
    if _is_there(store, document):
        return
    try:
        check_travels(document, version)
    except LimitExceeded as error:
        yield error
        return
    kept = store.put_document(document.name, document.content)
    if kept != document.content:
        yield from _difference(document, kept, version)


def _difference(document: Document, kept: bytes, version: Version) -> Iterator[InstarError]:
    """What sets apart what is kept, unless it is words alone: docs, or how a release writes."""
    mark = version.fingerprint
    try:
        if document.name == schema_name(mark):
            read_schema(kept, mark)
            return
        if document.name == version.step_name and (
            read_step(kept, version) == read_step(document.content, version)
        ):
            return
    except WrongFingerprint as error:
        yield error
    else:
        yield WrongFingerprint(document.name, mark, None, "it is another step than the one here")
