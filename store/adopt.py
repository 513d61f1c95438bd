"""Takes foreign JSON documents into a store as typed states."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from ..codec.documents import Change, ChangeKind, DocumentCodec
from ..errors import (
    Conflict,
    DocumentError,
    InstarError,
    InvalidKey,
    LimitExceeded,
    StoreError,
    ValueMismatch,
)
from ..schemas.infer.documents import Document
from ..schemas.model import JsonValue


@dataclass(frozen=True, slots=True)
class Refusal:
    """A document that was not adopted. ``place`` is its file, and its number after ``#``."""

    place: str
    error: InstarError


@dataclass(frozen=True, slots=True)
class ChangeCount:
    """How many values at ``place`` were changed in one way, with the first as example."""

    place: str
    kind: ChangeKind
    count: int
    document: str
    example: Change


@dataclass(frozen=True, slots=True)
class AdoptReport:
    """What became of each document.

    ``adopted`` holds keys; ``conflicts`` the documents whose key was there already, which
    was left as it is; ``refused`` those that do not fit; ``changes`` what could not be
    kept exactly in those adopted, ordered by place; ``failures`` the documents where the
    store could not tell what is under their key.
    """

    adopted: tuple[str, ...]
    refused: tuple[Refusal, ...]
    conflicts: tuple[Refusal, ...]
    changes: tuple[ChangeCount, ...]
    failures: tuple[Refusal, ...] = ()


@dataclass(slots=True)
class _Tally:
    """A report while it grows."""

    adopted: list[str] = field(default_factory=list[str])
    refused: list[Refusal] = field(default_factory=list[Refusal])
    conflicts: list[Refusal] = field(default_factory=list[Refusal])
    failures: list[Refusal] = field(default_factory=list[Refusal])
    counts: dict[tuple[str, ChangeKind], int] = field(
        default_factory=dict[tuple[str, ChangeKind], int]
    )
    examples: dict[tuple[str, ChangeKind], tuple[str, Change]] = field(
        default_factory=dict[tuple[str, ChangeKind], tuple[str, Change]]
    )

    def count(self, document: str, changes: Iterable[Change]) -> None:
        for change in changes:
            what = (change.place, change.kind)
            self.counts[what] = self.counts.get(what, 0) + 1
            self.examples.setdefault(what, (document, change))

    def report(self) -> AdoptReport:
        changes = tuple(
            ChangeCount(*what, self.counts[what], *self.examples[what])
            for what in sorted(self.counts)
        )
        return AdoptReport(
            tuple(self.adopted),
            tuple(self.refused),
            tuple(self.conflicts),
            changes,
            tuple(self.failures),
        )


def adopt(
    documents: Iterable[Document],
    create: Callable[[str, Any], object],
    codec: DocumentCodec,
    *,
    key: str | None = None,
    progress: Callable[[Document], None] | None = None,
) -> AdoptReport:
    """Load each document and store its state under a new key; ``create`` does the storing.

    ``create(key, state)`` is :meth:`.Repository.create` or the like: it raises Conflict
    where the key exists. A document's key is its file's name without the suffix, with
    ``#`` and its number where the file holds several; ``key`` names a field to take it
    from instead, by a path such as ``session.id``. A document is adopted whole or not at
    all, and one that is not stops no other. ``progress`` is called after each.
    Raises StoreError where the store fails, unless it names one key at fault, and what
    reading ``documents`` raises.
    """
    tally = _Tally()
    for document in documents:
        try:
            name = document.key if key is None else _key_at(key, document)
            state, changes = codec.load(document.members())
            create(name, state)
        except Conflict as error:
            tally.conflicts.append(Refusal(document.place, error))
        except (DocumentError, ValueMismatch, LimitExceeded, InvalidKey) as error:
            tally.refused.append(Refusal(document.place, error))
        except StoreError as error:
            if not error.key:
                raise
            tally.failures.append(Refusal(document.place, error))
        else:
            tally.adopted.append(name)
            tally.count(document.place, changes)
        if progress:
            progress(document)
    return tally.report()


def _key_at(path: str, document: Document) -> str:
    """Return the text or integer at ``path`` as a key. Raises DocumentError if it is neither."""
    value: JsonValue = document.value
    for part in path.split("."):
        value = value.get(part) if isinstance(value, dict) else None
    if isinstance(value, str) or (isinstance(value, int) and not isinstance(value, bool)):
        return str(value)
    raise DocumentError(f"{path} holds no text or integer to use as key", where=document.place)
