"""A rule that looks values up: renamed, merged and split symbols, codes, flags."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from .rule import BaseRule, Scalar

Entry: TypeAlias = bool | int | float | str


class Table(BaseRule, frozen=True, tag="table"):
    """What stands in the table becomes what stands beside it; all else stays as it is.

    On the way back the first entry with a value counts.
    """

    entries: tuple[tuple[Entry, Entry], ...]

    @classmethod
    def of(cls, entries: Mapping[Entry, Entry]) -> Table:
        """The table of a dict."""
        return cls(tuple(entries.items()))

    def lookup(self, forward: bool) -> dict[Entry, Entry]:
        """The table in one direction, where the first entry for a value counts."""
        pairs = self.entries if forward else tuple((new, old) for old, new in self.entries)
        return dict(reversed(pairs))

    def bind(self, source: Scalar, target: Scalar, forward: bool) -> Callable[[Any], Any]:
        """The lookup; see :class:`BaseRule`."""
        del source, target
        found = self.lookup(forward)
        return lambda value: found.get(value, value)

    def losses(self, source: Scalar, target: Scalar, forward: bool) -> str:
        """Values that become one; see :class:`BaseRule`."""
        del source, target
        found = self.lookup(forward)
        merged = sorted({str(v) for v in found.values() if list(found.values()).count(v) > 1})
        return f"several values become {', '.join(merged)}" if merged else ""


def table(entries: Mapping[Entry, Entry]) -> Table:
    """A rule by table: ``table({"DONE": "COMPLETED"})``."""
    return Table.of(entries)
