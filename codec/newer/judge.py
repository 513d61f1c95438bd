"""Whether an entry of a token still holds of the record that carries it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec
from msgspec.structs import replace

from ...migrations.graph_reading import Names
from ..containers import as_dict, as_list
from .checks import Checks
from .token import Entry, Guard


class LeftOut(Counter[tuple[Names, ...]]):
    """How many items of each list a version lacks that the one above it has, by what the list is
    made of. Tokens within a token say places in the longer list.
    """

    def note(self, entry: Entry, sources: tuple[Names, ...]) -> None:
        """Count the items of an entry of a list that is made of ``sources``."""
        if entry.how == "i":
            self[sources] += len(entry.places)

    @classmethod
    def of(cls, entries: Iterable[Entry]) -> LeftOut:
        """Those of the entries of a token that a record carries itself."""
        found = cls()
        for entry in entries:
            found.note(entry, entry.sources)
        return found


def judged(
    entry: Entry, made_of: Guard, record: Any, checks: Checks, more: int = 0
) -> Iterator[Entry]:
    """The entry as far as it holds of ``record``, in which it is made of ``made_of``.

    The list that it says places of has ``more`` items than that of ``record``. Raises what
    reading a field that is not there does, or places and values that do not fit: LookupError,
    TypeError, ValueError or ``msgspec.DecodeError``.
    """
    match entry.how:
        case "t":
            yield entry
        case "r" if made_of.sources:
            if _value(made_of, record, checks) is not None:
                yield entry
        case "i" if made_of.sources:
            yield from _open_places(entry, _value(made_of, record, checks), more)
        case _:
            # A way of keeping that is not known here has its check all the same.
            if not made_of.check or made_of.check == checks.digest(record, made_of.sources):
                yield entry


def _value(made_of: Guard, record: Any, checks: Checks) -> Any:
    (names,) = made_of.sources
    return checks.value(record, names)


def _open_places(entry: Entry, there: Any, more: int) -> Iterator[Entry]:
    """The entry as far as its keys are free; nothing where the list or map is null now."""
    if there is None:
        return
    if isinstance(there, dict):
        yield from _free_keys(entry, as_dict(there))
        return
    # Where the list is shorter now they are at its end, and stay there as it grows again.
    length = len(as_list(there)) + more
    ends = (min(int(place), length + at) for at, place in enumerate(entry.places))
    yield replace(entry, places=tuple(ends))


def _free_keys(entry: Entry, there: dict[Any, Any]) -> Iterator[Entry]:
    kept = [index for index, key in enumerate(entry.places) if key not in there]
    if len(kept) == len(entry.places):
        yield entry
    elif kept:
        values = msgspec.msgpack.decode(entry.value, type=list[msgspec.Raw])
        at = {old: new for new, old in enumerate(kept)}
        residue = tuple(
            ((at[index], *rest), data) for (index, *rest), data in entry.residue if index in at
        )
        value = msgspec.Raw(msgspec.msgpack.encode([values[index] for index in kept]))
        places = tuple(entry.places[index] for index in kept)
        yield replace(entry, value=value, places=places, residue=residue)
