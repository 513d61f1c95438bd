"""Two versions, and what a state keeps on its way down and gets back on its way up."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Any

from msgspec.structs import replace

from ...migrations.conversion import Graph
from ..limits import Limits, check_residue_size
from ..plan import Segment
from ..subject import Subject
from .beside import make_beside
from .checks import Checks
from .compare import Comparison
from .descent import Descent, Lineage
from .guards import Guarding
from .judge import LeftOut
from .pairs import compile_pairs
from .parallel import Parallel
from .prune import pruned
from .restore import restore
from .slots import by_path
from .token import Entry, Found, Token, read_token, set_token, token_of, write_token
from .trace import Pass, Passes
from .transit import Transit, make_transit
from .values import Values


class Crossing:
    """The way between two versions of a subject, in each direction."""

    def __init__(self, subject: Subject, low: int, high: int, limits: Limits) -> None:
        self._subject, self._low, self._high, self._limits = subject, low, high, limits
        self._values = Values(subject.types(high))
        self._checks = Checks(subject.types(low))

    def lower(self, state: Any) -> Any:
        """A state of the newer version as one of the older, with tokens.

        Raises ``NotExpressible`` with a path for what the older version cannot hold, and
        ``LimitExceeded`` where there is too much to keep.
        """
        if self.parallel is not None:
            lowered = self.parallel.lower(state, self._limits)
            if lowered is not NotImplemented:
                return lowered
        down = self._down.run(state)
        up = self._up.run(down.state)
        comparison = Comparison(down, up, self._values, self._checks)
        tokens: dict[int, Token] = {}
        for again, descent in up.made:
            old, new = up.origin[id(again)], comparison.original(again)
            if type(new) is type(again) and id(old) not in tokens:
                slots = self._lineage.slots(descent)
                entries = comparison.entries(slots, new, again, old)
                tokens[id(old)] = self._kept(entries, new, old, descent)
        size = 0
        for old, descent in down.made:
            # A record that no newer one is made of may have been one that had a token.
            inner = self._guarding.unbound(token_of(down.origin[id(old)]))
            token = tokens.get(id(old)) or self._token(descent[0].source, (), inner)
            if token.entries or token.inner:
                data = write_token(token)
                size += len(data)
                set_token(old, data)
        check_residue_size(size, self._limits)
        return down.state

    def raise_(self, state: Any, found: Found) -> Any:
        """A state of the older version as one of the newer, with what its tokens have.

        ``found`` are the tokens, as :func:`.token.kept_in` gives them.

        Tokens of versions that are newer yet are settled, and stay. Raises ``ValueMismatch``
        where one does not read.
        """
        if self.parallel is not None:
            raised = self.parallel.raise_(state, found)
            if raised is not NotImplemented:
                return raised
        up = self._up.run(state)
        for record, descent in up.made:
            old = up.origin[id(record)]
            data = token_of(old)
            if not data:
                continue
            token = read_token(data)
            if not token.is_settled:
                token = pruned(token, old, self._checks)
            if token.version != self._high:
                set_token(record, write_token(replace(token, is_settled=True)))
            elif token.record == descent[-1].target:
                restore(token, by_path(self._lineage.slots(descent)), self._values, record)
        return up.state

    def raise_at_once(self, state: Any) -> Any:
        """The same, of all that a state keeps, if that is of the newer version and can be told
        at once; else ``NotImplemented``.
        """
        return NotImplemented if self.parallel is None else self.parallel.raise_at_once(state)

    def _kept(self, entries: Iterable[Entry], new: Any, old: Any, descent: Descent) -> Token:
        """The token of ``old``, of which ``new`` comes."""
        own = tuple(entries)
        left_out = LeftOut.of(own)
        within = self._guarding.within
        guarded = tuple(e for each in own for e in within(each, descent, old, left_out))
        inner = self._guarding.guarded(token_of(new), descent, old, left_out)
        return self._token(descent[-1].target, guarded, inner)

    def _token(self, record: str, entries: Any, inner: bytes) -> Token:
        mark = self._subject.fingerprint(self._high)
        return Token(self._high, mark, record, entries, inner)

    @cached_property
    def parallel(self) -> Parallel | None:
        """The short way, where there is one."""
        if len(self._segments_down) != 1 or len(self._segments_up) != 1:
            return None
        out, home = self._segments_down[0], self._segments_up[0]
        pairs = compile_pairs(self._subject, self._low, self._high, out.graph, home.graph)
        if pairs is None:
            return None
        lower = self._transit(self._high, self._low, out.graph, leaves=False)
        raise_ = self._transit(self._low, self._high, home.graph, leaves=True)
        if lower is None or raise_ is None:
            return None
        mark = self._subject.fingerprint(self._high)
        beside = make_beside(self._high, mark, pairs, self._values, self._checks)
        return Parallel(self._high, mark, pairs, beside, lower, raise_, self._values, self._checks)

    def _transit(self, source: int, target: int, graph: Graph, *, leaves: bool) -> Transit | None:
        return make_transit(self._subject, source, target, graph, self._limits, leaves=leaves)

    @cached_property
    def _guarding(self) -> Guarding:
        return Guarding(self._lineage, self._checks)

    @cached_property
    def _lineage(self) -> Lineage:
        types = self._subject.types
        return Lineage(
            [s.graph for s in self._segments_up], [types(s.target) for s in self._segments_up]
        )

    @cached_property
    def _segments_down(self) -> tuple[Segment, ...]:
        return self._subject.plan(self._high, self._low).segments

    @cached_property
    def _segments_up(self) -> tuple[Segment, ...]:
        return self._subject.plan(self._low, self._high).segments

    @cached_property
    def _down(self) -> Passes:
        return self._passes(self._segments_down, lenient=True)

    @cached_property
    def _up(self) -> Passes:
        return self._passes(self._segments_up, lenient=False)

    def _passes(self, segments: tuple[Segment, ...], *, lenient: bool) -> Passes:
        types = self._subject.types
        return Passes(
            tuple(
                Pass(each.graph, types(each.source), types(each.target), types, lenient=lenient)
                for each in segments
            )
        )
