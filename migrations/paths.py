"""Paths of ops: to a field inside of records, and to a record type inside of anything."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..errors import MigrationError
from ..schemas.model import Array, Map, Optional, Record, Reference, Schema, Type, Union

_SEGMENT = re.compile(r"(?P<name>[^.\[\]<>]+)(?P<inside>(?:\[\]|\[\*\]|<[^<>]+>)*)")
_INSIDE = re.compile(r"\[\]|\[\*\]|<[^<>]+>")


def segments(path: object) -> list[tuple[str, list[str]]]:
    """The names of a path, each with the signs that lead inside: ``[]``, ``[*]``, ``<label>``.

    Raises MigrationError for what is no path.
    """
    if not isinstance(path, str):
        raise MigrationError(f"{path!r} is no path", mend="a path is text: messages[].content")
    found: list[tuple[str, list[str]]] = []
    rest = path
    while True:
        match = _SEGMENT.match(rest)
        if match is None:
            raise MigrationError(
                f"{path!r} is no path",
                mend="write it as in messages[].content, memory[*].source, event<Failed>.reason",
            )
        found.append((match["name"], _INSIDE.findall(match["inside"])))
        rest = rest[match.end() :]
        if not rest:
            return found
        # A dot and nothing behind it is left for the next round to refuse.
        rest = rest[1:] if rest[0] == "." else "."


def step_inside(kind: Type, sign: str) -> Type | None:
    """The type inside of ``kind`` that ``sign`` leads to; ``None`` where it leads nowhere."""
    inner = kind.item if isinstance(kind, Optional) else kind
    match inner, sign:
        case Array(), "[]":
            return inner.items
        case Map(), "[*]":
            return inner.values
        case Union(), _:
            label = sign[1:-1]
            found = (b.type for b in inner.branches if label in {b.label, _short(b.label)})
            return next(found, None)
        case _:
            return None


def _short(name: str) -> str:
    return name.rpartition(".")[2]


def unwrapped(kind: Type) -> Type:
    """What an optional holds, or the type itself."""
    return kind.item if isinstance(kind, Optional) else kind


def record_at(schema: Schema, kind: Type) -> Record | None:
    """The record that a type refers to, through an optional; ``None`` for any other."""
    inner = kind.item if isinstance(kind, Optional) else kind
    named = schema.types.get(inner.name) if isinstance(inner, Reference) else None
    return named if isinstance(named, Record) else None


def type_at(schema: Schema, record: Record, path: Sequence[str]) -> Type:
    """The type of what stands at the end of a path of fields through records.

    It is optional where any record on the way is.
    """
    optional = False
    kind: Type = Reference(record.name)
    for name in path:
        found = record_at(schema, kind)
        if found is None:
            raise TypeError(f"{name} stands in no record")
        optional = optional or isinstance(kind, Optional)
        kind = found.by_name[name].type
    return Optional(kind) if optional and not isinstance(kind, Optional) else kind
