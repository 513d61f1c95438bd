"""A schema as fastavro is given it: the same bytes, and no room for a guess.

Logical types and enums are written as the primitives below them, which instar checks and
converts itself, and the numbers of vectors as fixed types. Every union branch that is no record
is wrapped in a record of one field: a record adds no bytes, and fastavro then names the branch
on reading and is told it on writing, where it would otherwise try the branches one by one.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ...schemas.model import (
    Array,
    Enum,
    Fixed,
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
from ..vectors import SIZES, typecode

WRAPPED = "value"
"""The field of a wrapper record."""


@dataclass(slots=True)
class AvroWire:
    """The rendering of one schema; ``schema`` is what fastavro parses."""

    source: Schema
    names: dict[str, str] = field(default_factory=dict[str, str])
    wrappers: dict[tuple[Type, int], str] = field(default_factory=dict[tuple[Type, int], str])
    defined: set[str] = field(default_factory=set[str])
    schema: Any = None

    def __post_init__(self) -> None:
        # Names of our own: the schema's may not be unique once their namespaces are gone.
        self.names = {name: f"t{index}" for index, name in enumerate(self.source.types)}
        self.schema = self._named(self.source.root)

    def branch_name(self, union: Union, index: int) -> str:
        """The record that stands for a branch: its own, or a wrapper."""
        kind = union.branches[index].type
        if self.is_wrapped(union, index):
            return self.wrappers[kind, _twins_before(union, index)]
        assert isinstance(kind, Reference)  # noqa: S101 - what is not wrapped is a record
        return self.names[kind.name]

    def is_wrapped(self, union: Union, index: int) -> bool:
        """Whether a branch has a wrapper: all but a record that occurs once."""
        kind = union.branches[index].type
        if self.is_record(kind):
            return sum(branch.type == kind for branch in union.branches) > 1
        return True

    def wraps_optional(self, optional: Optional) -> bool:
        """Whether the item of an optional has a wrapper, so that fastavro need not try it."""
        return isinstance(optional.item, Array | Map) or self.is_fixed(optional.item)

    def is_record(self, kind: Type) -> bool:
        """Whether a type is a reference to a record."""
        return isinstance(kind, Reference) and isinstance(self.source.types[kind.name], Record)

    def is_fixed(self, kind: Type) -> bool:
        """Whether a type is, or is written as, a fixed type."""
        if isinstance(kind, Logical):
            kind = kind.base
        return isinstance(kind, Reference) and isinstance(self.source.types[kind.name], Fixed)

    def _render(self, kind: Type) -> Any:
        match kind:
            case Primitive():
                return scalar_name(kind)
            case Logical():
                return self._render(kind.base)
            case Json():
                return "bytes"
            case Array(vector_kind=str()):
                return {"type": "array", "items": self._number(SIZES[typecode(kind)])}
            case Array():
                return {"type": "array", "items": self._render(kind.items)}
            case Map():
                return {"type": "map", "values": self._render(kind.values)}
            case Optional():
                return self._optional(kind)
            case Union():
                return self._union(kind)
            case Reference():
                return self._named(kind.name)

    def _named(self, name: str) -> Any:
        named = self.source.types[name]
        if isinstance(named, Enum):
            return "int"
        wire_name = self.names[name]
        if name in self.defined:
            return wire_name
        self.defined.add(name)
        if isinstance(named, Fixed):
            return {"type": "fixed", "name": wire_name, "size": named.size}
        fields = [
            {"name": f"f{i}", "type": self._render(f.type)} for i, f in enumerate(named.fields)
        ]
        return {"type": "record", "name": wire_name, "fields": fields}

    def _number(self, size: int) -> Any:
        """A number of a vector: as bytes, which keep every bit of a NaN."""
        name = f"n{size}"
        if name in self.defined:
            return name
        self.defined.add(name)
        return {"type": "fixed", "name": name, "size": size}

    def _optional(self, optional: Optional) -> list[Any]:
        if isinstance(optional.item, Union):
            branches = self._union(optional.item)
        elif self.wraps_optional(optional):
            branches = [self._wrap(optional.item)]
        else:
            branches = [self._render(optional.item)]
        return [*branches[: optional.null_at], "null", *branches[optional.null_at :]]

    def _union(self, union: Union) -> list[Any]:
        return [
            self._wrap(branch.type, _twins_before(union, index))
            if self.is_wrapped(union, index)
            else self._render(branch.type)
            for index, branch in enumerate(union.branches)
        ]

    def _wrap(self, kind: Type, twins: int = 0) -> Any:
        key = (kind, twins)
        if key in self.wrappers:
            return self.wrappers[key]
        name = self.wrappers[key] = f"w{len(self.wrappers)}"
        inner = self._render(kind)
        return {"type": "record", "name": name, "fields": [{"name": WRAPPED, "type": inner}]}


def _twins_before(union: Union, index: int) -> int:
    """How many branches before this one have its type: each needs a wrapper of its own."""
    kind = union.branches[index].type
    return sum(branch.type == kind for branch in union.branches[:index])


def scalar_name(primitive: Primitive) -> str:
    """The Avro type of a primitive: an unsigned 32-bit integer needs a long."""
    return "long" if primitive.wire in ("uint32", "fixed32") else primitive.kind
