"""JSON values that must be of one kind, and how deep they nest."""

from __future__ import annotations

from ..errors import SchemaError
from .model import JsonValue


def expect_object(node: JsonValue) -> dict[str, JsonValue]:
    """``node``, which must be an object; raises SchemaError otherwise."""
    if not isinstance(node, dict):
        raise _unexpected("an object", node)
    return node


def expect_list(node: JsonValue) -> list[JsonValue]:
    """``node``, which must be a list; raises SchemaError otherwise."""
    if not isinstance(node, list):
        raise _unexpected("a list", node)
    return node


def expect_text(node: JsonValue) -> str:
    """``node``, which must be a string; raises SchemaError otherwise."""
    if not isinstance(node, str):
        raise _unexpected("a string", node)
    return node


def expect_integer(node: JsonValue) -> int:
    """``node``, which must be an integer; raises SchemaError otherwise."""
    # A bool is an int to Python, and never to a schema.
    if not isinstance(node, int) or isinstance(node, bool):
        raise _unexpected("an integer", node)
    return node


def expect_boolean(node: JsonValue) -> bool:
    """``node``, which must be true or false; raises SchemaError otherwise."""
    if not isinstance(node, bool):
        raise _unexpected("a boolean", node)
    return node


def _unexpected(wanted: str, node: JsonValue) -> SchemaError:
    return SchemaError(f"expected {wanted}, found {excerpt(node)}")


def unique(pairs: list[tuple[str, JsonValue]]) -> dict[str, JsonValue]:
    """The JSON object of ``pairs``; raises ValueError where a key occurs twice."""
    members = dict(pairs)
    if len(members) != len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f"the key {twice!r} occurs twice in one object")
    return members


def excerpt(node: JsonValue) -> str:
    """``node`` as it is shown in an error, cut where it is long."""
    text = "null" if node is None else repr(node)
    return text if len(text) <= 60 else f"{text[:57]}..."  # noqa: PLR2004  # one short line


def nests_deeper(document: JsonValue, limit: int) -> bool:
    """Whether lists and objects in ``document`` stand in each other more than ``limit`` deep."""
    level: list[JsonValue] = [document]
    for _ in range(limit + 1):
        level = [child for node in level for child in _children(node)]
        if not level:
            return False
    return True


def _children(node: JsonValue) -> list[JsonValue]:
    if isinstance(node, dict):
        return list(node.values())
    return node if isinstance(node, list) else []
