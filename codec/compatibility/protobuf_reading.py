"""Reads messages of one version with the classes of another, as Protobuf's own readers do."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..library.protobuf_wire import CASES

_LEFT_OVER = "the bytes of a known number are of another wire type"
_VARINT = 0
_REPEATED = 3  # of FieldDescriptorProto.Label


@dataclass(frozen=True, slots=True)
class Kept:
    """What the versions number otherwise, of the outermost message.

    ``fields`` has the reader's number of a field by the writer's, and ``symbols`` the reader's
    number of an enum's symbol by the writer's, by the writer's number of the field.
    """

    fields: Mapping[int, int] = field(default_factory=dict[int, int])
    symbols: Mapping[int, Mapping[int, int]] = field(default_factory=dict[int, Mapping[int, int]])

    def meant(self, number: int, value: Any) -> Any:
        """What the reader should find in a field for ``value``."""
        moved = self.symbols.get(number)
        return moved.get(value, value) if moved and isinstance(value, int) else value


_NOTHING = Kept()


def difference(written: Any, read: Any, kept: Kept = _NOTHING, path: str = "") -> tuple[bool, str]:
    """Whether ``read`` parsed whole, and where it first differs from ``written``.

    Both are messages, compared by the numbers that both know, and by those that ``kept``
    joins at the outermost level. A known number whose bytes
    were put aside as unknown did not parse.
    """
    known = {new.number: new for new in read.DESCRIPTOR.fields}
    for unknown in _unknown(read):
        new = known.get(unknown.field_number)
        if new is None:
            continue
        if new.enum_type is None or unknown.wire_type != _VARINT:
            return False, f"{path}.{new.number}: {_LEFT_OVER}"
        return True, f"{path}.{new.number}: the reader's enum does not know {unknown.data}"
    worst = True, _branch(written, read, path)
    for old in written.DESCRIPTOR.fields:
        number = kept.fields.get(old.number, old.number)
        if number in known:
            for found in _compare((written, old), (read, known[number]), kept, path):
                if not found[0]:
                    return found
                worst = worst if worst[1] else found
    return worst


def _branch(written: Any, read: Any, path: str) -> str:
    """Whether the branch of a union, which is a message of our own, is gone."""
    if not all(_is_union(message) for message in (written, read)):
        return ""
    gone = written.WhichOneof(CASES) and not read.WhichOneof(CASES)
    return f"{path}: the branch is not known" if gone else ""


def _is_union(message: Any) -> bool:
    return any(oneof.name == CASES for oneof in message.DESCRIPTOR.oneofs)


def _unknown(message: Any) -> Any:
    from google.protobuf.unknown_fields import UnknownFieldSet  # noqa: PLC0415 - only when used

    return UnknownFieldSet(message)


def _compare(
    writer: tuple[Any, Any], reader: tuple[Any, Any], kept: Kept, path: str
) -> Iterator[tuple[bool, str]]:
    """Where one field differs; a side is a message and the descriptor of the field in it."""
    (written, old), (read, new) = writer, reader
    here = f"{path}.{old.number}"
    # Where one side cannot tell unset from zero, they are the same.
    presence = bool(old.has_presence and new.has_presence)
    before, after = (_values(m, f, presence=presence) for m, f in ((written, old), (read, new)))
    before = [kept.meant(old.number, value) for value in before]
    if not presence and not _is_many(old) and not any((*before, *after)):
        return  # a zero is not written, whatever its type
    if _is_many(old) != _is_many(new):
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
        case bytes(), str():
            return written == read.encode()
        case _:
            return bool(written == read)
