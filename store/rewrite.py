"""What became of each entry when a whole store is written at one version."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from ..errors import Conflict, InstarError, StoreError, WrongFingerprint
from .store import Entry


@dataclass(frozen=True, slots=True)
class Unreadable:
    """An entry that could not be read, or not be written at the version, and why."""

    key: str
    error: InstarError


@dataclass(frozen=True, slots=True)
class RewriteReport:
    """Every entry is counted once: ``rewritten`` or ``current`` already, or named.

    ``conflicts`` has the keys that somebody else saved or deleted meanwhile, ``unreadable`` what
    stayed as it is because it cannot be read, or not be expressed at the version.
    """

    rewritten: int
    current: int
    conflicts: tuple[str, ...]
    unreadable: tuple[Unreadable, ...]


@dataclass(slots=True)
class _Tally:
    rewritten: int = 0
    current: int = 0
    conflicts: list[str] = field(default_factory=list[str])
    unreadable: list[Unreadable] = field(default_factory=list[Unreadable])


def rewrite(
    entries: Iterable[Entry],
    is_current: Callable[[bytes], bool],
    encode_again: Callable[[Entry], bytes],
    put: Callable[[Entry, bytes], object],
) -> RewriteReport:
    """Put what ``encode_again`` gives for each entry that is not current.

    Raises StoreError where the store fails; what was done till then stays done.
    """
    tally = _Tally()
    for entry in entries:
        if is_current(entry.blob):
            tally.current += 1
        else:
            _one(entry, encode_again, put, tally)
    return RewriteReport(
        tally.rewritten, tally.current, tuple(tally.conflicts), tuple(tally.unreadable)
    )


def _one(
    entry: Entry,
    encode_again: Callable[[Entry], bytes],
    put: Callable[[Entry, bytes], object],
    tally: _Tally,
) -> None:
    try:
        blob = encode_again(entry)
    except InstarError as error:
        if isinstance(error, StoreError) and not isinstance(error, WrongFingerprint):
            raise
        tally.unreadable.append(Unreadable(entry.key, error))
        return
    try:
        put(entry, blob)
    except Conflict:
        tally.conflicts.append(entry.key)
    else:
        tally.rewritten += 1
