"""Python source as small trees, laid out within a width the way ``ruff format`` does.

The layout algorithm: a tree goes on one line if it fits; else a call puts its arguments
on one line of their own if they fit; else every item stands on a line of its own, with a
trailing comma. Collections skip the middle step; a union gains brackets when it breaks.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

WIDTH = 100
INDENT = "    "
Kind: TypeAlias = Literal["call", "collection", "import", "subscript", "union"]


@dataclass(frozen=True, slots=True)
class Group:
    """Items between brackets; those of a union or an import are written where it breaks."""

    opening: str
    items: tuple[Code, ...]
    closing: str
    kind: Kind


Code: TypeAlias = str | Group


def call(function: str, *arguments: Code) -> Group:
    """The source of a call."""
    return Group(f"{function}(", arguments, ")", "call")


def list_of(items: list[Code]) -> Group:
    """The source of a list."""
    return Group("[", tuple(items), "]", "collection")


def dict_of(entries: list[tuple[str, Code]]) -> Group:
    """The source of a dictionary, from the source of its keys and values."""
    items = tuple(prefixed(f"{key}: ", value) for key, value in entries)
    return Group("{", items, "}", "collection")


def subscript(name: str, *arguments: Code) -> Group:
    """The source of a generic type with its arguments."""
    return Group(f"{name}[", arguments, "]", "subscript")


def union_of(options: list[Code]) -> Group:
    """The source of a union type."""
    return Group("(", tuple(options), ")", "union")


def prefixed(prefix: str, code: Code) -> Code:
    """``code`` with text before it, such as a key or the name of an argument."""
    if isinstance(code, str):
        return prefix + code
    return Group(prefix + code.opening, code.items, code.closing, code.kind)


def flat(code: Code) -> str:
    """``code`` on one line."""
    if isinstance(code, str):
        return code
    inner = (" | " if code.kind == "union" else ", ").join(map(flat, code.items))
    if code.kind in {"import", "union"}:
        return code.opening[:-1] + inner
    return code.opening + inner + code.closing


def render(code: Code, level: int = 0, after: str = "") -> str:
    """``code`` within the width, indented by ``level``, and followed by ``after``."""
    line = f"{INDENT * level}{flat(code)}{after}"
    return line if len(line) <= WIDTH else broken(code, level, after)


def broken(code: Code, level: int = 0, after: str = "") -> str:
    """``code`` over several lines, if it has a place to break; see :func:`render`."""
    indent = INDENT * level
    if isinstance(code, str) or not code.items:
        return f"{indent}{flat(code)}{after}"
    return f"{indent}{code.opening}\n{_body(code, level + 1)}\n{indent}{code.closing}{after}"


def _body(group: Group, level: int) -> str:
    if group.kind == "union":
        return _alternatives(group, level)
    if group.kind == "subscript" and len(group.items) == 1:
        return _sole(group.items[0], level)
    line = f"{INDENT * level}{', '.join(map(flat, group.items))}"
    if group.kind == "call" and len(line) <= WIDTH:
        return line
    return "\n".join(render(item, level, ",") for item in group.items)


def _sole(item: Code, level: int) -> str:
    """The only argument of a subscript: a union in it needs no brackets of its own."""
    line = f"{INDENT * level}{flat(item)}"
    if len(line) > WIDTH and isinstance(item, Group) and item.kind == "union":
        return _alternatives(item, level)
    return render(item, level)


def _alternatives(group: Group, level: int) -> str:
    first, *others = group.items
    return "\n".join([render(first, level), *(render(prefixed("| ", o), level) for o in others)])


def assignment(name: str, annotation: Code, value: Code | None, level: int = 0) -> str:
    """``name: annotation = value``, broken where ``ruff format`` would break it first."""
    head = prefixed(f"{name}: ", annotation)
    if value is None:
        return render(head, level)
    start = f"{INDENT * level}{flat(head)} = "
    if len(start + flat(value)) <= WIDTH:
        return start + flat(value)
    if isinstance(value, Group) and value.items and len(start + value.opening) <= WIDTH:
        return start + broken(value, level).lstrip()
    if len(start) < WIDTH:
        return f"{start}(\n{render(value, level + 1)}\n{INDENT * level})"
    return broken(head, level, f" = {render(value, level).lstrip()}")
