"""The short way between two versions: states are led by the kernel and walked side by side.

What it cannot do it leaves to the general way, which gives the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ...errors import InstarError
from ..containers import class_of
from ..limits import Limits, check_residue_size
from ..residue import Way
from .checks import Checks
from .pairs import Pairs
from .prune import pruned
from .restore import restore
from .token import Found, Kept, read_token, split_residue
from .transit import Transit
from .values import Values

if TYPE_CHECKING:
    from ..kernel import core


@dataclass
class Parallel:
    """Leads states whose records stand for each other one by one.

    ``version`` is the newer one.
    """

    version: int
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
        if old is NotImplemented:
            return old
        check_residue_size(self.beside.lower(state, old), limits)
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
