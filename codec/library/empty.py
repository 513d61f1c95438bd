"""Types whose values take no bytes in Avro, so that the size of a blob bounds no list of them."""

from __future__ import annotations

from ...schemas.model import Fixed, Primitive, Record, Reference, Schema, Type


def is_empty(kind: Type, schema: Schema, outer: frozenset[str] = frozenset()) -> bool:
    """Whether a value of the type takes no bytes at all; ``outer`` are records it stands in."""
    if not isinstance(kind, Reference):
        return kind == Primitive("null")
    named = schema.types[kind.name]
    if isinstance(named, Fixed):
        return named.size == 0
    if not isinstance(named, Record) or kind.name in outer:
        return False
    inside = outer | {kind.name}
    return all(is_empty(f.type, schema, inside) for f in named.fields)
