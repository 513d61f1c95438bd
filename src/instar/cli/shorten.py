"""Shortens a state so that it fits a screen."""

from __future__ import annotations

from typing import Final

from ..schemas.model import JsonValue

_TEXT: Final = 100
_ITEMS: Final = 3
_KEYS: Final = 30


def shorten(value: JsonValue) -> JsonValue:
    """``value`` with long texts, lists and objects cut; what was cut is said in its place."""
    match value:
        case str():
            return _text(value)
        case list():
            return _list(value)
        case dict():
            return _object(value)
        case _:
            return value


def _text(value: str) -> str:
    if len(value) <= _TEXT:
        return value
    return f"{value[:_TEXT]}... ({len(value) - _TEXT:,} more characters)"


def _list(value: list[JsonValue]) -> list[JsonValue]:
    # One more than the limit takes no more room than saying so.
    if len(value) <= _ITEMS + 1:
        return [shorten(item) for item in value]
    return [*map(shorten, value[:_ITEMS]), f"... ({len(value) - _ITEMS:,} more items)"]


def _object(value: dict[str, JsonValue]) -> dict[str, JsonValue]:
    shown = {key: shorten(item) for key, item in list(value.items())[:_KEYS]}
    if len(value) > _KEYS:
        shown["..."] = f"({len(value) - _KEYS:,} more keys)"
    return shown
