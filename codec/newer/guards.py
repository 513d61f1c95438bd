"""Guards: how an older version overtakes what it cannot see that a newer one keeps.

What version 2 keeps of version 3 is made of fields of version 2. Where version 2 is written as
version 1, those are made of fields of version 1 in turn, which code of version 1 changes. So it has
their digest, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import msgspec
from msgspec.structs import replace

from ...errors import ValueMismatch
from ...migrations.graph_reading import Names
from .checks import Checks
from .descent import Descent, Lineage
from .judge import judged
from .nested import changed, changed_within
from .token import Entry, Guard

_NONE = Guard((), b"")
"""Of an entry that nothing in the older record can overtake."""


@dataclass(frozen=True, slots=True)
class Guarding:
    """Guards what records of one version keep that become records of an older one.

    ``lineage`` is that of the way up, and ``checks`` are of the older version.
    """

    lineage: Lineage
    checks: Checks

    def guarded(self, data: bytes, descent: Descent, old: Any) -> bytes:
        """The token of a newer record, encoded, that comes of ``old``.

        Raises ``ValueMismatch`` where it is of another record.
        """
        return changed(data, partial(self._guard, (), descent, old))

    @staticmethod
    def unbound(data: bytes) -> bytes:
        """The token of a newer record that is made of nothing of the older one."""
        return changed(data, _unbound)

    def within(self, entry: Entry, descent: Descent, old: Any) -> Iterator[Entry]:
        """An entry of that record, with what the record keeps that it leads to."""
        return changed_within(entry, partial(self._guard, entry.path, descent, old))

    def _guard(self, prefix: Names, descent: Descent, old: Any, entry: Entry) -> Iterator[Entry]:
        newer = entry.guards[-1] if entry.guards else Guard(entry.sources, entry.check)
        paths = [(*prefix, *names) for names in newer.sources]
        try:
            found = [n for path in paths for n in self.lineage.sources(descent, path)]
            guard = self._guard_of(entry, newer, found, old)
        except (LookupError, TypeError, ValueError, msgspec.DecodeError):
            raise ValueMismatch("the residue is made of fields that are not there") from None
        yield replace(entry, guards=(*entry.guards, guard))

    def _guard_of(self, entry: Entry, newer: Guard, found: list[Names], old: Any) -> Guard:
        sources = tuple(dict.fromkeys(found))
        if newer.check and sources:
            return Guard(sources, self.checks.digest(old, sources))
        if entry.how not in {"i", "r"} or len(sources) != 1:
            return _NONE
        # What does not hold as it is says nothing of what an edit makes of it.
        guard = Guard(sources, b"")
        return guard if [*judged(entry, guard, old, self.checks)] == [entry] else _NONE


def holding(data: bytes, record: Any, checks: Checks) -> bytes:
    """What holds of a token, encoded, by the guards that ``record`` has to pass; empty for none."""
    return changed(data, partial(_held, record, checks))


def holding_within(entry: Entry, record: Any, checks: Checks) -> Iterator[Entry]:
    """The same of an entry of the token that ``record`` carries itself."""
    return changed_within(entry, partial(_held, record, checks))


def unguarded(data: bytes) -> bytes:
    """The token, encoded, without the guards of the record that carried it until now."""
    return changed(data, _unguard)


def unguarded_within(entry: Entry) -> Iterator[Entry]:
    """The same of an entry."""
    return changed_within(entry, _unguard)


def _held(record: Any, checks: Checks, entry: Entry) -> Iterator[Entry]:
    return judged(entry, entry.guards[-1], record, checks) if entry.guards else iter((entry,))


def _unbound(entry: Entry) -> Iterator[Entry]:
    yield replace(entry, guards=(*entry.guards, _NONE))


def _unguard(entry: Entry) -> Iterator[Entry]:
    yield replace(entry, guards=entry.guards[:-1])
