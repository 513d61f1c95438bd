"""What became of each entry when a whole store is written at one version."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from ..errors import Conflict, InstarError, StoreError, WrongFingerprint
from .every_entry import Unreadable
from .store import Entry


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
    is_current: Callable[[bytes], bool],
    encode_again: Callable[[Entry], bytes],
    put: Callable[[Entry, bytes], object],
) -> RewriteReport:
    """Put what ``encode_again`` gives for each entry that is not current.

    Raises what ``entries`` raises; what was done till then stays done.
    """
    tally = _Tally()
    for entry in entries:
        if isinstance(entry, Unreadable):
            tally.failures.append(entry)
        elif is_current(entry.blob):
            tally.current += 1
        else:
            _one(entry, encode_again, put, tally)
    return tally.report()


def _one(
    entry: Entry,
    encode_again: Callable[[Entry], bytes],
    put: Callable[[Entry, bytes], object],
    tally: _Tally,
) -> None:
    try:
        put(entry, encode_again(entry))
    except Conflict:
        tally.conflicts.append(entry.key)
    except WrongFingerprint as error:
        # The store gave what it has; it is no schema that the state can be read by.
        tally.unreadable.append(Unreadable.of(entry.key, error))
    except StoreError as error:
        tally.failures.append(Unreadable.of(entry.key, error))
    except InstarError as error:
        tally.unreadable.append(Unreadable.of(entry.key, error))
    else:
        tally.rewritten += 1
