"""The short way between two versions: states are led by the kernel and walked side by side.

What it cannot do it leaves to the general way, which gives the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ...errors import InstarError
from ..containers import as_dict, as_list, class_of
from ..limits import Limits, check_residue_size
from ..record import Record
from ..residue import Way
from .checks import Checks
from .compare import Comparison
from .openings import Inside, KnownPart, Original
from .pairs import Pair, Pairs, around
from .prune import pruned
from .restore import restore
from .token import (
    Entry,
    Found,
    Kept,
    Token,
    read_token,
    set_token,
    split_residue,
    token_of,
    write_token,
)
from .trace import Trace
from .transit import Transit
from .values import Values

if TYPE_CHECKING:
    from ..kernel import core


@dataclass
class Parallel:
    """Leads states whose records stand for each other one by one.

    ``version`` and ``fingerprint`` are those of the newer version, and ``beside`` is the walk of
    the kernel.
    """

    version: int
    fingerprint: int
    pairs: Pairs
    beside: core.Beside
    down: Transit
    up: Transit
    values: Values
    checks: Checks

    def lower(self, state: Any, limits: Limits) -> Any:
        """As :meth:`.crossing.Crossing.lower`; ``NotImplemented`` where it cannot tell, as for
        a state that has residue itself.
        """
        old = self.down(state)
        if old is not NotImplemented:
            check_residue_size(self.beside.lower(state, old), limits)
            return old
        # There may be what the older version leaves out, and it is led down without that.
        part = KnownPart(self._inside)
        known = part.of(state)
        old = NotImplemented if known is state else self.down(known)
        return old if old is NotImplemented else self._kept(known, old, part.originals, limits)

    def _kept(self, state: Any, old: Any, originals: Mapping[int, Original], limits: Limits) -> Any:
        """``old`` with what it has not of what ``originals`` say that ``state`` was."""
        size = self.beside.lower(state, old)
        for new, record, pair in self._walk(state, old):
            original = originals.get(id(new))
            if original is not None and original.left:
                # In the place of what its copy kept.
                size -= len(token_of(record))
                entries = tuple(self._original_entries(original, record, pair))
                data = write_token(Token(self.version, self.fingerprint, pair.target, entries))
                size += len(data)
                set_token(record, data)
        check_residue_size(size, limits)
        return old

    def raise_at_once(self, state: Any) -> Any:
        """The same for a state of which it is not known what it keeps, if that is all of the
        newer version and the kernel can tell; else ``NotImplemented``.
        """
        try:
            new = self.up(state)
            left = None if new is NotImplemented else self.beside.raise_(state, new)
            if left is None:
                return NotImplemented
            for old, record, residue in left:
                token = read_token(split_residue(residue)[1])
                if token.inner or any(each.residue for each in token.entries):
                    return NotImplemented  # It may be of a version that is newer yet.
                self._restore(record, Kept((), old, token))
        except (InstarError, LookupError, TypeError, ValueError):
            return NotImplemented  # The general way says what is wrong.
        return new

    def raise_(self, state: Any, found: Found) -> Any:
        """As :meth:`.crossing.Crossing.raise_`; ``NotImplemented`` where it cannot tell."""
        tokens = found.tokens
        if not found.is_all or any(each.token.version != self.version for each in tokens):
            return NotImplemented
        new = self.up(state)
        if new is NotImplemented:
            return new
        # All before any is restored, which may put items before others.
        made = [self._counterpart(new, each.way) for each in tokens]
        for record, each in zip(made, tokens, strict=True):
            pair = self.pairs.get(class_of(record))
            if pair is None or pair.old is not class_of(each.record):
                return NotImplemented
        for record, each in zip(made, tokens, strict=True):
            self._restore(record, each)
        return new

    def _restore(self, record: Any, kept: Kept) -> None:
        pair, token = self.pairs[class_of(record)], kept.token
        if not token.is_settled:
            token = pruned(token, kept.record, self.checks)
        if token.record == pair.target:
            restore(token, pair.known, self.values, record)

    def _original_entries(self, original: Original, old: Any, pair: Pair) -> Iterator[Entry]:
        """The entries of a record of which a copy without what is left out became ``old``."""
        again, left = pair.again(old), original.left
        names = {slot.attributes[0]: slot for slot in pair.known.values() if len(slot.path) == 1}
        values = {name: getattr(original.record, name) for name in names}
        trace = Trace(
            left_out={id(values[name]): {*places} for name, places in left.items() if places}
        )
        comparison = Comparison(trace, Trace(), self.values, self.checks, is_bare=True)
        for name, slot in names.items():
            if slot in pair.lossy:
                yield from comparison.of_field(slot, values[name], again[name], old)
            elif name in left:
                yield from comparison.left_out(slot, values[name], left[name], old)

    def _walk(self, new: Any, old: Any) -> Iterator[tuple[Any, Any, Pair]]:
        """The pairs of records in which something may be left out, and those around them."""
        pair = self.pairs[class_of(new)]
        yield new, old, pair
        for inner in pair.inner:
            if inner.records & self._opened:
                for each in _records(getattr(new, inner.new), getattr(old, inner.old)):
                    yield from self._walk(*each)

    def _counterpart(self, new: Any, way: Way) -> Any:
        """What the record became that ``way`` leads to in an older state; ``None`` for nothing."""
        for step in way:
            match step:
                case str():
                    pair = self.pairs.get(class_of(new))
                    inner = pair and next((i for i in pair.inner if i.old == step), None)
                    new = inner and getattr(new, inner.new)
                case (key,):
                    new = new[key]
                case int():
                    new = new[step]
        return new

    @cached_property
    def _opened(self) -> frozenset[str]:
        return around(self.pairs, {pair.target for pair in self.pairs.values() if pair.openings})

    @cached_property
    def _inside(self) -> Mapping[type, Inside]:
        return {
            cls: Inside(pair.openings, tuple(i.new for i in pair.inner if i.records & self._opened))
            for cls, pair in self.pairs.items()
            if pair.target in self._opened
        }


def _records(new: Any, old: Any) -> Iterator[tuple[Any, Any]]:
    """The records of two values that are alike but for what is in their records."""
    if isinstance(new, list):
        for pair in zip(as_list(new), as_list(old), strict=True):
            yield from _records(*pair)
    elif isinstance(new, dict):
        for key, value in as_dict(new).items():
            yield from _records(value, old[key])
    elif isinstance(new, Record):
        yield new, old
