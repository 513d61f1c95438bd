"""Drops what edits have overtaken, so that nothing comes back that was replaced and saved."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec.structs import replace

from ...errors import ValueMismatch
from ..engines import uses_kernel
from ..record import Record
from ..residue import checked_carriers
from .checks import Checks
from .guards import holding, holding_within
from .judge import LeftOut, judged
from .token import Entry, Guard, Token, read_token, set_token, split_residue, write_token


def prune(state: Any, checks: Checks) -> bool:
    """Drop what no longer holds of the tokens of ``state``, in place; whether there was any.

    An edit that is saved is for good: the value before it does not return when a later edit
    happens to bring the old one back.
    """
    is_changed = False
    for record, residue in _doubtful(state, checks):
        data = split_residue(residue)[1]
        if data:
            token = read_token(data)
            kept = pruned(token, record, checks)
            if kept != token:
                is_changed = True
                set_token(record, write_token(kept) if kept.entries or kept.inner else b"")
    return is_changed


def _doubtful(state: Any, checks: Checks) -> list[tuple[Record, bytes]]:
    """The records of a state and their residue, but for those that the kernel finds to hold."""
    if uses_kernel():
        from ..kernel.format import DEEPEST  # noqa: PLC0415 - there may be no kernel

        found: list[tuple[Record, bytes]] | None = checks.holding.doubtful(state, DEEPEST)
        if found is not None:
            return found
    return [(record, residue) for _, record, residue in checked_carriers(state)]


def pruned(token: Token, record: Any, checks: Checks) -> Token:
    """The token without what no longer holds of ``record``, which carries it.

    Raises ``ValueMismatch`` where it is of another record.
    """
    try:
        held = tuple(_held(token, record, checks))
        left_out = LeftOut.of(held)
        entries = tuple(e for h in held for e in holding_within(h, record, checks, left_out))
        inner = holding(token.inner, record, checks, left_out)
        return replace(token, entries=entries, inner=inner)
    except (LookupError, TypeError, ValueError, msgspec.DecodeError):
        raise ValueMismatch("the residue is made of fields that are not there") from None


def _held(token: Token, record: Any, checks: Checks) -> Iterator[Entry]:
    for entry in token.entries:
        yield from judged(entry, Guard(entry.sources, entry.check), record, checks)
