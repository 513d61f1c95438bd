"""The `json` type: any JSON value, checked, and carried as JSON text in binary formats."""

from __future__ import annotations

import math
from typing import Any

import msgspec

from ..errors import ValueMismatch
from .containers import class_of, exact_dict, exact_list
from .limits import Limits
from .repeats import refuse_json_repeats

_LOW, _HIGH = -(2**63), 2**64 - 1
_EXACT_DOUBLE = 2**53
MAX_DEPTH = Limits().depth
"""How deep a JSON value may nest."""
# A subclass (an enum, a defaultdict) would come back as something else.
_TYPES = frozenset({type(None), bool, int, float, str, list, dict})


def check_json(value: Any, *, doubles: bool = False, room: int = MAX_DEPTH) -> None:
    """Raise :class:`ValueMismatch` unless ``value`` is a JSON value that every format holds.

    Integers must fit 64 bits, which is what MessagePack can say; ``doubles`` narrows them to
    what a double holds exactly, for Protobuf's ``Value``. Lists and dicts may nest ``room``
    levels.
    """
    kind = class_of(value)
    if kind not in _TYPES:
        raise ValueMismatch(f"{kind.__name__} is no JSON value")
    match value:
        case str():
            _check_text(value)
        case int() if kind is int:
            low, high = (-_EXACT_DOUBLE, _EXACT_DOUBLE) if doubles else (_LOW, _HIGH)
            if not low <= value <= high:
                raise ValueMismatch(f"{value} is not an integer from {low} to {high}")
        case float():
            if not math.isfinite(value):
                raise ValueMismatch(f"{value} is no JSON value")
        case list() | dict() if room < 1:
            raise ValueMismatch(f"the state is nested more than {MAX_DEPTH} deep")
        case list():
            _check_items(exact_list(value), doubles=doubles, room=room - 1)
        case dict():
            _check_members(exact_dict(value), doubles=doubles, room=room - 1)
        case _:  # None and the booleans
            return


def _check_items(items: list[Any], *, doubles: bool, room: int) -> None:
    for index, item in enumerate(items):
        try:
            check_json(item, doubles=doubles, room=room)
        except ValueMismatch as error:
            raise error.under(f"[{index}]") from None


def _check_members(members: dict[Any, Any], *, doubles: bool, room: int) -> None:
    for key, item in members.items():
        if type(key) is not str:
            raise ValueMismatch(f"the key {key!r} is no str")
        try:
            _check_text(key)
            check_json(item, doubles=doubles, room=room)
        except ValueMismatch as error:
            raise error.under(f"[{key!r}]") from None


def _check_text(text: str) -> None:
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError:
            raise ValueMismatch("text with a lone surrogate is no JSON value") from None


def json_to_text(value: Any) -> bytes:
    """A checked JSON value as UTF-8 JSON text."""
    return msgspec.json.encode(value)


def text_to_json(text: bytes, room: int = MAX_DEPTH) -> Any:
    """The JSON value of UTF-8 JSON text; :class:`ValueMismatch` if it is none.

    Lists and dicts may nest ``room`` levels.
    """
    try:
        value = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise ValueMismatch(f"the bytes are no JSON text: {error}") from None
    # Our own text is what the value gives again; only other text can repeat a key.
    if b"{" in text and json_to_text(value) != text:
        refuse_json_repeats(text)
    # Cheap for the many small values: only text with many brackets can be too deep.
    if text.count(b"[") + text.count(b"{") > room:
        check_json(value, room=room)
    return value
