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
    return _Compiler(types).record(types.schema.root)


def _is_checked(kind: Type) -> bool:
    """Whether a scalar needs more than msgspec enforces."""
    match kind:
        case Primitive():
            return kind.kind == "float" or kind.wire in ("uint64", "fixed64")
        case Logical():
            return kind.kind == "decimal" or kind.unit == "millis"
        case _:
            return isinstance(kind, Json)


def _needs_audit(types: SchemaTypes) -> bool:
    records = (n for n in types.schema.types.values() if isinstance(n, Record))
    return any(_is_checked(t) for r in records for f in r.fields for t in _parts(f.type))


def _parts(kind: Type) -> Iterator[Type]:
    """A type and those inside it, but not the numbers of vectors: those are checked when made."""
    if not (isinstance(kind, Array) and kind.vector_kind):
        yield kind
        for part in parts(kind):
            yield from _parts(part)


@dataclass(slots=True)
class _Compiler:
    types: SchemaTypes
    needed: frozenset[str] = frozenset()
    records: dict[str, Audit] = field(default_factory=dict[str, Audit])

    def __post_init__(self) -> None:
        self.needed = self._needed_records()

    def _needed_records(self) -> frozenset[str]:
        """The records that hold something to check, directly or through another record."""
        records = [n for n in self.types.schema.types.values() if isinstance(n, Record)]
        inside = {r.name: [t for f in r.fields for t in _parts(f.type)] for r in records}
        needed = {name for name, scalars in inside.items() if any(map(_is_checked, scalars))}
        while True:
            more = {
                name
                for name, scalars in inside.items()
                if any(isinstance(s, Reference) and s.name in needed for s in scalars)
            }
            if more <= needed:
                return frozenset(needed)
            needed |= more

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
                return check_for(kind, self.types.schema) if _is_checked(kind) else None

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
