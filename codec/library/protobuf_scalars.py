"""Scalars as Protobuf carries them, read and written, with their checks."""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Any

from ...errors import ValueMismatch
from ...schemas.model import Json, Logical, Primitive, Schema
from .. import times
from ..checks import check_for
from . import avro_scalars, protobuf_json
from .protobuf_wire import ProtobufWire
from .source import Scalar

Convert = Callable[[Any], Any]

_MICROS = 1_000_000
_NANOS = 1_000
_MAX_NANOS = 999_999_999


def reader(scalar: Scalar, schema: Schema) -> Convert | None:
    """A function from what protobuf reads to the Python value; ``None`` means: as it is."""
    match scalar:
        case Primitive(kind="null"):
            return _no_value
        case Primitive(well_known=str()):
            return attrgetter("value")
        case Primitive():
            return None
        case Logical(well_known=None):
            return _after_fixed(scalar, schema, avro_scalars.reader(scalar, schema))
        case Json(well_known=None):
            return avro_scalars.reader(scalar, schema)
        case Logical(kind="timestamp"):
            return lambda raw: times.micros_to_timestamp(_read_parts(raw))
        case Logical():
            return lambda raw: times.micros_to_duration(_read_parts(raw))
        case Json():
            check = check_for(scalar, schema)
            return lambda raw: check(protobuf_json.from_message(raw))
        case _:
            return check_for(scalar, schema)


def writer(scalar: Scalar, wire: ProtobufWire) -> Convert | None:
    """A function from a checked Python value to what protobuf's constructor takes."""
    match scalar:
        case Primitive(kind="null"):
            return lambda _: False
        case Primitive(well_known=str()):
            return lambda value: {"value": value}
        case Primitive():
            return None
        case Logical(kind="timestamp", well_known=str()):
            return lambda value: _parts(times.timestamp_to_micros(value), floor=True)
        case Logical(well_known=str()):
            return lambda value: _parts(times.duration_to_micros(value), floor=False)
        case Json(well_known=str() as name):
            return protobuf_json.builder(wire, name)
        case _:
            return avro_scalars.writer(scalar, wire.source)


def _no_value(raw: bool) -> None:
    if raw:
        raise ValueMismatch("a null is written as true")


def _after_fixed(logical: Logical, schema: Schema, read: Convert | None) -> Convert | None:
    """Protobuf has no fixed type, so the length is checked here."""
    if read is None or isinstance(logical.base, Primitive):
        return read
    check = check_for(logical.base, schema)
    return lambda raw: read(check(raw))


def _read_parts(raw: Any) -> int:
    """Microseconds of a Timestamp or Duration message."""
    seconds: int = raw.seconds
    nanos: int = raw.nanos
    if abs(nanos) > _MAX_NANOS or nanos % _NANOS:
        raise ValueMismatch(f"{nanos} nanoseconds are no whole microseconds of one second")
    return seconds * _MICROS + nanos // _NANOS


def _parts(micros: int, *, floor: bool) -> dict[str, int]:
    """Seconds and nanoseconds: of one sign in a Duration, nanos never negative in a Timestamp."""
    seconds, rest = divmod(micros, _MICROS)
    if not floor and seconds < 0 and rest:
        seconds, rest = seconds + 1, rest - _MICROS
    return {"seconds": seconds, "nanos": rest * _NANOS}
