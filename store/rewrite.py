"""What became of each entry when a whole store is written at one version."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TypeVar

from ..errors import Conflict, InstarError, StoreError, WrongFingerprint
from .every_entry import Unreadable
from .store import Entry

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class RewriteReport:
    """Every entry is counted once: ``rewritten`` or ``current`` already, or named.

    ``conflicts`` has the keys that somebody else saved or deleted meanwhile, ``unreadable`` what
    stayed as it is because it cannot be read, or not be expressed at the version, and
    ``failures`` what the store could not read or write.
    """

    rewritten: int
    current: int
    conflicts: tuple[str, ...]
    unreadable: tuple[Unreadable, ...]
    failures: tuple[Unreadable, ...] = ()

    @property
    def count(self) -> int:
        """Entries that were met."""
        named = len(self.unreadable) + len(self.conflicts) + len(self.failures)
        return self.rewritten + self.current + named

    @property
    def is_clean(self) -> bool:
        """Whether all was read and could be written; conflicts are no fault."""
        return not (self.unreadable or self.failures)


@dataclass(slots=True)
class _Tally:
    rewritten: int = 0
    current: int = 0
    conflicts: list[str] = field(default_factory=list[str])
    unreadable: list[Unreadable] = field(default_factory=list[Unreadable])
    failures: list[Unreadable] = field(default_factory=list[Unreadable])

    def refused(self, key: str, error: InstarError) -> None:
        if isinstance(error, Conflict):
            self.conflicts.append(key)
        elif isinstance(error, StoreError) and not isinstance(error, WrongFingerprint):
            self.failures.append(Unreadable.of(key, error))
        else:
            # Of a wrong fingerprint, too: the store gave what it has, and it is no schema that the
            # state can be read by.
            self.unreadable.append(Unreadable.of(key, error))

    def report(self) -> RewriteReport:
        return RewriteReport(
            self.rewritten,
            self.current,
            tuple(self.conflicts),
            tuple(self.unreadable),
            tuple(self.failures),
        )


def rewrite(
    entries: Iterable[Entry | Unreadable],
    read: Callable[[Entry], T],
    is_current: Callable[[bytes], bool],
    write: Callable[[Entry, T], object],
) -> RewriteReport:
    """Write what ``read`` gives of each entry that is not current.

    All are read: what has the version and cannot be read is no less unreadable. Raises what
    ``entries`` raises; what was done till then stays done.
    """
    tally = _Tally()
    for entry in entries:
        if isinstance(entry, Unreadable):
            tally.failures.append(entry)
            continue
        try:
            state = read(entry)
            if is_current(entry.blob):
                tally.current += 1
            else:
                write(entry, state)
                tally.rewritten += 1
        except InstarError as error:
            tally.refused(entry.key, error)
    return tally.report()
