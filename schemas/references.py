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
