"""What a newer state has to be once code of an older version has edited it: the plain rule.

    The older code sees *x*, the downgrade of the newer state *y*, and makes it *x'*. Where the
    upgrades of *x* and *x'* differ, the newer state is to be that of *x'*; everywhere else it is
    to stay *y*.

Nothing here knows of residue, which is how instar does it. See
docs/explanation/mixed-fleets.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from copy import deepcopy
from dataclasses import dataclass
from itertools import product
from typing import Any

from ...codec.record import Record
from ...codec.verify.computed import computed_fields
from ...codec.verify.lab import Lab, Refused, attempt
from ...codec.verify.places import Place, at, changes, has_records, inner, put, same
from ...codec.verify.walk import Walk, bare
from .edits import Edit, apply, arranged
from .together import Together


def plain(lab: Lab, state: Any, source: int, target: int) -> Any:
    """A state of ``source`` as ``target`` has it, by the migrations alone, or Refused."""
    if source == target:
        return bare(state)
    # What does not lead there at all is found before any state is looked at.
    return attempt(lambda each: lab.migrate(each, source, target), bare(state))


class UnjudgedError(Exception):
    """The plain rule does not say what an edit comes to: the items of a list have moved."""


@dataclass(frozen=True, slots=True)
class Older:
    """An older state ``x`` that was seen where the newer one is ``y``, and their versions."""

    lab: Lab
    low: int
    high: int
    y: Any
    x: Any

    def after(self, edit: Edit, donor: Any) -> Any:
        """What the newer state has to be after ``edit``. Raises UnjudgedError."""
        before, after = bare(self.x), bare(self.x)
        apply(edit, after, donor)
        up, changed = self._up(before), self._up(after)
        if edit.kind == "arrange":
            return self._arranged(edit, up, changed)
        if same(up, changed):
            # No edit of the newer state: it may be that the upgrade does not tell the two apart.
            raise UnjudgedError
        return self._laid(up, changed)

    def laid(self, after: Any) -> Any:
        """What the newer state has to be where the older one has become ``after``, which may be
        nothing new to it. Raises UnjudgedError.
        """
        return self._laid(self._up(bare(self.x)), self._up(bare(after)))

    def _laid(self, up: Any, changed: Any) -> Any:
        way = self.lab.subject, self.low, self.high
        merge = Merge(self.lab.walk(self.high), Together.of(*way), computed_fields(*way))
        return merge.merged(bare(self.y), up, changed)

    def _up(self, state: Any) -> Any:
        found = plain(self.lab, state, self.low, self.high)
        if isinstance(found, Refused):
            raise UnjudgedError
        return found

    def _arranged(self, edit: Edit, up: Any, changed: Any) -> Any:
        """Where the list is in the newer state is told by the upgrade of one that is empty."""
        empty = bare(self.x)
        put(empty, edit.place, [])
        places = list(changes(up, self._up(empty)))
        if len(places) != 1:
            raise UnjudgedError
        place, y = places[0], bare(self.y)
        if not _is_aligned(y, up, place):
            raise UnjudgedError
        held, count = at(y, place), len(at(self.x, edit.place))
        if [len(held), _length(at(up, place))] != [count, count]:
            raise UnjudgedError
        put(y, place, self._items(edit, held, at(changed, place)))
        return y

    def _items(self, edit: Edit, held: list[Any], fresh: Any) -> Any:
        """The newer list, where ``fresh`` is what the upgrade makes of the older one."""
        if _length(fresh) == len(edit.origin):
            return arranged(edit, held, lambda index: fresh[index])
        if edit.origin:
            raise UnjudgedError
        return fresh  # what stands for a list without items


def _is_aligned(newer: Any, up: Any, place: Place) -> bool:
    """Whether both have lists at ``place``, and as many items in each list on the way."""
    for step in (*place, None):
        if type(newer) is not type(up) or _length(newer) != _length(up):
            return False
        if step is not None:
            newer, up = at(newer, (step,)), at(up, (step,))
    return isinstance(newer, list)


def _length(value: Any) -> int | None:
    """The items of a list; None of anything else."""
    items: Any = value
    return len(items) if isinstance(value, list) else None


@dataclass(frozen=True, slots=True)
class Merge:
    """Lays what changed between two upgrades over a newer state."""

    walk: Walk
    together: Together
    computed: Mapping[type, AbstractSet[str]]

    def merged(self, newer: Any, before: Any, after: Any) -> Any:
        """``newer``, with whatever differs between ``before`` and ``after`` as in ``after``.

        Raises UnjudgedError.
        """
        if same(before, after):
            return newer
        parts: tuple[Any, Any, Any] = newer, before, after
        if type(newer) is type(before) is type(after):
            if isinstance(newer, Record):
                return self._record(*parts)
            if isinstance(newer, dict):
                return self._map(*parts)
            if isinstance(newer, list):
                return self._list(*parts)
        return after

    def _record(self, newer: Record, before: Any, after: Any) -> Record:
        self._check_together(newer, before, after)
        computed = self.computed.get(type(newer), set[str]())
        for step, value in inner(newer):
            name = str(step)
            old, new = getattr(before, name), getattr(after, name)
            # What a function makes is one value, and made anew where its arguments changed.
            is_anew = name in computed and not same(old, new)
            setattr(newer, name, new if is_anew else self.merged(value, old, new))
        return newer

    def _check_together(self, newer: Record, before: Any, after: Any) -> None:
        """What is made of the same as a field that changed is made anew, though it looks the
        same: whether it is of the same, the two upgrades do not tell.
        """
        names = newer.__struct_fields__
        changed = [n for n in names if not same(getattr(before, n), getattr(after, n))]
        hidden = [
            n for n in names if n not in changed and not same(getattr(newer, n), getattr(after, n))
        ]
        if any(self._are_together(newer, *pair) for pair in product(changed, hidden)):
            raise UnjudgedError

    def _are_together(self, record: Record, first: str, second: str) -> bool:
        try:
            fields = self.walk.fields(record)
        except KeyError:
            return False  # the box of a branch
        return self.together.are(fields[first], fields[second])

    def _map(
        self, newer: dict[Any, Any], before: dict[Any, Any], after: dict[Any, Any]
    ) -> dict[Any, Any]:
        if not any(map(has_records, (newer, before, after))):
            # One value, but for entries that the older code did not see.
            unseen = {key: value for key, value in newer.items() if key not in before}
            return {**unseen, **after}
        found = {key: value for key, value in newer.items() if key not in before or key in after}
        for key, value in after.items():
            is_old = key in newer and key in before
            found[key] = self.merged(newer[key], before[key], value) if is_old else value
        return found

    def _list(self, newer: list[Any], before: list[Any], after: list[Any]) -> list[Any]:
        if len(newer) != len(before):
            raise UnjudgedError  # older code did not see all items
        if not any(map(has_records, (newer, before, after))):
            return deepcopy(after)
        if len(before) != len(after):
            raise UnjudgedError
        return [self.merged(*items) for items in zip(newer, before, after, strict=True)]
