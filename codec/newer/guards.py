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
from .judge import LeftOut, judged
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

    def guarded(self, data: bytes, descent: Descent, old: Any, left_out: LeftOut) -> bytes:
        """The token of a newer record, encoded, that comes of ``old``.

        ``left_out`` are the items that ``old`` lacks of the record; those that the record lacks
        are counted, too, for what is within. Raises ``ValueMismatch`` where it is of another
        record.
        """
        return changed(data, partial(self._guard, (), descent, old, left_out))

    @staticmethod
    def unbound(data: bytes) -> bytes:
        """The token of a newer record that is made of nothing of the older one."""
        return changed(data, _unbound)

    def within(
        self, entry: Entry, descent: Descent, old: Any, left_out: LeftOut
    ) -> Iterator[Entry]:
        """An entry of that record, with what the record keeps that it leads to."""
        return changed_within(entry, partial(self._guard, entry.path, descent, old, left_out))

    def _guard(
        self, prefix: Names, descent: Descent, old: Any, left_out: LeftOut, entry: Entry
    ) -> Iterator[Entry]:
        newer = entry.guards[-1] if entry.guards else Guard(entry.sources, entry.check)
        paths = [(*prefix, *names) for names in newer.sources]
        try:
            found = [n for path in paths for n in self.lineage.sources(descent, path)]
            guard = self._guard_of(entry, newer, found, old, left_out)
        except (LookupError, TypeError, ValueError, msgspec.DecodeError):
            raise ValueMismatch("the residue is made of fields that are not there") from None
        left_out.note(entry, guard.sources)
        yield replace(entry, guards=(*entry.guards, guard))

    def _guard_of(
        self, entry: Entry, newer: Guard, found: list[Names], old: Any, left_out: LeftOut
    ) -> Guard:
        sources = tuple(dict.fromkeys(found))
        if newer.check and sources:
            return Guard(sources, self.checks.digest(old, sources))
        if entry.how not in {"i", "r"} or len(sources) != 1:
            return _NONE
        # What does not hold as it is says nothing of what an edit makes of it.
        guard = Guard(sources, b"")
        held = judged(entry, guard, old, self.checks, left_out[sources])
        return guard if [*held] == [entry] else _NONE


def holding(data: bytes, record: Any, checks: Checks, left_out: LeftOut) -> bytes:
    """What holds of a token, encoded, by the guards that ``record`` has to pass; empty for none.

    ``left_out`` are the items that ``record`` lacks of the list that the token is of; those that
    the token has are counted, too, for what is within.
    """
    return changed(data, partial(_held, record, checks, left_out))


def holding_within(entry: Entry, record: Any, checks: Checks, left_out: LeftOut) -> Iterator[Entry]:
    """The same of an entry of the token that ``record`` carries itself."""
    return changed_within(entry, partial(_held, record, checks, left_out))


def unguarded(data: bytes) -> bytes:
    """The token, encoded, without the guards of the record that carried it until now."""
    return changed(data, _unguard)


def unguarded_within(entry: Entry) -> Iterator[Entry]:
    """The same of an entry."""
    return changed_within(entry, _unguard)


def _held(record: Any, checks: Checks, left_out: LeftOut, entry: Entry) -> Iterator[Entry]:
    if not entry.guards:
        yield entry
        return
    guard = entry.guards[-1]
    for each in judged(entry, guard, record, checks, left_out[guard.sources]):
        left_out.note(each, guard.sources)
        yield each


def _unbound(entry: Entry) -> Iterator[Entry]:
    yield replace(entry, guards=(*entry.guards, _NONE))


def _unguard(entry: Entry) -> Iterator[Entry]:
    yield replace(entry, guards=entry.guards[:-1])
