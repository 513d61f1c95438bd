"""Compiles a schema's types into a program that writes their objects as Avro payloads."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum as PythonEnum

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
from ..limits import Limits
from ..tag.header import FORMAT_CODES
from ..types import SchemaTypes
from . import core
from .scalars import is_carried, write_scalar
from .writing import WritingCompiler


def compile_writing(types: SchemaTypes, limits: Limits) -> core.Program:
    """The program of a version's types; raises NotPlainError as ``compile_reading`` does."""
    return _Compiler(types, limits).program()


def compile_carried(types: SchemaTypes, limits: Limits) -> core.Program:
    """The same with values beside the payload that Avro has not all of."""
    return _Carried(types, limits).program()


@dataclass(slots=True)
class _Compiler(WritingCompiler):
    def program(self) -> core.Program:
        root = self.named(self.types.schema.root)
        return core.Program(FORMAT_CODES["avro"], self.draft.specs, root, self.limits.depth)

    def item(self, kind: Type) -> int:
        match kind:
            case Primitive() | Logical() | Json():
                return write_scalar(self.draft, kind, self.types.schema)
            case Reference():
                return self.named(kind.name)
            case Optional(item=Union() as union):
                return self._union(union, kind.null_at)
            case Optional():
                return self.draft.add(core.OPTIONAL, self.item(kind.item), size=kind.null_at)
            case Union():
                return self._union(kind)
            case Array():
                return self.array(kind)
            case Map():
                return self.draft.add(core.MAP, self._key(kind), self.item(kind.values))

    def symbols(self, enum: Enum, members: tuple[PythonEnum, ...]) -> int:
        del enum
        return self.draft.add(core.ENUM, objects=members)

    def fields(self, node: int, record: Record, cls: type, slots: tuple[int, ...]) -> None:
        fields = [self.item(f.type) for f in record.fields]
        self.draft.fill(node, core.RECORD, *fields, slots=slots, object=cls)

    def _union(self, union: Union, null_at: int | None = None) -> int:
        """The branches, each told by its class, and null among them where it is one."""
        found = [self.branch(union, index) for index in range(len(union.branches))]
        if null_at is not None:
            found.insert(null_at, (self.draft.add(core.CONSTANT, object=None), type(None)))
        nodes, classes = [node for node, _ in found], tuple(cls for _, cls in found)
        return self.draft.add(core.UNION, *nodes, objects=classes)

    def _key(self, kind: Map) -> int:
        raw, write = self.draft.add(core.STRING), key_writer(kind)
        if write is None:
            return raw
        check = check_for(kind.keys, self.types.schema)
        return self.draft.called(raw, lambda key: write(check(key)))


class _Carried(_Compiler):
    def item(self, kind: Type) -> int:
        node = super().item(kind)
        if not (isinstance(kind, Primitive | Logical) and is_carried(kind)):
            return node
        return self.draft.add(core.CARRIED, node, object=check_for(kind, self.types.schema))
