"""Compiles a conversion into a function from raw values to typed objects.

One closure per node, built once per plan. Errors take on their path on the way out, which
costs nothing while all goes well.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Hashable, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeAlias
from typing import cast as cast_type

from ...errors import NotExpressible, ValueMismatch
from ...migrations.conversion import (
    Cast,
    Conversion,
    EachItem,
    EachValue,
    Graph,
    Keep,
    Later,
    MapBranches,
    MapSymbols,
    Maybe,
    Never,
    RecordConversion,
    Require,
    Then,
    ToBranch,
    ToRecord,
)
from ...migrations.derive import identity, keep
from ...schemas.model import (
    Array,
    Enum,
    Field,
    Map,
    Optional,
    Record,
    Schema,
    Type,
    Union,
)
from ...schemas.naming import names
from ...schemas.singles import field_default
from ..checks import check_for
from ..mismatch import mismatch
from ..types import SchemaTypes
from ..vectors import to_single, typecode
from .builtins_source import BuiltinsSource
from .cast import cast
from .residue import keep_for, keeping
from .source import Getter, Raw, Source

Load: TypeAlias = Callable[[Raw], Any]


Extras: TypeAlias = Callable[[Raw], dict[str, Any]]
"""Gives further attributes of a root object, made from its raw record."""


def compile_load(
    graph: Graph,
    source: Source,
    schema: Schema,
    types: SchemaTypes,
    extras: Extras | None = None,
) -> Load:
    """A function from a raw root record of ``schema`` to an object of ``types``.

    It raises ``ValueMismatch`` with a path for whatever does not follow the schema.
    """
    compiler = _Compiler(graph.records, source, schema, types)
    if extras is None:
        return compiler.record(graph.root)
    return compiler.fields(graph.records[graph.root], extras)


def compile_identity(source: Source, types: SchemaTypes) -> Load:
    """The same where the raw record is of the schema of ``types`` itself."""
    return compile_load(identity(types.schema), source, types.schema, types)


def compile_value(source: Source, types: SchemaTypes, kind: Type) -> Load:
    """A function from a raw value of any type of the schema of ``types`` to its Python value."""
    schema = types.schema
    graph = identity(schema)
    compiler = _Compiler(graph.records, source, schema, types)
    return compiler.compile(keep(schema, kind), kind, kind) or _same


def compile_field(source: Source, types: SchemaTypes, field: Field) -> Load:
    """A function from a raw root record of the schema of ``types`` to one of its fields."""
    schema = types.schema
    graph = identity(schema)
    take = next(t for t in graph.records[graph.root].takes if t.target == field.name)
    compiler = _Compiler(graph.records, source, schema, types)
    get = source.field(schema.record, field)
    load = compiler.compile(take.conversion, field.type, field.type)
    return _chain(get, load) or get


def carried_default(types: SchemaTypes, later: Later, target: Type) -> Callable[[], Any]:
    """Makes the value of a default that an earlier version declares, as one of ``types``."""
    found = names(later.origin)
    source = BuiltinsSource(later.origin, found)
    record = _record_type(later.origin, later.record)
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
                return _rounded(self.source.scalar(conversion.type), conversion)
            case Cast(), _, _:
                return self._cast(conversion)
            case Then(), _, _:
                return self._then(conversion, kind, target)
            case Never(), _, _:
                return partial(_no_branch, conversion.what)
            case _:
                raise TypeError(f"{conversion} does not lead from {kind} to {target}")

    def record(self, conversion: ToRecord) -> Load:
        """The closure of a record; a recursive one is found while it is being built."""
        if conversion not in self.records:
            # The final closure does not exist yet, so this one looks it up when it runs.
            self.records[conversion] = partial(_later, self.records, conversion)
            self.records[conversion] = self.fields(self.converted[conversion])
        return self.records[conversion]

    def fields(self, conversion: RecordConversion, extras: Extras | None = None) -> Load:
        """The closure that builds a record from its fields."""
        old = _record_type(self.schema, conversion.source)
        new = _record_type(self.types.schema, conversion.target)
        attributes = self.types.names.attributes[new.name]
        fields, wanted = ({f.name: f for f in r.fields} for r in (old, new))
        steps: list[tuple[str, str, Getter, Load | None]] = []
        for take in conversion.takes:
            origin = fields[take.source]
            load = self.compile(take.conversion, origin.type, wanted[take.target].type)
            getter = self.source.field(old, origin)
            steps.append((attributes[take.target], take.source, getter, load))
        # A default that the target declares itself is filled by its class, fresh each time.
        fills = [
            (
                attributes[fill.target],
                carried_default(self.types, fill.later, wanted[fill.target].type),
            )
            for fill in conversion.fills
            if fill.later is not None
        ]
        load = _record_loader(
            self.types.record(new.name), self.source.open_record(old), steps, fills, extras
        )
        residue = self.source.residue(old)
        if residue is None:
            return load
        return keeping(load, residue, keep_for(conversion, self.schema, self.types))

    def _item(self, conversion: Conversion, kind: Type, target: Type) -> Load | None:
        """The closure for an item inside a container."""
        return _chain(self.source.item(kind), self.compile(conversion, kind, target))

    def _optional(self, conversion: Maybe | Require, kind: Optional, target: Type) -> Load | None:
        inner = target.item if isinstance(target, Optional) else target
        load = self.compile(conversion.item, kind.item, inner)
        unwrap = self.source.optional(kind)
        if isinstance(conversion, Require):
            return partial(_require, unwrap, load)
        if unwrap is None and load is None:
            return None
        return partial(_maybe, unwrap, load)

    def _array(self, conversion: EachItem, kind: Array, target: Array) -> Load | None:
        make = partial(array, typecode(target)) if target.vector_kind else None
        read = self.source.vector(kind) if kind.vector_kind else None
        if read is not None and isinstance(conversion.item, Keep):
            return _chain(read, make or list)
        load = self._item(conversion.item, kind.items, target.items)
        iterate = read or self.source.array(kind)
        if load is not None:
            return _chain(partial(_array, iterate, load), make)
        if make is not None:
            return _chain(iterate, make)
        return iterate and (lambda raw: list(iterate(raw)))

    def _map(self, conversion: EachValue, kind: Map, target: Map) -> Load:
        load = self._item(conversion.value, kind.values, target.values)
        check = check_for(target.keys, self.types.schema)
        same = kind.keys == target.keys
        return partial(_map, self.source.map(kind), None if same else check, load)

    def _branches(self, conversion: MapBranches, kind: Union, target: Type) -> Load:
        split = self.source.union(kind)
        loads: list[Load | None] = []
        for branch, found in zip(kind.branches, conversion.branches, strict=True):
            if found is None:
                loads.append(partial(_no_branch, branch.label))
                continue
            index, inner = found
            wanted = target.branches[index].type if isinstance(target, Union) else target
            load = _chain(self.source.item(branch.type), self.compile(inner, branch.type, wanted))
            loads.append(_chain(load, self._box(target, index)))
        return partial(_union, split, loads)

    def _to_branch(self, conversion: ToBranch, kind: Type, target: Union) -> Load | None:
        wanted = target.branches[conversion.index].type
        load = self.compile(conversion.item, kind, wanted)
        return _chain(load, self._box(target, conversion.index))

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
        return partial(_symbol, table, known, enum.name)

    def _then(self, conversion: Then, kind: Type, target: Type) -> Load | None:
        load = self.compile(conversion.first, kind, target)
        second = conversion.second
        if isinstance(second, Cast):
            return _rounded(_chain(load, cast(second, self.types.schema)), second)
        return _rounded(load, second)

    def _cast(self, conversion: Cast) -> Load:
        load = self.source.scalar(conversion.source)
        return _rounded(_chain(load, cast(conversion, self.types.schema)), conversion) or _same


def _same(value: Any) -> Any:
    return value


def _later(records: Mapping[ToRecord, Load], key: ToRecord, raw: Raw) -> Any:
    return records[key](raw)


def _fresh(load: Load | None, default: Any) -> Any:
    value = deepcopy(default)
    return value if load is None else load(value)


def _record_type(schema: Schema, name: str) -> Record:
    named = schema.types[name]
    if not isinstance(named, Record):
        raise TypeError(f"{name} is no record")
    return named


def _chain(first: Getter | None, then: Load | None) -> Load | None:
    if first is None or then is None:
        return first or then
    return lambda raw: then(first(raw))


def _rounded(load: Load | None, conversion: Conversion) -> Load | None:
    """Followed by the rounding that a vector on the way means."""
    rounds = isinstance(conversion, Keep | Cast) and conversion.single
    return _chain(load, to_single) if rounds else load


def _record_loader(
    cls: Callable[..., Any],
    check: Getter | None,
    steps: list[tuple[str, str, Getter, Load | None]],
    fills: list[tuple[str, Callable[[], Any]]],
    extras: Extras | None,
) -> Load:
    def load(raw: Raw) -> Any:
        if check is not None:
            raw = check(raw)
        values: dict[str, Any] = {} if extras is None else extras(raw)
        name = ""
        try:
            for attribute, name, get, convert in steps:  # noqa: B007 - for the error's path
                value = get(raw)
                values[attribute] = value if convert is None else convert(value)
        except ValueMismatch as error:
            raise error.under(name) from None
        for attribute, factory in fills:
            values[attribute] = factory()
        return cls(**values)

    return load


def _maybe(unwrap: Getter | None, load: Load | None, raw: Raw) -> Any:
    item = raw if unwrap is None else unwrap(raw)
    return item if item is None or load is None else load(item)


def _require(unwrap: Getter | None, load: Load | None, raw: Raw) -> Any:
    item = raw if unwrap is None else unwrap(raw)
    if item is None:
        raise NotExpressible("null cannot be expressed in this version")
    return item if load is None else load(item)


def _array(iterate: Callable[[Raw], Any] | None, load: Load, raw: Raw) -> list[Any]:
    items: list[Any] = []
    try:
        for item in raw if iterate is None else iterate(raw):
            items.append(load(item))  # noqa: PERF401 - the error's path needs the count
    except ValueMismatch as error:
        raise error.under(f"[{len(items)}]") from None
    return items


def _map(
    entries: Callable[[Raw], Any], check_key: Load | None, load: Load | None, raw: Raw
) -> dict[Any, Any]:
    found: dict[Any, Any] = {}
    key: Any = None
    try:
        for key, value in entries(raw):
            name = key if check_key is None else check_key(key)
            found[name] = value if load is None else load(value)
    except ValueMismatch as error:
        raise error.under(f"[{key!r}]") from None
    return found


def _union(split: Callable[[Raw], tuple[int, Raw]], loads: list[Load | None], raw: Raw) -> Any:
    index, item = split(raw)
    load = loads[index]
    return item if load is None else load(item)


def _no_branch(label: str, _: Raw) -> Any:
    raise NotExpressible(f"the branch {label} cannot be expressed in this version")


def _symbol(table: dict[Any, Any], known: Mapping[Any, str], name: str, raw: Raw) -> Any:
    try:
        return table[raw]
    except (KeyError, TypeError):
        if isinstance(raw, Hashable) and raw in known:
            raise NotExpressible(
                f"the symbol {known[raw]} cannot be expressed in this version"
            ) from None
        mend = f"only a version whose {name} has it can read it"
        raise mismatch(f"a symbol of {name}", raw, mend) from None
