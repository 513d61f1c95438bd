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


def rings(schema: Schema) -> Mapping[str, frozenset[str]]:
    """The types that each type leads to and that lead back to it."""
    names = list(reachable(schema))
    bits = {name: 1 << place for place, name in enumerate(names)}
    uses = {name: set(_used(schema.types[name])) for name in names}
    leads = dict.fromkeys(names, 0)
    before: dict[str, int] = {}
    while leads != before:
        before = dict(leads)
        for name in names:
            for used in uses[name]:
                leads[name] |= bits[used] | leads[used]
    rings = [name for name in names if leads[name] & bits[name]]
    return {
        name: frozenset(
            other for other in rings if leads[name] & bits[other] and leads[other] & bits[name]
        )
        for name in names
    }


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
