"""Scalars as plain text: one way to write each, and what is read as it."""

from __future__ import annotations

import math
import re
from base64 import b64decode, b64encode
from binascii import Error as BinasciiError
from collections.abc import Callable
from decimal import Decimal
from typing import Any, Literal, TypeAlias
from uuid import UUID

import msgspec

from ...schemas.model import Enum
from .rule import Scalar
from .values import form, refuse

Encoding: TypeAlias = Literal["base64", "hex"]

_WHOLE = re.compile(r"[+-]?[0-9]{1,40}")
_DECIMAL = re.compile(r"[+-]?[0-9]{1,400}(?:\.[0-9]{1,400})?")
_FLOAT = re.compile(r"[+-]?[0-9]{1,400}(?:\.[0-9]{0,400})?(?:[eE][+-]?[0-9]{1,4})?")
_SPECIAL = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}
_UUID = re.compile(r"[0-9a-fA-F]{8}-?(?:[0-9a-fA-F]{4}-?){3}[0-9a-fA-F]{12}")
_HEX = re.compile(r"(?:[0-9a-fA-F]{2})*")


class Written(msgspec.Struct, frozen=True):
    """How values of a type are text. ``variety`` is what of a text is lost when it is read,
    in words, and ``parse`` refuses other text.
    """

    show: Callable[[Any], str]
    parse: Callable[[str], Any]
    variety: str = ""


def written(type_: Scalar, encoding: Encoding) -> Written | None:
    """The text of a type; ``None`` for one that has none here."""
    if isinstance(type_, Enum):
        return Written(lambda value: value, lambda value: value)
    match form(type_):
        case "int":
            return Written(str, _whole, "leading zeros and plus signs")
        case "float":
            return Written(_shown_float, _float, "how the number was written")
        case "decimal":
            return Written(_shown_decimal, _decimal, "zeros and plus signs")
        case "bool":
            return Written(lambda value: "true" if value else "false", _bool, "capital letters")
        case "uuid":
            return Written(str, _uuid, "capital letters and missing hyphens")
        case "bytes":
            return _HEXED if encoding == "hex" else _BASE64
        case _:
            return None


def _whole(text: str) -> int:
    if not _WHOLE.fullmatch(text):
        refuse(text, "is no whole number")
    return int(text)


def _shown_float(value: float) -> str:
    if math.isfinite(value):
        return repr(float(value))
    return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"


def _float(text: str) -> float:
    if text in _SPECIAL:
        return _SPECIAL[text]
    found = float(text) if _FLOAT.fullmatch(text) else math.inf
    if not math.isfinite(found):
        refuse(text, "is no float")
    return found


def _shown_decimal(value: Decimal) -> str:
    return format(value, "f")


def _decimal(text: str) -> Decimal:
    if not _DECIMAL.fullmatch(text):
        refuse(text, "is no decimal")
    return Decimal(text)


def _bool(text: str) -> bool:
    if text.lower() not in {"true", "false"}:
        refuse(text, "is neither true nor false")
    return text.lower() == "true"


def _uuid(text: str) -> UUID:
    if not _UUID.fullmatch(text):
        refuse(text, "is no uuid")
    return UUID(text)


def _from_hex(text: str) -> bytes:
    if not _HEX.fullmatch(text):
        refuse(text, "is no hex")
    return bytes.fromhex(text)


def _from_base64(text: str) -> bytes:
    try:
        found = b64decode(text, validate=True)
    except (BinasciiError, ValueError):
        refuse(text, "is no base64")
    if _to_base64(found) != text:
        refuse(text, "is no base64 as it is written: padded, with zero bits at its end")
    return found


def _to_base64(value: bytes) -> str:
    return b64encode(value).decode("ascii")


_HEXED = Written(bytes.hex, _from_hex, "capital letters")
_BASE64 = Written(_to_base64, _from_base64)
