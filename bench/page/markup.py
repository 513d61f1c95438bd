"""Makes HTML and SVG out of parts, such that no text can ever become markup.

What is a plain ``str`` is text and gets escaped; only what ``element`` itself made is not.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import Final

_VOID: Final = frozenset({"meta"})


class Markup(str):
    """HTML or SVG, escaped where it had to be."""

    __slots__ = ()


def element(name: str, /, *children: str, **attributes: str | float | bool | None) -> Markup:
    """An element. ``class_`` is the attribute ``class``, and ``data_value`` is ``data-value``.

    An attribute that is None or False is left out; a number is written with two decimals.
    """
    start = f"<{name}{''.join(_attribute(*each) for each in attributes.items())}>"
    return Markup(start if name in _VOID else f"{start}{join(children)}</{name}>")


def join(children: Iterable[str]) -> Markup:
    """The children one after the other, as one piece."""
    return Markup("".join(c if isinstance(c, Markup) else escape(c) for c in children))


def _attribute(name: str, value: str | float | bool | None) -> str:
    if value is None or value is False:
        return ""
    written = name.rstrip("_").replace("_", "-")
    return f" {written}" if value is True else f' {written}="{_text(value)}"'


def _text(value: str | float) -> str:
    if isinstance(value, str):
        return escape(value)
    return f"{value:.2f}".rstrip("0").rstrip(".")
