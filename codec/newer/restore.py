"""Lays what a token has over a record that was upgraded: an edit since then beats it."""

from __future__ import annotations

from typing import Any

from ...errors import ValueMismatch
from ..containers import as_dict, as_list
from .slots import Slot, Slots
from .token import Entry, Token
from .values import Values


def restore(token: Token, slots: Slots, values: Values, record: Any, old: Any) -> None:
    """Set the fields of ``record``, made of ``old``, as the token has them.

    Raises ``ValueMismatch`` where the token does not fit the schema.
    """
    known = {slot.path: slot for slot in _flat(slots)}
    for entry in token.entries:
        slot = known.get(entry.path)
        if slot is None:
            raise ValueMismatch("the residue names a field that is not there", path=_path(entry))
        home = slot.home(record)
        if home is None or not (token.is_settled or holds(entry, slot, old)):
            continue
        try:
            _set(entry, slot, values, home)
        except ValueMismatch as error:
            raise error.under(_path(entry)) from None


def settled(token: Token, slots: Slots, old: Any) -> Token:
    """The token for when ``old`` is gone: only what holds of it now."""
    known = {slot.path: slot for slot in _flat(slots)}
    kept = tuple(
        entry
        for entry in token.entries
        if entry.path in known and holds(entry, known[entry.path], old)
    )
    return Token(token.version, token.fingerprint, token.record, kept, token.inner, True)


def holds(entry: Entry, slot: Slot, old: Any) -> bool:
    """Whether what an entry depends on is what it was."""
    return not entry.check or entry.check == slot.check(old)


def _set(entry: Entry, slot: Slot, values: Values, home: Any) -> None:
    attribute = slot.attributes[-1]
    kind = slot.kind if entry.how == "v" else slot.items or slot.kind
    value = values.read(kind, (entry.value, entry.residue))
    if entry.how != "v":
        value = _joined(entry, getattr(home, attribute), value)
    setattr(home, attribute, value)


def _joined(entry: Entry, there: Any, items: Any) -> Any:
    """A list or map with the items that were kept of it; null and an empty head stay so."""
    if isinstance(there, dict):
        return {**as_dict(items), **as_dict(there)}
    if not isinstance(there, list):
        return there
    found = list(as_list(there))
    if entry.how == "r":
        return found + as_list(items) if found else found
    if len(entry.places) != len(items):
        raise ValueMismatch("the residue does not say where its items were")
    for index, item in zip(entry.places, as_list(items), strict=True):
        found.insert(index, item)
    return found


def _flat(slots: Slots) -> Slots:
    return tuple(each for slot in slots for each in (slot, *_flat(slot.inner)))


def _path(entry: Entry) -> str:
    return ".".join(entry.path)
