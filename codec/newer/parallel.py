"""The short way between two versions: states are led by the kernel and walked side by side.

What it cannot do it leaves to the general way, which gives the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ..containers import as_dict, as_list, class_of
from ..limits import Limits, check_residue_size
from ..record import Record
from ..residue import Way, checked_carriers
from .checks import Checks
from .compare import Comparison
from .pairs import Pair, Pairs, lossy_records
from .prune import pruned
from .restore import restore
from .token import Token, read_token, set_token, split_residue, write_token
from .trace import Trace
from .transit import Transit
from .values import Values


@dataclass
class Parallel:
    """Leads states whose records stand for each other one by one.

    ``version`` and ``fingerprint`` are those of the newer version.
    """

    version: int
    fingerprint: int
    pairs: Pairs
    down: Transit
    up: Transit
    values: Values
    checks: Checks

    def lower(self, state: Any, limits: Limits) -> Any:
        """As :meth:`.crossing.Crossing.lower`; ``NotImplemented`` where it cannot tell, as for
        a state that has residue itself.
        """
        old = NotImplemented if checked_carriers(state) else self.down(state)
        if old is NotImplemented:
            return old
        size = 0
        for new, record, pair in self._walk(state, old):
            entries = tuple(self._entries(new, record, pair))
            if entries:
                data = write_token(Token(self.version, self.fingerprint, pair.target, entries))
                size += len(data)
                set_token(record, data)
        check_residue_size(size, limits)
        return old

    def raise_(self, state: Any) -> Any:
        """As :meth:`.crossing.Crossing.raise_`; ``NotImplemented`` where it cannot tell."""
        found = [(way, old, *split_residue(data)) for way, old, data in checked_carriers(state)]
        if any(others or not data for *_, others, data in found):
            return NotImplemented
        tokens = [(way, old, read_token(data)) for way, old, _, data in found]
        if any(token.version != self.version for *_, token in tokens):
            return NotImplemented
        new = self.up(state)
        if new is NotImplemented:
            return new
        # All before any is restored, which may put items before others.
        made = [self._counterpart(new, way) for way, *_ in tokens]
        for record, (_, old, _) in zip(made, tokens, strict=True):
            pair = self.pairs.get(class_of(record))
            if pair is None or pair.old is not class_of(old):
                return NotImplemented
        for record, (_, old, token) in zip(made, tokens, strict=True):
            self._restore(record, old, token)
        return new

    def _restore(self, record: Any, old: Any, token: Token) -> None:
        pair = self.pairs[class_of(record)]
        if not token.is_settled:
            token = pruned(token, old, self.checks)
        if token.record == pair.target:
            restore(token, pair.slots, self.values, record)
            set_token(record, token.inner)

    def _entries(self, new: Any, old: Any, pair: Pair) -> Iterator[Any]:
        again = pair.again(old)
        for slot in pair.lossy:
            attribute = slot.attributes[0]
            before, after = getattr(new, attribute), again[attribute]
            if not self._comparison.alike(before, after):
                yield from self._comparison.of_field(slot, before, after, old)

    def _walk(self, new: Any, old: Any) -> Iterator[tuple[Any, Any, Pair]]:
        """The pairs of records in which something may differ."""
        pair = self.pairs[class_of(new)]
        if pair.lossy:
            yield new, old, pair
        for inner in pair.inner:
            if inner.records & self._lossy:
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
    def _lossy(self) -> frozenset[str]:
        return lossy_records(self.pairs)

    @cached_property
    def _comparison(self) -> Comparison:
        return Comparison(Trace(), Trace(), self.values, self.checks)


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
