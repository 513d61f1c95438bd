"""A rule between a type and the plain text of it, and between numbers, flags and raw bytes."""

from __future__ import annotations

from typing import Any, get_args
from uuid import UUID

from ...schemas.model import Enum, Primitive
from ..arguments import check_spares
from .cast_text import Encoding, Written, written
from .fallback import Fallback
from .linear import Linear
from .quantity import number
from .rule import Change, Scalar, check_choice
from .values import Constant, fit, form, refuse, unrelated, words

_MEND = (
    "it joins text and numbers, bool, enums, uuid and bytes; numbers; int and bool; uuid and"
    " bytes. For times there are ticks(...), time_text(...) and retime(...)"
)


class Cast(Fallback, frozen=True, tag="cast"):
    """A value as another type that can hold it; the types say which way.

    Text and numbers (decimal digits), bool (``true``, ``false``), enums (the symbol), uuid
    (with hyphens), bytes (``encoding``); ints, floats and decimals of one amount; 0 and 1 as
    bool; uuid as 16 bytes. What cannot be cast is ``otherwise``, or refused.
    """

    encoding: Encoding = "base64"

    def __post_init__(self) -> None:
        check_choice("encoding", self.encoding, get_args(Encoding))

    def _strict(self, source: Scalar, target: Scalar, forward: bool) -> Change:
        del forward
        return self._pair(source, target)[0]

    def _strict_losses(self, source: Scalar, target: Scalar, forward: bool) -> str:
        del forward
        return self._pair(source, target)[1]

    def _strict_refuses(self, source: Scalar, target: Scalar, forward: bool) -> str:
        del forward
        return self._pair(source, target)[2]

    def _pair(self, source: Scalar, target: Scalar) -> tuple[Change, str, str]:
        """The function, what it loses and what it refuses."""
        old, new = number(source), number(target)
        if old is not None and new is not None:
            linear = Linear(old, new)
            return linear.change(), linear.losses(), linear.refuses()
        if _is_text(target) and (found := written(source, self.encoding)):
            return found.show, "", ""
        if _is_text(source) and (found := written(target, self.encoding)):
            return _parsing(found, target)
        return _between(source, target)


def _is_text(type_: Scalar) -> bool:
    return isinstance(type_, Primitive) and type_.kind == "string"


def _parsing(found: Written, target: Scalar) -> tuple[Change, str, str]:
    held, parse = fit(target), found.parse

    def change(value: str) -> Any:
        return held(parse(value))

    return change, found.variety, f"text that is no {words(target)}"


def _between(source: Scalar, target: Scalar) -> tuple[Change, str, str]:
    """Of types that are no text: the few whose values are in each other."""
    held, both = fit(target), (form(source), form(target))
    if isinstance(source, Enum) or isinstance(target, Enum):
        raise unrelated("cast(...)", source, target, "use table(...)")
    match both:
        case "bool", "int":
            return int, "", ""
        case "int", "bool":
            return _flag, "", "numbers other than 0 and 1"
        case "uuid", "bytes":
            return lambda value: held(value.bytes), "", _sized(target)
        case "bytes", "uuid":
            return _uuid, "", "bytes that are not 16"
        case "bytes", "bytes":
            return held, "", _sized(target)
        case _:
            raise unrelated("cast(...)", source, target, _MEND)


def _flag(value: int) -> bool:
    if value not in {0, 1}:
        refuse(value, "is neither 0 nor 1")
    return bool(value)


def _sized(target: Scalar) -> str:
    return "" if isinstance(target, Primitive) else f"bytes that are no {words(target)}"


def _uuid(value: bytes) -> Any:

    if len(value) != 16:  # noqa: PLR2004 - what a UUID is
        refuse(value, "is no uuid of 16 bytes")
    return UUID(bytes=value)


def cast(
    *,
    encoding: Encoding = "base64",
    otherwise: Constant | None = None,
    otherwise_down: Constant | None = None,
) -> Cast:
    """A rule that reads a value as another type, both ways: ``cast()``, ``cast(otherwise=0)``.

    ``encoding`` is how bytes are text: ``"base64"`` or ``"hex"``. ``otherwise`` is the value
    of the newer type where one cannot be cast, ``otherwise_down`` of the older.
    """
    check_spares("cast", otherwise, otherwise_down)
    return Cast(otherwise=otherwise, otherwise_down=otherwise_down, encoding=encoding)
