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
    return _Levels(schema).record(schema.root, frozenset())


class _Levels:
    """Counts each record once for all the places that use it: there are far more of those."""

    def __init__(self, schema: Schema) -> None:
        self._schema = schema
        self._rings = rings(schema)
        self._found: dict[tuple[str, frozenset[str]], int] = {}

    def record(self, name: str, outer: frozenset[str]) -> int:
        """The levels of a named type inside the records ``outer``, which count no more."""
        named = self._schema.types[name]
        if not isinstance(named, Record) or name in outer:
            return 0
        # Of the records around it, only those matter that it leads back to.
        inside = (outer | {name}) & self._rings[name]
        key = (name, inside)
        if key not in self._found:
            below = (self._type(field.type, inside) for field in named.fields)
            self._found[key] = 1 + max(below, default=0)
        return self._found[key]

    def _type(self, type_: Type, outer: frozenset[str]) -> int:
        if isinstance(type_, Reference):
            return self.record(type_.name, outer)
        own = 1 if isinstance(type_, Array | Map | Union) else 0
        return own + max((self._type(part, outer) for part in parts(type_)), default=0)


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
