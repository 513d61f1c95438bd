"""Finds what an upgrade of an older state would not bring back of the newer one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ..containers import as_dict, as_list
from ..record import Record, residue_of
from .checks import Checks
from .openings import Places
from .slots import Slot, Slots
from .token import NULL, Entry
from .trace import Trace
from .values import Values, same_scalar


@dataclass(frozen=True, slots=True)
class Comparison:
    """A newer state, what it became in ``down``, and what that became in ``up`` again.

    ``is_bare`` says that it is known to have no residue itself.
    """

    down: Trace
    up: Trace
    values: Values
    checks: Checks
    is_bare: bool = False

    @classmethod
    def of_pairs(cls, values: Values, checks: Checks) -> Comparison:
        """For records without residue that stand for each other one by one: nobody asks what was
        made of what.
        """
        return cls(Trace(), Trace(), values, checks, is_bare=True)

    def original(self, again: Any) -> Any:
        """The newer record of which an upgraded one is a descendant; ``None`` for none."""
        old = self.up.origin.get(id(again))
        return None if old is None else self.down.origin.get(id(old))

    def entries(self, slots: Slots, new: Any, again: Any, old: Any) -> Iterator[Entry]:
        """An entry for each field in which ``new`` differs from ``again``, made of ``old``."""
        for slot in slots:
            before, after = slot.get(new), slot.get(again)
            if slot.inner and None not in (before, after):
                yield from self.entries(slot.inner, new, again, old)
                yield from _own_residue(slot, before)
            else:
                yield from self.of_field(slot, before, after, old)

    def of_field(self, slot: Slot, before: Any, after: Any, old: Any) -> Iterator[Entry]:
        """The entry for a field that had ``before``, if it need not come back as that."""
        if slot.is_made and not self.checks.is_stable(old, slot.sources):
            # What is made of it anew may differ once a format has written it.
            yield self._whole(slot, before, old)
        elif not self.alike(before, after):
            yield from self._differing(slot, before, after, old)

    def left_out(self, slot: Slot, before: Any, places: Places | None, old: Any) -> Iterator[Entry]:
        """The entry for a field of which the older record lacks ``places``, or all, but no more."""
        is_stable = not slot.is_made or self.checks.is_stable(old, slot.sources)
        if places is None or not is_stable:
            yield self._whole(slot, before, old)
        else:
            items = [before[place] for place in places]
            yield self._entry(slot, "i", items, places=places)

    def _differing(self, slot: Slot, before: Any, after: Any, old: Any) -> Iterator[Entry]:
        inner = slot.items
        if inner is not None and isinstance(after, list | dict):
            places = self._left_out(before, after)
            if places:
                items = [before[place] for place in places]
                yield self._entry(slot, "i", items, places=tuple(places))
                return
        if inner is not None and slot.is_wrapped and after and self.alike(before[:1], after):
            yield self._entry(slot, "r", before[1:])
            return
        yield self._whole(slot, before, old)

    def _whole(self, slot: Slot, before: Any, old: Any) -> Entry:
        check = self.checks.digest(old, slot.sources) if slot.sources else b""
        return self._entry(slot, "v", before, check)

    def _left_out(self, before: Any, after: Any) -> list[Any]:
        """The indexes or keys of what was left out, if nothing else differs."""
        if isinstance(before, list) and isinstance(after, list):
            missing = sorted(self.down.left_out.get(id(as_list(before)), ()))
            if not missing:
                return []
            rest = _without(as_list(before), missing)
            return missing if self._are_alike(rest, as_list(after)) else []
        if not isinstance(before, dict):
            return []
        known = {key: value for key, value in as_dict(before).items() if key in after}
        return (
            [key for key in as_dict(before) if key not in after] if self.alike(known, after) else []
        )

    def _entry(
        self, slot: Slot, how: str, value: Any, check: bytes = b"", places: tuple[Any, ...] = ()
    ) -> Entry:
        stored, residue = self.values.write(value, is_bare=self.is_bare)
        return Entry(slot.path, how, slot.sources, check, stored, places, residue)

    def alike(self, before: Any, after: Any) -> bool:
        """Whether a value comes back as it was, but for the records that have tokens."""
        if before is after:
            return True  # Most scalars are handed on as they are.
        match before, after:
            case Record(), Record():
                return type(before) is type(after) and self._is_same_record(before, after)
            case list(), list():
                return self._are_alike(as_list(before), as_list(after))
            case dict(), dict():
                return self._are_same_entries(as_dict(before), as_dict(after))
            case _:
                return same_scalar(before, after)

    def _is_same_record(self, before: Record, after: Record) -> bool:
        if self.original(after) is before:
            return True
        names = before.__struct_fields__
        pairs = ((getattr(before, name), getattr(after, name)) for name in names)
        return residue_of(before) is None and all(self.alike(*pair) for pair in pairs)

    def _are_alike(self, before: list[Any], after: list[Any]) -> bool:
        return len(before) == len(after) and all(map(self.alike, before, after))

    def _are_same_entries(self, before: Mapping[Any, Any], after: Mapping[Any, Any]) -> bool:
        if before.keys() != after.keys():
            return False
        return all(self.alike(value, after[key]) for key, value in before.items())


def _without(items: list[Any], indexes: Iterable[int]) -> list[Any]:
    dropped = {*indexes}
    return [item for index, item in enumerate(items) if index not in dropped]


def _own_residue(slot: Slot, before: Record) -> Iterator[Entry]:
    """That of a record that the older version has no counterpart of, whatever its fields become."""
    residue = residue_of(before)
    if residue is not None:
        yield Entry(slot.path, "t", (), b"", NULL, residue=(((), residue),))
