"""Scalars of one type read as another: which are safe, which are checked, which are refused.

The safe ones are Avro's promotions (specification 1.12, "Schema Resolution") and whatever
only widens a range. On the way down the inverse is allowed and checked value by value.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import TypeAlias

from ..schemas.model import Fixed, Json, Logical, Primitive, Reference, Schema, Unit

Scalar: TypeAlias = Primitive | Logical | Json | Reference

_SIGNED = {"int": 31, "long": 63}
_UNSIGNED = {"uint32": 32, "fixed32": 32, "uint64": 64, "fixed64": 64}
_FINENESS: dict[Unit | None, int] = {None: 0, "millis": 3, "micros": 6, "nanos": 9}


class Verdict(Enum):
    """What a change of scalar type means for a value."""

    SAME = auto()
    """Every value of the source is a value of the target, and looks alike in Python."""
    WIDER = auto()
    """Every value can be expressed in the target, in another Python type."""
    NARROWER = auto()
    """Some values cannot be expressed."""
    UNRELATED = auto()
    """The types have nothing to do with each other."""


def integer_range(scalar: Primitive) -> tuple[int, int]:
    """The least and the greatest value of an integer type."""
    if scalar.wire in _UNSIGNED:
        return 0, 2 ** _UNSIGNED[scalar.wire] - 1
    bits = _SIGNED[scalar.kind]
    return -(2**bits), 2**bits - 1


def judge(source: Scalar, target: Scalar, schemas: tuple[Schema, Schema]) -> Verdict:
    """The verdict on reading ``source`` (of the first schema) as ``target`` (of the second)."""
    match source, target:
        case Primitive(), Primitive():
            return _judge_primitives(source, target)
        case Logical(), Logical() if source.kind == target.kind:
            return _judge_logical(source, target)
        case Json(), Json():
            return _judge_json(source.well_known, target.well_known)
        case Reference(), Reference():
            return _judge_fixed(schemas[0].types[source.name], schemas[1].types[target.name])
        case _:
            return Verdict.UNRELATED


def _judge_primitives(source: Primitive, target: Primitive) -> Verdict:
    if source.kind in _SIGNED and target.kind in _SIGNED:
        low, high = integer_range(source)
        least, greatest = integer_range(target)
        return Verdict.SAME if least <= low and high <= greatest else Verdict.NARROWER
    if source.kind == target.kind or (source.kind, target.kind) == ("float", "double"):
        return Verdict.SAME
    match source.kind, target.kind:
        case ("int" | "long", "float" | "double") | ("string", "bytes") | ("bytes", "string"):
            return Verdict.WIDER
        case ("float" | "double", "int" | "long") | ("double", "float"):
            return Verdict.NARROWER
        case _:
            return Verdict.UNRELATED


def _judge_logical(source: Logical, target: Logical) -> Verdict:
    if source.kind == "decimal":
        digits = (target.precision or 0) - target.scale
        wide = digits >= (source.precision or 0) - source.scale and target.scale >= source.scale
        return Verdict.SAME if wide else Verdict.NARROWER
    if "nanos" in {source.unit, target.unit} and source.unit != target.unit:
        # 64 bits of nanoseconds hold the years 1678 to 2261 only, and Python no finer time.
        return Verdict.NARROWER
    finer = _FINENESS[target.unit] >= _FINENESS[source.unit]
    return Verdict.SAME if finer else Verdict.NARROWER


_VALUE = "google.protobuf.Value"


def _judge_json(source: str | None, target: str | None) -> Verdict:
    """Any JSON value, one whose numbers are doubles, and one that is an object or a list."""
    if source == target or target is None or (target == _VALUE and source is not None):
        return Verdict.SAME
    if source is None or source == _VALUE:
        return Verdict.NARROWER
    return Verdict.UNRELATED


def _judge_fixed(source: object, target: object) -> Verdict:
    if isinstance(source, Fixed) and isinstance(target, Fixed) and source.size == target.size:
        return Verdict.SAME
    return Verdict.UNRELATED
