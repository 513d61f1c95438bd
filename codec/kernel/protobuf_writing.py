"""Compiles a schema's types into a program that writes their objects as Protobuf payloads."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum as PythonEnum

from ...schemas.model import (
    Array,
    Enum,
    Field,
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
from ..library.protobuf_wire import number_of
from ..library.source import Scalar
from ..limits import Limits
from ..tag.header import FORMAT_CODES
from ..types import SchemaTypes
from . import core
from .protobuf_form import (
    Place,
    Placed,
    block_place,
    coding_of,
    field_place,
    is_wrapped,
    item_place,
    numbers_of,
    oneof_of,
    place,
)
from .protobuf_known import well_known_writer
from .scalars import write_scalar
from .writing import WritingCompiler

_ANY = -1
"""Stands for whichever branch of a oneof is set."""


def compile_writing(types: SchemaTypes, limits: Limits) -> core.Program:
    """The program of a version's types; raises NotPlainError as ``compile_reading`` does."""
    compiler = _Compiler(types, limits)
    compiler.draft.coding = lambda scalar: coding_of(types.schema, scalar)
    root = compiler.named(types.schema.root)
    return core.Program(FORMAT_CODES["protobuf"], compiler.draft.specs, root, limits.depth)


@dataclass(slots=True)
class _Compiler(WritingCompiler):
    def compile(self, kind: Type) -> int:
        """The node that writes a value of a type; null aside, where it may be null."""
        match kind:
            case Primitive() | Logical() | Json():
                return self._scalar(kind)
            case Reference():
                return self.named(kind.name)
            case Optional(well_known=str(), item=Primitive() as item):
                return self._wrapper(item)
            case Optional():
                return self.item(kind.item)
            case Union():
                return self._union(kind)
            case Array():
                return self.array(kind)
            case Map():
                return self._map(kind)

    def symbols(self, enum: Enum, members: tuple[PythonEnum, ...]) -> int:
        numbers, coding = numbers_of(enum), core.VARINT_32
        return self.draft.add(core.ENUM, objects=members, numbers=numbers, coding=coding)

    def _scalar(self, scalar: Scalar) -> int:
        if isinstance(scalar, Primitive) and scalar.well_known is not None:
            return self._wrapper(Primitive(scalar.kind, scalar.wire))
        if isinstance(scalar, Logical | Json) and scalar.well_known is not None:
            return well_known_writer(self.draft, scalar, self.types.schema)
        return write_scalar(self.draft, scalar, self.types.schema)

    def _wrapper(self, kind: Primitive) -> int:
        """A message of google.protobuf around a scalar: a zero is left out of it."""
        node = write_scalar(self.draft, kind, self.types.schema)
        return self._message(Placed(place(self.types.schema, 1, kind), node))

    def _message(self, placed: Placed) -> int:
        return self.draft.add(core.WRAP, placed.node, steps=(placed.step,))

    def item(self, kind: Type) -> int:
        # It may need a message around it.
        node = self.compile(kind)
        if not is_wrapped(kind):
            return node
        return self._message(self._placed(place(self.types.schema, 1, kind), node))

    def _placed(self, found: Place, node: int, slot: int = 0) -> Placed:
        is_vector = self.draft.specs[node].op == core.VECTOR
        return Placed(block_place(found) if is_vector else found, node, slot)

    def _map(self, kind: Map) -> int:
        schema = self.types.schema
        key, value = self._scalar(kind.keys), self.item(kind.values)
        steps = (
            Placed(item_place(schema, 1, kind.keys), key).step,
            Placed(item_place(schema, 2, kind.values), value).step,
        )
        return self.draft.add(core.MAP, key, value, steps=steps)

    def _union(self, union: Union) -> int:
        """The branches, each told by its class; alike for a oneof and for a message of one."""
        schema = self.types.schema
        nodes: list[int] = []
        classes: list[type] = []
        steps: list[tuple[int, int, int]] = []
        for index, branch in enumerate(union.branches):
            node, cls = self.branch(union, index)
            encoding = branch.encoding if union.oneof else None
            number = branch.number or index + 1
            nodes.append(node)
            classes.append(cls)
            steps.append(Placed(item_place(schema, number, branch.type, encoding), node).step)
        return self.draft.add(core.UNION, *nodes, objects=tuple(classes), steps=tuple(steps))

    def fields(self, node: int, record: Record, cls: type, slots: tuple[int, ...]) -> None:
        steps = sorted(
            step
            for member, slot in zip(record.fields, slots, strict=True)
            for step in self._field(record, member, slot)
        )
        self.draft.fill(
            node,
            core.RECORD,
            *(step.node for step in steps),
            slots=tuple(step.slot for step in steps),
            steps=tuple(step.step for step in steps),
            object=cls,
        )

    def _field(self, record: Record, member: Field, slot: int) -> Iterable[Placed]:
        """The steps of a field: one, or one for each branch of a oneof."""
        oneof = oneof_of(member.type)
        if oneof is None:
            found = field_place(self.types.schema, record, member)
            return [self._placed(found, self.compile(member.type), slot)]
        node, numbers = self._union(oneof), [branch.number or 0 for branch in oneof.branches]
        if _is_parted(record, member, min(numbers), max(numbers)):
            # Its branches do not stand together, so each has its own place among the fields.
            return [
                Placed(Place(number << 3, core.ONEOF), node, slot, case)
                for case, number in enumerate(numbers)
            ]
        return [Placed(Place(min(numbers) << 3, core.ONEOF), node, slot, _ANY)]


def _is_parted(record: Record, oneof: Field, low: int, high: int) -> bool:
    """Whether some other field's number lies between those of a oneof."""
    return any(
        low < number < high
        for member in record.fields
        if member is not oneof
        for number in _numbers(record, member)
    )


def _numbers(record: Record, member: Field) -> list[int]:
    oneof = oneof_of(member.type)
    if oneof is None:
        return [number_of(record, member)]
    return [branch.number or 0 for branch in oneof.branches]
