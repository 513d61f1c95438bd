"""The paths that do not survive a way to another version and back.

The laws ask for nothing more than :func:`losses`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

from ...migrations.chain import Hop
from ...migrations.conversion import (
    Cast,
    Conversion,
    EachItem,
    EachValue,
    Graph,
    Keep,
    MapBranches,
    MapSymbols,
    Maybe,
    Never,
    Require,
    Then,
    ToBranch,
    ToRecord,
)
from ...migrations.migration import Migration
from ...migrations.ops import Compute
from ...schemas.model import Primitive, Record, Schema
from ..compatibility.values import DEPTH
from ..subject import Subject
from .paths import is_under

Pair: TypeAlias = tuple[str, str]
"""A path of the source, and where that value is in the target."""


def losses(subject: Subject, source: int, target: int) -> Collection[str]:
    """Paths of ``source`` whose value may be refused at ``target``, or differ when it comes
    back from there, with whatever lies below them.

    They are written as in errors, without the subject: ``messages[].content``,
    ``memory[*].x``.
    """
    lost: set[str] = set()
    for hop in reversed(subject.chain.hops(source, target)):
        here = _Hop.of(subject, hop)
        lost = here.lost | set(here.back(lost))
    return lost


@dataclass(slots=True)
class _Hop:
    """What one hop loses itself, and where it takes everything else."""

    graph: Graph
    schema: Schema
    lost: set[str] = field(default_factory=set[str])
    pairs: list[Pair] = field(default_factory=list[Pair])
    computed: list[Pair] = field(default_factory=list[Pair])

    @classmethod
    def of(cls, subject: Subject, hop: Hop) -> _Hop:
        (segment,) = subject.plan(*hop).segments
        found = cls(segment.graph, subject.schema(hop[0]))
        read = found.compute(segment.migration, upwards=hop[0] < hop[1])
        found.record(segment.graph.root, "", "", DEPTH + 1, read)
        return found

    def back(self, later: Collection[str]) -> Iterator[str]:
        """The paths before this hop of what is lost after it."""
        exact: dict[str, list[str]] = defaultdict(list)
        for source, target in self.pairs:
            exact[target].append(source)
        for path in later:
            yield from exact[path]
            yield from (source for source, target in self.computed if is_under(path, target))

    def compute(self, migration: Migration | None, *, upwards: bool) -> set[str]:
        """Add what functions lose; the fields that they read."""
        read: set[str] = set()
        for op in () if migration is None else migration.ops:
            self._compute(op, upwards=upwards)
            read |= set(op.reads if upwards else op.writes)
        return read

    def _compute(self, op: Compute, *, upwards: bool) -> None:
        reads, writes = (op.reads, op.writes) if upwards else (op.writes, op.reads)
        self.computed += [(read, write) for read in reads for write in writes]
        one_way = op.up is None or op.down is None
        self.lost |= set(reads) if one_way else set(reads) & set(op.lossy)

    def record(
        self, key: ToRecord, source: str, target: str, depth: int, read: Collection[str] = ()
    ) -> None:
        """Walk a record that is at the two paths; functions ``read`` some of its fields."""
        conversion = self.graph.records[key]
        for take in conversion.takes:
            here, there = _below(source, take.source), _below(target, take.target)
            self.value(take.conversion, here, there, depth)
        kept = {*read, *(take.source for take in conversion.takes)}
        record = self.schema.types[key.source]
        fields = record.fields if isinstance(record, Record) else ()
        self.lost |= {_below(source, f.name) for f in fields if f.name not in kept}

    def value(self, conversion: Conversion, source: str, target: str, depth: int) -> None:
        """Walk a value that is at the two paths."""
        self.pairs.append((source, target))
        if loses(conversion):
            self.lost.add(source)
        match conversion:
            case EachItem():
                self.value(conversion.item, f"{source}[]", f"{target}[]", depth)
            case EachValue():
                self.value(conversion.value, f"{source}[*]", f"{target}[*]", depth)
            case Maybe() | Require() | ToBranch():
                self.value(conversion.item, source, target, depth)
            case MapBranches():
                for branch in filter(None, conversion.branches):
                    self.value(branch[1], source, target, depth)
            case ToRecord() if depth > 0:
                self.record(conversion, source, target, depth - 1)
            case _:
                pass


def _below(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def loses(conversion: Conversion) -> bool:
    """Whether a value may be refused by this node of a conversion, or come back another."""
    match conversion:
        case Keep():
            return conversion.single
        case Cast():
            return conversion.single or not _is_exact(conversion)
        case MapSymbols():
            found = list(conversion.table.values())
            return None in found or len(set(found)) < len(found)
        case MapBranches():
            return None in conversion.branches
        case EachValue():
            return conversion.source_keys != conversion.target_keys
        case Require() | Then() | Never():
            return True
        case _:
            return False


_EXACT = {("int", "double"), ("string", "bytes"), ("int", "long"), ("float", "double")}


def _is_exact(cast: Cast) -> bool:
    match cast.source, cast.target:
        case Primitive(), Primitive():
            return (cast.source.kind, cast.target.kind) in _EXACT and not cast.source.wire
        case _:
            return False
