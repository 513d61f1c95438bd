"""Compiles a conversion into a function from raw values to typed objects.

One closure per node, built once per plan.
"""

from __future__ import annotations

from array import array as array_of
from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeAlias
from typing import cast as cast_type

from ...migrations.conversion import (
    Apply,
    Call,
    Cast,
    Conversion,
    EachItem,
    EachValue,
    Fill,
    FirstItem,
    Gather,
    Graph,
    Keep,
    Later,
    Made,
    MapBranches,
    MapSymbols,
    Maybe,
    Never,
    RecordConversion,
    Require,
    Take,
    Then,
    ToBranch,
    ToItem,
    ToRecord,
)
from ...migrations.derive import identity, keep
from ...migrations.paths import record_at
from ...schemas.model import (
    Array,
    Enum,
    Field,
    Json,
    Logical,
    Map,
    Optional,
    Primitive,
    Record,
    Reference,
    Schema,
    Type,
    Union,
)
from ...schemas.naming import names
from ...schemas.singles import field_default
from ..checks import check_for
from ..types import SchemaTypes
from ..vectors import to_single, typecode
from .builtins_source import BuiltinsSource
from .calls import Argument, CompiledCall, argument_type, compile_call
from .cast import cast
from .closures import (
    ABSENT,
    Load,
    Outcome,
    RecordSteps,
    Step,
    array,
    chain,
    first_item,
    gather,
    inside,
    later,
    mapping,
    maybe,
    no_branch,
    or_absent,
    record_loader,
    require,
    same,
    symbol,
    to_item,
    union,
)
from .object_source import ObjectSource
from .scalar_steps import absent, change, present, rule_change
from .source import Getter, Raw, Source

Versions: TypeAlias = Callable[[int], SchemaTypes]
"""The Python types of the versions of the subject, which functions of migrations see."""


def compile_load(
    graph: Graph,
    source: Source,
    schema: Schema,
    types: SchemaTypes,
    versions: Versions | None = None,
) -> Load:
    """A function from a raw root record of ``schema`` to an object of ``types``.

    It raises ``ValueMismatch`` with a path for whatever does not follow the schema, and
    ``ComputeError`` where a function of a migration fails. ``versions`` is needed where the
    graph has calls.
    """
    return _Compiler(graph.records, source, schema, types, versions).record(graph.root)


def compile_identity(source: Source, types: SchemaTypes) -> Load:
    """The same where the raw record is of the schema of ``types`` itself."""
    return compile_load(identity(types.schema), source, types.schema, types)


def compile_value(source: Source, types: SchemaTypes, kind: Type) -> Load:
    """A function from a raw value of any type of the schema of ``types`` to its Python value."""
    schema = types.schema
    graph = identity(schema)
    compiler = _Compiler(graph.records, source, schema, types)
    return compiler.compile(keep(schema, kind), kind, kind) or same


def carried_default(types: SchemaTypes, later: Later, target: Type) -> Callable[[], Any]:
    """Makes the value of a default that an earlier version declares, as one of ``types``."""
    found = names(later.origin)
    source = BuiltinsSource(later.origin, found)
    record = record_type(later.origin, later.record)
    field = next(f for f in record.fields if f.name == later.field)
    compiler = _Compiler(later.records, source, later.origin, types)
    load = compiler.compile(later.conversion, field.type, target)
    return partial(_fresh, load, field_default(later.origin, found, field))


