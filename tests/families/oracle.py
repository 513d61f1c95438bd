"""What a message becomes at a later version, worked out on its JSON form by hand-written steps.

Nothing of instar is in here: protobuf's own code reads the message and builds the newer one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias

from google.protobuf.json_format import MessageToDict, ParseDict, SerializeToJsonError
from google.protobuf.timestamp_pb2 import Timestamp

Change: TypeAlias = Callable[[dict[str, Any]], None]
"""Changes the JSON form of one message in its place."""
Hop: TypeAlias = Mapping[str, Change]
"""The changes from one version to the next, by the full name of the message."""

Json: TypeAlias = dict[str, Any]


def as_json(message: Any) -> Json | None:
    """The JSON form, by the names of the schema; ``None`` where there is none."""
    try:
        found: Json = MessageToDict(message, preserving_proto_field_name=True)
    except (SerializeToJsonError, ValueError):
        return None
    return found


def raised(plain: Json, source: Any, target: Any, hop: Hop) -> Json | None:
    """The JSON form of a message of ``source`` one version later, as ``target`` holds it."""
    _change(plain, source.DESCRIPTOR, hop)
    return as_json(ParseDict(plain, target(), ignore_unknown_fields=True))


def _change(plain: Json, kind: Any, hop: Hop) -> None:
    for field in kind.fields:
        inner = _inner(field)
        if field.name in plain and inner is not None:
            for value in _values(field, plain[field.name]):
                _change(value, inner, hop)
    if kind.full_name in hop:
        hop[kind.full_name](plain)


def _inner(field: Any) -> Any:
    """The message that a field holds; ``None`` where JSON has a form of its own for it."""
    found = field.message_type
    if found is not None and found.GetOptions().map_entry:
        found = found.fields_by_name["value"].message_type
    return None if found is None or found.full_name.startswith("google.protobuf.") else found


def _values(field: Any, held: Any) -> Iterator[Json]:
    if field.message_type.GetOptions().map_entry:
        yield from held.values()
    elif field.is_repeated:
        yield from held
    else:
        yield held


def renamed(**names: str) -> Change:
    """A change of names, the old before the new."""

    def change(plain: Json) -> None:
        for old, new in names.items():
            if old in plain:
                plain[new] = plain.pop(old)

    return change


def nanos_of_timestamp(text: str) -> int:
    """Nanoseconds since 1970 of a timestamp in JSON."""
    found = Timestamp()
    found.FromJsonString(text)
    return found.ToNanoseconds()


def timestamp_of_nanos(nanos: int) -> str:
    """The same, the other way."""
    found = Timestamp()
    found.FromNanoseconds(nanos)
    return found.ToJsonString()
