"""Compiles a schema into a function from typed objects to what a format's library writes.

The mirror of :mod:`.load`: one closure per type, every value checked on the way, so that
nothing is written that could not be read.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from operator import attrgetter
from typing import Any, Protocol, TypeAlias

from ...errors import CarriesResidue, ValueMismatch
from ...schemas.model import (
    Array,
    Enum,
    Field,
    Fixed,
    Json,
    Logical,
    Map,
    Optional,
    Primitive,
    Record,
    Reference,
    Type,
    Union,
)
from ..checks import check_for
from ..containers import exact_dict, exact_list
from ..limits import DEFAULT_LIMITS, Limits
from ..other_class import other_class
from ..record import residue_of
from ..types import SchemaTypes
from ..vectors import typecode, vector_check
from .empty import is_empty
from .python_union import split_by_class
from .source import Raw, Scalar

Dump: TypeAlias = Callable[[Any], Raw]


@dataclass(frozen=True, slots=True)
class Step:
    """One field of a record: how its value is got from the object and what is written."""

    field: Field
    get: Callable[[Any], Any]
    dump: Dump


class Sink(Protocol):
    """What a format's library wants to be given, type by type."""

    def scalar(self, scalar: Scalar) -> Dump | None:
        """Turns a checked Python value into a raw scalar; ``None`` means: as it is."""
        ...

    def symbol(self, enum: Enum, symbol: str) -> Raw:
        """The raw value of an enum symbol."""
        ...

    def record(self, record: Record, steps: Sequence[Step]) -> Dump:
        """Builds a raw record from the values of its fields."""
        ...

    def optional(self, optional: Optional, dump: Dump) -> Dump:
        """Builds a raw optional from a value that is not ``None``."""
        ...

    def branch(self, union: Union, index: int, dump: Dump) -> Dump:
        """Builds a raw union from the value of one branch, out of its box."""
        ...

    def item(self, inner: Type, dump: Dump) -> Dump:
        """Builds what stands for an item inside an array, a map, a union or an optional."""
        ...

    def array(self, array: Array, items: Callable[[Any], list[Raw]]) -> Dump:
        """Builds a raw array from the dumped items."""
        ...

    def vector(self, vector: Array) -> Dump | None:
        """Builds a raw array from a checked vector; ``None`` means: as it is."""
        ...

    def key(self, map_: Map) -> Dump | None:
        """Turns a checked key into a raw one; ``None`` means: as it is."""
        ...


def compile_dump(
    types: SchemaTypes, sink: Sink, limits: Limits = DEFAULT_LIMITS, *, leaves: bool = False
) -> Dump:
    """A function from a root object of ``types`` to the raw root record.

    It raises ``ValueMismatch`` with a path for whatever the schema cannot hold, and
    ``CarriesResidue`` for residue, unless ``leaves`` leaves that to the sink.
    """
    return _Compiler(types, sink, limits, leaves).named(types.schema.root)


def compile_type(types: SchemaTypes, sink: Sink, kind: Type) -> Dump:
    """The same for a value of any type of the schema."""
    return type_compiler(types, sink)(kind)


def type_compiler(types: SchemaTypes, sink: Sink) -> Callable[[Type], Dump]:
    """The same for many types, of which the records are compiled once for all."""
    return _Compiler(types, sink, leaves=True).compile


