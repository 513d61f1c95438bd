"""Compiles the checks of typed objects for the formats that msgspec reads and writes."""

from __future__ import annotations

from dataclasses import dataclass, field

from ...schemas.model import Array, Map, Optional, Record, Reference, Type, Union
from ...schemas.references import field_types
from ..library.audit import is_checked, needed_records
from ..library.python_union import python_class
from ..limits import Limits
from ..tag.header import FORMAT_CODES
from ..types import SchemaTypes
from . import core
from .avro_writing import compile_writing
from .draft import Draft, box_of, record_slots
from .scalars import write_scalar


def compile_check(types: SchemaTypes, limits: Limits, *, plain: bool) -> core.Program | None:
    """A program whose walk checks all of an object; ``None`` where only Python can.

    Raises NotPlainError as ``compile_writing`` does.
    """
    keys = [t.keys.kind for t in field_types(types.schema) if isinstance(t, Map)]
    if plain and "boolean" in keys:
        return None
    return compile_writing(types, limits)


def compile_audit(types: SchemaTypes, limits: Limits) -> core.Program:
    """A program whose walk checks what msgspec's typed decoder leaves open."""
    compiler = _Compiler(types, needed_records(types.schema))
    root = compiler.compile(Reference(types.schema.root))
    # The types bound how deep the objects nest, but not how deep the json values do.
    return core.Program(FORMAT_CODES["msgpack"], compiler.draft.specs, root, limits.depth)


@dataclass(slots=True)
class _Compiler:
    types: SchemaTypes
    needed: frozenset[str]
    draft: Draft = field(default_factory=Draft)
    records: dict[str, int] = field(default_factory=dict[str, int])

    def compile(self, kind: Type) -> int:
        """The node of a type: ``ANY`` where nothing is left to check."""
        match kind:
            case Array(vector_kind=str()):
                return self.draft.add(core.ANY)  # checked when it was made
            case Array():
                return self._around(core.ARRAY, kind.items)
            case Map():
                value = self.compile(kind.values)
                if self._is_any(value):
                    return value
                return self.draft.add(core.MAP, self.draft.add(core.ANY), value)
            case Optional():
                return self._around(core.OPTIONAL, kind.item)
            case Union():
                return self._union(kind)
            case Reference() if kind.name in self.needed:
                return self._record(kind.name)
            case _ if is_checked(kind) and not isinstance(kind, Reference):
                return write_scalar(self.draft, kind, self.types.schema)
            case _:
                return self.draft.add(core.ANY)

    def _is_any(self, node: int) -> bool:
        return self.draft.specs[node].op == core.ANY

    def _around(self, op: int, inner: Type) -> int:
        node = self.compile(inner)
        return node if self._is_any(node) else self.draft.add(op, node)

    def _record(self, name: str) -> int:
        if name not in self.records:
            node = self.records[name] = self.draft.reserve()
            record = self.types.schema.types[name]
            fields = record.fields if isinstance(record, Record) else ()
            attributes = self.types.names.attributes[name]
            cls = self.types.record(name)
            slots = record_slots(cls, tuple(attributes[f.name] for f in fields))
            steps = [(self.compile(f.type), at) for f, at in zip(fields, slots, strict=True)]
            steps = [(step, at) for step, at in steps if not self._is_any(step)]
            self.draft.fill(
                node,
                core.RECORD,
                *(step for step, _ in steps),
                slots=tuple(at for _, at in steps),
                object=cls,
            )
        return self.records[name]

    def _union(self, union: Union) -> int:
        nodes: list[int] = []
        classes: list[type] = []
        for branch, box in zip(union.branches, self.types.names.box(union), strict=True):
            node = self.compile(branch.type)
            if box is not None and not self._is_any(node):
                node = self.draft.add(core.BOX, node, **box_of(self.types, box))
            nodes.append(node)
            cls = python_class(branch.type, self.types) if box is None else self.types.boxes[box]
            classes.append(cls)
        if all(map(self._is_any, nodes)):
            return nodes[0]
        return self.draft.add(core.UNION, *nodes, objects=tuple(classes))
