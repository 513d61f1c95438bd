"""Classes and containers taken exactly: a subclass would come back as another class."""

from __future__ import annotations

from typing import Any

from .mismatch import mismatch


def class_of(value: object) -> type[Any]:
    """The very class of a value."""
    return type(value)


def exact_list(value: Any, words: str = "a list") -> list[Any]:
    """The value, if it is a list; raises ``ValueMismatch`` with ``words`` for what was due."""
    if type(value) is not list:
        raise mismatch(words, value)
    return value  # pyright: ignore[reportUnknownVariableType] - of anything, as declared


def exact_dict(value: Any, words: str = "a dict") -> dict[Any, Any]:
    """The value, if it is a dict; raises ``ValueMismatch`` with ``words`` for what was due."""
    if type(value) is not dict:
        raise mismatch(words, value)
    return value  # pyright: ignore[reportUnknownVariableType] - of anything, as declared


def as_list(value: Any) -> list[Any]:
    """A value that is known to be a list."""
    found: list[Any] = value
    return found


def as_dict(value: Any) -> dict[Any, Any]:
    """A value that is known to be a dict."""
    found: dict[Any, Any] = value
    return found