@dataclass(slots=True)
class _Compiler:
    types: SchemaTypes
    sink: Sink
    limits: Limits = DEFAULT_LIMITS
    leaves: bool = False
    records: dict[str, Dump] = field(default_factory=dict[str, Dump])

    def compile(self, kind: Type) -> Dump:
        match kind:
            case Primitive() | Logical() | Json():
                return self._scalar(kind)
            case Reference():
                return self.named(kind.name)
            case Optional():
                return partial(_optional, self.sink.optional(kind, self._item(kind.item)))
            case Array(vector_kind=str()):
                check, write = vector_check(typecode(kind)), self.sink.vector(kind)
                return check if write is None else partial(_then, check, write)
            case Array():
                items = partial(_items, self._item(kind.items))
                if is_empty(kind.items, self.types.schema):
                    items = partial(_few_items, items, self.limits.zero_size_items)
                return self.sink.array(kind, items)
            case Map():
                return self._map(kind)
            case Union():
                return self._union(kind)

    def named(self, name: str) -> Dump:
        named = self.types.schema.types[name]
        match named:
            case Record():
                return self._record(named)
            case Enum():
                return self._enum(named)
            case Fixed():
                return self._scalar(Reference(name))

    def _item(self, kind: Type) -> Dump:
        return self.sink.item(kind, self.compile(kind))

    def _scalar(self, scalar: Scalar) -> Dump:
        check, write = check_for(scalar, self.types.schema), self.sink.scalar(scalar)
        return check if write is None else partial(_then, check, write)

    def _enum(self, enum: Enum) -> Dump:
        members = self.types.enum(enum.name)
        table = {members(s.name): self.sink.symbol(enum, s.name) for s in enum.symbols}
        return partial(_symbol, table, members)

    def _record(self, record: Record) -> Dump:
        if record.name not in self.records:
            self.records[record.name] = partial(_later, self.records, record.name)
            attributes = self.types.names.attributes[record.name]
            steps = [
                Step(f, attrgetter(attributes[f.name]), self.compile(f.type)) for f in record.fields
            ]
            dump = self.sink.record(record, steps)
            check = _record if self.leaves else _plain_record
            self.records[record.name] = partial(check, self.types.record(record.name), dump)
        return self.records[record.name]

    def _map(self, map_: Map) -> Dump:
        check, write = check_for(map_.keys, self.types.schema), self.sink.key(map_)
        key = check if write is None else partial(_then, check, write)
        return partial(_map, key, self._item(map_.values))

    def _union(self, union: Union) -> Dump:
        split = split_by_class(union, self.types)
        dumps = [
            self.sink.branch(union, index, self._item(branch.type))
            for index, branch in enumerate(union.branches)
        ]
        return partial(_union, split, dumps)


def dump_fields(steps: Sequence[Step], value: Any) -> list[Raw]:
    """The raw values of all fields of a record, in order; errors take on the field's name."""
    dumped: list[Raw] = []
    try:
        for step in steps:
            dumped.append(step.dump(step.get(value)))  # noqa: PERF401 - the path needs the count
    except ValueMismatch as error:
        raise error.under(steps[len(dumped)].field.name) from None
    except AttributeError:
        if _is_set(steps[len(dumped)], value):
            raise
        raise ValueMismatch(
            "the attribute is not set", path=steps[len(dumped)].field.name
        ) from None
    return dumped


def _is_set(step: Step, value: Any) -> bool:
    try:
        step.get(value)
    except AttributeError:
        return False
    return True


def _then(check: Dump, write: Dump, value: Any) -> Raw:
    return write(check(value))


def _later(records: Mapping[str, Dump], name: str, value: Any) -> Raw:
    return records[name](value)


def _record(cls: type, dump: Dump, value: Any) -> Raw:
    if type(value) is not cls:
        raise other_class(cls, value)
    return dump(value)


def _plain_record(cls: type, dump: Dump, value: Any) -> Raw:
    # Not by a call of the other: each takes from the stack, for each level of the state.
    if type(value) is not cls:
        raise other_class(cls, value)
    if residue_of(value) is not None:
        raise CarriesResidue("the record keeps residue")
    return dump(value)


def _optional(dump: Dump, value: Any) -> Raw:
    return None if value is None else dump(value)


def _items(dump: Dump, value: Any) -> list[Raw]:
    items = exact_list(value)
    dumped: list[Raw] = []
    try:
        for item in items:
            dumped.append(dump(item))  # noqa: PERF401 - the path needs the count
    except ValueMismatch as error:
        raise error.under(f"[{len(dumped)}]") from None
    return dumped


def _few_items(items: Callable[[Any], list[Raw]], most: int, value: Any) -> list[Raw]:
    """Items that take no bytes in Avro are bounded by number alone, on write as on read."""
    if len(exact_list(value)) > most:
        raise ValueMismatch(f"more than {most} items that take no bytes")
    return items(value)


def _map(key: Dump, dump: Dump, value: Any) -> dict[Any, Raw]:
    items = exact_dict(value).items()
    found: dict[Any, Raw] = {}
    name: Any = None
    try:
        for name, item in items:
            found[key(name)] = dump(item)
    except ValueMismatch as error:
        raise error.under(f"[{name!r}]") from None
    return found


def _union(split: Callable[[Any], tuple[int, Any]], dumps: list[Dump], value: Any) -> Raw:
    index, item = split(value)
    return dumps[index](item)


def _symbol(table: Mapping[Any, Raw], cls: type, value: Any) -> Raw:
    try:
        return table[value]
    except (KeyError, TypeError):
        raise other_class(cls, value) from None
