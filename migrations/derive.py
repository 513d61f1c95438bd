"""Derives what two adjacent versions already say about each other.

Defaults, aliases, numbers, promotions, reordering, optional and union wraps need no
migration. Whatever else differs is reported, by path, with the op that would mend it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from msgspec.structs import replace

from ..errors import MigrationMismatch
from ..schemas.describe import describe
from ..schemas.model import (
    Array,
    Branch,
    Enum,
    Map,
    Optional,
    Primitive,
    Record,
    Reference,
    Schema,
    Type,
    Union,
)
from .casts import Scalar, Verdict, judge
from .conversion import (
    Cast,
    Conversion,
    EachItem,
    EachValue,
    Graph,
    Keep,
    MapBranches,
    MapSymbols,
    Maybe,
    RecordConversion,
    Require,
    ToBranch,
    ToRecord,
)
from .fields import Same, derive_fields
from .form import Form
from .matching import Versions, match_branch, match_symbols
from .ops import Op
from .stepped import NOTHING
from .trace import trace


def derive(source: Schema, target: Schema, ops: Sequence[Op] = ()) -> Graph:
    """The conversion from one version to an adjacent one, upwards or downwards.

    ``ops`` are those of the migration that joins the two, as it declares them for the way up.
    On the way up every value must fit, or :class:`MigrationMismatch` lists what does not;
    on the way down a value that cannot be expressed is refused when it is met.
    """
    upwards = source.version <= target.version
    newer = target if upwards else source
    form, problems = trace(ops, source, upwards=upwards, newer=newer)
    if ops and source.version < target.version:
        # That the way down cannot be followed is found now, and not by a rollback.
        _, found = trace(ops, target, upwards=False, newer=target)
        problems += [f"on the way down, {p}" for p in found]
    derivation = _Derivation(source, target, form, problems)
    root = derivation.record(source.record, target.record, source.subject)
    if problems:
        raise MigrationMismatch(
            "\n  ".join(("what the schemas say does not lead there:", *problems)),
            where=f"{source.subject} {source.version} to {target.version}",
            mend=_mend(source, target, ops),
        )
    return Graph(root, derivation.records)


def identity(schema: Schema) -> Graph:
    """The conversion of a version to itself: every value as it is."""
    return derive(schema, schema)


class Keeping:
    """Conversions of types of one schema to themselves; ``records`` are those they reach."""

    def __init__(self, schema: Schema) -> None:
        self._derivation = _Derivation(schema, schema, Form(schema))
        self.records: Mapping[ToRecord, RecordConversion] = self._derivation.records

    def of(self, kind: Type) -> Conversion:
        """The conversion of a type; records that it reaches first are added."""
        return self._derivation.convert(kind, kind, self._derivation.source.subject)


def _mend(source: Schema, target: Schema, ops: Sequence[Op]) -> str:
    low, high = sorted((source.version, target.version))
    place = f"migrations/{source.subject}/v{low}_v{high}"
    return f"correct the ops of {place}" if ops else f"write {place}.py with ops for them"


def _rounds(source: Array, target: Array) -> bool:
    """Whether the items are rounded to 32 bits by standing in a vector of them."""
    return target.vector_kind == "float" != source.vector_kind


def _rounded(item: Conversion) -> Conversion:
    return replace(item, single=True) if isinstance(item, Keep | Cast) else item


@dataclass(slots=True)
class _Derivation:
    """The state of one derivation: the two schemas, what was found and what was not.

    ``form`` says what the ops of a migration do to the source.
    """

    source: Schema
    target: Schema
    form: Form
    problems: list[str] = field(default_factory=list[str])
    records: dict[ToRecord, RecordConversion] = field(
        default_factory=dict[ToRecord, RecordConversion]
    )
    kept: dict[int, Keeping] = field(default_factory=dict[int, Keeping])

    @property
    def upwards(self) -> bool:
        return self.source.version <= self.target.version

    @property
    def pair(self) -> Versions:
        if self.upwards:
            return Versions(self.source, self.target)
        return Versions(self.target, self.source)

    def record(self, source: Record, target: Record, path: str) -> ToRecord:
        """The conversion of a record, derived once for each pair of records."""
        key = ToRecord(source.name, target.name)
        if key not in self.records:
            # Entered before its fields are, so that a recursive record finds it.
            self.records[key] = RecordConversion(source.name, target.name, (), ())
            self.records[key] = derive_fields(self, source, target, path)
        return key

    def convert(self, source: Type, target: Type, path: str) -> Conversion:
        """The conversion of any type."""
        match source, target:
            case Optional(), Optional():
                return Maybe(self.convert(source.item, target.item, path))
            case _, Optional():
                return self.convert(source, target.item, path)
            case Optional(), _:
                return self._require(source, target, path)
            case Union(), _:
                return self._from_union(source, target, path)
            case _, Union():
                return self._to_union(source, target, path)
            case Array(), Array():
                item = self.convert(source.items, target.items, f"{path}[]")
                return EachItem(_rounded(item) if _rounds(source, target) else item)
            case Map(), Map():
                value = self.convert(source.values, target.values, f"{path}[*]")
                self._check_keys(source.keys, target.keys, path)
                return EachValue(value, source.keys, target.keys)
            case Reference(), Reference():
                return self._named(source, target, path)
            case (Array() | Map(), _) | (_, Array() | Map()):
                return self._refuse(source, target, path)
            case _:
                return self._scalar(source, target, path)

    def _require(self, source: Optional, target: Type, path: str) -> Conversion:
        if self.upwards:
            self.problems.append(f"{path} was optional and no longer is: say what null becomes")
        return Require(self.convert(source.item, target, path))

    def _from_union(self, source: Union, target: Type, path: str) -> Conversion:
        targets = target.branches if isinstance(target, Union) else (Branch("", target),)
        branches = tuple(self._branch(branch, targets, path) for branch in source.branches)
        if not any(branches):
            return self._refuse(source, target, path)
        return MapBranches(branches, not isinstance(target, Union))

    def _branch(
        self, source: Branch, targets: tuple[Branch, ...], path: str
    ) -> tuple[int, Conversion] | None:
        index = match_branch(self.pair, source, targets, upwards=self.upwards)
        if index is not None:
            return index, self.convert(source.type, targets[index].type, f"{path}<{source.label}>")
        if self.upwards:
            self.problems.append(f"{path} lost its branch {source.label}: say what it becomes")
        return None

    def _to_union(self, source: Type, target: Union, path: str) -> Conversion:
        index = match_branch(self.pair, Branch("", source), target.branches, upwards=self.upwards)
        if index is None:
            return self._refuse(source, target, path)
        return ToBranch(index, self.convert(source, target.branches[index].type, path))

    def _check_keys(self, source: Primitive, target: Primitive, path: str) -> None:
        verdict = judge(source, target, (self.source, self.target))
        if verdict is not Verdict.SAME and (self.upwards or verdict is Verdict.UNRELATED):
            self.problems.append(f"{path} has other keys: {source.kind} became {target.kind}")

    def _named(self, source: Reference, target: Reference, path: str) -> Conversion:
        old, new = self.source.types[source.name], self.target.types[target.name]
        if isinstance(old, Record) and isinstance(new, Record):
            return self.record(old, new, path)
        if isinstance(old, Enum) and isinstance(new, Enum):
            return self._symbols(old, new, path)
        return self._scalar(source, target, path)

    def _symbols(self, source: Enum, target: Enum, path: str) -> Conversion:
        if self.upwards:
            matches = {old: new for new, old in match_symbols(self.pair, source, target).items()}
        else:
            matches = match_symbols(self.pair, target, source)
        table = {s.name: matches.get(s.name, target.default) for s in source.symbols}
        lost = [name for name, new in table.items() if new is None]
        if lost and self.upwards:
            self.problems.append(
                f"{path} lost the symbols {', '.join(lost)}: give the enum a default"
            )
        return MapSymbols(source.name, target.name, table)

    def _scalar(self, source: Scalar, target: Scalar, path: str) -> Conversion:
        verdict = judge(source, target, (self.source, self.target))
        if verdict is Verdict.SAME:
            return Keep(source)
        if verdict is Verdict.UNRELATED or (self.upwards and verdict is Verdict.NARROWER):
            return self._refuse(source, target, path)
        return Cast(source, target)

    def same(self, schema: Schema, kind: Type) -> Same:
        """The conversion of a type of ``schema``, one of the two, to itself."""
        found = self.kept.setdefault(schema.version, Keeping(schema))
        return found.of(kind), found.records

    def _refuse(self, source: Type, target: Type, path: str) -> Conversion:
        old, new = describe(self.source, source), describe(self.target, target)
        self.problems.append(f"{path} changed from {old} to {new}: {_remedy(source, target)}")
        return NOTHING


def _remedy(source: Type, target: Type) -> str:
    match source, target:
        case Array(), Array():
            return "compute it"
        case Array(), _:
            return "head() it, or compute it"
        case _, Array():
            return "wrap() it, or compute it"
        case _:
            return "convert() or compute() it"
