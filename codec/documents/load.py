"""From a foreign JSON document to a typed state."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
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
from ..types import SchemaTypes
from ..vectors import typecode
from .changes import joined
from .scalars import Turn, scalar_reader
from .unions import Kind, kind_of_type, kind_of_value

_Members: TypeAlias = "dict[str, _Member]"


@dataclass(frozen=True, slots=True)
class _Member:
    """A field as a document holds it. ``needed`` is False where the key may be missing."""

    attribute: str
    load: Turn
    needed: bool
    absent: bool


@dataclass(slots=True)
class Loader:
    """Builds, for each type of one schema, the function that loads it from a document."""

    types: SchemaTypes
    _members: dict[str, _Members] = field(default_factory=dict[str, _Members])

    def of(self, type_: Type) -> Turn:
        """Return what loads ``type_``; it raises ValueMismatch for what does not fit."""
        match type_:
            case Array(vector_kind=str()):
                load, make = _array(self.of(type_.items)), partial(array, typecode(type_))
                return lambda value: make(load(value))
            case Array():
                return _array(self.of(type_.items))
            case Map():
                return self._map(type_)
            case Optional():
                return _optional(self.of(type_.item))
            case Union():
                return self._union(type_)
            case Reference():
                return self._named(type_)
            case Primitive() | Logical() | Json():
                return scalar_reader(type_, self.types.schema)

    def _named(self, reference: Reference) -> Turn:
        match self.types.schema.types[reference.name]:
            case Record() as record:
                return _record(self.types.record(record.name), self._members_of(record))
            case Enum() as enum:
                return _enum(self.types.enum(enum.name), enum.name)
            case Fixed():
                return scalar_reader(reference, self.types.schema)

    def _members_of(self, record: Record) -> _Members:
        if record.name in self._members:
            return self._members[record.name]
        # Registered before it is filled, so that a record may hold itself.
        members = self._members[record.name] = {}
        attributes = self.types.names.attributes[record.name]
        for item in record.fields:
            members[item.key] = _Member(
                attributes[item.name],
                self.of(item.type),
                needed=item.default is None and not item.absent,
                absent=item.absent,
            )
        return members

    def _map(self, map_: Map) -> Turn:
        read = scalar_reader(map_.keys, self.types.schema)
        read_key = read if map_.keys.kind == "string" else _key_reader(map_.keys, read)
        return _map(read_key, self.of(map_.values))

    def _union(self, union: Union) -> Turn:
        boxes = self.types.names.box(union)
        by_kind: dict[Kind, list[Turn]] = {}
        anything: list[Turn] = []
        for branch, box in zip(union.branches, boxes, strict=True):
            load = self.of(branch.type)
            turn = load if box is None else _boxed(self.types.boxes[box], load)
            if isinstance(branch.type, Json):
                anything.append(turn)
            else:
                by_kind.setdefault(kind_of_type(branch.type, self.types.schema), []).append(turn)
        # A whole number is a float where no branch takes integers.
        by_kind.setdefault("integer", by_kind.get("float", []))

        def load_union(value: Any) -> Any:
            kind = kind_of_value(value)
            return _only_fit((by_kind.get(kind) if kind else None) or anything, value)

        return load_union


def _array(load: Turn) -> Turn:
    def load_array(values: Any) -> list[Any]:
        if not isinstance(values, list):
            raise mismatch("an array", values)
        loaded: list[Any] = []
        try:
            for value in values:  # pyright: ignore[reportUnknownVariableType]  # load checks it
                loaded.append(load(value))  # noqa: PERF401  # the error needs the index
        except ValueMismatch as error:
            raise error.under(f"[{len(loaded)}]") from None
        return loaded

    return load_array


def _map(load_key: Turn, load: Turn) -> Turn:
    def load_map(members: Any) -> dict[Any, Any]:
        loaded: dict[Any, Any] = {}
        for key, value in _object(members).items():
            try:
                loaded[load_key(key)] = load(value)
            except ValueMismatch as error:
                raise error.under(joined("", key)) from None
        return loaded

    return load_map


def _key_reader(keys: Primitive, read: Turn) -> Turn:
    words = {"true": True, "false": False}

    def read_key(text: str) -> Any:
        if keys.kind == "boolean" and text in words:
            return words[text]
        if keys.kind != "boolean" and text.lstrip("-").isdecimal() and str(int(text)) == text:
            return read(int(text))
        raise mismatch(f"a key of {keys.kind}", text)

    return read_key


def _optional(load: Turn) -> Turn:
    return lambda value: None if value is None else load(value)


def _boxed(box: Callable[..., Any], load: Turn) -> Turn:
    return lambda value: box(value=load(value))


def _enum(enum: Callable[[Any], Any], name: str) -> Turn:
    def load_enum(value: Any) -> Any:
        try:
            return enum(value)
        except ValueError:
            raise mismatch(f"a symbol of {name}", value) from None

    return load_enum


def _record(make: Callable[..., Any], members: _Members) -> Turn:
    def load_record(value: Any) -> Any:
        arguments: dict[str, Any] = {}
        for key, item in _object(value).items():
            member = members.get(key)
            if member is None:
                raise ValueMismatch("the schema has no such key", path=joined("", key))
            try:
                arguments[member.attribute] = member.load(item)
            except ValueMismatch as error:
                raise error.under(joined("", key)) from None
        if len(arguments) < len(members):
            arguments.update(_missing(members, value))
        return make(**arguments)

    return load_record


def _missing(members: _Members, value: dict[str, Any]) -> dict[str, Any]:
    """Arguments for keys that are not there; one with a default is left to the class."""
    arguments: dict[str, Any] = {}
    for key, member in members.items():
        if key in value:
            continue
        if member.needed:
            raise ValueMismatch("the key is missing", path=joined("", key))
        if member.absent:
            arguments[member.attribute] = None
    return arguments


def _object(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise mismatch("an object", value)
    return value  # pyright: ignore[reportUnknownVariableType]  # keys and values are checked where they are used


def _only_fit(turns: list[Turn], value: Any) -> Any:
    """Load ``value`` by the one branch that takes it; two would be a guess."""
    if len(turns) == 1:
        return turns[0](value)
    fits: list[Any] = []
    for turn in turns:
        try:
            fits.append(turn(value))
        except ValueMismatch:
            continue
    if len(fits) == 1:
        return fits[0]
    raise mismatch(f"a value of one branch, where {len(fits)} of the union fit", value)
