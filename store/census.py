"""Counts what a store holds, by subject, format, version and framing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from ..codec.tag import Tag, read_tag
from ..errors import InstarError
from .store import Entry

_KEYS_SHOWN: Final = 5


@dataclass(frozen=True, slots=True)
class CensusRow:
    """How many blobs carry one kind of tag, and their size in bytes.

    ``subject`` is None where neither the tag nor the caller knows it, ``version`` where the
    framing does not carry one.
    """

    subject: str | None
    format: str
    version: int | None
    framing: str
    count: int
    bytes: int


@dataclass(frozen=True, slots=True)
class UnreadableRow:
    """How many blobs have a tag that cannot be read, by the name of the error class.

    ``keys`` are the first few of them, ``example`` is the message of the first.
    """

    error: str
    count: int
    bytes: int
    keys: tuple[str, ...]
    example: str


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
        """Size of all blobs, in bytes."""
        return sum(row.bytes for row in self._all())

    def _all(self) -> Iterator[CensusRow | UnreadableRow]:
        yield from self.rows
        yield from self.unreadable

    def to_json(self) -> dict[str, Any]:
        """The census as plain dicts and lists, for ``json.dumps``."""
        return {
            "count": self.count,
            "bytes": self.bytes,
            "rows": [asdict(row) for row in self.rows],
            "unreadable": [{**asdict(row), "keys": list(row.keys)} for row in self.unreadable],
        }


_Kind = tuple[str | None, str, int | None, str]


@dataclass(slots=True)
class _Tally:
    count: int = 0
    bytes: int = 0
    keys: list[str] = field(default_factory=list[str])
    example: str = ""

    def add(self, entry: Entry) -> None:
        self.count += 1
        self.bytes += len(entry.blob)
        if len(self.keys) < _KEYS_SHOWN:
            self.keys.append(entry.key)


def take_census(entries: Iterable[Entry], subjects: Mapping[int, str] | None = None) -> Census:
    """Read the tag of every entry, and nothing more, and count.

    ``subjects`` gives the subject of a fingerprint (of a wire fingerprint too, for Avro's own
    framing). A blob whose tag cannot be read is counted under its error. Raises what ``entries``
    raises.
    """
    kinds: dict[_Kind, _Tally] = {}
    errors: dict[str, _Tally] = {}
    for entry in entries:
        try:
            kind = _kind(read_tag(entry.blob), subjects or {})
        except InstarError as error:
            tally = errors.setdefault(type(error).__name__, _Tally(example=str(error)))
        else:
            tally = kinds.setdefault(kind, _Tally())
        tally.add(entry)
    return Census(_rows(kinds), _unreadable(errors))


def _kind(tag: Tag, subjects: Mapping[int, str]) -> _Kind:
    subject = tag.subject or subjects.get(tag.fingerprint)
    return subject, tag.format, tag.version, tag.framing


def _rows(kinds: Mapping[_Kind, _Tally]) -> tuple[CensusRow, ...]:
    # None cannot be compared with text or a number, so it comes first by hand.
    order = sorted(kinds, key=lambda kind: (kind[0] or "", kind[1], kind[2] or 0, kind[3]))
    return tuple(CensusRow(*kind, kinds[kind].count, kinds[kind].bytes) for kind in order)


def _unreadable(errors: Mapping[str, _Tally]) -> tuple[UnreadableRow, ...]:
    return tuple(
        UnreadableRow(name, tally.count, tally.bytes, tuple(tally.keys), tally.example)
        for name, tally in sorted(errors.items())
    )
