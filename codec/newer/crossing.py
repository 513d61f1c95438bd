"""Two versions, and what a state keeps on its way down and gets back on its way up."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Any

from msgspec.structs import replace

from ...errors import ValueMismatch
from ...migrations.conversion import Graph, RecordConversion
from ..limits import Limits, check_residue_size
from ..subject import Subject
from .beside import make_beside
from .checks import Checks
from .compare import Comparison
from .guards import Guarding
from .pairs import compile_pairs
from .parallel import Parallel
from .prune import pruned
from .restore import restore
from .slots import Slots, by_path, compile_slots
from .token import Entry, Found, Token, read_token, set_token, token_of, write_token
from .trace import Pass
from .transit import Transit, make_transit
from .values import Values


class Crossing:
    """The way between two versions of a subject, each direction one pass."""

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
        for again, conversion in up.made:
            old, new = up.origin[id(again)], comparison.original(again)
            if type(new) is type(again) and id(old) not in tokens:
                slots = self._slots[id(conversion)]
                entries = comparison.entries(slots, new, again, old)
                tokens[id(old)] = self._kept(entries, new, old, conversion)
        size = 0
        for old, conversion in down.made:
            # A record that no newer one is made of may have been one that had a token.
            inner = self._guarding.unbound(token_of(down.origin[id(old)]))
            token = tokens.get(id(old)) or self._token(conversion.source, (), inner)
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
        for record, conversion in up.made:
            old = up.origin[id(record)]
            data = token_of(old)
            if not data:
                continue
            token = read_token(data)
            if not token.is_settled:
                token = pruned(token, old, self._checks)
            if token.version != self._high:
                set_token(record, write_token(replace(token, is_settled=True)))
            elif token.record == conversion.target:
                restore(token, by_path(self._slots[id(conversion)]), self._values, record)
        return up.state

    def raise_at_once(self, state: Any) -> Any:
        """The same, of all that a state keeps, if that is of the newer version and can be told
        at once; else ``NotImplemented``.
        """
        return NotImplemented if self.parallel is None else self.parallel.raise_at_once(state)

    def _kept(
        self, entries: Iterable[Entry], new: Any, old: Any, conversion: RecordConversion
    ) -> Token:
        """The token of ``old``, which ``conversion`` makes ``new`` of."""
        inner = self._guarding.guarded(token_of(new), conversion, old)
        within = self._guarding.within
        guarded = tuple(e for each in entries for e in within(each, conversion, old))
        return self._token(conversion.target, guarded, inner)

    def _token(self, record: str, entries: Any, inner: bytes) -> Token:
        mark = self._subject.fingerprint(self._high)
        return Token(self._high, mark, record, entries, inner)

    @cached_property
    def parallel(self) -> Parallel | None:
        """The short way, where there is one."""
        down = self._one(self._high, self._low)
        pairs = compile_pairs(self._subject, self._low, self._high, down, self._graph)
        if pairs is None:
            return None
        lower = self._transit(self._high, self._low, down, leaves=False)
        raise_ = self._transit(self._low, self._high, self._graph, leaves=True)
        if lower is None or raise_ is None:
            return None
        mark = self._subject.fingerprint(self._high)
        beside = make_beside(self._high, mark, pairs, self._values, self._checks)
        return Parallel(self._high, mark, pairs, beside, lower, raise_, self._values, self._checks)

    def _transit(self, source: int, target: int, graph: Graph, *, leaves: bool) -> Transit | None:
        return make_transit(self._subject, source, target, graph, self._limits, leaves=leaves)

    @cached_property
    def _guarding(self) -> Guarding:
        return Guarding(self._graph.records, self._checks)

    @cached_property
    def _graph(self) -> Graph:
        return self._one(self._low, self._high)

    @cached_property
    def _slots(self) -> dict[int, Slots]:
        found = compile_slots(self._graph, self._subject.types(self._high))
        # Conversions are compared by all that they hold, so they are told apart by identity.
        return {id(self._graph.records[key]): slots for key, slots in found.items()}

    @cached_property
    def _down(self) -> Pass:
        return self._pass(self._high, self._low, self._one(self._high, self._low), lenient=True)

    @cached_property
    def _up(self) -> Pass:
        return self._pass(self._low, self._high, self._graph, lenient=False)

    def _one(self, source: int, target: int) -> Graph:
        segments = self._subject.plan(source, target).segments
        if len(segments) != 1:
            raise ValueMismatch(
                f"no single pass leads from version {source} to {target} here, as it did where"
                " the residue was written",
                mend="read it with the migrations that it was written with",
            )
        return segments[0].graph

    def _pass(self, source: int, target: int, graph: Graph, *, lenient: bool) -> Pass:
        types = self._subject.types
        return Pass(graph, types(source), types(target), types, lenient=lenient)
