"""Compiles a reading into a program that makes the reader's objects of JSON and MessagePack.

The program knows the bytes around every value as the writer lays them out, keys and all, and
reads no other layout: those are left to the library engine.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import msgspec

from ...errors import ValueMismatch
from ...migrations.conversion import Graph, MapBranches, Maybe, Require
from ...migrations.derive import identity
from ...schemas.model import Array, Enum, Map, Optional, Record, Reference, Type, Union
from ...schemas.naming import json_key
from ..checks import check_for
from ..library.builtins_source import BuiltinsSource
from ..library.format import Reading
from ..library.load import compile_value
from ..library.source import Scalar
from ..limits import Limits
from ..tag.header import FORMAT_CODES
from ..types import SchemaTypes
from . import core
from .draft import NotPlainError
from .keyed_form import Function, frame_of, keys_of, one_of, refuse_odd_keys, scalar_node
from .ordered_reading import OrderedCompiler
from .scalars import raw_scalar
from .spelling import Spelling


def compile_reading(spelling: Spelling, reading: Reading, limits: Limits) -> core.Program:
    """The program of a reading; raises NotPlainError where a class is out of the ordinary."""
    graph: Graph = reading.graph or identity(reading.schema)
    compiler = _Compiler(
        graph.records,
        reading.schema,
        reading.reader,
        limits,
        reading.versions,
        spelling=spelling,
        writer=reading.writer,
    )
    root = compiler.record(graph.root)
    return core.Program(FORMAT_CODES[spelling.format], compiler.draft.specs, root, limits.depth)


@dataclass(slots=True, kw_only=True)
class _Compiler(OrderedCompiler):
    spelling: Spelling
    writer: SchemaTypes

    def frame(self, record: Record) -> tuple[bytes, ...]:
        cls = self.writer.record(record.name)
        if keys_of(cls) != tuple(map(json_key, record.fields)):
            raise NotPlainError(cls.__qualname__)
        return frame_of(self.spelling, cls)

    def scalar(self, scalar: Scalar) -> int:
        if isinstance(scalar, Reference):
            return raw_scalar(self.draft, scalar, self.schema)
        return scalar_node(self.draft, self.spelling, self.schema, scalar, self._function)

    def rounded(self, node: int) -> int:
        # Text, and the floats of MessagePack, have room for more than 32 bits.
        spec = self.draft.specs[node]
        if spec.op == core.FLOAT:
            self.draft.specs[node] = spec._replace(size=1)
        return node

    def raw(self, kind: Type) -> int:
        del kind
        return self.draft.add(core.ANY)

    def optional(self, conversion: Maybe | Require, kind: Optional, target: Type) -> int:
        inner = target.item if isinstance(target, Optional) else target
        item = self.compile(conversion.item, kind.item, inner)
        return self.optional_of(kind, item, refused=isinstance(conversion, Require))

    def optional_of(self, kind: Optional, item: int, *, refused: bool) -> int:
        del kind
        null = self.spelling.write(None)
        return self.draft.add(core.OPTIONAL, item, objects=(null,), size=refused)

    def union(self, conversion: MapBranches, kind: Union, target: Type) -> int:
        nodes = self.branches(conversion, kind, target)
        boxes = self.writer.names.box(kind)
        return self.draft.add(core.UNION, *map(self._within, nodes, boxes))

    def _within(self, node: int, box: str | None) -> int:
        """What the writer has for a branch: the value alone, or in a box of its own."""
        if box is None:
            return node
        frame = frame_of(self.spelling, self.writer.boxes[box])
        return self.draft.add(core.WRAP, node, objects=frame)

    def array(self, kind: Array, item: int) -> int:
        if kind.vector_kind == "float":
            # A vector of the writer has no more than 32 bits, whatever is made of it.
            self.rounded(self.draft.innermost(item))
        return self.draft.add(core.ARRAY, item)

    def map(self, kind: Map, target: Map, value: int) -> int:
        refuse_odd_keys(self.spelling, kind, self.schema)
        key = self.scalar(kind.keys)
        if kind.keys != target.keys:
            key = self.draft.called(key, check_for(target.keys, self.types.schema))
        return self.draft.add(core.MAP, key, value)

    def symbols(self, enum: Enum, objects: tuple[Any, ...]) -> int:
        # A symbol that the reader does not have is none that the program knows.
        known = [
            (found, symbol.name)
            for found, symbol in zip(objects, enum.symbols, strict=True)
            if found is not None
        ]
        members, names = tuple(found for found, _ in known), tuple(name for _, name in known)
        return one_of(self.draft, self.spelling, members, names)

    def _function(self, kind: Type) -> Function:
        """The value of bytes; raises ValueMismatch for those of none."""
        source = BuiltinsSource(self.schema, self.writer.names)
        load, read = compile_value(source, self.writer, kind), self.spelling.read

        def unspell(data: bytes) -> Any:
            try:
                raw = read(data)
            except (msgspec.DecodeError, ValueError, OverflowError) as error:
                raise ValueMismatch(str(error)) from None
            return load(raw)

        return unspell
