"""Compiles the types of a schema into programs of JSON and of MessagePack.

Such a program knows the bytes around every value of a record: its key, and what names its
class in a union. It reads a version as itself; other readings are left to the library engine.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum as PythonEnum
from typing import Any, TypeAlias

import msgspec

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
from ..library.builtins_source import BuiltinsSource
from ..library.depth import is_recursive
from ..library.dump import compile_type
from ..library.format import Reading
from ..library.load import compile_value
from ..limits import Limits
from ..tag.header import FORMAT_CODES
from ..types import SchemaTypes
from ..types.classes import TAG_KEY
from . import core
from .draft import NotPlainError, box_of
from .scalars import meaning_of, primitive_op
from .spelling import Spelling
from .writing import WritingCompiler

_Function: TypeAlias = Callable[[Any], Any]

_IN_PLACE = frozenset(
    {
        *(core.DATE, core.TIME, core.TIMESTAMP, core.LOCAL_TIMESTAMP),
        *(core.DURATION, core.UUID_TEXT, core.UUID_BYTES, core.DECIMAL, core.JSON),
    }
)
"""The meanings whose spelling the kernel knows."""


def compile_reading(spelling: Spelling, reading: Reading, limits: Limits) -> core.Program:
    """The program that reads a version as itself; raises NotPlainError for other readings."""
    if reading.graph is not None:
        raise NotPlainError(reading.schema.subject)
    return _program(_Reader(reading.reader, limits, spelling=spelling))


def compile_writing(spelling: Spelling, types: SchemaTypes, limits: Limits) -> core.Program:
    """The program that writes objects of ``types``; raises NotPlainError as for other formats."""
    return _program(_Writer(types, limits, spelling=spelling))


def _program(compiler: _Compiler) -> core.Program:
    root = compiler.named(compiler.types.schema.root)
    code = FORMAT_CODES[compiler.spelling.format]
    return core.Program(code, compiler.draft.specs, root, compiler.limits.depth)


@dataclass(slots=True, kw_only=True)
class _Compiler(WritingCompiler):
    spelling: Spelling

    @abstractmethod
    def function(self, kind: Type) -> _Function:
        """Converts a value of a type in Python, where the kernel does not."""

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
                return self.draft.add(core.MAP, self._key(kind), self.item(kind.values))

    def symbols(self, enum: Enum, members: tuple[PythonEnum, ...]) -> int:
        del enum
        return self._one_of(members, tuple(member.value for member in members))

    def fields(self, node: int, record: Record, cls: type, slots: tuple[int, ...]) -> None:
        fields = [self.item(f.type) for f in record.fields]
        frame = self._frame(cls)
        self.draft.fill(node, core.RECORD, *fields, slots=slots, object=cls, objects=frame)

    def boxed(self, node: int, name: str) -> int:
        frame = self._frame(self.types.boxes[name])
        return self.draft.add(core.BOX, node, **box_of(self.types, name), objects=frame)

    def _frame(self, cls: type) -> tuple[bytes, ...]:
        """What stands around the values of a class, if msgspec writes it as it does most."""
        config: msgspec.structs.StructConfig = getattr(cls, "__struct_config__")  # noqa: B009
        keys: tuple[str, ...] = getattr(cls, "__struct_encode_fields__")  # noqa: B009
        tagged = config.tag is not None
        if config.omit_defaults or config.array_like or (tagged and config.tag_field != TAG_KEY):
            raise NotPlainError(cls.__qualname__)
        return tuple(self.spelling.frame(str(config.tag) if tagged else None, keys))

    def _one_of(self, objects: tuple[Any, ...], values: tuple[Any, ...]) -> int:
        spelled = tuple(map(self.spelling.write, values))
        return self.draft.add(core.ENUM, objects=(*objects, *spelled), size=len(objects))

    def _scalar(self, scalar: Primitive | Logical | Json) -> int:
        match scalar:
            case Primitive(kind="null"):
                return self._one_of((None,), (None,))
            case Primitive(kind="boolean"):
                return self._one_of((True, False), (True, False))
            case Primitive():
                return self.draft.add(primitive_op(scalar))
            case Json() if scalar.well_known and is_recursive(self.types.schema):
                # How deep the value may be depends on where in the state it stands.
                raise NotPlainError(self.types.schema.subject)
            case Logical(unit="nanos"):
                return self.draft.add(core.LONG)
            case _:
                return self._meaning(scalar)

    def _meaning(self, scalar: Logical | Json) -> int:
        op, size, extra = meaning_of(scalar, self.types.schema) or (core.SPELLED, 0, 0)
        if op not in _IN_PLACE:
            return self._spelled(scalar)
        return self.draft.add(op, object=self.function(scalar), size=size, extra=extra)

    def _spelled(self, kind: Type) -> int:
        return self.draft.add(core.SPELLED, object=self.function(kind))

    def _key(self, kind: Map) -> int:
        if kind.keys.kind == "boolean" and self.spelling.plain:
            raise NotPlainError(self.types.schema.subject)
        return self.item(kind.keys)


class _Writer(_Compiler):
    def function(self, kind: Type) -> _Function:
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


class _Reader(_Compiler):
    def function(self, kind: Type) -> _Function:
        """The value of bytes; raises ValueMismatch for those of none."""
        source = BuiltinsSource(self.types.schema, self.types.names)
        load, read = compile_value(source, self.types, kind), self.spelling.read

        def unspell(data: bytes) -> Any:
            try:
                raw = read(data)
            except (msgspec.DecodeError, ValueError, OverflowError) as error:
                raise ValueMismatch(str(error)) from None
            return load(raw)

        return unspell
