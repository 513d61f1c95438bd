"""Scalars as Protobuf carries them, read and written, with their checks."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
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

_SECOND = 1_000_000_000
_LONGS = range(-(2**63), 2**63)


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
        case Logical(unit="nanos"):
            check = check_for(scalar, schema)
            return lambda raw: check(_nanos(raw))
        case Logical(kind="timestamp"):
            return lambda raw: times.micros_to_timestamp(_micros(raw))
        case Logical():
            return lambda raw: times.micros_to_duration(_micros(raw))
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
        case Logical(well_known=str()):
            return _time_writer(scalar)
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


def _nanos(raw: Any) -> int:
    """Nanoseconds of a Timestamp or Duration message."""
    seconds: int = raw.seconds
    nanos: int = raw.nanos
    if abs(nanos) >= _SECOND:
        raise ValueMismatch(f"{nanos} nanoseconds are over a second")
    return seconds * _SECOND + nanos


def _micros(raw: Any) -> int:
    """Microseconds of a Timestamp or Duration message."""
    nanos = _nanos(raw)
    try:
        return times.nanos_to_micros(nanos)
    except ValueMismatch as error:
        if nanos in _LONGS:
            error.mend = 'protobuf_times = "nanos" in [tool.instar] makes such times whole numbers'
        raise


def _time_writer(logical: Logical) -> Convert:
    is_timestamp = logical.kind == "timestamp"
    if logical.unit == "nanos":
        return partial(_parts, floor=is_timestamp)
    write = times.timestamp_to_micros if is_timestamp else times.duration_to_micros
    return lambda value: _parts(times.micros_to_nanos(write(value)), floor=is_timestamp)


def _parts(nanos: int, *, floor: bool) -> dict[str, int]:
    """Seconds and nanoseconds: of one sign in a Duration, nanos never negative in a Timestamp."""
    seconds, rest = divmod(nanos, _SECOND)
    if not floor and seconds < 0 and rest:
        seconds, rest = seconds + 1, rest - _SECOND
    return {"seconds": seconds, "nanos": rest}
