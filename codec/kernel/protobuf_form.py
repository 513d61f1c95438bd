"""The form that Protobuf gives each type: tags, numbers, and what presence means.

What :mod:`..library.protobuf_wire` says in descriptors, for programs of the kernel.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from ...schemas.model import (
    Array,
    Encoding,
    Enum,
    Field,
    Map,
    Optional,
    Record,
    Schema,
    Type,
    Union,
)
from ..library.protobuf_wire import is_message, is_required, number_of, scalar_name
from . import core

DEEPEST_MESSAGE = 100
"""How many messages nest inside the outermost at most, to protobuf."""

_CODINGS: Mapping[str, int] = {
    "bool": core.VARINT_U32,
    "int32": core.VARINT_32,
    "int64": core.VARINT_64,
    "uint32": core.VARINT_U32,
    "uint64": core.VARINT_64,
    "sint32": core.ZIGZAG_32,
    "sint64": core.ZIGZAG_64,
    "fixed32": core.FIXED_U32,
    "sfixed32": core.FIXED_32,
    "float": core.FIXED_32,
    "fixed64": core.FIXED_64,
    "sfixed64": core.FIXED_64,
    "double": core.FIXED_64,
}
_VARINT, _SIXTY_FOUR, _LENGTH, _GROUP, _THIRTY_TWO = 0, 1, 2, 3, 5
_FIXED: Mapping[int, int] = {
    core.FIXED_64: _SIXTY_FOUR,
    core.FIXED_32: _THIRTY_TWO,
    core.FIXED_U32: _THIRTY_TWO,
    core.NO_NUMBER: _LENGTH,
}


class Place(NamedTuple):
    """How a field stands in its message."""

    tag: int
    flags: int


class Placed(NamedTuple):
    """A node at its place: ``bit`` and ``slot`` as :mod:`.spec` has them."""

    place: Place
    node: int
    slot: int = 0
    bit: int = 0

    @property
    def step(self) -> tuple[int, int, int]:
        """What a spec has of it, the node and the slot aside."""
        return self.place.tag, self.place.flags, self.bit


def coding_of(schema: Schema, kind: Type) -> int:
    """How a scalar is written as a number; ``NO_NUMBER`` for all else."""
    if is_message(schema, kind):
        return core.NO_NUMBER
    return _CODINGS.get(scalar_name(schema, kind), core.NO_NUMBER)


def is_wrapped(kind: Type) -> bool:
    """Whether the type needs a message around it inside a list, a map, a union or an optional."""
    return isinstance(kind, Array | Map | Optional)


def oneof_of(kind: Type) -> Union | None:
    """The oneof whose branches are fields of the record, where a field's type is one."""
    match kind:
        case Optional(item=Union(oneof=True) as union):
            return union
        case _:
            return None


def field_place(schema: Schema, record: Record, field: Field) -> Place:
    """Where a field of a record stands, if it is no oneof."""
    number = number_of(record, field)
    found = place(schema, number, field.type, field.encoding)
    if found.flags & core.IMPLICIT and is_required(schema, field):
        return Place(found.tag, core.REQUIRED)
    return found


def place(schema: Schema, number: int, kind: Type, encoding: Encoding | None = None) -> Place:
    """Where a value of any type stands under a number."""
    match kind:
        case Array():
            wire = item_wire(schema, kind.items, encoding)
            if wire in (_LENGTH, _GROUP) or encoding == "expanded":
                return Place(number << 3 | wire, core.REPEATED)
            return Place(number << 3 | _LENGTH, core.PACKED)
        case Map():
            return Place(number << 3 | _LENGTH, core.REPEATED)
        case Optional():
            wire = _GROUP if encoding == "delimited" else _LENGTH
            if kind.well_known is None:
                wire = item_wire(schema, kind.item, encoding)
            return Place(number << 3 | wire, core.MAYBE)
        case _:
            flag = core.REQUIRED if is_message(schema, kind) else core.IMPLICIT
            return Place(number << 3 | item_wire(schema, kind, encoding), flag)


def block_place(found: Place) -> Place:
    """Where a vector stands: as the bytes of a packed list do, which are one value."""
    return Place(found.tag, core.IMPLICIT) if found.flags & core.PACKED else found


def item_place(schema: Schema, number: int, kind: Type, encoding: Encoding | None = None) -> Place:
    """Where an item stands that is written whatever it is: a branch, a key, a value."""
    return Place(number << 3 | item_wire(schema, kind, encoding), core.REQUIRED)


def item_wire(schema: Schema, kind: Type, encoding: Encoding | None = None) -> int:
    """The wire type of one item."""
    if is_message(schema, kind):
        return _GROUP if encoding == "delimited" else _LENGTH
    return _FIXED.get(coding_of(schema, kind), _VARINT)


def numbers_of(enum: Enum) -> tuple[int, ...]:
    """The numbers of an enum's symbols; none where each is its symbol's position."""
    numbers = tuple(symbol.number for symbol in enum.symbols)
    return () if numbers == tuple(range(len(numbers))) else numbers