@dataclass(slots=True)
class _Compiler:
    """Compiles each node with the type that the writer's schema gives it."""

    converted: Mapping[ToRecord, RecordConversion]
    source: Source
    schema: Schema
    types: SchemaTypes
    versions: Versions | None = None
    records: dict[ToRecord, Load] = field(default_factory=dict[ToRecord, Load])

    def compile(self, conversion: Conversion, kind: Type, target: Type) -> Load | None:
        """The closure of a node, ``None`` where a raw value is the Python value already."""
        match conversion, kind, target:
            case ((Maybe() | Require()), Optional(), _):
                return self._optional(conversion, kind, target)
            case _, _, Optional():
                return self.compile(conversion, kind, target.item)
            case MapBranches(), Union(), _:
                return self._branches(conversion, kind, target)
            case ToBranch(), _, Union():
                return self._to_branch(conversion, kind, target)
            case EachItem(), Array(), Array():
                return self._array(conversion, kind, target)
            case EachValue(), Map(), Map():
                return self._map(conversion, kind, target)
            case ToRecord(), _, _:
                return self.record(conversion)
            case MapSymbols(), _, _:
                return self._symbols(conversion)
            case Keep(), _, _:
                return rounded(self.source.scalar(conversion.type), conversion)
            case Cast(), _, _:
                return self._cast(conversion)
            case ToItem(), _, Array():
                return self._wrap(conversion, kind, target)
            case FirstItem(), Array(), _:
                load = self._item(conversion.item, kind.items, target)
                return partial(first_item, self.source.array(kind), load, conversion.optional)
            case ((Apply() | Then()), _, _):
                return chain(self._plain(conversion, kind), self._member(target))
            case Never(), _, _:
                return partial(no_branch, conversion.what)
            case _:
                raise TypeError(f"{conversion} does not lead from {kind} to {target}")

    def record(self, conversion: ToRecord) -> Load:
        """The closure of a record; a recursive one is found while it is being built."""
        if conversion not in self.records:
            # The final closure does not exist yet, so this one looks it up when it runs.
            self.records[conversion] = partial(later, self.records, conversion)
            self.records[conversion] = self.fields(self.converted[conversion])
        return self.records[conversion]

    def fields(self, conversion: RecordConversion) -> Load:
        """The closure that builds a record from its fields."""
        old = record_type(self.schema, conversion.source)
        new = record_type(self.types.schema, conversion.target)
        attributes = self.types.names.attributes[new.name]
        wanted = {f.name: f for f in new.fields}
        takes: list[Step] = []
        for take in conversion.takes:
            getter, load = self.take(old, take, wanted[take.target].type)
            takes.append((attributes[take.target], take.source, getter, load))
        for found in conversion.gathers:
            load = self._gather(old, found)
            takes.append((attributes[found.target], found.target, same, load))
        # A default that the target declares itself is filled by its class, fresh each time.
        fills = [
            (attributes[f.target], carried_default(self.types, f.later, wanted[f.target].type))
            for f in conversion.fills
            if f.later is not None
        ]
        calls = [self._call(old, call) for call in conversion.calls]
        made = [
            self._outcome(m, attributes[m.target], wanted[m.target].type) for m in conversion.made
        ]
        opened, steps = self.source.open_record(old), RecordSteps(takes, fills, calls, made)
        return record_loader(self.types.record(new.name), opened, steps)

    def take(self, old: Record, take: Take, target: Type) -> tuple[Getter, Load | None]:
        """How a value of a raw record is got, and how it is loaded."""
        get, kind, optional = self._reach(old, take)
        if not optional:
            return get, self.compile(take.conversion, kind, target)
        there = take.conversion if isinstance(kind, Optional) else present(take.conversion)
        load = self.compile(there, kind, target)
        missing = absent(take.conversion, self.types.schema)
        return get, partial(or_absent, load, missing)

    def _reach(self, old: Record, take: Take) -> tuple[Getter, Type, bool]:
        """The getter of a field, its type, and whether a record on the way may be null."""
        field = _field(old, take.source)
        get, kind, optional = self.source.field(old, field), field.type, False
        for name in take.inner:
            record = record_at(self.schema, kind)
            if record is None:
                raise TypeError(f"{name} stands in no record")
            field = _field(record, name)
            unwrap = self.source.optional(kind) if isinstance(kind, Optional) else None
            opened, then = self.source.open_record(record), self.source.field(record, field)
            get = partial(inside, get, unwrap, opened, then)
            kind, optional = field.type, optional or isinstance(kind, Optional)
        return get, kind, optional

    def _gather(self, old: Record, found: Gather) -> Load:
        load = self.record(found.conversion)
        takes = self.converted[found.conversion].takes
        nulls = [self._is_null(old, take) for take in takes] if found.optional else []
        return partial(gather, nulls, load)

    def _is_null(self, old: Record, take: Take) -> Callable[[Raw], bool]:
        get, kind, _ = self._reach(old, take)
        if not isinstance(kind, Optional):
            return lambda raw: get(raw) is ABSENT
        read = partial(or_absent, partial(maybe, self.source.optional(kind), None), lambda: None)
        return lambda raw: read(get(raw)) is None

    def _call(self, old: Record, call: Call) -> CompiledCall:
        arguments = [self._argument(old, call, read) for read in call.reads]
        return compile_call(call, arguments, self._version(call.results), compile_value)

    def _argument(self, old: Record, call: Call, read: Take | Fill | Made) -> Argument:
        types = self._version(call.arguments)
        kind = argument_type(call, read.target)
        match read:
            case Take():
                inner = _Compiler(call.records, self.source, self.schema, types, self.versions)
                get, load = inner.take(old, read, kind)
                found = chain(get, load) or same
                return lambda raw, _: found(raw)
            case Fill():
                make = _carried(types, read, kind)
                return lambda _, __: make()
            case Made():
                call_index, index = read.call, read.index
                after = self._later(read.later, types, kind) or same
                return lambda _, results: after(results[call_index][index])

    def _outcome(self, made: Made, attribute: str, target: Type) -> Outcome:
        load = self._later(made.later, self.types, target)
        return Outcome(attribute, made.target, made.call, made.index, load)

    def _later(self, later: Later | None, types: SchemaTypes, target: Type) -> Load | None:
        """What becomes of a result of a function in the versions after it."""
        if later is None:
            return None
        source = ObjectSource(self._version(later.origin))
        kind = _field(record_type(later.origin, later.record), later.field).type
        compiler = _Compiler(later.records, source, later.origin, types, self.versions)
        return compiler.compile(later.conversion, kind, target)

    def _version(self, schema: Schema) -> SchemaTypes:
        if self.versions is None:
            raise TypeError("a graph with calls is compiled with the types of its versions")
        return self.versions(schema.version)

    def _item(self, conversion: Conversion, kind: Type, target: Type) -> Load | None:
        """The closure for an item inside a container."""
        return chain(self.source.item(kind), self.compile(conversion, kind, target))

    def _optional(self, conversion: Maybe | Require, kind: Optional, target: Type) -> Load | None:
        inner = target.item if isinstance(target, Optional) else target
        load = self.compile(conversion.item, kind.item, inner)
        unwrap = self.source.optional(kind)
        if isinstance(conversion, Require):
            return partial(require, unwrap, load)
        if unwrap is None and load is None:
            return None
        return partial(maybe, unwrap, load)

    def _wrap(self, conversion: ToItem, kind: Type, target: Array) -> Load:
        optional = conversion.optional and isinstance(kind, Optional)
        unwrap = self.source.optional(kind) if optional and isinstance(kind, Optional) else None
        inner = kind.item if optional and isinstance(kind, Optional) else kind
        load = self.compile(conversion.item, inner, target.items)
        make = partial(array_of, typecode(target)) if target.vector_kind else None
        return chain(partial(to_item, unwrap, load), make) or same

    def _array(self, conversion: EachItem, kind: Array, target: Array) -> Load | None:
        make = partial(array_of, typecode(target)) if target.vector_kind else None
        read = self.source.vector(kind) if kind.vector_kind else None
        if read is not None and isinstance(conversion.item, Keep):
            return chain(read, make or list)
        load = self._item(conversion.item, kind.items, target.items)
        iterate = read or self.source.array(kind)
        if load is not None:
            return chain(partial(array, iterate, load), make)
        if make is not None:
            return chain(iterate, make)
        return iterate and (lambda raw: list(iterate(raw)))

    def _map(self, conversion: EachValue, kind: Map, target: Map) -> Load:
        load = self._item(conversion.value, kind.values, target.values)
        check = check_for(target.keys, self.types.schema)
        same = kind.keys == target.keys
        return partial(mapping, self.source.map(kind), None if same else check, load)

    def _branches(self, conversion: MapBranches, kind: Union, target: Type) -> Load:
        split = self.source.union(kind)
        loads: list[Load | None] = []
        for branch, found in zip(kind.branches, conversion.branches, strict=True):
            if found is None:
                loads.append(partial(no_branch, branch.label))
                continue
            index, inner = found
            wanted = target.branches[index].type if isinstance(target, Union) else target
            load = chain(self.source.item(branch.type), self.compile(inner, branch.type, wanted))
            loads.append(chain(load, self._box(target, index)))
        return partial(union, split, loads)

    def _to_branch(self, conversion: ToBranch, kind: Type, target: Union) -> Load | None:
        wanted = target.branches[conversion.index].type
        load = self.compile(conversion.item, kind, wanted)
        return chain(load, self._box(target, conversion.index))

    def _box(self, target: Type, index: int) -> Load | None:
        if not isinstance(target, Union):
            return None
        name = self.types.names.box(target)[index]
        if name is None:
            return None
        box = cast_type("Callable[..., Any]", self.types.boxes[name])
        return lambda value: box(value=value)

    def _symbols(self, conversion: MapSymbols) -> Load:
        enum = self.schema.types[conversion.source]
        if not isinstance(enum, Enum):
            raise TypeError(f"{enum.name} is no enum")
        members, known = self.types.enum(conversion.target), self.source.symbols(enum)
        table = {
            raw: members(conversion.table[symbol])
            for raw, symbol in known.items()
            if conversion.table[symbol] is not None
        }
        return partial(symbol, table, known, enum.name)

    def _plain(self, conversion: Conversion, kind: Type) -> Load | None:
        """A raw value as Python has it after the first steps, an enum as its symbol."""
        match conversion, kind:
            case Then(), _:
                after = change(conversion.second, self.types.schema)
                return chain(self._plain(conversion.first, kind), after)
            case Apply(takes_null=True), Optional():
                plain = partial(maybe, self.source.optional(kind), self._raw(kind.item))
                return chain(plain, rule_change(conversion))
            case Apply(), _:
                return chain(self._raw(kind), rule_change(conversion))
            case MapSymbols(), _:
                return chain(self._raw(kind), change(conversion, self.types.schema))
            case ((Maybe() | Require()), Optional()):
                run = require if isinstance(conversion, Require) else maybe
                return partial(
                    run, self.source.optional(kind), self._plain(conversion.item, kind.item)
                )
            case _:
                return self.compile(conversion, kind, kind)

    def _raw(self, kind: Type) -> Load | None:
        """A raw scalar as Python has it, an enum as its symbol."""
        named = self.schema.types[kind.name] if isinstance(kind, Reference) else kind
        if isinstance(named, Enum):
            known = self.source.symbols(named)
            return partial(symbol, dict(known), known, named.name)
        if not isinstance(kind, Primitive | Logical | Json | Reference):
            raise TypeError(f"{kind} is no scalar")
        return self.source.scalar(kind)

    def _member(self, target: Type) -> Load | None:
        """The symbol of an enum as the member that the reader has for it."""
        named = self.types.schema.types[target.name] if isinstance(target, Reference) else target
        if not isinstance(named, Enum):
            return None
        members = self.types.enum(named.name)
        return lambda value: None if value is None else members(value)

    def _cast(self, conversion: Cast) -> Load:
        load = self.source.scalar(conversion.source)
        return rounded(chain(load, cast(conversion, self.types.schema)), conversion) or same


def rounded(load: Load | None, conversion: Conversion) -> Load | None:
    """Followed by the rounding that a vector on the way means."""
    rounds = isinstance(conversion, Keep | Cast) and conversion.single
    return chain(load, to_single) if rounds else load


def _carried(types: SchemaTypes, fill: Fill, kind: Type) -> Callable[[], Any]:
    if fill.later is None:
        raise TypeError(f"the default of {fill.target} is of no version")
    return carried_default(types, fill.later, kind)


def _field(record: Record, name: str) -> Field:
    return next(f for f in record.fields if f.name == name)


def _fresh(load: Load | None, default: Any) -> Any:
    value = deepcopy(default)
    return value if load is None else load(value)


def record_type(schema: Schema, name: str) -> Record:
    """The record of this name; TypeError for any other type."""
    named = schema.types[name]
    if not isinstance(named, Record):
        raise TypeError(f"{name} is no record")
    return named
