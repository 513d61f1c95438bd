"""The tokens within a token: of versions that are newer than its own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final, TypeAlias

from msgspec.structs import replace

from ...errors import ValueMismatch
from .token import Entry, join_residue, read_token, split_residue, write_token

Change: TypeAlias = Callable[[Entry], Iterable[Entry]]
"""What becomes of an entry; nothing where it is dropped."""

_DEEPEST: Final = 100
"""One for each version that a state was written at on its way down."""


def changed(data: bytes, change: Change, depth: int = 0) -> bytes:
    """A token, encoded, with every entry changed, also of those within it; empty for none.

    Raises ValueMismatch for what does not read.
    """
    if not data:
        return data
    if depth == _DEEPEST:
        raise ValueMismatch(f"the residue is of more than {_DEEPEST} versions at once")
    token = read_token(data)
    entries = tuple(
        kept
        for entry in token.entries
        for each in change(entry)
        for kept in changed_within(each, change, depth + 1)
    )
    inner = changed(token.inner, change, depth + 1)
    # As it stood where nothing is new, whoever wrote it.
    if entries == token.entries and inner == token.inner:
        return data
    return write_token(replace(token, entries=entries, inner=inner)) if entries or inner else b""


def changed_within(entry: Entry, change: Change, depth: int = 0) -> Iterator[Entry]:
    """The entry with the token changed of a record that the older version has as fields.

    Nothing where it held no more than that, and nothing is left.
    """
    if entry.how != "t":
        yield entry
        return
    parts = [(way, *split_residue(data)) for way, data in entry.residue]
    every = [(w, join_residue(other, changed(token, change, depth))) for w, other, token in parts]
    kept = tuple((way, data) for way, data in every if data)
    if kept:
        yield entry if kept == entry.residue else replace(entry, residue=kept)
