"""One pass from objects of a version to those of another, with what became of what."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from threading import local
from typing import Any

from ...migrations.conversion import Graph, RecordConversion
from ...schemas.model import Record
from ..library.load import compile_load
from ..library.load_fields import Versions
from ..library.object_source import ObjectSource
from ..library.source import Raw
from ..record import residue_of
from ..types import SchemaTypes
from .descent import Descent
from .token import split_residue


@dataclass(slots=True)
class Trace:
    """What was made: the state, the conversions of each record, and what it was made of.

    All is by the identity of what was made, or of the list that items were left out of. What
    is kept here keeps both alive, so no identity is given twice.
    """

    state: Any = None
    origin: dict[int, Any] = field(default_factory=dict[int, Any])
    made: list[tuple[Any, Descent]] = field(default_factory=list[tuple[Any, Descent]])
    left_out: dict[int, set[int]] = field(default_factory=dict[int, set[int]])
    between: tuple[Trace, ...] = ()

    def followed(self, other: Trace) -> Trace:
        """Both as one, where the other pass began with what this one made.

        A record is in it if what it is made of is; of what the other pass left out, the lists
        are none that this one began with.
        """
        descents = {id(record): descent for record, descent in self.made}
        origin = {
            made: self.origin[id(raw)] for made, raw in other.origin.items() if id(raw) in descents
        }
        made = [
            (record, (*descents[id(other.origin[id(record)])], *descent))
            for record, descent in other.made
            if id(record) in origin
        ]
        return Trace(other.state, origin, made, self.left_out, (self, other))


class _PlainSource(ObjectSource):
    """Objects without their tokens, which are of one version alone."""

    def residue(self, record: Record) -> Callable[[Raw], bytes | None] | None:
        del record
        return lambda raw: split_residue(residue_of(raw))[0]


@dataclass(frozen=True, slots=True)
class Passes:
    """Runs graphs one after the other, as one."""

    passes: tuple[Pass, ...]

    def run(self, state: Any) -> Trace:
        """As :meth:`Pass.run`."""
        first, *others = self.passes
        trace = first.run(state)
        for each in others:
            trace = trace.followed(each.run(trace.state))
        return trace


class Pass:
    """Runs one graph. Safe to share between threads: each has a trace of its own."""

    def __init__(
        self, graph: Graph, old: SchemaTypes, new: SchemaTypes, versions: Versions, *, lenient: bool
    ) -> None:
        """``lenient`` has what the new version does not know left out."""
        self._local = local()
        self.lenient = lenient
        self._load = compile_load(graph, _PlainSource(old), old.schema, new, versions, self)

    def run(self, state: Any) -> Trace:
        """The state as an object of the other version. Raises what loading raises."""
        before = getattr(self._local, "trace", None)
        trace = self._local.trace = Trace()
        try:
            trace.state = self._load(state)
        finally:
            self._local.trace = before
        return trace

    def made(self, made: Any, raw: Raw, conversion: RecordConversion) -> None:
        """A record was made."""
        trace: Trace = self._local.trace
        trace.origin[id(made)] = raw
        trace.made.append((made, (conversion,)))

    def left_out(self, raw: Raw, index: int) -> None:
        """An item was left out."""
        trace: Trace = self._local.trace
        trace.left_out.setdefault(id(raw), set()).add(index)
