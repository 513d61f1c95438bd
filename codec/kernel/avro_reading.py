"""Compiles a reading into a program that makes the reader's objects of Avro payloads."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

from msgspec.structs import replace

from ...migrations.conversion import (
    EachItem,
    FirstItem,
    Graph,
    MapBranches,
    Maybe,
    Require,
)
from ...migrations.derive import identity
from ...schemas.model import (
    Array,
    Enum,
    Fixed,
    Map,
    Optional,
    Primitive,
    Reference,
    Type,
    Union,
)
from ..checks import check_for
from ..library.avro_source import key_reader
from ..library.empty import is_empty
from ..library.format import Reading
from ..library.source import Scalar
from ..limits import Limits
from ..tag.header import FORMAT_CODES
from . import core
from .ordered_reading import OrderedCompiler
from .scalars import is_carried, raw_scalar, vector_node


def compile_reading(reading: Reading, limits: Limits) -> core.Program:
    """The program of a reading; raises NotPlainError where a class is out of the ordinary."""
    return _Compiler.of(reading, limits)


def compile_carried(reading: Reading, limits: Limits) -> core.Program:
    """The same for payloads beside which there are values that Avro has not all of."""
    return _Carried.of(reading, limits)


class _Compiler(OrderedCompiler):
    @classmethod
    def of(cls, reading: Reading, limits: Limits) -> core.Program:
        graph: Graph = reading.graph or identity(reading.schema)
        compiler = cls(graph.records, reading.schema, reading.reader, limits, reading.versions)
        root = compiler.record(graph.root)
        return core.Program(FORMAT_CODES["avro"], compiler.draft.specs, root, limits.depth)

    def raw(self, kind: Type) -> int:
        match kind:
            case Reference():
                return self._raw_named(kind)
            case Optional(item=Union() as union):
                branches = [self.raw(branch.type) for branch in union.branches]
                return self.draft.add(core.UNION, *self._with_null(branches, kind))
            case Optional():
                return self.draft.add(core.OPTIONAL, self.raw(kind.item), size=kind.null_at)
            case Union():
                return self.draft.add(core.UNION, *[self.raw(b.type) for b in kind.branches])
            case Array() if self.is_block(kind):
                return vector_node(self.draft, replace(kind, vector=True))
            case Array():
                return self.array(kind, self.raw(kind.items))
            case Map():
                key = self.draft.add(core.STRING)
                return self.draft.add(core.MAP, key, self.raw(kind.values))
            case _:
                return raw_scalar(self.draft, kind, self.schema)

    def _raw_named(self, kind: Reference) -> int:
        named = self.schema.types[kind.name]
        if isinstance(named, Fixed):
            return raw_scalar(self.draft, kind, self.schema)
        if isinstance(named, Enum):
            return self.draft.add(core.ENUM, objects=tuple(s.name for s in named.symbols))
        if kind.name not in self.passed:
            node = self.passed[kind.name] = self.draft.reserve()
            fields = [self.raw(f.type) for f in named.fields]
            self.draft.fill(node, core.RECORD, *fields)
        return self.passed[kind.name]

    def optional(self, conversion: Maybe | Require, kind: Optional, target: Type) -> int:
        inner = target.item if isinstance(target, Optional) else target
        refused = isinstance(conversion, Require)
        if isinstance(kind.item, Union):
            branches = self.branches(conversion.item, kind.item, inner)
            return self.draft.add(core.UNION, *self._with_null(branches, kind, refused=refused))
        item = self.compile(conversion.item, kind.item, inner)
        return self.optional_of(kind, item, refused=refused)

    def optional_of(self, kind: Optional, item: int, *, refused: bool) -> int:
        if refused:
            return self.draft.add(core.UNION, *self._with_null([item], kind, refused=True))
        return self.draft.add(core.OPTIONAL, item, size=kind.null_at)

    def union(self, conversion: MapBranches, kind: Union, target: Type) -> int:
        return self.draft.add(core.UNION, *self.branches(conversion, kind, target))

    def _with_null(self, nodes: list[int], kind: Optional, *, refused: bool = False) -> list[int]:
        """The branches of an optional union, null among them."""
        null = self.draft.add(core.CONSTANT, object=None)
        if refused:
            null = self.draft.add(core.NEVER, null)
        return [*nodes[: kind.null_at], null, *nodes[kind.null_at :]]

    def array(self, kind: Array, item: int) -> int:
        free = is_empty(kind.items, self.schema)
        return self.draft.add(core.ARRAY, item, size=self.limits.zero_size_items if free else 0)

    def map(self, kind: Map, target: Map, value: int) -> int:
        return self.draft.add(core.MAP, self._key(kind.keys, target.keys), value)

    def _key(self, keys: Primitive, target: Primitive) -> int:
        node = self.draft.called(self.draft.add(core.STRING), key_reader(keys))
        return node if keys == target else self.draft.called(node, check_for(target, self.schema))

    def symbols(self, enum: Enum, objects: tuple[Any, ...]) -> int:
        del enum
        return self.draft.add(core.ENUM, objects=objects)


@dataclass(kw_only=True)
class _Carried(_Compiler):
    """``in_vector`` says that it is about the numbers of a vector, which are in the payload."""

    in_vector: bool = False

    def scalar(self, scalar: Scalar) -> int:
        if self.in_vector or not is_carried(scalar):
            return super().scalar(scalar)
        return self.draft.add(core.CARRIED)

    def raw(self, kind: Type) -> int:
        return self.draft.add(core.CARRIED) if is_carried(kind) else super().raw(kind)

    def is_block(self, kind: Array) -> bool:
        if kind.vector_kind is None and is_carried(kind.items):
            return False
        return super().is_block(kind)

    def rounded(self, node: int) -> int:
        return node if self.in_vector else self.draft.add(core.CARRIED, size=1)

    def _items(self, conversion: EachItem, kind: Array, target: Array) -> int:
        return super(_Carried, self._within(kind))._items(conversion, kind, target)

    def _first(self, conversion: FirstItem, kind: Array, target: Type) -> int:
        return super(_Carried, self._within(kind))._first(conversion, kind, target)

    def _within(self, kind: Array) -> _Carried:
        return dataclasses.replace(self, in_vector=kind.vector_kind is not None)
