"""Walks over the types of a schema."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from .model import (
    Array,
    Enum,
    Fixed,
    Logical,
    Map,
    NamedType,
    Optional,
    Record,
    Reference,
    Schema,
    Type,
    Union,
)


def parts(type_: Type) -> tuple[Type, ...]:
    """The types directly inside ``type_``."""
    match type_:
        case Array():
            return (type_.items,)
        case Map():
            return (type_.keys, type_.values)
        case Optional():
            return (type_.item,)
        case Union():
            return tuple(branch.type for branch in type_.branches)
        case Logical():
            return (type_.base,)
        case _:
            return ()


def nested(type_: Type) -> Iterator[Type]:
    """``type_`` and every type inside it, outermost first; references are not followed."""
    yield type_
    for part in parts(type_):
        yield from nested(part)


def field_types(schema: Schema) -> Iterator[Type]:
    """Every type that some field of the schema is of or holds."""
    for named in schema.types.values():
        if isinstance(named, Record):
            for field in named.fields:
                yield from nested(field.type)


def levels(schema: Schema) -> int:
    """How many records, lists, maps and boxes the schema puts into each other at most.

    A record within itself counts once: how deep such a value nests, only the value says.
    """
    return _record_levels(schema, schema.root, frozenset())


def _record_levels(schema: Schema, name: str, outer: frozenset[str]) -> int:
    named = schema.types[name]
    if not isinstance(named, Record) or name in outer:
        return 0
    inside = outer | {name}
    return 1 + max((_type_levels(schema, f.type, inside) for f in named.fields), default=0)


def _type_levels(schema: Schema, type_: Type, outer: frozenset[str]) -> int:
    if isinstance(type_, Reference):
        return _record_levels(schema, type_.name, outer)
    own = 1 if isinstance(type_, Array | Map | Union) else 0
    return own + max((_type_levels(schema, part, outer) for part in parts(type_)), default=0)


def reachable(schema: Schema) -> Mapping[str, NamedType]:
    """The named types that the root uses, itself among them, in order of first use."""
    found: dict[str, NamedType] = {}
    pending = [schema.root]
    while pending:
        name = pending.pop()
        if name not in found:
            found[name] = schema.types[name]
            pending.extend(reversed(list(_used(found[name]))))
    return found


def _used(named: NamedType) -> Iterator[str]:
    match named:
        case Record():
            for field in named.fields:
                for type_ in nested(field.type):
                    if isinstance(type_, Reference):
                        yield type_.name
        case Enum() | Fixed():
            pass
