"""Compiles a schema's types into a program that writes their objects as Avro payloads."""

from __future__ import annotations

from dataclasses import dataclass, field

from ...schemas.model import (
    Array,
    Enum,
    Json,
    Logical,
    Map,
    Optional,
    Primitive,
    Record,
    Reference,
    Type,
    Union,
)
from ..checks import check_for
from ..library.avro_sink import key_writer
from ..library.empty import is_empty
from ..library.python_union import python_class
from ..limits import Limits
from ..tag.header import FORMAT_CODES
from ..types import SchemaTypes
from . import core
from .draft import Draft, box_of, record_slots
from .scalars import vector_node, write_scalar


def compile_writing(types: SchemaTypes, limits: Limits) -> core.Program:
    """The program of a version's types; raises NotPlainError as ``compile_reading`` does."""
    compiler = _Compiler(types, limits)
    root = compiler.named(types.schema.root)
    return core.Program(FORMAT_CODES["avro"], compiler.draft.specs, root, limits.depth)


@dataclass(slots=True)
class _Compiler:
    types: SchemaTypes
    limits: Limits
    draft: Draft = field(default_factory=Draft)
    records: dict[str, int] = field(default_factory=dict[str, int])

    def compile(self, kind: Type) -> int:
        """The node that writes a value of a type."""
        match kind:
            case Primitive() | Logical() | Json():
                return write_scalar(self.draft, kind, self.types.schema)
            case Reference():
                return self.named(kind.name)
            case Optional(item=Union() as union):
                nodes, classes = self._branches(union)
                null = self.draft.add(core.CONSTANT, object=None)
                nodes.insert(kind.null_at, null)
                classes.insert(kind.null_at, type(None))
                return self.draft.add(core.UNION, *nodes, objects=tuple(classes))
            case Optional():
                return self.draft.add(core.OPTIONAL, self.compile(kind.item), size=kind.null_at)
            case Union():
                nodes, classes = self._branches(kind)
                return self.draft.add(core.UNION, *nodes, objects=tuple(classes))
            case Array(vector_kind=str()):
                return vector_node(self.draft, kind)
            case Array():
                free = is_empty(kind.items, self.types.schema)
                most = self.limits.zero_size_items if free else 0
                return self.draft.add(core.ARRAY, self.compile(kind.items), size=most)
            case Map():
                return self.draft.add(core.MAP, self._key(kind), self.compile(kind.values))

    def named(self, name: str) -> int:
        """The node of a named type; a recursive record is found while it is being built."""
        named = self.types.schema.types[name]
        match named:
            case Record():
                return self._record(named)
            case Enum():
                members = self.types.enum(name)
                objects = tuple(members(symbol.name) for symbol in named.symbols)
                return self.draft.add(core.ENUM, objects=objects)
            case _:
                return write_scalar(self.draft, Reference(name), self.types.schema)

    def _record(self, record: Record) -> int:
        if record.name not in self.records:
            node = self.records[record.name] = self.draft.reserve()
            attributes = self.types.names.attributes[record.name]
            cls = self.types.record(record.name)
            slots = record_slots(cls, tuple(attributes[f.name] for f in record.fields))
            fields = [self.compile(f.type) for f in record.fields]
            self.draft.fill(node, core.RECORD, *fields, slots=slots, object=cls)
        return self.records[record.name]

    def _branches(self, union: Union) -> tuple[list[int], list[type]]:
        """A node for each branch, and the class that tells it."""
        nodes: list[int] = []
        classes: list[type] = []
        for branch, box in zip(union.branches, self.types.names.box(union), strict=True):
            node = self.compile(branch.type)
            if box is None:
                nodes.append(node)
                classes.append(python_class(branch.type, self.types))
            else:
                nodes.append(self.draft.add(core.BOX, node, **box_of(self.types, box)))
                classes.append(self.types.boxes[box])
        return nodes, classes

    def _key(self, kind: Map) -> int:
        raw, write = self.draft.add(core.STRING), key_writer(kind)
        if write is None:
            return raw
        check = check_for(kind.keys, self.types.schema)
        return self.draft.called(raw, lambda key: write(check(key)))
