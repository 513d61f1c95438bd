"""Where a version that is not released takes a number or a name that is taken.

Numbers carry the identity of a field on the wire, and names carry it everywhere else, so
neither may ever mean two things. A field may be renamed under its number; a name that was
removed may come back as what it was.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from ..model import Schema
from ..numbered import Numbered, Part, numbered_parts
from ..plain import to_plain
from .families import Family, delimited_parts, family
from .lock import Lock
from .release import version_place

BreachKind: TypeAlias = Literal["number-reused", "number-changed", "name-reused", "type-changed"]
_DELIMITED: Final = "delimited"


@dataclass(frozen=True, slots=True)
class Breach:
    """A number or a name that would mean two things: of which kind, where, what, and how to
    mend it.
    """

    kind: BreachKind
    where: str
    what: str
    mend: str


def find_breaches(lock: Lock, schemas: Sequence[Schema]) -> list[Breach]:
    """What the versions of one subject that are not released take of what is taken.

    ``schemas`` are all its versions in order, numbered. Nothing where none is released.
    """
    frozen = [s for s in schemas if lock.is_released(s.subject, s.version)]
    if not frozen:
        return []
    found: list[Breach] = []
    for schema in schemas:
        if schema not in frozen:
            found += _Comparison(lock, frozen, schema).breaches()
    return found


class _Comparison:
    """One unreleased version against all that was released."""

    def __init__(self, lock: Lock, frozen: Sequence[Schema], schema: Schema) -> None:
        self._lock = lock
        self._frozen = {old.version: old for old in frozen}
        self._schema = schema
        self._latest = frozen[-1]
        self._parts = {version: self._as_now(old) for version, old in self._frozen.items()}
        self._last = self._parts[self._latest.version]
        self._now = numbered_parts(schema)
        self._delimited = frozenset(delimited_parts(schema))
        self._were_delimited = {
            version: frozenset(map(self._renamed(old), delimited_parts(old)))
            for version, old in self._frozen.items()
        }
        self._taken = self._numbers()
        folder = lock.path.parent / schema.subject
        self._where = version_place(folder, schema.version)

    def _as_now(self, old: Schema) -> Mapping[Part, Numbered]:
        """The parts of ``old``; those of the root below the name that the root has now."""
        renamed = self._renamed(old)
        return {renamed(part): found for part, found in numbered_parts(old).items()}

    def _renamed(self, old: Schema) -> Callable[[Part], Part]:
        places = {old.root: self._schema.root}
        return lambda part: part._replace(place=places.get(part.place, part.place))

    def _numbers(self) -> Mapping[tuple[str, int], Mapping[str, int]]:
        """The names that each number of each place had, with the version that had it last."""
        names: dict[tuple[str, int], dict[str, int]] = {}
        for version, parts in self._parts.items():
            for part, found in parts.items():
                names.setdefault((part.place, found.number), {})[part.name] = version
        return names

    def breaches(self) -> Iterator[Breach]:
        for part, found in self._now.items():
            if part in self._last:
                yield from self._kept(part, found, self._last[part])
            elif (former := self._former(part)) is not None:
                yield from self._returned(part, found, former)
            else:
                yield from self._new(part, found)

    def _kept(self, part: Part, found: Numbered, before: Numbered) -> Iterator[Breach]:
        if found.number != before.number:
            yield self._breach(
                "number-changed",
                f"{part} had the number {before.number} in version {self._latest.version}, and has "
                f"{found.number} here",
                self._give(f"give it the number {before.number} again"),
            )
        else:
            yield from self._same_type(part, found, part)

    def _same_type(self, part: Part, found: Numbered, former: Part) -> Iterator[Breach]:
        """``former`` is what ``part`` was called in the latest version that was released."""
        before = self._last[former]
        # A number that we gave is only read by us, who read with the writer's schema.
        declared = self._schema.language == self._latest.language == "protobuf"
        if not declared or found.type is None or before.type is None:
            return
        old = tuple(
            self._schema.root if word == self._latest.root else word
            for word in family(before.type, self._latest.types)
        )
        new = family(found.type, self._schema.types)
        if former in self._were_delimited[self._latest.version]:
            old = (_DELIMITED, *old)
        if part in self._delimited:
            new = (_DELIMITED, *new)
        if old != new:
            yield self._breach(
                "type-changed",
                f"the number {found.number}, of {part}, has another type than in version "
                f"{self._latest.version}: {_words(new)}, and was {_words(old)}",
                f"restore the type, or add a field with the number {self._free(part.place)} and "
                "remove this one",
            )

    def _former(self, part: Part) -> int | None:
        """The last released version that had ``part``, where it was removed since."""
        return max((v for v, parts in self._parts.items() if part in parts), default=None)

    def _returned(self, part: Part, found: Numbered, version: int) -> Iterator[Breach]:
        before = self._parts[version][part]
        old = _plain(before, is_delimited=part in self._were_delimited[version])
        new = _plain(found, is_delimited=part in self._delimited)
        if (found.number, new) == (before.number, old):
            return
        gone = self._lock.removals.get(self._schema.subject, {}).get(str(part))
        yield self._breach(
            "name-reused",
            f"{part} was removed in version {gone or version + 1}, and is back with another "
            f"meaning: it had the number {before.number} and the type {old}, and has "
            f"{found.number} and {new}",
            "give the new one a name that was never used",
        )

    def _new(self, part: Part, found: Numbered) -> Iterator[Breach]:
        names = self._taken.get((part.place, found.number))
        if names is None:
            return
        former = max(names, key=lambda name: names[name])
        old = part._replace(name=former)
        if names[former] == self._latest.version and old not in self._now:
            yield from self._same_type(part, found, old)  # it was renamed
            return
        yield self._breach(
            "number-reused",
            f"the number {found.number}, of {part}, is that of {old} in version {names[former]}",
            self._give(f"take {self._free(part.place)}, which was never used"),
        )

    def _give(self, mend: str) -> str:
        """How to state another number, which an ``.avsc`` cannot."""
        if self._schema.language == "protobuf":
            return mend
        # What we number ourselves differs only from what a .proto stated.
        return "write the version as a .proto, as earlier ones were: an .avsc cannot state numbers"

    def _free(self, place: str) -> int:
        used = [number for where, number in self._taken if where == place]
        used += [found.number for part, found in self._now.items() if part.place == place]
        return max(used) + 1

    def _breach(self, kind: BreachKind, what: str, mend: str) -> Breach:
        return Breach(kind, self._where, what, mend)


def _plain(found: Numbered, *, is_delimited: bool) -> str:
    """A type as text that is equal for equal types."""
    plain = to_plain(found.type)
    text = plain if isinstance(plain, str) else json.dumps(plain, sort_keys=True)
    return f"{_DELIMITED} {text}" if is_delimited else text


def _words(family: Family) -> str:
    return " ".join(str(word) for word in family)
