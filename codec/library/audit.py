"""Checks what msgspec's typed decoder cannot: only the fields that need it are visited.

msgspec enforces classes, 32-bit ranges, lengths and time zones by the types' annotations.
Left are the digits of decimals, spare microseconds, the range of 32-bit floats and unsigned
64-bit integers, and the JSON values. A schema without any of these has no audit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from operator import attrgetter
from typing import Any, TypeAlias

from ...errors import ValueMismatch
from ...schemas.model import (
    Array,
    Json,
    Logical,
    Map,
    Optional,
    Primitive,
    Record,
    Reference,
    Schema,
    Type,
    Union,
)
from ...schemas.references import parts
from ..checks import check_for
from ..containers import class_of
from ..types import SchemaTypes
from .python_union import python_class

Audit: TypeAlias = Callable[[Any], object]


def compile_audit(types: SchemaTypes) -> Audit | None:
    """A function that raises ``ValueMismatch`` for an object that its schema cannot hold."""
    if not _needs_audit(types):
        return None
    return _Compiler(types, needed_records(types.schema)).record(types.schema.root)


def is_checked(kind: Type) -> bool:
    """Whether a type is a scalar that needs more than msgspec enforces."""
    match kind:
        case Primitive():
            return kind.kind == "float" or kind.wire in ("uint64", "fixed64")
        case Logical():
            return kind.kind == "decimal" or kind.unit == "millis"
        case _:
            return isinstance(kind, Json)


def _needs_audit(types: SchemaTypes) -> bool:
    return any(is_checked(t) for r in _records(types.schema) for t in _inside(r))


def _records(schema: Schema) -> list[Record]:
    return [named for named in schema.types.values() if isinstance(named, Record)]


def _inside(record: Record) -> Iterator[Type]:
    """The types in a record, but not the numbers of vectors: those are checked when made."""
    for item in record.fields:
        yield from _parts(item.type)


def _parts(kind: Type) -> Iterator[Type]:
    if not (isinstance(kind, Array) and kind.vector_kind):
        yield kind
        for part in parts(kind):
            yield from _parts(part)


def needed_records(schema: Schema) -> frozenset[str]:
    """The records that hold something to check, directly or through another record."""
    inside = {record.name: [*_inside(record)] for record in _records(schema)}
    needed = {name for name, kinds in inside.items() if any(map(is_checked, kinds))}
    while True:
        more = {
            name
            for name, kinds in inside.items()
            if any(isinstance(k, Reference) and k.name in needed for k in kinds)
        }
        if more <= needed:
            return frozenset(needed)
        needed |= more


@dataclass(slots=True)
class _Compiler:
    types: SchemaTypes
    needed: frozenset[str]
    records: dict[str, Audit] = field(default_factory=dict[str, Audit])

    def compile(self, kind: Type) -> Audit | None:
        match kind:
            case Array(vector_kind=str()):
                return None
            case Array():
                return _each(self.compile(kind.items))
            case Map():
                return _each_value(self.compile(kind.values))
            case Optional():
                return _maybe(self.compile(kind.item))
            case Union():
                return self._union(kind)
            case Reference():
                return self.record(kind.name) if kind.name in self.needed else None
            case Primitive() | Logical() | Json():
                return check_for(kind, self.types.schema) if is_checked(kind) else None

    def record(self, name: str) -> Audit:
        """The audit of a record; a recursive one is found while it is being built."""
        if name not in self.records:
            self.records[name] = partial(_later, self.records, name)
            record = self.types.schema.types[name]
            fields = record.fields if isinstance(record, Record) else ()
            attributes = self.types.names.attributes[name]
            audits = [(attributes[f.name], f.name, self.compile(f.type)) for f in fields]
            self.records[name] = partial(
                _record, [(attrgetter(a), n, audit) for a, n, audit in audits if audit]
            )
        return self.records[name]

    def _union(self, union: Union) -> Audit | None:
        audits = [self.compile(branch.type) for branch in union.branches]
        if not any(audits):
            return None
        boxes = self.types.names.box(union)
        by_class = {
            python_class(branch.type, self.types) if box is None else self.types.boxes[box]: (
                audit if box is None else _boxed(audit)
            )
            for branch, box, audit in zip(union.branches, boxes, audits, strict=True)
            if audit is not None
        }
        return partial(_branch, by_class)


def _later(records: dict[str, Audit], name: str, value: Any) -> object:
    return records[name](value)


def _record(steps: list[tuple[Callable[[Any], Any], str, Audit]], value: Any) -> None:
    name = ""
    try:
        for get, name, audit in steps:  # noqa: B007 - for the error's path
            audit(get(value))
    except ValueMismatch as error:
        raise error.under(name) from None


def _each(audit: Audit | None) -> Audit | None:
    return None if audit is None else partial(_items, audit)


def _items(audit: Audit, value: list[Any]) -> None:
    index = 0
    try:
        for index, item in enumerate(value):  # noqa: B007 - for the error's path
            audit(item)
    except ValueMismatch as error:
        raise error.under(f"[{index}]") from None


def _each_value(audit: Audit | None) -> Audit | None:
    return None if audit is None else partial(_values, audit)


def _values(audit: Audit, value: dict[Any, Any]) -> None:
    key: Any = None
    try:
        for key, item in value.items():  # noqa: B007 - for the error's path
            audit(item)
    except ValueMismatch as error:
        raise error.under(f"[{key!r}]") from None


def _maybe(audit: Audit | None) -> Audit | None:
    return None if audit is None else lambda value: value is None or audit(value)


def _boxed(audit: Audit) -> Audit:
    return lambda box: audit(box.value)


def _branch(audits: Mapping[type, Audit], value: Any) -> None:
    audit = audits.get(class_of(value))
    if audit is not None:
        audit(value)
