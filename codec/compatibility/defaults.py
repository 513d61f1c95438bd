"""What changed in what a field is where nothing was written."""

from __future__ import annotations

import json

from ...schemas.model import Default, Enum, Field, Optional, Primitive, Reference, Schema, Type
from .breaks import DIRECTIONS, FieldPair, is_required, oneof_of
from .change import Break, Change, Direction

_NULLS = (None, [None])
"""No default, and null by default."""


def needing(fields: FieldPair) -> tuple[Direction, ...]:
    """The directions in which the reader requires a field that the writer may leave out."""
    old, new, pair = fields.old, fields.new, fields.pair
    if old is None or new is None:
        return ()
    before, after = is_required(pair.older, old), is_required(pair.newer, new)
    needs: dict[Direction, bool] = {
        "backward": after and not before,
        "forward": before and not after,
    }
    return tuple(direction for direction in DIRECTIONS if needs[direction])


def default_change(fields: FieldPair, needs: tuple[Direction, ...], path: str) -> Change | None:
    """The change of the default of a field that both versions have, if it changed.

    Protobuf leaves out a value that is the default, so each side fills in its own.
    """
    old, new, pair = fields.old, fields.new, fields.pair
    by_number = pair.versions.by_number
    if old is None or new is None or oneof_of(new) is not None:
        return None
    if by_number and not _alike(old.type, new.type):
        return None  # Protobuf's zero changed with the type
    before, after = _filled(pair.older, old), _filled(pair.newer, new)
    became = isinstance(old.type, Optional) != isinstance(new.type, Optional)
    if before == after or (became and before in _NULLS and after in _NULLS):
        return None
    what = f"its default was {_told(old)} and is {_told(new)}"
    breaks = tuple(_break(direction, needs) for direction in DIRECTIONS) if by_number else ()
    gone = old.default is not None and new.default is None
    source = "code that makes the record must give it" if gone else ""
    return Change("default-changed", path, what, breaks, source)


def _break(direction: Direction, needs: tuple[Direction, ...]) -> Break:
    if direction in needs:
        why = "the reader requires it, and a writer leaves out its default"
        return Break("protobuf", direction, "layout", why)
    why = "what was not written is read as the other default"
    return Break("protobuf", direction, "value", why)


def with_default(found: Field) -> str:
    """Whether a field has a default, and which."""
    return f"with the default {_told(found)}" if _declared(found) else "without a default"


def _told(found: Field) -> str:
    default = _declared(found)
    return "none" if default is None else json.dumps(default.value, ensure_ascii=False)


def _declared(found: Field) -> Default | None:
    """The default; Protobuf's optional fields may declare what they are where they are unset."""
    unset = found.type.unset if isinstance(found.type, Optional) else None
    return unset or found.default


def _alike(old: Type, new: Type) -> bool:
    if isinstance(old, Primitive) and isinstance(new, Primitive):
        return old.kind == new.kind
    return type(old) is type(new)


def _filled(schema: Schema, found: Field) -> object:
    """What a field is where nothing was written; an enum's symbol by its number in Protobuf."""
    default = _declared(found)
    value = None if default is None else [default.value]
    named = schema.types.get(found.type.name) if isinstance(found.type, Reference) else None
    if schema.language == "protobuf" and isinstance(named, Enum) and default is not None:
        return next((s.number for s in named.symbols if s.name == default.value), value)
    return value
