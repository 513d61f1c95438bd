"""What Avro calls the types of a schema, and the records it needs beyond them.

An Avro union may hold one branch of each unnamed type. A Protobuf oneof knows no such
limit, so branches that Avro could not tell apart are each wrapped in a record of one field.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from itertools import count

from ..model import (
    Array,
    Json,
    Logical,
    Map,
    Optional,
    Primitive,
    Record,
    Reference,
    Schema,
    Type,
    Union,
)
from ..naming import pascal
from ..references import nested

WRAPPED_FIELD = "value"
"""The one field of a wrapper record."""


@dataclass(frozen=True, slots=True)
class AvroNames:
    """``types`` has the Avro full name of each named type by its full name in the schema;
    ``unions`` the wrapper record of each branch, by union; see :meth:`wrappers`.
    """

    types: Mapping[str, str]
    unions: Mapping[Union, tuple[str | None, ...]]

    def wrappers(self, union: Union) -> tuple[str | None, ...]:
        """The Avro full name of the record that wraps each branch; None where none does."""
        return self.unions[union]


def avro_names(schema: Schema) -> AvroNames:
    """Name the types and wrappers of ``schema``: a pure function of it."""
    types = _type_names(schema)
    taken = set(types.values())
    namespace = types[schema.root].rpartition(".")[0]
    wrappers: dict[tuple[str, Type], str] = {}
    unions = {union: _clashing(union) for union in _unions(schema)}
    for union, clashes in unions.items():
        for branch, clash in zip(union.branches, clashes, strict=True):
            if clash and (branch.label, branch.type) not in wrappers:
                stem = f"{pascal(branch.label.rpartition('.')[2])}Value"
                name = _free(f"{namespace}.{stem}" if namespace else stem, taken)
                wrappers[branch.label, branch.type] = name
                taken.add(name)
    return AvroNames(
        types=types,
        unions={
            union: tuple(
                wrappers[branch.label, branch.type] if clash else None
                for branch, clash in zip(union.branches, clashes, strict=True)
            )
            for union, clashes in unions.items()
        },
    )


def avro_kind(type_: Primitive) -> str:
    """The Avro primitive that holds ``type_``: unsigned numbers need the wider one."""
    return "long" if type_.wire in {"uint32", "fixed32"} else type_.kind


def branch_name(type_: Type) -> str:
    """What a union of Avro knows a branch by: its type's name (that of a named type in full)."""
    match type_:
        case Primitive():
            return avro_kind(type_)
        case Logical():
            return branch_name(type_.base)
        case Json():
            return "bytes"
        case Array():
            return "array"
        case Map():
            return "map"
        case Reference():
            return type_.name
        case Optional() | Union():
            raise TypeError(f"{type_!r} cannot be a branch")


def _type_names(schema: Schema) -> dict[str, str]:
    dotted = {name for name in schema.types if "." in name}
    if schema.language == "avro" or len(dotted) in {0, len(schema.types)}:
        return {name: name for name in schema.types}
    # Inside a namespace Avro cannot refer to a type that has none, so none has one here.
    names = {name: name for name in schema.types if name not in dotted}
    for name in sorted(dotted):
        names[name] = _free(name.replace(".", "_"), names.values())
    return names


def _free(stem: str, taken: Collection[str]) -> str:
    if stem not in taken:
        return stem
    return next(name for number in count(2) if (name := f"{stem}{number}") not in taken)


def _unions(schema: Schema) -> Iterator[Union]:
    for named in schema.types.values():
        if isinstance(named, Record):
            for field in named.fields:
                yield from (type_ for type_ in nested(field.type) if isinstance(type_, Union))


def _clashing(union: Union) -> list[bool]:
    found = [branch_name(branch.type) for branch in union.branches]
    counts = Counter(found)
    return [counts[name] > 1 for name in found]
