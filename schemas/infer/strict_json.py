"""A strict JSON parser: Python's, less what it lets through, plus the line of each fault."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from typing import Any, NoReturn

from ...errors import DocumentError
from ..model import JsonValue
from .thresholds import DEPTH

_STRING = r'"(?:[^"\\]|\\.)*"'
_BRACKETS = re.compile(rf"{_STRING}|[\[{{}}\]]", re.DOTALL)
_KEYS = re.compile(rf"({_STRING})\s*:|{_STRING}|[{{}}]", re.DOTALL)
_STRINGS = re.compile(_STRING, re.DOTALL)
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


class _Refused(Exception):
    """JSON that Python's parser takes and we do not. ``token`` is the text at fault."""

    def __init__(self, reason: str, token: str = "") -> None:
        self.reason = reason
        self.token = token
        super().__init__(reason)


def parse(data: bytes, source: str, line: int = 1) -> JsonValue:
    """Parse one JSON text in UTF-8 that begins on ``line`` of ``source``.

    Raises DocumentError, with the line, for bad syntax, a key that occurs twice in one
    object, ``NaN`` and infinities, a number beyond a double, half a surrogate pair, and
    nesting beyond ``DEPTH``.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise _error("is not UTF-8", source, line + data.count(b"\n", 0, error.start)) from None
    _check_depth(text, source, line)
    try:
        value: JsonValue = _STRICT.decode(text)
    except json.JSONDecodeError as error:
        reason = f"is not JSON: {error.msg} (column {error.colno})"
        raise _error(reason, source, line + error.lineno - 1) from None
    except _Refused as refused:
        place = _place_of(refused.token, text)
        raise _error(refused.reason, source, line + text.count("\n", 0, place)) from None
    _check_surrogates(text, source, line)
    return value


def _error(reason: str, source: str, line: int) -> DocumentError:
    return DocumentError(reason, where=f"{source}:{line}")


def _check_depth(text: str, source: str, line: int) -> None:
    if text.count("{") + text.count("[") <= DEPTH:
        return
    depth = 0
    for found in _BRACKETS.finditer(text):
        depth += {"{": 1, "[": 1, "}": -1, "]": -1}.get(found[0], 0)
        if depth > DEPTH:
            at = line + text.count("\n", 0, found.start())
            raise _error(f"nested deeper than {DEPTH} levels", source, at)


def _check_surrogates(text: str, source: str, line: int) -> None:
    if not _SURROGATE.search(text):
        return
    for found in _STRINGS.finditer(text):
        if _SURROGATE.search(found[0]) and not is_unicode(json.loads(found[0])):
            at = line + text.count("\n", 0, found.start())
            raise _error(f"half a surrogate pair in {found[0][:40]}", source, at)


def is_unicode(text: str) -> bool:
    """Whether ``text`` can be written as UTF-8: it has no lone surrogate."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) == len(pairs):
        return members
    keys = [key for key, _ in pairs]
    twice = next(key for key in keys if keys.count(key) > 1)
    raise _Refused(f"the key {twice!r} occurs twice in one object")


def _constant(token: str) -> NoReturn:
    raise _Refused(f"{token} is no JSON number", token)


def _float(token: str) -> float:
    value = float(token)
    if math.isinf(value):
        raise _Refused(f"{token} is beyond what a double holds", token)
    return value


def _int(token: str) -> int:
    try:
        return int(token)
    except ValueError:
        # Python does not parse integers of thousands of digits.
        raise _Refused(f"an integer of {len(token)} digits is too long", token) from None


_STRICT = json.JSONDecoder(
    object_pairs_hook=_unique, parse_constant=_constant, parse_float=_float, parse_int=_int
)


def _place_of(token: str, text: str) -> int:
    """Where ``token`` first stands outside strings; without one, the first repeated key."""
    if not token:
        return next(_repeated_keys(text), 0)
    tokens = re.compile(rf"{_STRING}|(?<![\w.+-]){re.escape(token)}", re.DOTALL)
    return next((m.start() for m in tokens.finditer(text) if not m[0].startswith('"')), 0)


def _repeated_keys(text: str) -> Iterator[int]:
    open_objects: list[set[str]] = []
    for found in _KEYS.finditer(text):
        if found[0] == "{":
            open_objects.append(set())
        elif found[0] == "}":
            open_objects.pop()
        elif found[1] is not None:
            key = json.loads(found[1])
            if key in open_objects[-1]:
                yield found.start()
            open_objects[-1].add(key)
