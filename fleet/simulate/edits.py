"""Changes that a program makes to a state: fields set, lists rearranged, maps filled."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any, Literal, TypeAlias

import msgspec

from ...codec.record import Record
from ...codec.verify.places import Key, Place, at, has_records, put, records, same

Pick: TypeAlias = Callable[[int], int]
"""Chooses one of so many, from 0."""


class Edit(msgspec.Struct, frozen=True):
    """One change of a state; what it brings in is taken from another state, the donor.

    ``set`` puts what stands at ``source`` of the donor at ``place``. ``arrange`` gives the list
    at ``place`` the items that ``origin`` names by their old index, and for each ``None`` the
    item at ``source`` of the donor. ``put`` has the map at ``place`` have what stands at
    ``source`` under ``key``, and ``drop`` has it lose that key.
    """

    kind: Literal["set", "arrange", "put", "drop"]
    place: Place
    source: Place = ()
    origin: tuple[int | None, ...] = ()
    key: Key = ""


def apply(edit: Edit, state: Any, donor: Any) -> None:
    """Make the change in ``state``, by the records that are there."""
    match edit.kind:
        case "set":
            put(state, edit.place, deepcopy(at(donor, edit.source)))
        case "arrange":
            held = at(state, edit.place)
            held[:] = arranged(edit, held, lambda _: deepcopy(at(donor, edit.source)))
        case "put":
            at(state, edit.place)[edit.key] = deepcopy(at(donor, edit.source))
        case "drop":
            del at(state, edit.place)[edit.key]


def arranged(edit: Edit, items: list[Any], new: Callable[[int], Any]) -> list[Any]:
    """``items`` as an ``arrange`` leaves them; ``new`` gives one by its index where it adds one."""
    used: set[int] = set()
    found: list[Any] = []
    for index, old in enumerate(edit.origin):
        if old is None:
            found.append(new(index))
        else:
            # A second one is a copy, which goes its own way.
            found.append(deepcopy(items[old]) if old in used else items[old])
            used.add(old)
    return found


def choose(state: Any, donor: Any, pick: Pick) -> Edit | None:
    """One of the changes that can be made to ``state`` with parts of ``donor``, if any can."""
    donors: dict[type, Place] = {}
    for place, record in records(donor):
        donors.setdefault(type(record), place)
    fields = [
        field
        for place, record in records(state)
        for field in _fields(place, record, donor, donors.get(type(record)))
    ]
    return fields[pick(len(fields))](pick) if fields else None


def _fields(
    place: Place, record: Record, donor: Any, source: Place | None
) -> Iterator[Callable[[Pick], Edit]]:
    """For each field that can be changed, what makes a change of it."""
    for name in record.__struct_fields__:
        value = getattr(record, name)
        here, there = (*place, name), None if source is None else (*source, name)
        other = None if there is None else at(donor, there)
        if _is_list_of_records(value):
            if value or _is_list_of_records(other):
                yield _arranging(here, value, there, other)
        elif _is_map_of_records(value):
            if value or _is_map_of_records(other):
                yield _filling(here, value, there, other)
        elif there is not None and _is_flat(value, other):
            yield _setting(here, there)


def _is_flat(value: Any, other: Any) -> bool:
    """Whether ``other`` can take the place of ``value`` without putting records for records."""
    return not (has_records(value) and has_records(other)) and not same(value, other)


def _is_list_of_records(value: Any) -> bool:
    return isinstance(value, list) and has_records(value)


def _is_map_of_records(value: Any) -> bool:
    return isinstance(value, dict) and has_records(value)


def _setting(place: Place, source: Place) -> Callable[[Pick], Edit]:
    return lambda _: Edit("set", place, source)


def _arranging(
    place: Place, items: list[Any], source: Place | None, others: Any
) -> Callable[[Pick], Edit]:
    def made(pick: Pick) -> Edit:
        origin: list[int | None] = list(range(len(items)))
        at_ = pick(len(items))
        ways: list[str] = ["delete", "move", "copy"]
        if source is not None and _is_list_of_records(others):
            ways += ["add", "replace"]
        match ways[pick(len(ways))]:
            case "delete":
                del origin[at_]
            case "move":
                origin.insert(pick(len(items)), origin.pop(at_))
            case "copy":
                origin.append(at_)
            case "add":
                origin.insert(at_, None)
            case _:
                origin[at_] = None
        new = () if source is None else (*source, 0)
        return Edit("arrange", place, new, tuple(origin[:_MOST]))

    return made


_MOST = 6
"""Items of a list: it must not grow for ever."""


def _filling(
    place: Place, entries: dict[Key, Any], source: Place | None, others: Any
) -> Callable[[Pick], Edit]:
    def made(pick: Pick) -> Edit:
        held = list(entries)
        new = [key for key in others if key not in entries] if _is_map_of_records(others) else []
        if source is None or not new or len(held) >= _MOST or pick(2):
            return Edit("drop", place, key=held[pick(len(held))])
        key = new[pick(len(new))]
        return Edit("put", place, (*source, key), key=key)

    return made
