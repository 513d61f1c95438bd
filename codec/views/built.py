"""Parts of objects that are built already: for formats and engines without parts of their own."""

from __future__ import annotations

import copy
from array import array
from collections.abc import Mapping
from functools import cached_property
from typing import Any, cast

from ...schemas.model import Array, Map, Optional, Reference, Type, Union
from ...schemas.model import Record as RecordType
from ..containers import class_of
from ..library.python_union import python_class
from ..record import Record
from ..types import SchemaTypes
from .part import Kind


class BuiltPart:
    """A part of a typed object; follows the protocol :class:`.part.Part`."""

    def __init__(self, types: SchemaTypes, type_: Type, value: Any) -> None:
        """``value`` is a record, a list or a dictionary of ``type_``."""
        self._types = types
        self._type = type_
        self._value = value

    @property
    def kind(self) -> Kind:
        """Which of the three it is."""
        match self._type:
            case Array():
                return "list"
            case Map():
                return "map"
            case _:
                return "record"

    @property
    def cls(self) -> type:
        """Of a record: its class."""
        return class_of(self._value)

    @cached_property
    def names(self) -> Mapping[str, int]:
        """Of a record: the index of each attribute."""
        return {name: index for index, name in enumerate(self._value.__struct_fields__)}

    def field(self, index: int) -> Any:
        """Of a record: what the field with this index holds."""
        assert isinstance(self._type, Reference)  # noqa: S101 - only a record has fields
        record = self._types.schema.types[self._type.name]
        assert isinstance(record, RecordType)  # noqa: S101 - as above
        value = getattr(self._value, self._value.__struct_fields__[index])
        return part_or_value(self._types, record.fields[index].type, value)

    def values(self, names: tuple[str, ...]) -> Any:
        """Of a record: the objects of these attributes, if there are such."""
        if not self.names.keys() >= set(names):
            return NotImplemented
        return tuple(_copied(getattr(self._value, name)) for name in names)

    def count(self) -> int:
        """How many items or entries there are."""
        return len(self._value)

    @cached_property
    def _keys(self) -> list[Any]:
        return list(self._value)

    def item(self, index: int) -> Any:
        """Of a list: an item."""
        assert isinstance(self._type, Array)  # noqa: S101 - only a list has items
        return part_or_value(self._types, self._type.items, self._value[index])

    def keys(self) -> dict[Any, int]:
        """Of a map: the index of the entry of each key."""
        return {key: index for index, key in enumerate(self._keys)}

    def value(self, index: int) -> Any:
        """Of a map: the value of an entry."""
        return self._entry(self._keys[index])

    def _entry(self, key: Any) -> Any:
        assert isinstance(self._type, Map)  # noqa: S101 - only a map has entries
        return part_or_value(self._types, self._type.values, self._value[key])

    def at(self, step: Any) -> Any:
        """What stands at an attribute, at the index of an item, or at a key."""
        match self.kind:
            case "record":
                return self.field(self.names[step])
            case "list":
                return self.item(step)
            case "map":
                return self._entry(step)

    def hydrate(self) -> Any:
        """A copy of the object: what is done to one must not show in the view."""
        return _copied(self._value)


def root_part(types: SchemaTypes, state: Record) -> BuiltPart:
    """The part that is a whole state."""
    return BuiltPart(types, Reference(types.schema.root), state)


def part_or_value(types: SchemaTypes, type_: Type, value: Any) -> Any:
    """A part where the type is a record, a list or a map, and otherwise the value."""
    if value is None:
        return None  # also where the type is that of an optional's item
    match type_:
        case Optional():
            return part_or_value(types, type_.item, value)
        case Union():
            return _of_branch(types, type_, value)
        case Array(vector_kind=str()):
            return _copied(value)
        case Array() | Map():
            return BuiltPart(types, type_, value)
        case Reference(name=name) if isinstance(types.schema.types[name], RecordType):
            return BuiltPart(types, type_, value)
        case _:
            return _copied(value)


def _of_branch(types: SchemaTypes, union: Union, value: Any) -> Any:
    """As the branch whose class the value has; a box is a value."""
    for branch, box in zip(union.branches, types.names.box(union), strict=True):
        if box is None and class_of(value) is python_class(branch.type, types):
            return part_or_value(types, branch.type, value)
    return _copied(value)


def _copied(value: Any) -> Any:
    """The value, none of whose lists, dictionaries and records is anybody else's."""
    cls = class_of(value)
    if cls is list:
        return [_copied(item) for item in value]
    if cls is array:
        return value[:]
    if cls is dict:
        return {key: _copied(item) for key, item in value.items()}
    if not issubclass(cls, Record):
        return value
    made = cast("Record", copy.copy(value))
    for name in made.__struct_fields__:
        setattr(made, name, _copied(getattr(value, name)))
    return made
