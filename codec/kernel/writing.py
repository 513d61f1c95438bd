"""What the programs that write objects have in common, whatever the format."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from enum import Enum as PythonEnum

from ...schemas.model import Array, Enum, Record, Reference, Type, Union
from ..library.empty import is_empty
from ..library.python_union import python_class
from ..limits import Limits
from ..types import SchemaTypes
from . import core
from .draft import Draft, box_of, record_slots
from .scalars import vector_node, write_scalar


@dataclass(slots=True)
class WritingCompiler(ABC):
    """Compiles the types of a schema, each record once. A format says how it holds them."""

    types: SchemaTypes
    limits: Limits
    draft: Draft = field(default_factory=Draft)
    records: dict[str, int] = field(default_factory=dict[str, int])

    @abstractmethod
    def item(self, kind: Type) -> int:
        """The node of a value within a list, a map, an optional or a union."""

    @abstractmethod
    def symbols(self, enum: Enum, members: tuple[PythonEnum, ...]) -> int:
        """The node of an enum, whose ``members`` stand in the order of its symbols."""

    @abstractmethod
    def fields(self, node: int, record: Record, cls: type, slots: tuple[int, ...]) -> None:
        """Fills the node of a record with its fields."""

    def array(self, kind: Array) -> int:
        """The node of a list or a vector."""
        if kind.vector_kind is not None:
            return vector_node(self.draft, kind)
        free = is_empty(kind.items, self.types.schema)
        most = self.limits.zero_size_items if free else 0
        return self.draft.add(core.ARRAY, self.item(kind.items), size=most)

    def named(self, name: str) -> int:
        """The node of a named type; a recursive record is found while it is being built."""
        named = self.types.schema.types[name]
        match named:
            case Record():
                return self._record(named)
            case Enum():
                members = self.types.enum(name)
                return self.symbols(named, tuple(members(s.name) for s in named.symbols))
            case _:
                return write_scalar(self.draft, Reference(name), self.types.schema)

    def branch(self, union: Union, index: int) -> tuple[int, type]:
        """The node of a branch, and the class that tells it."""
        kind, box = union.branches[index].type, self.types.names.box(union)[index]
        node = self.item(kind)
        if box is None:
            return node, python_class(kind, self.types)
        return self.boxed(node, box), self.types.boxes[box]

    def boxed(self, node: int, name: str) -> int:
        """The node of a box around a value."""
        return self.draft.add(core.BOX, node, **box_of(self.types, name))

    def _record(self, record: Record) -> int:
        if record.name not in self.records:
            node = self.records[record.name] = self.draft.reserve()
            attributes = self.types.names.attributes[record.name]
            cls = self.types.record(record.name)
            slots = record_slots(cls, tuple(attributes[f.name] for f in record.fields))
            self.fields(node, record, cls, slots)
        return self.records[record.name]
