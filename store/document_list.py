"""What the documents of a store are, and which of them keep what their names say."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple, TypeAlias

from msgspec.structs import replace

from ..codec.subject import link_findings
from ..errors import WrongFingerprint
from ..schemas.model import Schema
from .schema_documents import Step, Version, read_code, read_schema, read_step
from .store import Store
from .stored_schemas import fetch_schema

DocumentKind: TypeAlias = Literal["schema", "step", "code", "other"]
Verdict: TypeAlias = Literal["good", "unverified", "wrong"]
"""``good`` is what fingerprints and sums vouch for; ``unverified`` is what nothing vouches for."""

_SCHEMA: Final = re.compile(r"schema-([0-9a-f]{16})")
_STEP: Final = re.compile(r"(step|code)-([0-9a-f]{16})-([1-9][0-9]{0,9})-[0-9a-f]{8}")


@dataclass(frozen=True, slots=True)
class StoredDocument:
    """One document. ``subject``, ``version`` and ``fingerprint`` are None where nothing tells them.

    A schema is ``good`` where it has the fingerprint of its name; its subject and version are
    those of whoever put it first. A step is ``good`` where its sum is right and it leads from a
    good schema to the good schema of its name. ``why`` says what is wrong, or missing.
    """

    name: str
    kind: DocumentKind
    subject: str | None
    version: int | None
    fingerprint: int | None
    bytes: int
    verdict: Verdict
    why: str


class _Finding(NamedTuple):
    verdict: Verdict
    why: str
    subject: str | None = None
    version: int | None = None


def list_documents(store: Store) -> Iterator[StoredDocument]:
    """All documents, in the order of their names, each verified. Raises StoreError."""
    for name in store.documents():
        content = store.get_document(name)
        if content is not None:
            yield _listed(store, name, content)


def _listed(store: Store, name: str, content: bytes) -> StoredDocument:
    kind: DocumentKind = "other"
    mark: int | None = None
    finding = _Finding("unverified", "it is no schema and no step: nothing says what it has to be")
    if found := _SCHEMA.fullmatch(name):
        kind, mark = "schema", int(found[1], 16)
        finding = _schema(content, mark)
    elif found := _STEP.fullmatch(name):
        kind, mark = ("step" if found[1] == "step" else "code"), int(found[2], 16)
        check = _step if kind == "step" else _code
        finding = check(store, name, content, mark, int(found[3]))
    return StoredDocument(
        name, kind, finding.subject, finding.version, mark, len(content), *finding[:2]
    )


def _schema(content: bytes, mark: int) -> _Finding:
    try:
        schema = read_schema(content, mark)
    except WrongFingerprint as error:
        return _Finding("wrong", error.what)
    return _Finding("good", "", schema.subject, schema.version)


def _step(store: Store, name: str, content: bytes, mark: int, version: int) -> _Finding:
    target = Version(_claimed_subject(content), version, mark)
    if target.step_name != name:
        why = "it does not read, or is a step of another subject"
        return _Finding("wrong", why, None, version)
    try:
        step = read_step(content, target)
    except WrongFingerprint as error:
        return _Finding("wrong", error.what, target.subject, version)
    return _Finding(*_led(store, step, target), target.subject, version)


def _led(store: Store, step: Step, target: Version) -> tuple[Verdict, str]:
    """Whether a step leads to the schema of its target from that which it names."""
    ends: list[Schema] = []
    for mark, number in ((step.source, target.number - 1), (target.fingerprint, target.number)):
        schema = _good(store, mark)
        if schema is None:
            return "unverified", f"schema-{mark:016x} is not here, or wrong"
        ends.append(replace(schema, subject=target.subject, version=number))
    try:
        findings = link_findings(ends, [step.migration])
    except Exception as error:  # noqa: BLE001 - what a made-up schema may cause has no bounds
        return "wrong", f"{type(error).__name__}: {error}"
    if findings:
        return "wrong", f"it does not lead there: {findings[0]}"
    return ("good", "") if step.is_summed else ("unverified", "it has no sum that vouches for it")


def _code(store: Store, name: str, content: bytes, mark: int, version: int) -> _Finding:
    schema = _good(store, mark)
    subject = None
    # A fingerprint covers no subject, and a digest cannot be undone: it may fit or not.
    if schema is not None and Version(schema.subject, version, mark).code_name == name:
        subject = schema.subject
    try:
        read_code(content, name, mark)
    except WrongFingerprint as error:
        return _Finding("wrong", error.what, subject, version)
    why = "it says that a step is Python, which does not travel"
    return _Finding("unverified", why, subject, version)


def _good(store: Store, mark: int) -> Schema | None:
    try:
        return fetch_schema(store, mark)
    except WrongFingerprint:
        return None


def _claimed_subject(content: bytes) -> str:
    """The subject that a step says it is of, or nothing."""
    try:
        subject = json.loads(content)["migration"]["subject"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return ""
    return subject if isinstance(subject, str) else ""
