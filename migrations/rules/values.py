"""Scalar types as rules see them: what their values look like, and which values they hold."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any, NoReturn, TypeAlias, cast
from uuid import UUID

import msgspec

from ...errors import MigrationError, NotExpressible
from ...schemas.expect import excerpt
from ...schemas.model import Enum, Fixed, Logical, Primitive
from ..casts import integer_range
from .rule import Change, Scalar

Constant: TypeAlias = bool | int | float | str
"""A value of a scalar type in JSON form."""

_FORMS: Mapping[str, str] = {
    "boolean": "bool",
    "int": "int",
    "long": "int",
    "float": "float",
    "double": "float",
    "string": "text",
}
_CLASSES: Mapping[str, Any] = {
    "bool": bool,
    "int": int,
    "float": float,
    "text": str,
    "bytes": bytes,
    "uuid": UUID,
    "date": dt.date,
    "time": dt.time,
    "timestamp": dt.datetime,
    "local-timestamp": dt.datetime,
    "duration": dt.timedelta,
    "decimal": Decimal,
}
_SPECIAL = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}
_GREATEST_SINGLE = (2 - 2**-23) * 2.0**127
_MILLI = 1000


def form(type_: Scalar) -> str:
    """What values of the type look like in Python: types of one form share their values."""
    match type_:
        case Enum():
            return "text"
        case Fixed():
            return "bytes"
        case Logical(unit="nanos"):
            return "int"
        case Logical(kind=kind):
            return kind
        case Primitive(kind=kind):
            return _FORMS.get(kind, kind)


def words(type_: Scalar) -> str:
    """The type in a few words, for messages."""
    match type_:
        case Enum():
            return f"the enum {type_.name.rpartition('.')[2]}"
        case Fixed():
            return f"fixed of {type_.size} bytes"
        case Logical(kind="decimal"):
            return f"decimal of precision {type_.precision} and scale {type_.scale}"
        case Logical():
            return type_.kind if type_.unit is None else f"{type_.kind} in {type_.unit}"
        case Primitive():
            return type_.wire or type_.kind


def refuse(value: object, why: str) -> NoReturn:
    """Raise NotExpressible for a value: ``'x' is no int``."""
    raise NotExpressible(f"{excerpt(cast('Any', value))} {why}")


def unrelated(rule: str, source: Scalar, target: Scalar, mend: str) -> MigrationError:
    """The error of a rule that is not for these types."""
    return MigrationError(
        f"{rule} does not lead from {words(source)} to {words(target)}", mend=mend
    )


def fit(type_: Scalar) -> Change:
    """A function that gives back a value of the type's form, or refuses it where it is beyond
    what the type holds.
    """
    holds = _holds(type_)
    if holds is None:
        return lambda value: value

    def fitted(value: Any) -> Any:
        if not holds(value):
            refuse(value, f"is beyond {words(type_)}")
        return value

    return fitted


def _holds(type_: Scalar) -> Callable[[Any], bool] | None:
    match type_:
        case Enum():
            return frozenset(symbol.name for symbol in type_.symbols).__contains__
        case Fixed():
            return lambda value: len(value) == type_.size
        case Primitive(kind="int" | "long"):
            low, high = integer_range(type_)
            return lambda value: low <= value <= high
        case Primitive(kind="float"):
            return lambda value: not math.isfinite(value) or abs(value) <= _GREATEST_SINGLE
        case Primitive(kind="string"):
            return _is_unicode
        case Logical():
            return _logical(type_)
        case _:
            return None


def _logical(type_: Logical) -> Callable[[Any], bool] | None:
    if type_.unit == "nanos":
        return lambda value: -(2**63) <= value < 2**63
    if type_.kind == "decimal":
        scale, limit = type_.scale, 10 ** (type_.precision or 0)
        return lambda value: _unscaled(value, scale) < limit
    if type_.kind == "duration":
        return lambda value: -(2**63) <= value // dt.timedelta(microseconds=1) < 2**63
    if type_.unit == "millis" and type_.kind != "date":
        return lambda value: not value.microsecond % _MILLI
    return None


def _unscaled(value: Decimal, scale: int) -> float:
    """The digits of a decimal at a scale as one number; infinite where it is finer."""
    if not value.is_finite():
        return math.inf
    number, power = value.as_integer_ratio()
    whole, rest = divmod(abs(number) * 10**scale, power)
    return math.inf if rest else whole


def _is_unicode(value: str) -> bool:
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def covers(source: Scalar, target: Scalar) -> bool:
    """Whether every value of ``source`` is a value of ``target``, just as it is."""
    if form(source) != form(target):
        return False
    match source, target:
        case (Primitive(kind="int" | "long"), Primitive()):
            low, high = integer_range(source)
            least, greatest = integer_range(target)
            return least <= low and high <= greatest
        case Enum(), Enum():
            return {symbol.name for symbol in source.symbols} <= {s.name for s in target.symbols}
        case Logical(), Logical() if form(source) != "int":
            return _covers_logical(source, target)
        case _:
            return (
                source == target
                or target in {Primitive("string"), Primitive("bytes")}
                or (isinstance(target, Primitive) and target.kind == "double")
            )


def _covers_logical(source: Logical, target: Logical) -> bool:
    if source.kind == "decimal":
        room = (target.precision or 0) - target.scale
        needs = (source.precision or 0) - source.scale
        return needs <= room and source.scale <= target.scale
    return source.unit == target.unit or target.unit != "millis"


def from_json(type_: Scalar, value: Constant) -> Any:
    """The Python value of one in JSON form. Raises MigrationError where the type has none."""
    kind = form(type_)
    try:
        if kind == "float" and isinstance(value, str):
            return fit(type_)(_SPECIAL[value])
        if kind == "int" and isinstance(value, float):
            raise ValueError(value)  # noqa: TRY301 - msgspec takes 1.0 for 1
        found = msgspec.convert(value, _CLASSES[kind])
        _check_zone(kind, found)
        return fit(type_)(found)
    except (KeyError, ValueError, OverflowError, ArithmeticError, NotExpressible):
        raise MigrationError(
            f"{value!r} is no value of {words(type_)}",
            mend="write it as JSON form has it: docs/reference/type-mapping.md",
        ) from None


def _check_zone(kind: str, value: Any) -> None:
    naive = {"time": True, "local-timestamp": True, "timestamp": False}.get(kind)
    if naive is not None and (value.tzinfo is None) != naive:
        raise ValueError(value)
