"""Scalars of one Python type as another: promotions, and their checked inverses."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ...errors import NotExpressible, ValueMismatch
from ...migrations.conversion import Cast
from ...schemas.model import Logical, Primitive, Schema
from .. import times
from ..checks import check_for


def cast(conversion: Cast, target: Schema) -> Callable[[Any], Any]:
    """A function from the source's Python value to the target's, or ``NotExpressible``."""
    check = check_for(conversion.target, target)
    change = _change(conversion)

    def convert(value: Any) -> Any:
        try:
            return check(value if change is None else change(value))
        except ValueMismatch as error:
            raise NotExpressible(f"{error.what}, in this version") from None

    return convert


def _change(conversion: Cast) -> Callable[[Any], Any] | None:
    source, target = conversion.source, conversion.target
    if isinstance(source, Logical) and isinstance(target, Logical):
        return _between_units(source, target)
    if not (isinstance(source, Primitive) and isinstance(target, Primitive)):
        return None
    match source.kind, target.kind:
        case "string", "bytes":
            return str.encode
        case "bytes", "string":
            return _text
        case (("float" | "double"), ("int" | "long")):
            return _whole
        case _:
            return None


_MICROS: Mapping[str, tuple[Callable[[int], Any], Callable[[Any], int]]] = {
    "timestamp": (times.micros_to_timestamp, times.timestamp_to_micros),
    "local-timestamp": (times.micros_to_local, times.local_to_micros),
    "duration": (times.micros_to_duration, times.duration_to_micros),
}
"""For each kind that may be in nanoseconds: microseconds to Python, and back."""


def _between_units(source: Logical, target: Logical) -> Callable[[Any], Any] | None:
    """From or to nanoseconds, which are integers in Python."""
    if (source.unit == "nanos") == (target.unit == "nanos"):
        return None
    read, write = _MICROS[source.kind]
    if source.unit == "nanos":
        return lambda value: read(times.nanos_to_micros(value))
    return lambda value: times.micros_to_nanos(write(value))


def _text(value: bytes) -> str:
    try:
        return value.decode()
    except UnicodeDecodeError:
        raise ValueMismatch("the bytes are no UTF-8 text") from None


def _whole(value: float) -> int:
    if not value.is_integer():
        raise ValueMismatch(f"{value} is no whole number")
    return int(value)
