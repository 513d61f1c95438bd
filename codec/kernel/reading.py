"""Compiles a reading into a program that makes the reader's objects: what all formats share.

The mirror, node for node, of what :mod:`..library.load` does with closures.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, NamedTuple

from ...migrations.conversion import (
    Apply,
    Cast,
    Conversion,
    EachItem,
    EachValue,
    FirstItem,
    Keep,
    MapBranches,
    MapSymbols,
    Maybe,
    Never,
    RecordConversion,
    Require,
    Then,
    ToBranch,
    ToItem,
    ToRecord,
)
from ...schemas.model import (
    Array,
    Enum,
    Map,
    Optional,
    Primitive,
    Record,
    Schema,
    Type,
    Union,
)
from ..library.cast import cast
from ..library.scalar_steps import change, rule_change
from ..library.source import Scalar
from ..limits import Limits
from ..types import SchemaTypes
from ..vectors import to_single, typecode
from . import core
from .assembling import Versions, assemble
from .defaults import default_node, parts_of
from .draft import Draft, box_of, record_slots
from .scalars import read_scalar, vector_node


@dataclass(slots=True)
class ReadingCompiler(ABC):
    """Compiles each node with the types that the two schemas give it.

    A format says how it has what holds others (a record, a list, an optional), and what a
    value is that it only passes over.
    """

    converted: Mapping[ToRecord, RecordConversion]
    schema: Schema
    types: SchemaTypes
    limits: Limits
    draft: Draft = field(default_factory=Draft)
    records: dict[ToRecord, int] = field(default_factory=dict[ToRecord, int])
    passed: dict[str, int] = field(default_factory=dict[str, int])

    def compile(self, conversion: Conversion, kind: Type, target: Type) -> int:
        """The node of a value of the writer's ``kind`` as one of the reader's ``target``."""
        match conversion, kind, target:
            case ((Maybe() | Require()), Optional(), _):
                return self.optional(conversion, kind, target)
            case _, _, Optional():
                return self.compile(conversion, kind, target.item)
            case MapBranches(), Union(), _:
                return self.union(conversion, kind, target)
            case ToBranch(), _, Union():
                inner = target.branches[conversion.index].type
                node = self.compile(conversion.item, kind, inner)
                return self._boxed(node, target, conversion.index)
            case EachItem(), Array(), Array():
                return self._items(conversion, kind, target)
            case EachValue(), Map(), Map():
                value = self.item(conversion.value, kind.values, target.values)
                return self.map(kind, target, value)
            case ToRecord(), _, _:
                return self.record(conversion)
            case Never(), _, _:
                return self.draft.add(core.NEVER, self.raw(kind))
            case _:
                return self._scalar(conversion, kind, target)

    def _scalar(self, conversion: Conversion, kind: Type, target: Type) -> int:
        match conversion:
            case MapSymbols():
                return self._symbols(conversion)
            case Keep():
                return self.scalar(conversion.type)
            case Cast():
                return self._cast(conversion)
            case Then():
                node = self.compile(conversion.first, kind, target)
                return self._second(node, conversion.second)
            case _:
                raise TypeError(f"{conversion} does not lead from {kind} to {target}")

    def _second(self, node: int, conversion: Conversion) -> int:
        """A scalar that was converted once already."""
        if isinstance(conversion, Cast) and not _is_wider(conversion):
            node = self.draft.called(node, cast(conversion, self.types.schema))
        rounds = isinstance(conversion, Keep | Cast) and conversion.single
        return self.draft.called(node, to_single if rounds else None)

    def _items(self, conversion: EachItem, kind: Array, target: Array) -> int:
        if target.vector_kind is None:
            return self.array(kind, self.item(conversion.item, kind.items, target.items))
        kept = isinstance(conversion.item, Keep) and kind.items == target.items
        if kept and self.is_block(kind):
            return vector_node(self.draft, target)
        items = self.array(kind, self.item(conversion.item, kind.items, target.items))
        return self.draft.called(items, partial(array, typecode(target)))

    def is_block(self, kind: Array) -> bool:
        """Whether the writer has a list of numbers as one block, or as several."""
        return kind.items in (Primitive("float"), Primitive("double"))

    def scalar(self, scalar: Scalar) -> int:
        """The node of a scalar as its Python value."""
        return read_scalar(self.draft, scalar, self.schema)

    def item(self, conversion: Conversion, kind: Type, target: Type) -> int:
        """The node of a value inside a list, a map, a union or an optional."""
        return self.compile(conversion, kind, target)

    @abstractmethod
    def raw(self, kind: Type) -> int:
        """The node of a value that is only passed over."""

    @abstractmethod
    def optional(self, conversion: Maybe | Require, kind: Optional, target: Type) -> int:
        """The node of an optional."""

    @abstractmethod
    def union(self, conversion: MapBranches, kind: Union, target: Type) -> int:
        """The node of a union that stands in no optional."""

    @abstractmethod
    def array(self, kind: Array, item: int) -> int:
        """The node of a list of items."""

    @abstractmethod
    def map(self, kind: Map, target: Map, value: int) -> int:
        """The node of a map of values."""

    @abstractmethod
    def symbols(self, enum: Enum, objects: tuple[Any, ...]) -> int:
        """The node of an enum with an object for each symbol, ``None`` where there is none."""

    @abstractmethod
    def fields(self, node: int, conversion: RecordConversion) -> None:
        """Fill the node of a record."""

    def record(self, conversion: ToRecord) -> int:
        """The node of a record; a recursive one is found while it is being built."""
        if conversion not in self.records:
            node = self.records[conversion] = self.draft.reserve()
            self.fields(node, self.converted[conversion])
        return self.records[conversion]

    def slots(self, conversion: RecordConversion) -> dict[str, int]:
        """Where the reader's record has each field, by its name."""
        new = record_type(self.types.schema, conversion.target)
        attributes = self.types.names.attributes[new.name]
        names = tuple(attributes[f.name] for f in new.fields)
        offsets = record_slots(self.types.record(new.name), names)
        return dict(zip((f.name for f in new.fields), offsets, strict=True))

    def wanted(self, conversion: RecordConversion) -> dict[str, Type]:
        """The types of the fields of the reader's record."""
        return {f.name: f.type for f in record_type(self.types.schema, conversion.target).fields}

    def fills(self, conversion: RecordConversion) -> list[tuple[int, str]]:
        """A node for each field that no writer's field leads to, and the field's name."""
        kinds = self.wanted(conversion)
        return [
            (self._default(conversion.target, fill, kinds[fill.target]), fill.target)
            for fill in conversion.fills
        ]

    def _default(self, record: str, fill: Fill, target: Type) -> int:
        # A view looks at a default as at any other part.
        parts = (partial(part_or_value, self.types, target),)
        if fill.later is not None:
            return self._carried(carried_default(self.types, fill.later, target), parts)
        attribute = self.types.names.attributes[record][fill.target]
        found = next(
            f for f in msgspec.structs.fields(self.types.record(record)) if f.name == attribute
        )
        if found.default_factory is msgspec.NODEFAULT:
            return self.draft.add(core.CONSTANT, object=found.default)
        fresh: dict[Any, int] = {list: core.EMPTY_LIST, dict: core.EMPTY_DICT}
        op = fresh.get(found.default_factory, core.MAKE)
        return self.draft.add(op, object=found.default_factory, objects=parts)

    def _carried(self, make: Callable[[], Any], parts: tuple[Any, ...]) -> int:
        """The node of a default of an earlier version: made once, where it can be shared."""
        try:
            value = make()
        except NotExpressible:
            return self.draft.add(core.MAKE, object=make, objects=parts)
        if isinstance(value, _SHARED):
            return self.draft.add(core.CONSTANT, object=value)
        empties: dict[type, int] = {list: core.EMPTY_LIST, dict: core.EMPTY_DICT}
        empty = empties.get(class_of(value), core.MAKE)
        return self.draft.add(core.MAKE if value else empty, object=make, objects=parts)

    def branches(self, conversion: Conversion, kind: Union, target: Type) -> list[int]:
        """A node for each branch of the writer's union."""
        if not isinstance(conversion, MapBranches):
            return [self._never(branch.type) for branch in kind.branches]
        nodes: list[int] = []
        for branch, found in zip(kind.branches, conversion.branches, strict=True):
            if found is None:
                nodes.append(self._never(branch.type))
                continue
            index, inner = found
            wanted = target.branches[index].type if isinstance(target, Union) else target
            nodes.append(self._boxed(self.item(inner, branch.type, wanted), target, index))
        return nodes

    def _never(self, kind: Type) -> int:
        return self.draft.add(core.NEVER, self.raw(kind))

    def _boxed(self, node: int, target: Type, index: int) -> int:
        name = self.types.names.box(target)[index] if isinstance(target, Union) else None
        return node if name is None else self.draft.add(core.BOX, node, **box_of(self.types, name))

    def _symbols(self, conversion: MapSymbols) -> int:
        enum = self.schema.types[conversion.source]
        if not isinstance(enum, Enum):
            raise TypeError(f"{enum.name} is no enum")
        members = self.types.enum(conversion.target)
        found = [conversion.table[symbol.name] for symbol in enum.symbols]
        return self.symbols(enum, tuple(None if n is None else members(n) for n in found))

    def _cast(self, conversion: Cast) -> int:
        node = self.scalar(conversion.source)
        if _is_wider(conversion):
            return node
        return self._second(node, conversion)


# Values that cannot be changed, so that states may share them.
_SHARED = (
    NoneType, bool, int, float, str, bytes, enum.Enum,
    dt.date, dt.time, dt.timedelta, uuid.UUID, Decimal,
)  # fmt: skip


def _is_wider(conversion: Cast) -> bool:
    """Whether every value of the source is one of the target, and the same in Python."""
    match conversion.source, conversion.target:
        case Primitive(kind="int", wire=wire), Primitive(kind="long"):
            return wire not in ("uint32", "fixed32") and conversion.target.wire not in UNSIGNED
        case Primitive(kind="float"), Primitive(kind="double"):
            return True
        case _:
            return False


UNSIGNED = frozenset({"uint32", "fixed32", "uint64", "fixed64"})
"""The wire types of unsigned integers."""


def record_type(schema: Schema, name: str) -> Record:
    """The record of this name; TypeError for any other type."""
    named = schema.types[name]
    if not isinstance(named, Record):
        raise TypeError(f"{name} is no record")
    return named
