"""Drops what edits have overtaken, so that nothing comes back that was replaced and saved."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec.structs import replace

from ...errors import ValueMismatch
from ..containers import as_list
from ..residue import checked_carriers
from .checks import Checks
from .token import Entry, Token, read_token, set_token, split_residue, write_token


def prune(state: Any, checks: Checks) -> bool:
    """Drop what no longer holds of the tokens of ``state``, in place; whether there was any.

    An edit that is saved is for good: the value before it does not return when a later edit
    happens to bring the old one back.
    """
    is_changed = False
    for _, record, residue in checked_carriers(state):
        data = split_residue(residue)[1]
        if data:
            token = read_token(data)
            kept = pruned(token, record, checks)
            if kept != token:
                is_changed = True
                set_token(record, write_token(kept) if kept.entries or kept.inner else b"")
    return is_changed


def pruned(token: Token, record: Any, checks: Checks) -> Token:
    """The token without what no longer holds of ``record``, which carries it.

    Raises ``ValueMismatch`` where it is of another record.
    """
    try:
        return replace(token, entries=tuple(_kept(token, record, checks)))
    except (KeyError, TypeError, ValueError, msgspec.DecodeError):
        raise ValueMismatch("the residue is made of fields that are not there") from None


def _kept(token: Token, record: Any, checks: Checks) -> Iterator[Entry]:
    for entry in token.entries:
        match entry.how:
            case "v":
                if not entry.check or entry.check == checks.digest(record, entry.sources):
                    yield entry
            case "t":
                yield entry
            case "r":
                if _value(entry, record, checks) is not None:
                    yield entry
            case "i":
                yield from _open_places(entry, _value(entry, record, checks))


def _value(entry: Entry, record: Any, checks: Checks) -> Any:
    (names,) = entry.sources
    return checks.value(record, names)


def _open_places(entry: Entry, there: Any) -> Iterator[Entry]:
    """The entry as far as its keys are free; nothing where the list or map is null now."""
    if there is None:
        return
    if not isinstance(there, dict):
        # Where the list is shorter now they are at its end, and stay there as it grows again.
        length = len(as_list(there))
        ends = (min(int(place), length + at) for at, place in enumerate(entry.places))
        yield replace(entry, places=tuple(ends))
        return
    kept = [index for index, key in enumerate(entry.places) if key not in there]
    if len(kept) == len(entry.places):
        yield entry
    elif kept:
        values = msgspec.msgpack.decode(entry.value, type=list[msgspec.Raw])
        at = {old: new for new, old in enumerate(kept)}
        residue = tuple(
            ((at[index], *rest), data) for (index, *rest), data in entry.residue if index in at
        )
        value = msgspec.Raw(msgspec.msgpack.encode([values[index] for index in kept]))
        places = tuple(entry.places[index] for index in kept)
        yield replace(entry, value=value, places=places, residue=residue)
