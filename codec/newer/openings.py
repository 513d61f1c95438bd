"""What an older version leaves out of a newer state: values whose branch or symbol it has not.

A state without them can be led down by the kernel, which refuses one that has any.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from ...migrations.conversion import (
    Conversion,
    EachItem,
    EachValue,
    MapBranches,
    MapSymbols,
    Maybe,
)
from ...migrations.paths import unwrapped
from ...schemas.model import Array, Enum, Map, Optional, Reference, Type, Union
from ..containers import as_dict, as_list, class_of
from ..library.python_union import split_by_class
from ..types import SchemaTypes

Knows: TypeAlias = Callable[[Any], bool]
"""Whether the older version knows the branch or symbol of a value."""
Places: TypeAlias = tuple[Any, ...]
"""The indexes or keys of what was left out."""


@dataclass(frozen=True, slots=True)
class Opening:
    """A field of a newer record, by attribute, that may have what the older version has not.

    ``is_each`` says that it is about the items of a list or the values of a map.
    """

    attribute: str
    is_each: bool
    knows: Knows

    def known(self, value: Any) -> tuple[Any, Places | None]:
        """The value as far as it is known, and the places in it of what is not.

        They are ``None`` where the whole is not known, and empty where all is.
        """
        if value is None:
            return None, ()
        if not self.is_each:
            return (value, ()) if self.knows(value) else (None, None)
        if isinstance(value, dict):
            entries = as_dict(value)
            places: Places = tuple(key for key, item in entries.items() if self._is_left(item))
            left = {*places}
            return {key: item for key, item in entries.items() if key not in left}, places
        items = as_list(value)
        places = tuple(index for index, item in enumerate(items) if self._is_left(item))
        left = {*places}
        return [item for index, item in enumerate(items) if index not in left], places

    def _is_left(self, item: Any) -> bool:
        return item is not None and not self.knows(item)


def opening(attribute: str, kind: Type, down: Conversion, types: SchemaTypes) -> Opening | None:
    """The opening of a field of ``kind`` that ``down`` leads to the older version.

    ``types`` are those of the newer version. ``None`` where the older one knows all that the field
    may have, or where what it does not know is not simply left out.
    """
    item = down.item if isinstance(down, Maybe) else down
    each, inner = False, unwrapped(kind)
    match item, inner:
        case EachItem(), Array():
            each, item, inner = True, item.item, inner.items
        case EachValue(), Map():
            each, item, inner = True, item.value, inner.values
        case _:
            if not isinstance(kind, Optional):
                return None
    knows = _knows(item, inner, types)
    return None if knows is None else Opening(attribute, each, knows)


def _knows(item: Conversion, kind: Type, types: SchemaTypes) -> Knows | None:
    named = types.schema.types[kind.name] if isinstance(kind, Reference) else None
    match item, named or kind:
        case MapSymbols(), Enum():
            members = types.enum(item.source)
            unknown = {members(name) for name, known in item.table.items() if known is None}
            return (lambda value: value not in unknown) if unknown else None
        case MapBranches(), Union() as union:
            split, branches = split_by_class(union, types), item.branches
            if None not in branches:
                return None
            return lambda value: branches[split(value)[0]] is not None
        case _:
            return None


@dataclass(frozen=True, slots=True)
class Original:
    """A record of which a copy was made that the older version knows.

    ``left`` has, by attribute, the places of what the copy has not.
    """

    copied: Any
    record: Any
    left: Mapping[str, Places | None]


@dataclass(frozen=True, slots=True)
class Inside:
    """The openings of a record, and the attributes that lead to records with some, maybe."""

    openings: tuple[Opening, ...] = ()
    inner: tuple[str, ...] = ()


@dataclass(slots=True)
class KnownPart:
    """A state as far as an older version knows it: ``state``, and what it was made of.

    Only records that have what is not known, and those around them, are copies.
    """

    inside: Mapping[type, Inside]
    originals: dict[int, Original] = field(default_factory=dict[int, Original])

    def of(self, value: Any) -> Any:
        """A value as far as it is known; the very same where that is all of it."""
        if isinstance(value, list):
            items = as_list(value)
            known = [*map(self.of, items)]
            return known if _differ(known, items) else items
        if isinstance(value, dict):
            entries = as_dict(value)
            kept = {key: self.of(item) for key, item in entries.items()}
            return kept if _differ(kept.values(), entries.values()) else entries
        inside = self.inside.get(class_of(value))
        return value if inside is None else self._record(value, inside)

    def _record(self, record: Any, inside: Inside) -> Any:
        left = dict(self._left(record, inside.openings))
        found = {name: known for name, (known, _) in left.items()}
        for name in inside.inner:
            before = found.get(name, getattr(record, name))
            after = self.of(before)
            if after is not before:
                found[name] = after
        if not found:
            return record
        copied = copy.copy(record)
        for name, value in found.items():
            setattr(copied, name, value)
        places = {name: places for name, (_, places) in left.items()}
        self.originals[id(copied)] = Original(copied, record, places)
        return copied

    @staticmethod
    def _left(
        record: Any, openings: Iterable[Opening]
    ) -> Iterator[tuple[str, tuple[Any, Places | None]]]:
        for each in openings:
            known, places = each.known(getattr(record, each.attribute))
            if places != ():
                yield each.attribute, (known, places)


def _differ(some: Iterable[Any], others: Iterable[Any]) -> bool:
    return any(one is not other for one, other in zip(some, others, strict=True))
