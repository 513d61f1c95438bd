"""The unknown fields of Protobuf messages: taken out as bytes, and put back.

A field is unknown to a message if its class has no such number (extensions among them) or has
it with another wire type, or if it is a number that a closed enum does not have. They are given
by protobuf itself, each message by itself, and written anew in their shortest form, in order.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import IntEnum
from typing import Any, NamedTuple

from ...errors import ValueMismatch
from ..containers import class_of

_LONGEST_SIZE = 28  # Bits of a length that is read without protobuf.
_WIRE = 7  # The bits of a tag that are no number.
_MORE = 0x80  # In LEB128, the bit that says another byte follows.


class WireType(IntEnum):
    """What follows a tag, as its lowest three bits say."""

    VARINT = 0
    FIXED_64 = 1
    LENGTH = 2
    GROUP = 3
    END = 4
    FIXED_32 = 5


class UnknownField(NamedTuple):
    """A field by its number, with its data as protobuf has it, and its bytes with the tag."""

    number: int
    wire: int
    data: Any
    raw: bytes


def parse(message_class: Any, payload: bytes) -> Any:
    """The message of a payload; ValueMismatch where there is none."""
    from google.protobuf.message import DecodeError  # noqa: PLC0415 - only when used

    try:
        return message_class.FromString(payload)
    except DecodeError as error:
        raise ValueMismatch(f"the bytes are no such message: {error}") from None


def unknown_fields(message: Any) -> list[UnknownField]:
    """The fields of a message, without those within it, that its class does not know."""
    from google.protobuf.unknown_fields import UnknownFieldSet  # noqa: PLC0415 - only when used

    found: Any = UnknownFieldSet(message)
    return [UnknownField(f.field_number, f.wire_type, f.data, _raw(f)) for f in found]


def unknown_bytes(message: Any) -> bytes:
    """The same on the wire, one after the other."""
    return b"".join(field.raw for field in unknown_fields(message))


def put_back(message: Any, residue: bytes) -> Any:
    """A message, given the unknown fields of a record, as far as nothing took their place.

    What was set since then beats them: a value of the same field, another case of the same
    oneof, an entry of the same key.
    """
    kept = [field.raw for field in fields_of(residue) if _is_open(message, field)]
    message.MergeFromString(b"".join(kept))
    return message


def lone_bytes(tag: bytes, residue: bytes) -> bytes | None:
    """The bytes of a field of this tag, which is short and that of bytes, if they are all else
    that there is in residue. ``None`` may also mean that only protobuf can tell.
    """
    if not residue.startswith(tag):
        return None
    size, shift, at = 0, 0, len(tag)
    while at < len(residue) and shift < _LONGEST_SIZE:
        byte = residue[at]
        size |= (byte & ~_MORE) << shift
        shift, at = shift + 7, at + 1
        if byte < _MORE:
            return residue[at:] if at + size == len(residue) else None
    return None


def check_fields(residue: bytes) -> None:
    """Raise ValueMismatch where residue is no sequence of fields."""
    if lone_bytes(_tag(residue), residue) is None:
        list(fields_of(residue))


def _tag(residue: bytes) -> bytes:
    """The tag that a residue begins with, if it is short and that of bytes; else a wrong one."""
    size = next((at for at, byte in enumerate(residue[:4], 1) if byte < _MORE), 0)
    is_short = size > 1 and residue[size - 1] != 0 and residue[0] & _WIRE == WireType.LENGTH
    return residue[:size] if is_short else b"\0"


def unknown_size(message: Any) -> int:
    """The bytes of all unknown fields of a message and of those within it; it loses them."""
    whole: int = message.ByteSize()
    message.DiscardUnknownFields()
    known: int = message.ByteSize()
    return whole - known


def fields_of(residue: bytes) -> Iterator[UnknownField]:
    """The fields of a residue, one by one; ValueMismatch where it is none."""
    from google.protobuf.empty_pb2 import Empty  # noqa: PLC0415 - only when used

    # To a message without fields, all of them are unknown.
    yield from unknown_fields(parse(Empty, residue))


def _is_open(message: Any, field: UnknownField) -> bool:
    """Whether the place of an unknown field in a message is still free."""
    known = message.DESCRIPTOR.fields_by_number.get(field.number)
    if known is None:
        return True
    own = class_of(message)
    is_unknown = bool(unknown_fields(own.FromString(field.raw)))
    if is_unknown and not _is_of_enum(known, field.wire):
        return True  # of another wire type, so that it can never be taken for a value
    if known.containing_oneof is not None:
        return message.WhichOneof(known.containing_oneof.name) is None
    if known.has_presence:
        return not message.HasField(known.name)
    if known.message_type is not None:
        return is_unknown and _key(known.message_type, field.data) not in getattr(
            message, known.name
        )
    # Of a list, what has no place in Python stands behind what has.
    return is_unknown


def _is_of_enum(known: Any, wire: int) -> bool:
    """Whether a field of this wire type can be a number of an enum, or an entry with one."""
    if known.enum_type is not None:
        return wire == WireType.VARINT
    is_map = known.message_type is not None and known.message_type.GetOptions().map_entry
    return is_map and wire == WireType.LENGTH


def _key(entry: Any, data: bytes) -> Any:
    from google.protobuf.message_factory import GetMessageClass  # noqa: PLC0415 - only when used

    found: Any = GetMessageClass(entry).FromString(data)
    return found.key


def number_field(number: int, value: int) -> bytes:
    """A field that holds a number of an enum, which may be negative."""
    return _varint(number << 3 | WireType.VARINT) + _varint(value & 0xFFFF_FFFF_FFFF_FFFF)


def bytes_field(number: int, value: bytes) -> bytes:
    """A field that holds bytes."""
    return _varint(number << 3 | WireType.LENGTH) + _varint(len(value)) + value


def _raw(field: Any) -> bytes:
    number, data = field.field_number, field.data
    return _varint(number << 3 | field.wire_type) + _value(number, field.wire_type, data)


def _value(number: int, wire: int, data: Any) -> bytes:
    match wire:
        case WireType.VARINT:
            return _varint(data)
        case WireType.FIXED_64:
            return int(data).to_bytes(8, "little")
        case WireType.FIXED_32:
            return int(data).to_bytes(4, "little")
        case WireType.LENGTH:
            return _varint(len(data)) + bytes(data)
        case _:
            inner = b"".join(_raw(field) for field in data)
            return inner + _varint(number << 3 | WireType.END)


def _varint(number: int) -> bytes:
    """LEB128, lowest seven bits first."""
    groups = bytearray()
    while number >= _MORE:
        groups.append(number & 0x7F | _MORE)
        number >>= 7
    groups.append(number)
    return bytes(groups)
