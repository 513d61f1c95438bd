"""Items that older code does not see of a newer state, and has to leave where they are.

An item of a list or a value of a map whose symbol or branch the older version has not is left out
of what it reads. It comes back at its place, or at the end where the list is shorter now; an entry
that older code made under the same key beats it. See docs/explanation/mixed-fleets.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from ..containers import as_dict, as_list, class_of
from ..record import Record
from .losses import Announced
from .paths import Path, written
from .places import Place, at, inner
from .walk import Difference, Walk, bare

Upgrade: TypeAlias = Callable[[Any], Any]
"""What a newer state is, once older code has read it and it was upgraded by itself."""


@dataclass(slots=True)
class Unseen:
    """Takes out of ``newer`` what older code does not see, and out of ``found`` where it is back.

    Then both have an item for each one of what the older state upgrades to. Both are changed.
    ``seen`` leads a newer state down and up, and ``computed`` are the fields that functions make.
    ``beaten`` gets the lists and maps of which an edit is one of the whole value.
    """

    walk: Walk
    lost: Announced
    seen: Upgrade
    computed: Mapping[type, AbstractSet[str]]
    newer: Any
    found: Any
    beaten: list[Path] = field(default_factory=list[Path])

    def missing(self, plain: Any, changed: Any) -> Difference | None:
        """What does not come back, where older code made ``plain`` into ``changed``."""
        parts = _Parts(self.newer, plain, changed, self.found, (), (), is_edited=False)
        return next(self._inside(parts), None)

    def _inside(self, parts: _Parts) -> Iterator[Difference]:
        """Go through a value, the outermost list or map first."""
        newer, plain = parts.newer, parts.plain
        if type(newer) is type(plain) in {list, dict}:
            parts.is_edited = parts.is_edited or self._differ(plain, parts.changed)
            items = self._items(parts) if len(newer) > len(plain) else {}
            for key in reversed(items):
                del newer[key]
            if items and type(plain) is type(parts.changed) is type(parts.found):
                yield from self._back(parts, items)
            if len(newer) == len(plain) and not self._has_to(parts):
                self.beaten.append(parts.path)
        for each in parts.inner(self.walk):
            if not self._is_made_anew(parts, each):
                yield from self._inside(each)

    def _is_made_anew(self, record: _Parts, part: _Parts) -> bool:
        """Whether a function makes a field of a record, and of something that was edited."""
        computed = self.computed.get(class_of(record.newer), set[str]())
        return part.place[-1] in computed and self._differ(part.plain, part.changed)

    def _items(self, parts: _Parts) -> dict[Any, Any]:
        """The items that are not seen, by index or key."""
        newer = parts.newer
        if isinstance(newer, dict):
            entries = as_dict(newer)
            return {key: item for key, item in entries.items() if key not in parts.plain}
        items = as_list(newer)
        found = {i: item for i, item in enumerate(items) if not self._is_seen(parts, i)}
        # Else it is not by its items that the list is longer.
        return found if len(found) == len(items) - len(parts.plain) else {}

    def _is_seen(self, parts: _Parts, index: int) -> bool:
        """Whether older code sees one item less if there is one less."""
        without = bare(self.newer)
        del at(without, parts.place)[index]
        try:
            return len(at(self.seen(without), parts.place)) != len(parts.plain)
        except (AttributeError, LookupError, TypeError):
            return True  # it is refused, or something else altogether

    def _back(self, parts: _Parts, items: dict[Any, Any]) -> Iterator[Difference]:
        wanted = parts.wanted(items)
        if self._is_there(parts, wanted):
            for key in reversed(wanted):
                del parts.found[key]
        elif self.lost.trip.covers(written(parts.path)):
            pass
        elif self._has_to(parts) or len(parts.found) != len(parts.changed):
            yield Difference(parts.path, parts.expected(wanted), parts.found)

    def _is_there(self, parts: _Parts, wanted: dict[Any, Any]) -> bool:
        found = parts.found
        if isinstance(found, list):
            if len(as_list(found)) != len(parts.changed) + len(wanted):
                return False
        elif not wanted.keys() <= as_dict(found).keys():
            return False
        return not any(self._differ(item, found[key], parts.path) for key, item in wanted.items())

    def _has_to(self, parts: _Parts) -> bool:
        """Whether older code keeps the items apart: else an edit is of the whole value."""
        if not parts.is_edited:
            return True
        pairs = ((item, at(parts.plain, (step,))) for step, item in inner(parts.newer))
        alike = all(isinstance(a, Record) or not self._differ(a, b) for a, b in pairs)
        return alike and not parts.is_nested

    def _differ(self, expected: Any, found: Any, path: Path = ()) -> bool:
        differences = self.walk.differences(expected, found, (*path, "[]") if path else ())
        return any(not path or not self.lost.trip.covers(written(d.path)) for d in differences)


@dataclass(slots=True)
class _Parts:
    """The same place in four states: the newer one, the plain upgrade of the older one, that
    after the edit, and what was found.

    ``is_nested`` says that no record is between this list or map and another one around it.
    """

    newer: Any
    plain: Any
    changed: Any
    found: Any
    place: Place
    path: Path
    is_edited: bool
    is_nested: bool = False

    def wanted(self, items: dict[Any, Any]) -> dict[Any, Any]:
        """``items`` by where they are to be found."""
        if class_of(self.changed) is dict:
            edited = as_dict(self.changed)
            return {key: item for key, item in items.items() if key not in edited}
        places: list[Any] = [None] * len(self.changed)
        for index in items:
            places.insert(index, (index,))
        return {at_: items[each[0]] for at_, each in enumerate(places) if each is not None}

    def expected(self, wanted: dict[Any, Any]) -> Any:
        """What was to be found."""
        if class_of(self.changed) is dict:
            return {**as_dict(self.changed), **wanted}
        expected = [*as_list(self.changed)]
        for index, item in wanted.items():
            expected.insert(index, item)
        return expected

    def inner(self, walk: Walk) -> Iterator[_Parts]:
        """The parts of it, if the four have the same ones."""
        whole = self.newer, self.plain, self.changed, self.found
        steps = [[step for step, _ in inner(each)] for each in whole]
        if {*map(type, whole)} != {type(self.newer)} or any({*s} != {*steps[0]} for s in steps):
            return
        # A box goes with the value that it is in.
        is_record = walk.is_record(self.newer)
        for step in steps[0]:
            newer, plain, changed, found = (at(each, (step,)) for each in whole)
            path, place = walk.step(self.newer, step, self.path), (*self.place, step)
            edited = self.is_edited and not is_record
            yield _Parts(newer, plain, changed, found, place, path, edited, not is_record)
