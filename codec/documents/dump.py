"""From a typed state to a foreign JSON document."""

from __future__ import annotations

import enum
from array import array
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from ...errors import ValueMismatch
from ...schemas.model import (
    Array,
    Enum,
    Fixed,
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
from ..mismatch import mismatch
from ..other_class import other_class
from ..types import SchemaTypes
from ..vectors import typecode, vector_check
from .changes import joined
from .scalars import Turn, scalar_writer
from .unions import Kind, kind_of_type, kind_of_value

_Members: TypeAlias = "list[_Member]"


@dataclass(frozen=True, slots=True)
class _Member:
    """A field as a document holds it. With ``absent``, null is written as no key."""

    key: str
    attribute: str
    dump: Turn
    absent: bool


@dataclass(slots=True)
class Dumper:
    """Builds, for each type of one schema, the function that dumps it into a document."""

    types: SchemaTypes
    _members: dict[str, _Members] = field(default_factory=dict[str, _Members])

    def of(self, type_: Type) -> Turn:
        """Return what dumps ``type_``; it raises ValueMismatch for what does not fit."""
        match type_:
            case Array(vector_kind=str()):
                check, dump_list = vector_check(typecode(type_)), _array(self.of(type_.items))
                return lambda value: dump_list(check(value).tolist())
            case Array():
                return _array(self.of(type_.items))
            case Map():
                return _map(self._key(type_.keys), self.of(type_.values))
            case Optional():
                return _optional(self.of(type_.item))
            case Union():
                return self._union(type_)
            case Reference():
                return self._named(type_)
            case Primitive() | Logical() | Json():
                return scalar_writer(type_, self.types.schema)

    def _named(self, reference: Reference) -> Turn:
        match self.types.schema.types[reference.name]:
            case Record() as record:
                return _record(self.types.record(record.name), self._members_of(record))
            case Enum() as named:
                return _enum(self.types.enum(named.name))
            case Fixed():
                return scalar_writer(reference, self.types.schema)

    def _members_of(self, record: Record) -> _Members:
        if record.name in self._members:
            return self._members[record.name]
        # Registered before it is filled, so that a record may hold itself.
        members = self._members[record.name] = []
        attributes = self.types.names.attributes[record.name]
        members.extend(
            _Member(item.key, attributes[item.name], self.of(item.type), item.absent)
            for item in record.fields
        )
        return members

    def _key(self, keys: Primitive) -> Turn:
        write = scalar_writer(keys, self.types.schema)
        # A key is text in JSON: 7 becomes "7", and True "true".
        return write if keys.kind == "string" else lambda key: str(write(key)).lower()

    def _union(self, union: Union) -> Turn:
        boxes = self.types.names.box(union)
        by_class: dict[type, Turn] = {}
        by_kind: dict[Kind, Turn] = {}
        for branch, box in zip(union.branches, boxes, strict=True):
            dump = self.of(branch.type)
            known = self._class_of(branch.type)
            if box is not None:
                by_class[self.types.boxes[box]] = _unboxed(dump)
            elif known is not None:
                by_class[known] = dump
            else:
                by_kind[kind_of_type(branch.type, self.types.schema)] = dump
        if "float" in by_kind:
            by_kind.setdefault("integer", by_kind["float"])
        return lambda value: _chosen(by_class, by_kind, value)(value)

    def _class_of(self, type_: Type) -> type | None:
        """The class that tells a record or a vector from all JSON values."""
        if isinstance(type_, Array) and type_.vector_kind:
            return array
        if isinstance(type_, Reference) and isinstance(self.types.schema.types[type_.name], Record):
            return self.types.record(type_.name)
        return None


def _chosen(by_class: dict[type, Turn], by_kind: dict[Kind, Turn], value: object) -> Turn:
    # Dates, UUIDs, bytes and enums are no JSON values: all of them are texts in a document.
    found = by_class.get(type(value)) or by_kind.get(kind_of_value(value) or "string")
    if found is None:
        raise mismatch("a value of the union", value)
    return found


def _array(dump: Turn) -> Turn:
    def dump_array(values: Any) -> list[Any]:
        if not isinstance(values, list):
            raise mismatch("a list", values)
        dumped: list[Any] = []
        try:
            for value in values:  # pyright: ignore[reportUnknownVariableType]  # dump checks it
                dumped.append(dump(value))  # noqa: PERF401  # the error needs the index
        except ValueMismatch as error:
            raise error.under(f"[{len(dumped)}]") from None
        return dumped

    return dump_array


def _map(write_key: Turn, dump: Turn) -> Turn:
    def dump_map(members: Any) -> dict[str, Any]:
        if not isinstance(members, dict):
            raise mismatch("a dict", members)
        dumped: dict[str, Any] = {}
        for key, value in members.items():  # pyright: ignore[reportUnknownVariableType]  # both are checked next
            try:
                dumped[write_key(key)] = dump(value)
            except ValueMismatch as error:
                raise error.under(joined("", str(key))) from None  # pyright: ignore[reportUnknownArgumentType]  # any key has a text
        return dumped

    return dump_map


def _optional(dump: Turn) -> Turn:
    return lambda value: None if value is None else dump(value)


def _unboxed(dump: Turn) -> Turn:
    return lambda box: dump(box.value)


def _enum(kind: type[enum.Enum]) -> Turn:
    def dump_enum(value: Any) -> str:
        if not isinstance(value, kind):
            raise other_class(kind, value)
        symbol: str = value.value
        return symbol

    return dump_enum


def _record(kind: type, members: _Members) -> Turn:
    def dump_record(state: Any) -> dict[str, Any]:
        if type(state) is not kind:
            raise other_class(kind, state)
        dumped: dict[str, Any] = {}
        for member in members:
            value = getattr(state, member.attribute)
            if value is None and member.absent:
                continue
            try:
                dumped[member.key] = member.dump(value)
            except ValueMismatch as error:
                raise error.under(joined("", member.key)) from None
        return dumped

    return dump_record
