"""Lays what a token has over a record that was upgraded: an edit since then beats it."""

from __future__ import annotations

from typing import Any

from ...errors import ValueMismatch
from ...schemas.model import Array
from ..checks import check_scalar
from ..containers import as_dict, as_list
from ..library.residue_section import attach
from .guards import unguarded, unguarded_within
from .slots import Known, Slot
from .token import Entry, Token, set_token
from .values import Values


def restore(token: Token, known: Known, values: Values, record: Any) -> None:
    """Set the fields of ``record`` as the token has them, and its residue; all of it has to hold.

    Raises ``ValueMismatch`` where the token does not fit the schema.
    """
    for entry in token.entries:
        slot = known.get(entry.path)
        if slot is None:
            raise ValueMismatch("the residue names a field that is not there", path=_path(entry))
        home = slot.home(record)
        if home is None:
            continue
        try:
            _set(entry, slot, values, home)
        except ValueMismatch as error:
            raise error.under(_path(entry)) from None
    set_token(record, unguarded(token.inner))


def _set(entry: Entry, slot: Slot, values: Values, home: Any) -> None:
    attribute, inner = slot.attributes[-1], slot.items
    stored = entry.value, entry.residue
    if entry.how == "t":
        record = getattr(home, attribute)
        if record is not None:
            for each in unguarded_within(entry):
                attach(record, each.residue)
    elif entry.how == "v":
        setattr(home, attribute, values.read(slot.kind, stored))
    elif entry.how not in {"i", "r"}:
        raise ValueMismatch(
            f"the residue is kept in a way that is not known here: {entry.how!r}",
            mend="read it with a newer release of instar",
        )
    elif inner is None:
        raise ValueMismatch("the residue has items of it, and it has none")
    else:
        items = values.read(Array(inner), stored)
        setattr(home, attribute, _joined(entry, slot, getattr(home, attribute), items))


def _joined(entry: Entry, slot: Slot, there: Any, items: list[Any]) -> Any:
    """A list or map with the items that were kept of it; null and an empty head stay so."""
    if entry.how == "r":
        return [*as_list(there), *items] if there else there
    if len(entry.places) != len(items):
        raise ValueMismatch("the residue does not say where its items were")
    kept = zip(entry.places, items, strict=True)
    if isinstance(there, dict):
        check = check_scalar(slot.keys)
        return {**{check(key): item for key, item in kept}, **as_dict(there)}
    if not isinstance(there, list):
        return there
    found = list(as_list(there))
    for index, item in kept:
        if type(index) is not int:
            raise ValueMismatch("the residue has keys for the items of a list")
        found.insert(index, item)
    return found


def _path(entry: Entry) -> str:
    return ".".join(entry.path)
