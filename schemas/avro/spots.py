"""Where things stand in a JSON text; only errors ask, so each search reads the text anew."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import TypeAlias

JsonPath: TypeAlias = tuple[str | int, ...]
"""The keys and positions that lead to a value, outermost first."""

STRING = r'"(?:[^"\\]|\\.)*"'
"""A JSON string, as a regular expression."""
_TOKEN = re.compile(rf'{STRING}|[\[\]{{}}:,]|[^\s\[\]{{}}:,"]+', re.DOTALL)


def spot(text: str, path: JsonPath) -> int:
    """Where the value at ``path`` begins, or the innermost one around it that is there."""
    found = 0
    for there, start in _values(text):
        if there == path:
            return start
        if there == path[: len(there)]:
            found = start
    return found


def repeated(text: str) -> int:
    """Where the first value stands that is another than the same key had before it."""
    seen: dict[JsonPath, int] = {}
    for path, start in _values(text):
        if path in seen and _value(text, seen[path]) != _value(text, start):
            return start
        seen[path] = start
    return 0


def deeper(text: str, limit: int) -> int:
    """Where the first bracket stands that opens more than ``limit`` levels."""
    depth = 0
    for found in _TOKEN.finditer(text):
        depth += {"{": 1, "[": 1, "}": -1, "]": -1}.get(found[0], 0)
        if depth > limit:
            return found.start()
    return 0


def token(text: str, wanted: str) -> int:
    """Where ``wanted``, a number or word of JSON, first stands outside of strings."""
    return next((found.start() for found in _TOKEN.finditer(text) if found[0] == wanted), 0)


def _value(text: str, start: int) -> object:
    return json.JSONDecoder().raw_decode(text, start)[0]


def _values(text: str) -> Iterator[tuple[JsonPath, int]]:
    """Every value of a JSON text, in the order in which they begin: its path, and where."""
    path: list[str | int] = []
    before = ""
    for found in _TOKEN.finditer(text):
        step = path[-1] if path else None
        match found[0]:
            case "]" | "}":
                path.pop()
            case "," if isinstance(step, int):
                path[-1] = step + 1
            case "," | ":":
                pass
            case key if isinstance(step, str) and before in {"{", ","}:
                path[-1] = json.loads(key)
            case value:
                yield tuple(path), found.start()
                if value in {"[", "{"}:
                    path.append(0 if value == "[" else "")
        before = found[0]
