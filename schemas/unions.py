"""Which branches of a union stand bare in Python, and which need a box.

A bare branch is told from the others by the value alone: by its kind, or by the
``$type`` key of a record. Every other branch is held by a box, a class that says which
branch it is. The rule keeps every union one that msgspec can decode.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Literal, TypeAlias

from .model import (
    Array,
    Json,
    Logical,
    Map,
    NamedType,
    Optional,
    Primitive,
    Record,
    Reference,
    Type,
    Union,
)

Group: TypeAlias = Literal["null", "boolean", "int", "float", "text", "list", "dict", "record"]

_PRIMITIVE_GROUPS: Mapping[str, Group] = {
    "null": "null",
    "boolean": "boolean",
    "int": "int",
    "long": "int",
    "float": "float",
    "double": "float",
}


def group(type_: Type, types: Mapping[str, NamedType]) -> Group:
    """The group of a branch: branches of one group look alike in a JSON document."""
    match type_:
        case Primitive():
            return _PRIMITIVE_GROUPS.get(type_.kind, "text")
        case Reference():
            return "record" if isinstance(types[type_.name], Record) else "text"
        case Array():
            return "list"
        case Map() | Json() | Logical(kind="calendar-duration"):
            return "dict"
        case Logical(unit="nanos"):
            return "int"
        case Logical() | Optional() | Union():
            return "text"


def bare_branches(union: Union, types: Mapping[str, NamedType]) -> tuple[bool, ...]:
    """Say for each branch of ``union`` whether it is bare; ``types`` are the schema's."""
    groups: list[Group] = [group(branch.type, types) for branch in union.branches]
    counts = Counter(groups)
    alike = Counter(branch.type for branch in union.branches)
    bare = [
        _alone(branch.type, group_, alike[branch.type], counts)
        for branch, group_ in zip(union.branches, groups, strict=True)
    ]
    # A tagged record or a box is a dict too, so a map beside one would be a guess.
    crowded = "record" in groups or not all(bare)
    return tuple(
        flag and not (crowded and group_ == "dict")
        for flag, group_ in zip(bare, groups, strict=True)
    )


def _alone(type_: Type, group_: Group, alike: int, groups: Counter[Group]) -> bool:
    if isinstance(type_, Json | Logical) and group_ == "dict":
        return False
    if group_ == "record":
        return alike == 1
    return groups[group_] == 1


def type_unions(type_: Type) -> Iterator[Union]:
    """Every union in ``type_``, outermost first; references are not followed."""
    match type_:
        case Array():
            yield from type_unions(type_.items)
        case Map():
            yield from type_unions(type_.values)
        case Optional():
            yield from type_unions(type_.item)
        case Union():
            yield type_
            for branch in type_.branches:
                yield from type_unions(branch.type)
        case Primitive() | Logical() | Json() | Reference():
            pass
