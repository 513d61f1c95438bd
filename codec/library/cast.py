"""Scalars of one Python type as another: promotions, and their checked inverses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...errors import NotExpressible, ValueMismatch
from ...migrations.conversion import Cast
from ...schemas.model import Primitive, Schema
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


def _text(value: bytes) -> str:
    try:
        return value.decode()
    except UnicodeDecodeError:
        raise ValueMismatch("the bytes are no UTF-8 text") from None


def _whole(value: float) -> int:
    if not value.is_integer():
        raise ValueMismatch(f"{value} is no whole number")
    return int(value)
