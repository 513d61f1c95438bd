"""The residue of one record that a newer version wrote: how it stands in the record's slot.

It is one field of Protobuf, before the fields of messages that no version knows, so that all that
carries those carries it too. Its number is of the range that no ``.proto`` may use (19000 to
19999: protobuf's language guide, "Assigning Field Numbers").
"""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec

from ...errors import ValueMismatch
from ...migrations.graph_reading import Names
from ..library.unknown import bytes_field, fields_of, lone_bytes
from ..record import Record, residue_of, set_residue
from ..residue import Way, checked_carriers

NUMBER = 19_173
"""The field's number; written into blobs, so it never changes."""

_HEAD = bytes_field(NUMBER, b"")[:-1]


NULL = msgspec.Raw(msgspec.msgpack.encode(None))
"""The value of an entry that has none."""


class Guard(msgspec.Struct, frozen=True, array_like=True):
    """What an entry is made of in a record of a version that is older than the one below its own.

    ``sources`` and ``check`` are as those of an entry.
    """

    sources: tuple[Names, ...]
    check: bytes


class Entry(msgspec.Struct, frozen=True, array_like=True):
    """What one field of the newer record had.

    ``path`` leads to it by names of the newer schema, through records that the older one has
    no counterpart of. ``how`` says what it holds, in one letter, as that is written with every
    field of every record: ``v`` the value, ``i`` the items that were left out of it, ``r`` the rest
    behind its first, ``t`` only what the record had for residue. ``sources`` lead to what it is
    made of in the older record, and ``check`` is the digest of that, empty where the entry does
    not depend on it. ``value`` is MessagePack of the field's type, or of a list of its items:
    ``places`` has the index or key of each. ``residue`` is that of the records within.
    ``guards`` has one for each version that the older record was led down to itself; the last is of
    the record that carries it.
    """

    path: Names
    how: str
    sources: tuple[Names, ...]
    check: bytes
    value: msgspec.Raw
    places: tuple[int | str | bool, ...] = ()
    residue: tuple[tuple[Way, bytes], ...] = ()
    guards: tuple[Guard, ...] = ()


class Token(msgspec.Struct, frozen=True, array_like=True):
    """What one record had: of which version, schema and type, and field by field.

    ``inner`` is the token that the newer record had itself, of one that is newer yet.
    ``is_settled`` says that what the entries are made of was found to be as it was.
    """

    version: int
    fingerprint: int
    record: str
    entries: tuple[Entry, ...]
    inner: bytes = b""
    is_settled: bool = False


_DECODER = msgspec.msgpack.Decoder(Token)


class Kept(NamedTuple):
    """A record that has a token, and the way to it."""

    way: Way
    record: Record
    token: Token


class Found(NamedTuple):
    """The tokens of a state. ``is_all`` says that no record has other residue."""

    tokens: tuple[Kept, ...]
    is_all: bool = True


NOTHING = Found(())
"""What a state keeps that has no residue."""


def kept_in(state: Record) -> Found:
    """What the records of a state keep that was read or checked. Raises ValueMismatch."""
    parts = [(way, record, *split_residue(data)) for way, record, data in checked_carriers(state)]
    tokens = [Kept(way, record, read_token(data)) for way, record, _, data in parts if data]
    return Found(tuple(tokens), not any(others for *_, others, _ in parts))


def split_residue(residue: bytes | None) -> tuple[bytes, bytes]:
    """The residue of a record without its token, and the token, encoded; empty for none."""
    if residue is None:
        return b"", b""
    if _HEAD not in residue:
        return residue, b""
    token = lone_bytes(_HEAD, residue)
    if token is not None:
        return b"", token
    fields = list(fields_of(residue))
    others = b"".join(field.raw for field in fields if field.number != NUMBER)
    tokens = [bytes(field.data) for field in fields if field.number == NUMBER]
    # As of any field that is no list, the last one counts.
    return others, tokens[-1] if tokens else b""


def token_of(record: Any) -> bytes:
    """The token of a record, encoded; empty for none."""
    return split_residue(residue_of(record))[1]


def set_token(record: Record, token: bytes) -> None:
    """Give a record its token, in the place of any other; the rest of its residue stays."""
    set_residue(record, join_residue(split_residue(residue_of(record))[0], token))


def join_residue(others: bytes, token: bytes) -> bytes:
    """The residue of a record: what :func:`split_residue` gave; empty for none."""
    return (bytes_field(NUMBER, token) if token else b"") + others


def read_token(data: bytes) -> Token:
    """A token, decoded. Raises ValueMismatch."""
    try:
        return _DECODER.decode(data)
    except (msgspec.DecodeError, msgspec.ValidationError) as error:
        raise ValueMismatch(f"the residue of a newer version does not read: {error}") from None


def write_token(token: Token) -> bytes:
    """The token, encoded."""
    return msgspec.msgpack.encode(token)
