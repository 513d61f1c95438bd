"""Compiles a reading into a program that makes the reader's objects: what all formats share.

The mirror, node for node, of what :mod:`..library.load` does with closures.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from array import array
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from ...migrations.conversion import (
    Apply,
    Cast,
    Conversion,
    DefaultToNull,
    EachItem,
    EachValue,
    FirstItem,
    Keep,
    MapBranches,
    MapSymbols,
    Maybe,
    Never,
    NullToDefault,
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
from ..library.closures import null_for, or_made
from ..library.load import carried_default, carried_value
from ..library.source import Scalar
from ..limits import Limits
from ..types import SchemaTypes
from ..vectors import to_single, typecode
from . import core
from .assembling import assemble
from .defaults import default_node, parts_of
from .draft import Draft, box_of, record_slots
from .scalars import is_wider, read_scalar, vector_node
from .scratch import Inner, Members, Records, Taken, Versions
from .steps import stepped


@dataclass(slots=True)
class ReadingCompiler(ABC):
    """Compiles each node with the types that the two schemas give it.

    A format says how it has what holds others (a record, a list, an optional), and what a
    value is that it only passes over.
    """

    converted: Records
    schema: Schema
    types: SchemaTypes
    limits: Limits
    versions: Versions | None = None
    draft: Draft = field(default_factory=Draft)
    records: dict[ToRecord, int] = field(default_factory=dict[ToRecord, int])
    passed: dict[str, int] = field(default_factory=dict[str, int])

    def compile(self, conversion: Conversion, kind: Type, target: Type) -> int:
        """The node of a value of the writer's ``kind`` as one of the reader's ``target``."""
        match conversion, kind, target:
            case ((NullToDefault() | DefaultToNull()), _, _):
                return self._about_null(conversion, kind, target)
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
            case ToItem(), _, Array():
                return self._wrap(conversion, kind, target)
            case FirstItem(), Array(), _:
                return self._first(conversion, kind, target)
            case Never(), _, _:
                return self.draft.add(core.NEVER, self.raw(kind))
            case _:
                return self._scalar(conversion, kind, target)

    def _scalar(self, conversion: Conversion, kind: Type, target: Type) -> int:
        match conversion:
            case MapSymbols():
                return self._symbols(conversion)
            case Keep():
                node = self.scalar(conversion.type)
                return self._rounded(node, conversion, kept=True)
            case Cast():
                return self._cast(conversion)
            case Apply() | Then():
                return stepped(self, conversion, kind, target)
            case _:
                raise TypeError(f"{conversion} does not lead from {kind} to {target}")

    def _about_null(
        self, conversion: NullToDefault | DefaultToNull, kind: Type, target: Type
    ) -> int:
        inner = target.item if isinstance(target, Optional) else target
        default = (self.types, conversion.later, inner, self.versions)
        if isinstance(conversion, DefaultToNull):
            given = partial(carried_value, *default)
            return self.draft.called(self.compile(conversion.item, kind, inner), null_for(given))
        if not isinstance(kind, Optional):
            return self.compile(conversion.item, kind, inner)
        make = carried_default(*default)
        node = self.optional(Maybe(conversion.item), kind, inner)
        return self.draft.called(node, partial(or_made, make))

    def _wrap(self, conversion: ToItem, kind: Type, target: Array) -> int:
        if not (conversion.optional and isinstance(kind, Optional)):
            return self.listed(self.compile(conversion.item, kind, target.items), target)
        node = self.optional(Maybe(conversion.item), kind, target.items)
        return self.listed(node, target, optional=True)

    def listed(self, node: int, target: Array, *, optional: bool = False) -> int:
        """The node of a list of one value, or of none for a null."""
        parts = parts_of(self.types, target)
        items = self.draft.add(core.TO_ITEM, node, size=optional, objects=parts)
        if target.vector_kind is None:
            return items
        return self.draft.called(items, partial(array, typecode(target)))

    def _first(self, conversion: FirstItem, kind: Array, target: Type) -> int:
        items = self.array(kind, self.item(conversion.item, kind.items, target))
        parts = parts_of(self.types, target)
        return self.draft.add(core.FIRST_ITEM, items, size=conversion.optional, objects=parts)

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
    def optional_of(self, kind: Optional, item: int, *, refused: bool) -> int:
        """The node of an optional of no union; ``refused`` says that null is."""

    @abstractmethod
    def plain_record(self, node: int, members: Members, conversion: RecordConversion) -> None:
        """Fill the node of a record that has a field of the writer or a default in each slot."""

    @abstractmethod
    def scratch(self, members: Members) -> int:
        """The node of the scratch of a record."""

    def record(self, conversion: ToRecord) -> int:
        """The node of a record; a recursive one is found while it is being built."""
        if conversion not in self.records:
            node = self.records[conversion] = self.draft.reserve()
            self._fill(node, self.converted[conversion])
        return self.records[conversion]

    def _fill(self, node: int, conversion: RecordConversion) -> None:
        if not conversion.is_plain:
            assemble(self, node, conversion)
            return
        slots, wanted = self.slots(conversion), self.wanted(conversion)
        taken = [
            Taken(take.source, slots[take.target], take.conversion, wanted[take.target], self)
            for take in conversion.takes
        ]
        record = record_type(self.schema, conversion.source)
        self.plain_record(node, Members(record, taken), conversion)

    def rounded(self, node: int) -> int:
        """The node of a number of the writer, rounded to a float of 32 bits."""
        return node

    @property
    def reads_apart(self) -> bool:
        """Whether fields go to a record itself while others go to its scratch."""
        return False

    def beside(self, converted: Records, types: SchemaTypes) -> ReadingCompiler:
        """A compiler of other conversions in the same program."""
        return replace(self, converted=converted, types=types, records={})

    def value(self, taken: Taken | Inner, kind: Type) -> int:
        """The node of a field of the writer's type ``kind``."""
        if isinstance(taken, Taken):
            return taken.compiler.compile(taken.conversion, kind, taken.target)
        node = self.scratch(taken.members)
        if isinstance(kind, Optional):
            return self.optional_of(kind, node, refused=False)
        return node

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
        kinds, of = self.wanted(conversion), (self.draft, self.types, conversion.target)
        return [
            (default_node(*of, fill, kinds[fill.target], self.versions), fill.target)
            for fill in conversion.fills
        ]

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
        node, kept = self.scalar(conversion.source), is_wider(conversion)
        if not kept:
            node = self.draft.called(node, cast(conversion, self.types.schema), flat=True)
        return self._rounded(node, conversion, kept=kept)

    def _rounded(self, node: int, conversion: Keep | Cast, *, kept: bool) -> int:
        """The node with the rounding that a vector on the way means; ``kept`` says that the
        value is the writer's.
        """
        if not conversion.single:
            return node
        return self.rounded(node) if kept else self.draft.called(node, to_single, flat=True)


def record_type(schema: Schema, name: str) -> Record:
    """The record of this name; TypeError for any other type."""
    named = schema.types[name]
    if not isinstance(named, Record):
        raise TypeError(f"{name} is no record")
    return named
