"""Finds out all that can be known of one blob, damaged ones included."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ..codec.registry import Registry
from ..codec.tag import Tag, read_tag
from ..codec.tag.explain import Span, explain
from ..errors import ConfigError, InstarError, MissingExtra, NoSuchSubject
from ..migrations.migration import Migration
from ..migrations.ops import title
from ..schemas.model import JsonValue
from ..store.store import Store
from .from_store import registry_from
from .known import subjects_by_fingerprint, writer_of
from .partial import partial_spans


@dataclass(frozen=True, slots=True)
class Writer:
    """The schema that wrote a blob; ``latest`` is the newest version known here."""

    subject: str
    version: int
    latest: int
    fingerprint: int


@dataclass(frozen=True, slots=True)
class HopNote:
    """One step between adjacent versions, and how it is made."""

    source: int
    target: int
    how: str


@dataclass(slots=True)
class Inspection:
    """What is known of a blob. Parts that could not be found are None, and ``error`` says why.

    ``fetched`` says that the schema is from the store alone. ``claim`` is the version that the
    damaged tag of a blob names. ``state`` is in JSON form, as version ``shown``.
    """

    source: str
    blob: bytes
    spans: list[Span] = field(default_factory=list[Span])
    tag: Tag | None = None
    fetched: bool = False
    claim: str = ""
    writer: Writer | None = None
    hops: tuple[HopNote, ...] = ()
    shown: int | None = None
    state: JsonValue = None
    error: InstarError | None = None

    @property
    def is_misuse(self) -> bool:
        """Whether the call is at fault, and not the blob."""
        if isinstance(self.error, NoSuchSubject):
            # Where the writer is known, what is not there is the version that was asked for.
            return self.writer is not None
        return isinstance(self.error, ConfigError | MissingExtra)


def inspect_blob(
    source: str,
    blob: bytes,
    registry: Registry | None,
    version: int | None = None,
    store: Store | None = None,
) -> Inspection:
    """Inspect ``blob``, to be shown as ``version``, or as the latest. Raises nothing of ours.

    A schema that ``registry`` lacks is looked for in ``store``.
    """
    seen = Inspection(source, blob)
    try:
        seen.spans = _spans(blob)
        seen.tag = read_tag(blob)
        known = registry if store is None else registry_from(store, seen.tag, registry)
        seen.fetched = known is not registry
        if known is not None:
            _read(seen, seen.tag, known, version)
    except InstarError as error:
        seen.error = error
        if seen.tag is None:
            seen.claim = _claim(seen.spans, registry)
    return seen


def _spans(blob: bytes) -> list[Span]:
    try:
        return explain(blob)
    except InstarError:
        # read_tag says next what is wrong.
        return partial_spans(blob)


def _read(seen: Inspection, tag: Tag, registry: Registry, version: int | None) -> None:
    name, written = writer_of(tag, registry)
    subject = registry.subject(name)
    seen.writer = Writer(name, written, subject.latest, subject.fingerprint(written))
    shown = subject.latest if version is None else version
    seen.hops = tuple(
        HopNote(*hop, _how(subject.chain.step(*hop))) for hop in subject.chain.hops(written, shown)
    )
    codec: Any = registry.codec(name, version=shown)
    seen.state = codec.to_builtins(codec.decode(seen.blob))
    seen.shown = shown


def _how(migration: Migration | None) -> str:
    if migration is None:
        return "derived from the two schemas"
    steps = [title(op) for op in migration.ops]
    return f"migration v{migration.source}_v{migration.target}: {'; '.join(steps) or 'no ops'}"


def _claim(spans: list[Span], registry: Registry | None) -> str:
    """What the tag of a damaged blob says of its schema, if the registry knows it."""
    said = {span.field: span.meaning for span in spans}
    digits = said.get("fingerprint") or said.get("wire fingerprint")
    if digits is None:
        return ""
    name = subjects_by_fingerprint(registry).get(int(digits, 16), said.get("subject", ""))
    return " ".join(filter(None, (name, f"version {said['version']}" if "version" in said else "")))
