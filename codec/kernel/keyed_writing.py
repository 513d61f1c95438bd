"""Compiles the types of a schema into programs that write JSON and MessagePack.

Such a program knows the bytes around every value of a record: its key, and what names its
class in a union.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum as PythonEnum
from typing import Any

from ...errors import ValueMismatch
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
from ..library import check_sink
from ..library.dump import compile_type
from ..limits import Limits
from ..tag.header import FORMAT_CODES
from ..types import SchemaTypes
from . import core
from .draft import box_of
from .keyed_form import Function, frame_of, one_of, refuse_odd_keys, scalar_node
from .spelling import Spelling
from .writing import WritingCompiler


def compile_writing(spelling: Spelling, types: SchemaTypes, limits: Limits) -> core.Program:
    """The program that writes objects of ``types``; raises NotPlainError as for other formats."""
    compiler = _Compiler(types, limits, spelling=spelling)
    root = compiler.named(types.schema.root)
    return core.Program(FORMAT_CODES[spelling.format], compiler.draft.specs, root, limits.depth)


@dataclass(slots=True, kw_only=True)
class _Compiler(WritingCompiler):
    spelling: Spelling

    def item(self, kind: Type) -> int:
        match kind:
            case Primitive() | Logical() | Json():
                return self._scalar(kind)
            case Reference():
                return self.named(kind.name)
            case Optional():
                null = self.spelling.write(None)
                return self.draft.add(core.OPTIONAL, self.item(kind.item), objects=(null,))
            case Union():
                found = [self.branch(kind, index) for index in range(len(kind.branches))]
                classes = tuple(cls for _, cls in found)
                return self.draft.add(core.UNION, *(node for node, _ in found), objects=classes)
            case Array():
                return self.array(kind)
            case Map():
                refuse_odd_keys(self.spelling, kind, self.types.schema)
                return self.draft.add(core.MAP, self._scalar(kind.keys), self.item(kind.values))

    def _scalar(self, scalar: Primitive | Logical | Json) -> int:
        return scalar_node(self.draft, self.spelling, self.types.schema, scalar, self._function)

    def symbols(self, enum: Enum, members: tuple[PythonEnum, ...]) -> int:
        del enum
        return one_of(self.draft, self.spelling, members, tuple(member.value for member in members))

    def fields(self, node: int, record: Record, cls: type, slots: tuple[int, ...]) -> None:
        fields = [self.item(f.type) for f in record.fields]
        frame = frame_of(self.spelling, cls)
        self.draft.fill(node, core.RECORD, *fields, slots=slots, object=cls, objects=frame)

    def boxed(self, node: int, name: str) -> int:
        frame = frame_of(self.spelling, self.types.boxes[name])
        return self.draft.add(core.BOX, node, **box_of(self.types, name), objects=frame)

    def _function(self, kind: Type) -> Function:
        """The bytes of a value; raises ValueMismatch for one that is none, or not plain."""
        sink = check_sink.CheckSink(plain=self.spelling.plain)
        check, write = compile_type(self.types, sink, kind), self.spelling.write

        def spell(value: Any) -> bytes:
            try:
                check(value)
            except check_sink.NotPlainError:
                raise ValueMismatch("JSON has no plain form for this") from None
            return write(value)

        return spell
