"""Compiles a reading into a program that makes the reader's objects of Avro payloads.

The mirror, node for node, of what :mod:`..library.load` does with closures.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import msgspec
from msgspec.structs import replace

from ...migrations.conversion import (
    Cast,
    Conversion,
    EachItem,
    EachValue,
    Fill,
    Graph,
    Keep,
    MapBranches,
    MapSymbols,
    Maybe,
    Never,
    RecordConversion,
    Require,
    Then,
    ToBranch,
    ToRecord,
)
from ...migrations.derive import identity
from ...schemas.model import (
    Array,
    Enum,
    Fixed,
    Map,
    Optional,
    Primitive,
    Record,
    Reference,
    Schema,
    Type,
    Union,
)
from ..checks import check_for
from ..library.avro_source import key_reader
from ..library.cast import cast
from ..library.empty import is_empty
from ..library.format import Reading
from ..library.load import carried_default
from ..limits import Limits
from ..tag.header import FORMAT_CODES
from ..types import SchemaTypes
from ..vectors import to_single, typecode
from . import core
from .draft import Draft, box_of, record_slots
from .scalars import raw_scalar, read_scalar, vector_node


def compile_reading(reading: Reading, limits: Limits) -> core.Program:
    """The program of a reading; raises NotPlainError where a class is out of the ordinary."""
    graph: Graph = reading.graph or identity(reading.schema)
    compiler = _Compiler(graph.records, reading.schema, reading.reader, limits)
    root = compiler.record(graph.root)
    return core.Program(FORMAT_CODES["avro"], compiler.draft.specs, root, limits.depth)


@dataclass(slots=True)
class _Compiler:
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
                return self._optional(conversion, kind, target)
            case _, _, Optional():
                return self.compile(conversion, kind, target.item)
            case MapBranches(), Union(), _:
                return self.draft.add(core.UNION, *self._branches(conversion, kind, target))
            case ToBranch(), _, Union():
                inner = target.branches[conversion.index].type
                node = self.compile(conversion.item, kind, inner)
                return self._boxed(node, target, conversion.index)
            case EachItem(), Array(), Array():
                return self._items(conversion, kind, target)
            case EachValue(), Map(), Map():
                value = self.compile(conversion.value, kind.values, target.values)
                return self.draft.add(core.MAP, self._key(kind.keys, target.keys), value)
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
                return read_scalar(self.draft, conversion.type, self.schema)
            case Cast():
                return self._cast(conversion)
            case Then():
                node = self.compile(conversion.first, kind, target)
                return self._second(node, conversion.second)
            case _:
                raise TypeError(f"{conversion} does not lead from {kind} to {target}")

    def _second(self, node: int, conversion: Conversion) -> int:
        """A scalar that was converted once already."""
        if isinstance(conversion, Cast):
            node = self.draft.called(node, cast(conversion, self.types.schema))
        rounds = isinstance(conversion, Keep | Cast) and conversion.single
        return self.draft.called(node, to_single if rounds else None)

    def raw(self, kind: Type) -> int:
        """The node of a value that is only passed over."""
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
            case Array(items=Primitive(kind="float" | "double")):
                return vector_node(self.draft, replace(kind, vector=True))
            case Array():
                return self._array(kind, self.raw(kind.items))
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

    def record(self, conversion: ToRecord) -> int:
        """The node of a record; a recursive one is found while it is being built."""
        if conversion not in self.records:
            node = self.records[conversion] = self.draft.reserve()
            self._fields(node, self.converted[conversion])
        return self.records[conversion]

    def _fields(self, node: int, conversion: RecordConversion) -> None:
        """The writer's fields in order, each to its places, and then the defaults."""
        old = record_type(self.schema, conversion.source)
        new = record_type(self.types.schema, conversion.target)
        attributes = self.types.names.attributes[new.name]
        cls = self.types.record(new.name)
        names = tuple(attributes[f.name] for f in new.fields)
        slots = dict(zip((f.name for f in new.fields), record_slots(cls, names), strict=True))
        wanted = {f.name: f.type for f in new.fields}
        steps: list[tuple[int, str, bool]] = []
        for origin in old.fields:
            takes = [take for take in conversion.takes if take.source == origin.name]
            for take in takes:
                made = self.compile(take.conversion, origin.type, wanted[take.target])
                # All but the last leave the cursor where it was.
                steps.append((made, take.target, take is not takes[-1]))
            if not takes:
                steps.append((self.raw(origin.type), "", False))
        for fill in conversion.fills:
            made = self._default(cls, attributes[fill.target], fill, wanted[fill.target])
            steps.append((made, fill.target, False))
        self.draft.fill(
            node,
            core.RECORD,
            *(made for made, _, _ in steps),
            slots=tuple(-slots[name] if again else slots.get(name, 0) for _, name, again in steps),
            object=cls,
            names={attributes[name]: at for at, (_, name, _) in enumerate(steps) if name},
        )

    def _default(self, cls: type[msgspec.Struct], attribute: str, fill: Fill, target: Type) -> int:
        """The node of a field that no writer's field leads to."""
        if fill.later is not None:
            make = carried_default(self.types, fill.later, target)
            return self.draft.add(core.MAKE, object=make)
        found = next(f for f in msgspec.structs.fields(cls) if f.name == attribute)
        if found.default_factory is msgspec.NODEFAULT:
            return self.draft.add(core.CONSTANT, object=found.default)
        fresh: dict[Any, int] = {list: core.EMPTY_LIST, dict: core.EMPTY_DICT}
        op = fresh.get(found.default_factory, core.MAKE)
        return self.draft.add(op, object=found.default_factory)

    def _optional(self, conversion: Maybe | Require, kind: Optional, target: Type) -> int:
        inner = target.item if isinstance(target, Optional) else target
        refused = isinstance(conversion, Require)
        if isinstance(kind.item, Union):
            if isinstance(conversion.item, MapBranches):
                branches = self._branches(conversion.item, kind.item, inner)
            else:
                branches = [
                    self.draft.add(core.NEVER, self.raw(b.type)) for b in kind.item.branches
                ]
            return self.draft.add(core.UNION, *self._with_null(branches, kind, refused=refused))
        item = self.compile(conversion.item, kind.item, inner)
        if refused:
            return self.draft.add(core.UNION, *self._with_null([item], kind, refused=True))
        return self.draft.add(core.OPTIONAL, item, size=kind.null_at)

    def _with_null(self, nodes: list[int], kind: Optional, *, refused: bool = False) -> list[int]:
        """The branches of an optional union, null among them."""
        null = self.draft.add(core.CONSTANT, object=None)
        if refused:
            null = self.draft.add(core.NEVER, null)
        return [*nodes[: kind.null_at], null, *nodes[kind.null_at :]]

    def _branches(self, conversion: MapBranches, kind: Union, target: Type) -> list[int]:
        nodes: list[int] = []
        for branch, found in zip(kind.branches, conversion.branches, strict=True):
            if found is None:
                nodes.append(self.draft.add(core.NEVER, self.raw(branch.type)))
                continue
            index, inner = found
            wanted = target.branches[index].type if isinstance(target, Union) else target
            nodes.append(self._boxed(self.compile(inner, branch.type, wanted), target, index))
        return nodes

    def _boxed(self, node: int, target: Type, index: int) -> int:
        name = self.types.names.box(target)[index] if isinstance(target, Union) else None
        return node if name is None else self.draft.add(core.BOX, node, **box_of(self.types, name))

    def _items(self, conversion: EachItem, kind: Array, target: Array) -> int:
        is_block = isinstance(conversion.item, Keep) and kind.items == target.items
        if target.vector_kind and is_block:
            return vector_node(self.draft, target)
        item = self.compile(conversion.item, kind.items, target.items)
        make = partial(array, typecode(target)) if target.vector_kind else None
        return self.draft.called(self._array(kind, item), make)

    def _array(self, kind: Array, item: int) -> int:
        free = is_empty(kind.items, self.schema)
        return self.draft.add(core.ARRAY, item, size=self.limits.zero_size_items if free else 0)

    def _key(self, keys: Primitive, target: Primitive) -> int:
        node = self.draft.called(self.draft.add(core.STRING), key_reader(keys))
        return node if keys == target else self.draft.called(node, check_for(target, self.schema))

    def _symbols(self, conversion: MapSymbols) -> int:
        enum = self.schema.types[conversion.source]
        if not isinstance(enum, Enum):
            raise TypeError(f"{enum.name} is no enum")
        members = self.types.enum(conversion.target)
        found = [conversion.table[symbol.name] for symbol in enum.symbols]
        objects = tuple(None if name is None else members(name) for name in found)
        return self.draft.add(core.ENUM, objects=objects)

    def _cast(self, conversion: Cast) -> int:
        node = read_scalar(self.draft, conversion.source, self.schema)
        if _is_wider(conversion):
            return node
        return self._second(node, conversion)


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
