"""Schemas and the steps between them as documents of a store: names, contents, and checks.

A schema is ``schema-FINGERPRINT``, in its text form. A fingerprint covers neither subject nor
version, so several versions may share it: the text names the first that was put. What leads up
to one version of one subject is ``step-FINGERPRINT-VERSION-SUBJECT``, with a digest of the
subject's name: it holds the fingerprint of the version before, the migration as data, and a sum
of both, since no fingerprint covers them. Of a migration with Python functions there is
``code-...``, which only says so.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Final

from ..errors import InstarError, LimitExceeded, MigrationError, WrongFingerprint
from ..migrations.data import from_data, is_data, to_data
from ..migrations.migration import Migration
from ..schemas.avro.roots import pruned
from ..schemas.fingerprint import fingerprint
from ..schemas.model import JsonValue, Schema
from ..schemas.portable import schema_from_text, schema_to_text
from ..schemas.soundness import check_sound
from .documents import DOCUMENT_LIMIT

_REVISION: Final = 1


@dataclass(frozen=True, slots=True)
class Document:
    """What is kept in a store, and under which name."""

    name: str
    content: bytes


@dataclass(frozen=True, slots=True)
class Version:
    """One version of a subject, by the fingerprint of its schema."""

    subject: str
    number: int
    fingerprint: int

    @property
    def step_name(self) -> str:
        """The name of the step that leads up to it."""
        return f"step-{self._mark}"

    @property
    def code_name(self) -> str:
        """The name of what says that this step is Python."""
        return f"code-{self._mark}"

    @property
    def _mark(self) -> str:
        digest = sha256(self.subject.encode("utf-8", "surrogatepass")).hexdigest()[:8]
        return f"{self.fingerprint:016x}-{self.number}-{digest}"


@dataclass(frozen=True, slots=True)
class Step:
    """What leads up to a version; ``source`` is the fingerprint of the version before.

    ``is_summed`` says whether a sum vouches for that: what was put before there were sums has none.
    """

    source: int
    migration: Migration
    is_summed: bool = field(default=True, compare=False)


def schema_name(mark: int) -> str:
    """The name of the document of the schema with the fingerprint ``mark``."""
    return f"schema-{mark:016x}"


def schema_document(schema: Schema) -> Document:
    """The document of a schema, without types that its root does not use."""
    text = schema_to_text(pruned(schema))
    return Document(schema_name(fingerprint(schema)), text.encode())


def step_document(source: int, target: Version, migration: Migration) -> Document:
    """The document of the step from a fingerprint to a version."""
    head: dict[str, JsonValue] = {"revision": _REVISION, "source": f"{source:016x}"}
    plain = _data(migration)
    if plain is None:
        return Document(target.code_name, _encoded(head))
    whole: dict[str, JsonValue] = {**head, "migration": plain}
    return Document(target.step_name, _encoded({**whole, "sum": _sum(whole)}))


def read_schema(content: bytes, mark: int) -> Schema:
    """The schema of a document. Raises WrongFingerprint where it is none, or another one."""
    name = schema_name(mark)
    try:
        _check_size(content)
        schema = schema_from_text(content.decode())
        check_sound(schema)
        found = fingerprint(schema)
    except (InstarError, UnicodeDecodeError) as error:
        raise WrongFingerprint(name, mark, None, str(error)) from None
    if found != mark:
        raise WrongFingerprint(name, mark, found)
    return schema


def read_step(content: bytes, target: Version) -> Step:
    """The step of a document. Raises WrongFingerprint where it is none, or leads elsewhere."""
    try:
        _check_size(content)
        head = json.loads(content)
        source = int(head["source"], 16)
        if head["revision"] != _REVISION:
            raise MigrationError(f"its revision is {head['revision']!r}", mend="upgrade instar")
        is_summed = _check_sum(head)
        migration = from_data(json.dumps(head["migration"]))
        _check_leads(migration, target)
    except InstarError as error:
        raise _unread(target, str(error)) from None
    except (ValueError, KeyError, TypeError, RecursionError):
        raise _unread(target, "it is no step") from None
    return Step(source, migration, is_summed)


def check_travels(document: Document, version: Version) -> None:
    """Raise LimitExceeded for a document of ``version`` that whoever fetches it would refuse."""
    try:
        if document.name == version.step_name:
            read_step(document.content, version)
        elif document.name == schema_name(version.fingerprint):
            read_schema(document.content, version.fingerprint)
    except WrongFingerprint as error:
        raise LimitExceeded(
            f"version {version.number} of {version.subject} does not travel: {error.why}",
            where=document.name,
            mend="code that lacks this version cannot read its states; deploy it everywhere first",
        ) from error


def read_code(content: bytes, name: str, mark: int) -> None:
    """Raise WrongFingerprint unless a document only says that a step is Python."""
    try:
        _check_size(content)
        head = json.loads(content)
        says = {"revision": _REVISION, "source": f"{int(head['source'], 16):016x}"}
    except (InstarError, ValueError, KeyError, TypeError, RecursionError):
        raise WrongFingerprint(name, mark, None, "it names no version before") from None
    if head != says:
        raise WrongFingerprint(name, mark, None, "it says something else")


def _check_sum(head: dict[str, JsonValue]) -> bool:
    """Whether there is a sum, which then is the right one. Raises MigrationError."""
    rest = {key: value for key, value in head.items() if key != "sum"}
    if "sum" in head and head["sum"] != _sum(rest):
        raise MigrationError(
            "its sum says that it was damaged",
            mend="restore it, or deploy code that knows this version",
        )
    return "sum" in head


def _sum(head: dict[str, JsonValue]) -> str:
    return sha256(_encoded(head)).hexdigest()[:16]


def _check_leads(migration: Migration, target: Version) -> None:
    joins = (migration.subject, migration.source, migration.target)
    if joins != (target.subject, target.number - 1, target.number):
        raise MigrationError(f"it is the migration {migration.name}")


def _unread(target: Version, why: str) -> WrongFingerprint:
    return WrongFingerprint(target.step_name, target.fingerprint, None, why)


def _data(migration: Migration) -> JsonValue:
    if not is_data(migration):
        return None
    try:
        plain: JsonValue = json.loads(to_data(migration))
    except (MigrationError, LimitExceeded):
        return None
    return plain


def _encoded(plain: JsonValue) -> bytes:
    return json.dumps(plain, sort_keys=True, separators=(",", ":")).encode()


def _check_size(content: bytes) -> None:
    if len(content) > DOCUMENT_LIMIT:
        raise LimitExceeded(f"it has {len(content)} bytes, and {DOCUMENT_LIMIT} is the most")
