"""Where a JSON document and the same document after a round trip differ, exactly.

The order of keys carries no meaning. Everything else counts: ``1`` is not ``1.0``, ``0.0``
is not ``-0.0``, and a missing key is not a null.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from math import copysign
from typing import Any, Final, Literal, TypeAlias

from ...schemas.model import JsonValue

ChangeKind: TypeAlias = Literal[
    "absent-null-merged", "default-written", "number-type", "number-rounded", "text-form", "loss"
]

ABSENT: Final = "(absent)"
"""Stands in a :class:`Change` for a key that is not there."""

_IDENTIFIER = re.compile(r"[A-Za-z_$][A-Za-z0-9_$-]*")
_SUBSCRIPT = re.compile(r"""\[(?:\d+|"(?:[^"\\]|\\.)*")\]""")


@dataclass(frozen=True, slots=True)
class Change:
    """One value of a document that is not kept exactly, at ``path``.

    ``kind`` says how it changes: ``absent-null-merged`` (a missing key becomes a null or
    the reverse), ``default-written`` (a missing key gets the field's default),
    ``number-type`` (an integer becomes the float of the same value), ``number-rounded`` (a
    float keeps fewer digits), ``text-form`` (a time, UUID or the like is written in another
    form), ``loss`` (anything else; never of a document that loads).
    """

    path: str
    kind: ChangeKind
    before: JsonValue
    after: JsonValue

    @property
    def place(self) -> str:
        """The path with every index and every subscripted key left open: ``costs[]``."""
        return _SUBSCRIPT.sub("[]", self.path)


def differences(before: JsonValue, after: JsonValue, path: str = "") -> Iterator[Change]:
    """Every difference between two JSON values; ``path`` is theirs."""
    if isinstance(before, dict) and isinstance(after, dict):
        yield from _between_objects(before, after, path)
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for index, (old, new) in enumerate(zip(before, after, strict=True)):
            yield from differences(old, new, f"{path}[{index}]")
    elif not _is_same(before, after):
        yield Change(path, _kind(before, after), before, after)


def _between_objects(
    before: dict[str, JsonValue], after: dict[str, JsonValue], path: str
) -> Iterator[Change]:
    for key, old in before.items():
        if key in after:
            yield from differences(old, after[key], joined(path, key))
        else:
            kind: ChangeKind = "absent-null-merged" if old is None else "loss"
            yield Change(joined(path, key), kind, old, ABSENT)
    for key, new in after.items():
        if key not in before:
            kind = "absent-null-merged" if new is None else "default-written"
            yield Change(joined(path, key), kind, ABSENT, new)


def joined(path: str, key: str) -> str:
    """``path`` and below it ``key``, subscripted where it is no identifier."""
    if not _IDENTIFIER.fullmatch(key):
        return f'{path}["{key}"]'
    return f"{path}.{key}" if path else key


def _is_same(before: Any, after: Any) -> bool:
    if type(before) is not type(after) or before != after:
        return False
    return not isinstance(before, float) or copysign(1, before) == copysign(1, after)


def _kind(before: JsonValue, after: JsonValue) -> ChangeKind:
    match before, after:
        case int(), float() if not isinstance(before, bool) and before == after:
            return "number-type"
        case float(), float():
            return "number-rounded"
        case str(), str():
            return "text-form"
        case _:
            return "loss"
