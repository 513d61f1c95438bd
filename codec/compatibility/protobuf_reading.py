"""Reads messages of one version with the classes of another, as Protobuf's own readers do."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

_LEFT_OVER = "the bytes of a known number are of another wire type"
_REPEATED = 3  # of FieldDescriptorProto.Label


Kept: TypeAlias = Mapping[int, int]
"""The reader's number of each of a writer's message, where the versions number it otherwise."""


def difference(
    written: Any, read: Any, kept: Kept | None = None, path: str = ""
) -> tuple[bool, str]:
    """Whether ``read`` parsed whole, and where it first differs from ``written``.

    Both are messages, compared by the numbers that both know, and by those that ``kept``
    joins at the outermost level. A known number whose bytes
    were put aside as unknown did not parse.
    """
    known = {field.number: field for field in read.DESCRIPTOR.fields}
    aside = sorted({field.field_number for field in _unknown(read)} & known.keys())
    if aside:
        return False, f"{path}.{aside[0]}: {_LEFT_OVER}"
    worst = True, ""
    for field in written.DESCRIPTOR.fields:
        number = (kept or {}).get(field.number, field.number)
        if number in known:
            for found in _compare(written, field, read, known[number], path):
                if not found[0]:
                    return found
                worst = worst if worst[1] else found
    return worst


def _unknown(message: Any) -> Any:
    from google.protobuf.unknown_fields import UnknownFieldSet  # noqa: PLC0415 - only when used

    return UnknownFieldSet(message)


def _compare(written: Any, old: Any, read: Any, new: Any, path: str) -> Iterator[tuple[bool, str]]:
    here = f"{path}.{old.number}"
    # Where one side cannot tell unset from zero, they are the same.
    presence = bool(old.has_presence and new.has_presence)
    before, after = (_values(m, f, presence=presence) for m, f in ((written, old), (read, new)))
    if _is_many(old) != _is_many(new):
        before, after = list(before), list(after)
        if before:
            yield True, f"{here}: one value and many are not the same"
    elif len(before) != len(after):
        yield True, f"{here}: {len(before)} values are read as {len(after)}"
    for one, other in zip(before, after, strict=False):
        yield _item(one, other, here)


def _item(written: Any, read: Any, path: str) -> tuple[bool, str]:
    messages = [hasattr(value, "DESCRIPTOR") for value in (written, read)]
    if all(messages):
        return difference(written, read, path=path)
    if not any(messages) and _alike(written, read):
        return True, ""
    return True, f"{path}: {_shown(written)} is read as {_shown(read)}"


def _shown(value: Any) -> str:
    return f"{{{value}}}".replace("\n", " ") if hasattr(value, "DESCRIPTOR") else repr(value)


def _is_many(field: Any) -> bool:
    # Releases of protobuf before 6.31 have no is_repeated, later ones warn of label.
    known = getattr(field, "is_repeated", None)
    return bool(field.label == _REPEATED if known is None else known)


def _values(message: Any, field: Any, *, presence: bool) -> list[Any]:
    """The values of a field; none where it is not set and ``presence`` counts."""
    value = getattr(message, field.name)
    if _is_many(field):
        return _entries(value) if _is_map(field) else [*value]
    return [] if presence and not message.HasField(field.name) else [value]


def _entries(value: Any) -> list[Any]:
    return [part for key in sorted(value) for part in (key, value[key])]


def _is_map(field: Any) -> bool:
    return field.message_type is not None and field.message_type.GetOptions().map_entry


def _alike(written: Any, read: Any) -> bool:
    match written, read:
        case float(), float() if math.isnan(written):
            return math.isnan(read)
        case str(), bytes():
            return written.encode() == read
        case _:
            return bool(written == read)
