"""The nodes of scalar types, alike for reading and for writing."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Mapping
from typing import Any

from ...migrations.conversion import Cast, Conversion, Keep, Maybe
from ...schemas.model import Array, Fixed, Json, Logical, Primitive, Reference, Schema, Type
from ..checks import check_for, json_room
from ..library import avro_scalars
from ..library.source import Scalar
from ..vectors import SIZES, typecode
from . import core
from .draft import Draft

_PRIMITIVES = {
    "boolean": core.BOOLEAN,
    "int": core.INT,
    "long": core.LONG,
    "float": core.FLOAT,
    "double": core.DOUBLE,
    "bytes": core.BYTES,
    "string": core.STRING,
}
_WIRES = {
    "uint32": core.UINT32,
    "fixed32": core.UINT32,
    "uint64": core.UINT64,
    "fixed64": core.UINT64,
}
# By kind, unit and wire type: the op, and how many microseconds one unit is.
_COUNTED: Mapping[tuple[str, str | None, str], tuple[int, int]] = {
    ("time", "millis", "int"): (core.TIME, 1000),
    ("time", "micros", "long"): (core.TIME, 1),
    ("timestamp", "millis", "long"): (core.TIMESTAMP, 1000),
    ("timestamp", "micros", "long"): (core.TIMESTAMP, 1),
    ("local-timestamp", "millis", "long"): (core.LOCAL_TIMESTAMP, 1000),
    ("local-timestamp", "micros", "long"): (core.LOCAL_TIMESTAMP, 1),
    ("duration", "micros", "long"): (core.DURATION, 1),
}
_UUID = 16
"""The bytes of a UUID."""


def vector_node(draft: Draft, vector: Array) -> int:
    """The node of a vector, or of a list of its numbers that is only passed over."""
    code = typecode(vector)
    number = draft.add(core.FLOAT if code == "f" else core.DOUBLE)
    one = array(code, [0])
    return draft.add(core.VECTOR, number, object=one, size=SIZES[code], extra=ord(code))


def primitive_op(primitive: Primitive) -> int:
    """The op of a primitive type other than null."""
    return _WIRES.get(primitive.wire or "", _PRIMITIVES[primitive.kind])


def raw_scalar(draft: Draft, scalar: Scalar, schema: Schema) -> int:
    """The node of what the wire has for a scalar, before it means anything."""
    match scalar:
        case Primitive(kind="null"):
            return draft.add(core.CONSTANT, object=None, coding=draft.coding(scalar))
        case Primitive():
            return draft.add(primitive_op(scalar), coding=draft.coding(scalar))
        case Reference():
            return draft.add(core.FIXED, size=_fixed_size(scalar, schema))
        case Logical():
            return raw_scalar(draft, scalar.base, schema)
        case Json():
            return draft.add(core.BYTES)


def read_scalar(draft: Draft, scalar: Scalar, schema: Schema) -> int:
    """The node that reads a scalar as its Python value."""
    convert = avro_scalars.reader(scalar, schema)
    meaning = meaning_of(scalar, schema)
    if meaning is not None:
        op, size, extra = meaning
        coding = draft.coding(scalar)
        return draft.add(op, object=convert, size=size, extra=extra, coding=coding)
    raw = raw_scalar(draft, scalar, schema)
    # The kernel's own nodes know the ranges of unsigned numbers.
    return raw if isinstance(scalar, Primitive) else draft.called(raw, convert)


def write_scalar(draft: Draft, scalar: Scalar, schema: Schema) -> int:
    """The node that writes the Python value of a scalar, checked.

    What it does not know it gives to the function that the library engine has for it.
    """
    raw = raw_scalar(draft, scalar, schema)
    convert = _checked(scalar, schema)
    meaning = meaning_of(scalar, schema)
    if meaning is not None:
        op, size, extra = meaning
        coding = draft.coding(scalar)
        return draft.add(op, raw, object=convert, size=size, extra=extra, coding=coding)
    if isinstance(scalar, Primitive) and scalar.kind in ("float", "double"):
        coding = draft.coding(scalar)
        return draft.add(_PRIMITIVES[scalar.kind], raw, object=convert, coding=coding)
    if isinstance(scalar, Primitive | Reference):
        return raw
    return draft.called(raw, convert)


def meaning_of(scalar: Scalar, schema: Schema) -> tuple[int, int, int] | None:
    """The op of a scalar that the kernel knows by its meaning, with its size and extra."""
    match scalar:
        case Json(well_known=None):
            return core.JSON, json_room(scalar, schema), 0
        case Logical(unit="nanos"):
            return None
        case Logical(kind="uuid", base=Reference() as base):
            return (core.UUID_BYTES, 0, 0) if _fixed_size(base, schema) == _UUID else None
        case Logical(kind="uuid", base=Primitive(kind="string")):
            return core.UUID_TEXT, 0, 0
        case Logical(kind="date", base=Primitive(kind="int")):
            return core.DATE, 0, 0
        case Logical(kind="decimal", base=Primitive(kind="bytes"), precision=int() as precision):
            return core.DECIMAL, scalar.scale, precision
        case Logical(base=Primitive(kind=base)):
            counted = _COUNTED.get((scalar.kind, scalar.unit, base))
            return None if counted is None else (*counted, 0)
        case _:
            return None


def is_carried(kind: Type) -> bool:
    """Whether Avro gives a value back that is equal at best: a float of 32 bits, the scale of a
    decimal, the zone of a timestamp. Between two versions it is carried beside the payload.
    """
    match kind:
        case Primitive(kind="float") | Logical(kind="decimal"):
            return True
        case Logical(kind="timestamp"):
            return kind.unit != "nanos"
        case _:
            return False


def _checked(scalar: Scalar, schema: Schema) -> Callable[[Any], Any]:
    """The check of a Python value and then what the wire has for it."""
    check, write = check_for(scalar, schema), avro_scalars.writer(scalar, schema)
    return check if write is None else lambda value: write(check(value))


def _fixed_size(reference: Reference, schema: Schema) -> int:
    fixed = schema.types[reference.name]
    if not isinstance(fixed, Fixed):
        raise TypeError(f"{reference.name} is no fixed type")
    return fixed.size


def is_wider(conversion: Cast) -> bool:
    """Whether every value of the source is one of the target, and the same in Python."""
    match conversion.source, conversion.target:
        case Primitive(kind="int", wire=wire), Primitive(kind="long"):
            return wire not in ("uint32", "fixed32") and conversion.target.wire not in _UNSIGNED
        case Primitive(kind="float"), Primitive(kind="double"):
            return True
        case _:
            return False


_UNSIGNED = frozenset({"uint32", "fixed32", "uint64", "fixed64"})


def is_same(conversion: Conversion) -> bool:
    """Whether a Python value that cannot be changed stays as it is."""
    match conversion:
        case Keep():
            return not (conversion.single or isinstance(conversion.type, Json))
        case Cast():
            return is_wider(conversion) and not conversion.single
        case Maybe():
            return is_same(conversion.item)
        case _:
            return False
