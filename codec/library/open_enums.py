"""Numbers of open enums that have no symbol, where an optional can be empty in their place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from ...schemas.model import Enum, Field, Optional, Reference, Schema, Union
from .protobuf_wire import field_name
from .unknown import number_field


class Place(NamedTuple):
    """Where a message may hold such a number, and the numbers that have a symbol."""

    name: str
    number: int
    known: frozenset[int]

    def has_unknown(self, raw: Any) -> bool:
        """Whether the message has a number there that is none of the known."""
        return raw.HasField(self.name) and getattr(raw, self.name) not in self.known


def open_places(schema: Schema, field: Field) -> list[Place]:
    """The places of one optional field: itself, or the cases of its oneof."""
    kind = field.type
    if not isinstance(kind, Optional):
        return []
    members = [(field.number, kind.item)]
    if isinstance(kind.item, Union):
        members = [(b.number, b.type) for b in kind.item.branches] if kind.item.oneof else []
    found: list[Place] = []
    for number, item in members:
        named = schema.types[item.name] if isinstance(item, Reference) else None
        if isinstance(named, Enum) and not named.closed and number is not None:
            known = frozenset(symbol.number for symbol in named.symbols)
            found.append(Place(field_name(number), number, known))
    return found


def without_unknown(get: Callable[[Any], Any], places: list[Place]) -> Callable[[Any], Any]:
    """``get``, which then sees nothing where there is a number without a symbol."""
    if not places:
        return get
    return lambda raw: None if any(place.has_unknown(raw) for place in places) else get(raw)


def unknown_numbers(raw: Any, places: list[Place]) -> bytes:
    """The fields of a message that hold such numbers, on the wire."""
    return b"".join(
        number_field(place.number, getattr(raw, place.name))
        for place in places
        if place.has_unknown(raw)
    )
