"""Which Protobuf types a reader takes for which, on the wire.

After "Updating A Message Type" of the Protobuf language guide: a wire type that differs puts
the bytes aside, within one wire type the bits may mean something else.
"""

from __future__ import annotations

from typing import NamedTuple

from ...migrations.casts import integer_range
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
    Schema,
    Type,
    Union,
)
from .fit import SAME, Fit, Reads, Typed, worst

_VARINT, _EIGHT, _LENGTH, _FOUR = 0, 1, 2, 5  # the wire types' own numbers
_INTEGERS = {
    "avro": {"int": "sint32", "long": "sint64"},
    "protobuf": {"int": "int32", "long": "int64"},
}
_WIRES = {
    "double": _EIGHT,
    "fixed64": _EIGHT,
    "sfixed64": _EIGHT,
    "float": _FOUR,
    "fixed32": _FOUR,
    "sfixed32": _FOUR,
    "string": _LENGTH,
    "bytes": _LENGTH,
    "message": _LENGTH,
}
_MESSAGES = {
    "record": "a message",
    "entry": "an entry of a map",
    "wrapper": "a message around a list or null",
    "union": "a message around a union",
}
_ZIGZAG = ("sint32", "sint64")


class _Wire(NamedTuple):
    """How a type is written: ``name`` is Protobuf's own for it; ``message`` says which."""

    name: str
    repeated: bool = False
    message: str = ""
    primitive: Primitive = Primitive("int")

    @property
    def type(self) -> int:
        return _WIRES.get(self.name, _VARINT)


def protobuf_reads(writer: Typed, reader: Typed) -> Reads:
    """How a raw reader takes one type for another. Messages of records are not opened."""
    match writer.type, reader.type:
        case Optional(well_known=str()) as before, Optional(well_known=str()) as after:
            # The wrapper messages are alike, around their values.
            return protobuf_reads(writer.inner(before.item), reader.inner(after.item))
        case Json(well_known=None), Primitive(kind="string"):
            return SAME  # JSON is always a text
        case _:
            return _written(writer, reader)


def _written(writer: Typed, reader: Typed) -> Reads:
    old, new = _wire(*writer), _wire(*reader)
    if old.repeated and new.repeated:
        return worst((_scalar(old, new), _inner(writer, reader)))
    if old.repeated != new.repeated:
        return _cardinality(old, new)
    return worst((_scalar(old, new), _inner(writer, reader)))


def _inner(writer: Typed, reader: Typed) -> Reads:
    """The fit of what lies in containers that are messages of our own."""
    match _opened(writer.type), _opened(reader.type):
        case Array() as old, Array() as new:
            return protobuf_reads(writer.inner(old.items), reader.inner(new.items))
        case Map() as old, Map() as new:
            keys = protobuf_reads(writer.inner(old.keys), reader.inner(new.keys))
            return worst((keys, protobuf_reads(writer.inner(old.values), reader.inner(new.values))))
        case _:
            return SAME


def _opened(kind: Type) -> Type:
    return kind.item if isinstance(kind, Optional) else kind


def _wire(schema: Schema, kind: Type) -> _Wire:
    match kind:
        case Array():
            # A list in a list is a message that wraps it.
            return _item(schema, kind.items)._replace(repeated=True)
        case Map():
            return _Wire("message", repeated=True, message="entry")
        case Optional(well_known=str() as name):
            return _Wire("message", message=name)
        case Optional():
            return _item(schema, kind.item)
        case _:
            return _item(schema, kind)


def _item(schema: Schema, kind: Type) -> _Wire:
    match kind:
        case Array() | Map() | Optional():
            return _Wire("message", message="wrapper")
        case Union():
            return _Wire("message", message="union")
        case Logical() | Json():
            if kind.well_known:
                return _Wire("message", message=kind.well_known)
            return _item(schema, kind.base) if isinstance(kind, Logical) else _Wire("bytes")
        case Reference():
            return _reference(schema, kind.name)
        case Primitive():
            names = _INTEGERS[schema.language]
            name = (
                kind.wire or names.get(kind.kind) or {"boolean": "bool"}.get(kind.kind, kind.kind)
            )
            return _Wire(name, primitive=kind)


def _reference(schema: Schema, name: str) -> _Wire:
    match schema.types[name]:
        case Record():
            return _Wire("message", message="record")
        case Enum():
            return _Wire("enum")
        case Fixed():
            return _Wire("bytes")


def _cardinality(old: _Wire, new: _Wire) -> Reads:
    item = _scalar(old, new)
    if item.fit is Fit.LAYOUT:
        return item
    if old.repeated and old.type != _LENGTH:
        return Reads(Fit.LAYOUT, "a packed list is not read as one value")
    what = "a list is read as its last item" if old.repeated else "one value is read as a list"
    return Reads(Fit.VALUE, what)


def _scalar(old: _Wire, new: _Wire) -> Reads:
    if old.type != new.type:
        return Reads(Fit.LAYOUT, f"{_said(old)} has another wire type than {_said(new)}")
    if (old.name, old.message) == (new.name, new.message):
        return SAME
    if old.type == _LENGTH:
        return _length(old, new)
    if old.type == _VARINT:
        return _varint(old, new)
    return _bits(old, new)


def _length(old: _Wire, new: _Wire) -> Reads:
    match old.name, new.name:
        case "string", "bytes":
            return SAME
        case _, "bytes":
            return Reads(Fit.VALUE, f"{_said(old)} is read as its bytes")
        case "message", "message":
            return Reads(Fit.VALUE, f"{_said(old)} is read as {_said(new)}, by its numbers")
        case _:
            return Reads(Fit.LAYOUT, f"{_said(old)} is not read as {_said(new)}")


def _said(wire: _Wire) -> str:
    """What people call what is written."""
    return _MESSAGES.get(wire.message, wire.message) or wire.name


def _varint(old: _Wire, new: _Wire) -> Reads:
    if (old.name in _ZIGZAG) != (new.name in _ZIGZAG):
        return Reads(Fit.VALUE, f"{old.name} and {new.name} write the same number otherwise")
    if new.name == "bool":
        return Reads(Fit.VALUE, f"each {old.name} but 0 is read as true")
    if old.name == "bool" or _holds(old, new):
        return SAME
    return Reads(Fit.VALUE, f"{old.name} beyond {new.name} is cut")


def _holds(old: _Wire, new: _Wire) -> bool:
    """Whether the newer integer has room for the older; an enum is an int32."""
    (low, high), (least, most) = (integer_range(wire.primitive) for wire in (old, new))
    return least <= low and high <= most


def _bits(old: _Wire, new: _Wire) -> Reads:
    return Reads(Fit.VALUE, f"the bits of {old.name} are read as {new.name}")
