"""Counts what a store holds, by subject, format, version and framing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from ..codec.tag import Tag, read_tag
from ..errors import InstarError, WrongFingerprint
from ..schemas.model import Schema
from .every_entry import Unreadable
from .store import Entry

_KEYS_SHOWN: Final = 5
SchemaPlace: TypeAlias = Literal["here", "store", "missing", "wrong"]
"""Where the schema of a blob is: known to who counts, in the store alone, nowhere, or in the
store as something else than its fingerprint says.
"""


@dataclass(frozen=True, slots=True)
class CensusRow:
    """How many blobs carry one kind of tag, and their size in bytes.

    ``subject`` is None where neither the tag nor the caller knows it, ``version`` where the
    framing does not carry one. ``schema`` says where the schema that wrote them is, None where
    nobody told what is known; ``newer`` that the version came after the newest one known here.
    """

    subject: str | None
    format: str
    version: int | None
    framing: str
    count: int
    bytes: int
    schema: SchemaPlace | None = None
    newer: bool = False


@dataclass(frozen=True, slots=True)
class UnreadableRow:
    """How many blobs cannot be read, or have a tag that cannot, by the name of the error class.

    ``keys`` are the first few of them, ``example`` is the message of the first. ``failed`` says
    that the store could not read the entries: the size of their blobs is not known, and
    ``bytes`` is 0.
    """

    error: str
    count: int
    bytes: int
    keys: tuple[str, ...]
    example: str
    failed: bool = False


@dataclass(frozen=True, slots=True)
class Census:
    """The rows of a census, sorted; every entry of the store is in exactly one of them."""

    rows: tuple[CensusRow, ...]
    unreadable: tuple[UnreadableRow, ...]

    @property
    def count(self) -> int:
        """Entries in all."""
        return sum(row.count for row in self._all())

    @property
    def bytes(self) -> int:
        """Size of all blobs that the store could read, in bytes."""
        return sum(row.bytes for row in self._all())

    @property
    def newer(self) -> int:
        """Entries of versions that came after those known here, whether they can be read or not."""
        return sum(row.count for row in self.rows if row.newer)

    @property
    def unknown(self) -> int:
        """Entries whose schema is neither known here nor in the store."""
        return sum(row.count for row in self.rows if row.schema in {"missing", "wrong"})

    @property
    def failures(self) -> int:
        """Entries that the store could not read."""
        return sum(row.count for row in self.unreadable if row.failed)

    def _all(self) -> Iterator[CensusRow | UnreadableRow]:
        yield from self.rows
        yield from self.unreadable

    def to_json(self) -> dict[str, Any]:
        """The census as plain dicts and lists, for ``json.dumps``."""
        return {
            "count": self.count,
            "bytes": self.bytes,
            "newer": self.newer,
            "unknown": self.unknown,
            "failures": self.failures,
            "rows": [asdict(row) for row in self.rows],
            "unreadable": [{**asdict(row), "keys": list(row.keys)} for row in self.unreadable],
        }


class _Kind(NamedTuple):
    """What the entries of one row share."""

    subject: str | None
    format: str
    version: int | None
    framing: str
    schema: SchemaPlace | None
    newer: bool

    @property
    def order(self) -> tuple[str, str, int, str, str, bool]:
        """None cannot be compared with text or a number, so it comes first by hand."""
        return (
            self.subject or "",
            self.format,
            self.version or 0,
            self.framing,
            self.schema or "",
            self.newer,
        )


class _Fault(NamedTuple):
    """What the entries of one row of unreadable ones share."""

    error: str
    failed: bool


@dataclass(slots=True)
class _Known:
    """What is known of fingerprints; the store is asked once for each."""

    subjects: Mapping[int, str] | None
    newest: Mapping[str, int]
    fetch: Callable[[int], Schema | None] | None
    fetched: dict[int, tuple[SchemaPlace, str | None]] = field(
        default_factory=dict[int, tuple[SchemaPlace, str | None]]
    )

    def kind(self, tag: Tag) -> _Kind:
        place, found = self._place(tag)
        subject = tag.subject or found
        newest = self.newest.get(subject or "")
        newer = newest is not None and tag.version is not None and tag.version > newest
        return _Kind(subject, tag.format, tag.version, tag.framing, place, newer)

    def _place(self, tag: Tag) -> tuple[SchemaPlace | None, str | None]:
        if self.subjects is not None and tag.fingerprint in self.subjects:
            return "here", self.subjects[tag.fingerprint]
        if self.fetch is None or tag.framing == "avro-single-object":
            return (None if self.subjects is None else "missing"), None
        if tag.fingerprint not in self.fetched:
            self.fetched[tag.fingerprint] = _looked_up(self.fetch, tag.fingerprint)
        return self.fetched[tag.fingerprint]


def _looked_up(fetch: Callable[[int], Schema | None], mark: int) -> tuple[SchemaPlace, str | None]:
    try:
        schema = fetch(mark)
    except WrongFingerprint:
        return "wrong", None
    return ("missing", None) if schema is None else ("store", schema.subject)


@dataclass(slots=True)
class _Tally:
    count: int = 0
    bytes: int = 0
    keys: list[str] = field(default_factory=list[str])
    example: str = ""

    def add(self, entry: Entry | Unreadable) -> None:
        self.count += 1
        self.bytes += 0 if isinstance(entry, Unreadable) else len(entry.blob)
        if len(self.keys) < _KEYS_SHOWN:
            self.keys.append(entry.key)


def take_census(
    entries: Iterable[Entry | Unreadable],
    subjects: Mapping[int, str] | None = None,
    *,
    newest: Mapping[str, int] | None = None,
    fetch: Callable[[int], Schema | None] | None = None,
) -> Census:
    """Read the tag of every entry, and nothing more, and count.

    ``subjects`` gives the subject of a fingerprint that is known (of a wire fingerprint too, for
    Avro's own framing), ``newest`` the newest version of a subject, and ``fetch`` the schema
    that the store has for another fingerprint. A blob whose tag cannot be read is counted under
    its error, and so is what the store could not read. Raises what ``entries`` and ``fetch``
    raise; WrongFingerprint is counted.
    """
    known = _Known(subjects, newest or {}, fetch)
    kinds: dict[_Kind, _Tally] = {}
    errors: dict[_Fault, _Tally] = {}
    for entry in entries:
        found = _tag_of(entry)
        if isinstance(found, Tag):
            tally = kinds.setdefault(known.kind(found), _Tally())
        else:
            fault = _Fault(type(found).__name__, isinstance(entry, Unreadable))
            tally = errors.setdefault(fault, _Tally(example=str(found)))
        tally.add(entry)
    return Census(_rows(kinds), _unreadable(errors))


def _tag_of(entry: Entry | Unreadable) -> Tag | InstarError:
    if isinstance(entry, Unreadable):
        return entry.error
    try:
        return read_tag(entry.blob)
    except InstarError as error:
        return error


def _rows(kinds: Mapping[_Kind, _Tally]) -> tuple[CensusRow, ...]:
    return tuple(
        CensusRow(*kind[:4], kinds[kind].count, kinds[kind].bytes, *kind[4:])
        for kind in sorted(kinds, key=lambda kind: kind.order)
    )


def _unreadable(errors: Mapping[_Fault, _Tally]) -> tuple[UnreadableRow, ...]:
    return tuple(
        UnreadableRow(
            fault.error, tally.count, tally.bytes, tuple(tally.keys), tally.example, fault.failed
        )
        for fault, tally in sorted(errors.items(), key=lambda item: item[0])
    )
