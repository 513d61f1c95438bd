"""The residue of a state beside its payload, for the formats whose records have no place for it.

An entry is the way from the state to a record, and the record's residue. The way goes by
attribute (text), by index (a number) or by key (in a list of one). In the binary formats the
entries stand before the payload, behind their length, as MessagePack; in the text formats they
are the first key of the document.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

import msgspec

from ...errors import InstarError, ValueMismatch
from ..containers import as_dict, as_list
from ..engines import uses_kernel
from ..limits import Limits, check_residue_size
from ..record import Record, set_residue
from ..residue import Way, checked_carriers, path_of
from ..tag.header import Format
from ..tag.text_document import RESIDUE_KEY
from ..yaml_text import dump_yaml, load_yaml
from .unknown import check_fields

Entries: TypeAlias = list[tuple[Way, bytes]]

_JSON_OPENING = b'{"$residue":'
_LENGTH_SIZE = 4
_DECODER = msgspec.msgpack.Decoder(Entries)


class _Section(msgspec.Struct):
    """The first key of a document, and nothing of the others."""

    residue: msgspec.Raw = msgspec.field(name=RESIDUE_KEY)


def put_section(format_: Format, payload: bytes, state: Record, limits: Limits) -> bytes | None:
    """``payload``, that of ``state`` without its residue, with the residue in it or before it.

    ``None`` where there is no residue. Raises LimitExceeded where there is too much of it.
    """
    if format_ not in {"json", "yaml"} and uses_kernel():
        whole: bytes | None = _put_by_kernel(payload, state, limits)
        if whole is not NotImplemented:
            return whole
    entries = [(way, residue) for way, _, residue in checked_carriers(state)]
    if not entries:
        return None
    check_residue_size(_size(entries), limits)
    match format_:
        case "json":
            rest = payload[1:] if payload == b"{}" else b"," + payload[1:]
            return _JSON_OPENING + msgspec.json.encode(entries) + rest
        case "yaml":
            plain: Any = msgspec.to_builtins(entries)
            return dump_yaml({RESIDUE_KEY: plain}, limits) + (
                b"" if payload == b"{}\n" else payload
            )
        case _:
            section = msgspec.msgpack.encode(entries)
            return len(section).to_bytes(_LENGTH_SIZE, "little") + section + payload


def _put_by_kernel(payload: bytes, state: Record, limits: Limits) -> Any:
    """The same in a binary format; ``NotImplemented`` where the kernel cannot tell."""
    from ..kernel import core  # noqa: PLC0415 - there may be no kernel
    from ..kernel.format import DEEPEST  # noqa: PLC0415

    found = core.section_of(state, Record, DEEPEST)
    if found is None:
        return NotImplemented
    count, size, head, rest = found
    if not count:
        return None
    check_residue_size(size, limits)
    length = (len(head) + len(rest)).to_bytes(_LENGTH_SIZE, "little")
    return b"".join((length, head, rest, payload))


def _size(entries: Entries) -> int:
    return sum([len(residue) for _, residue in entries])


def take_section(format_: Format, payload: Any, limits: Limits) -> tuple[Entries, Any]:
    """The entries, and the payload or document without them. Raises ValueMismatch for what is
    none, LimitExceeded where there is too much.
    """
    try:
        entries, rest = _taken(format_, payload, limits)
    except (msgspec.DecodeError, msgspec.ValidationError, ValueError) as error:
        raise ValueMismatch(f"the residue does not read: {error}") from None
    check_residue_size(_size(entries), limits)
    return entries, rest


def _taken(format_: Format, payload: Any, limits: Limits) -> tuple[Entries, Any]:
    if format_ not in ("json", "yaml"):
        stop = _LENGTH_SIZE + int.from_bytes(payload[:_LENGTH_SIZE], "little")
        return _DECODER.decode(payload[_LENGTH_SIZE:stop]), payload[stop:]
    document = payload
    if format_ == "json" and not isinstance(payload, dict):
        found = msgspec.json.decode(payload, type=_Section).residue
        stop = len(_JSON_OPENING) + len(bytes(found))
        if payload.startswith(_JSON_OPENING) and payload[len(_JSON_OPENING) : stop] == bytes(found):
            # As it is written, so that the rest is a document by itself.
            rest = b"{" + payload[stop:].removeprefix(b",")
            return msgspec.json.decode(found, type=Entries), rest
        document = msgspec.json.decode(payload)
    elif not isinstance(payload, dict):
        document = load_yaml(payload, limits)
    plain = dict(as_dict(document))
    return msgspec.convert(plain.pop(RESIDUE_KEY), Entries), plain


def attach_at_once(
    format_: Format, payload: Any, read: Callable[[bytes], Any], limits: Limits
) -> Any:
    """The state of a payload, which ``read`` gives without its section, and its residue.

    ``NotImplemented`` where the kernel cannot tell, and where anything is wrong.
    """
    if format_ in {"json", "yaml"} or not uses_kernel():
        return NotImplemented
    from ..kernel import core  # noqa: PLC0415 - there may be no kernel

    stop = _LENGTH_SIZE + int.from_bytes(payload[:_LENGTH_SIZE], "little")
    try:
        state = read(payload[stop:])
    except InstarError:
        return NotImplemented  # Something may be wrong in the section, which counts first.
    size = core.attach_section(state, payload[_LENGTH_SIZE:stop], Record)
    return state if size is not None and size <= limits.residue_bytes else NotImplemented


def attach_all(state: Record, entries: Entries) -> None:
    """As :func:`attach`, by the kernel where it can."""
    if not (uses_kernel() and _attached_by_kernel(state, entries)):
        attach(state, entries)


def _attached_by_kernel(state: Record, entries: Entries) -> bool:
    """Whether the kernel did it all. Where it did a part of it, the same is done once more."""
    from ..kernel import core  # noqa: PLC0415 - there may be no kernel

    try:
        section = msgspec.msgpack.encode(entries)
    except (OverflowError, UnicodeEncodeError):
        return False  # A text format has keys that MessagePack has not.
    return core.attach_section(state, section, Record) is not None


def attach(state: Record, entries: Iterable[tuple[Way, bytes]]) -> None:
    """Give the records of ``state`` their residue; ValueMismatch where there is no such record."""
    for way, residue in entries:
        place: Any = state
        for step in way:
            place = _inside(place, step, way)
        if not isinstance(place, Record):
            raise _nowhere(way)
        try:
            check_fields(residue)
        except ValueMismatch as error:
            raise error.under(path_of(way)) from None
        set_residue(place, residue)


def _inside(place: Any, step: Any, way: Way) -> Any:
    match step, place:
        case str(), Record() if step in place.__struct_fields__:
            return getattr(place, step)
        case int(), list() if 0 <= step < len(as_list(place)):
            return as_list(place)[step]
        case (key,), dict() if key in place:
            return as_dict(place)[key]
        case _:
            raise _nowhere(way)


def _nowhere(way: Way) -> ValueMismatch:
    return ValueMismatch("there is residue for it, and it is no record", path=path_of(way))
