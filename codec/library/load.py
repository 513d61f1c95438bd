"""Compiles a conversion into a function from raw values to typed objects.

One closure per node, built once per plan.
"""

from __future__ import annotations

from array import array as array_of
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass, field
from functools import partial
from typing import Any
from typing import cast as cast_type

from ...migrations.conversion import (
    Apply,
    Cast,
    Conversion,
    DefaultToNull,
    EachItem,
    EachValue,
    FirstItem,
    Graph,
    Keep,
    Later,
    MapBranches,
    MapSymbols,
    Maybe,
    Never,
    NullToDefault,
    RecordConversion,
    Require,
    Then,
    ToBranch,
    ToItem,
    ToRecord,
)
from ...migrations.derive import Keeping, identity
from ...migrations.graph_reading import field_before
from ...schemas.model import (
    Array,
    Enum,
    Field,
    Json,
    Logical,
    Map,
    Optional,
    Primitive,
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
from .cast import cast
from .closures import (
    ABSENT,
    Load,
    array,
    chain,
    first_item,
    known_items,
    later,
    mapping,
    maybe,
    no_branch,
    null_for,
    one_item,
    or_else,
    or_made,
    require,
    same,
    symbol,
    to_item,
    union,
)
from .load_fields import Records, Versions, Watch, field_of, load_fields, load_values, record_type
from .object_source import ObjectSource
from .scalar_steps import change, member, rule_change
from .source import Source


def compile_load(  # noqa: PLR0913, PLR0917 - what it leads from and to, and two that few need
    graph: Graph,
    source: Source,
    schema: Schema,
    types: SchemaTypes,
    versions: Versions | None = None,
    watch: Watch | None = None,
) -> Load:
    """A function from a raw root record of ``schema`` to an object of ``types``.

    It raises ``ValueMismatch`` with a path for whatever does not follow the schema, and
    ``ComputeError`` where a function of a migration fails. ``versions`` is needed where the
    graph has calls. ``watch`` is told of the records, and has unknown branches left out.
    """
    compiler = _Compiler(graph.records, source, schema, types, versions, watch=watch)
    return compiler.record(graph.root)


def compile_identity(source: Source, types: SchemaTypes) -> Load:
    """The same where the raw record is of the schema of ``types`` itself."""
    return compile_load(identity(types.schema), source, types.schema, types)


def compile_record_values(
    conversion: RecordConversion,
    graph: Graph,
    old: SchemaTypes,
    new: SchemaTypes,
    versions: Versions,
) -> Load:
    """A function from a record of ``old`` to the values that ``conversion`` makes of it, by
    attribute of ``new``. ``conversion`` may be a part of one of ``graph``.
    """
    compiler = _Compiler(graph.records, ObjectSource(old), old.schema, new, versions)
    return load_values(compiler, conversion)


def compile_value(source: Source, types: SchemaTypes, kind: Type) -> Load:
    """A function from a raw value of any type of the schema of ``types`` to its Python value."""
    return value_compiler(source, types)(kind)


def value_compiler(source: Source, types: SchemaTypes) -> Callable[[Type], Load]:
    """The same for many types, of which the records are compiled once for all."""
    keeping = Keeping(types.schema)
    compiler = _Compiler(keeping.records, source, types.schema, types)
    return lambda kind: compiler.compile(keeping.of(kind), kind, kind) or same


def carried_default(
    types: SchemaTypes, later: Later, target: Type, versions: Versions | None = None
) -> Callable[[], Any]:
    """Makes the value of a default that an earlier version declares, as one of ``types``.

    ``versions`` is needed where functions change it on its way.
    """
    field = field_before(later)
    if _is_null(field) and isinstance(later.conversion, Maybe):
        return _null  # Most defaults are: what the record becomes then is not compiled for them.
    # Another default changes no name, so those of the version itself do.
    found = names(later.origin) if versions is None else versions(later.origin.version).names
    source = BuiltinsSource(later.origin, found)
    compiler = _Compiler(later.records, source, later.origin, types, versions)
    load = compiler.compile(later.conversion, field.type, target)
    return partial(_fresh, load, field_default(later.origin, found, field))


def carried_value(
    types: SchemaTypes, later: Later, target: Type, versions: Versions | None = None
) -> Any:
    """The same, made at once."""
    return carried_default(types, later, target, versions)()


def carried_result(
    types: SchemaTypes, later: Later, target: Type, versions: Versions
) -> Load | None:
    """What becomes of a result of a function in the versions after it, as one of ``types``;
    ``None`` where it stays as it is.
    """
    source = ObjectSource(versions(later.origin.version))
    field = field_of(record_type(later.origin, later.record), later.field)
    compiler = _Compiler(later.records, source, later.origin, types, versions)
    return compiler.compile(later.conversion, field.type, target)


@dataclass(slots=True)
class _Compiler:
    """Compiles each node with the type that the writer's schema gives it."""

    converted: Records
    source: Source
    schema: Schema
    types: SchemaTypes
    versions: Versions | None = None
    records: dict[ToRecord, Load] = field(default_factory=dict[ToRecord, Load])
    watch: Watch | None = None

    def compile(self, conversion: Conversion, kind: Type, target: Type) -> Load | None:
        """The closure of a node, ``None`` where a raw value is the Python value already."""
        match conversion, kind, target:
            case ((NullToDefault() | DefaultToNull()), _, _):
                return self._about_null(conversion, kind, target)
            case ((Maybe() | Require()), Optional(), _):
                return self._optional(conversion, kind, target)
            case _, _, Optional():
                load = self.compile(conversion, kind, target.item)
                return (
                    partial(or_else, None, load) if load and self._may_leave(conversion) else load
                )
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
            case ToItem(), _, Array():
                return self._wrap(conversion, kind, target)
            case FirstItem(), Array(), _:
                load = self._item(conversion.item, kind.items, target)
                return partial(first_item, self.source.array(kind), load, conversion.optional)
            case _:
                return self._scalar(conversion, kind, target)

    def _scalar(self, conversion: Conversion, kind: Type, target: Type) -> Load | None:
        match conversion:
            case MapSymbols():
                return self._symbols(conversion)
            case Keep():
                return rounded(self.source.scalar(conversion.type), conversion)
            case Cast():
                return self._cast(conversion)
            case Apply() | Then():
                return chain(self._plain(conversion, kind), member(self.types, target))
            case Never():
                return partial(no_branch, conversion.what)
            case _:
                raise TypeError(f"{conversion} does not lead from {kind} to {target}")

    def record(self, conversion: ToRecord) -> Load:
        """The closure of a record; a recursive one is found while it is being built."""
        if conversion not in self.records:
            # The final closure does not exist yet, so this one looks it up when it runs.
            self.records[conversion] = partial(later, self.records, conversion)
            self.records[conversion] = load_fields(self, self.converted[conversion])
        return self.records[conversion]

    def carried(self, types: SchemaTypes, later: Later, target: Type) -> Callable[[], Any]:
        """Makes the value of a default that an earlier version declares."""
        return carried_default(types, later, target, self.versions)

    def value(self, source: Source, types: SchemaTypes, kind: Type) -> Load:
        """A loader of values of one type of ``types``."""
        return compile_value(source, types, kind)

    def beside(
        self, converted: Records, source: Source, schema: Schema, types: SchemaTypes
    ) -> _Compiler:
        """A compiler of other conversions of the same reading."""
        return _Compiler(converted, source, schema, types, self.versions)

    def _about_null(
        self, conversion: NullToDefault | DefaultToNull, kind: Type, target: Type
    ) -> Load | None:
        inner = target.item if isinstance(target, Optional) else target
        if isinstance(conversion, DefaultToNull):
            given = partial(carried_value, self.types, conversion.later, inner, self.versions)
            return chain(self.compile(conversion.item, kind, inner), null_for(given))
        if not isinstance(kind, Optional):
            return self.compile(conversion.item, kind, inner)
        make = self.carried(self.types, conversion.later, inner)
        # Null has a meaning of its own here, so what is unknown does not become it.
        load = self._optional(Maybe(conversion.item), kind, inner, may_leave=False)
        return chain(load, partial(or_made, make))

    def _item(self, conversion: Conversion, kind: Type, target: Type) -> Load | None:
        """The closure for an item inside a container."""
        return chain(self.source.item(kind), self.compile(conversion, kind, target))

    def _optional(
        self, conversion: Maybe | Require, kind: Optional, target: Type, *, may_leave: bool = True
    ) -> Load | None:
        inner = target.item if isinstance(target, Optional) else target
        load = self.compile(conversion.item, kind.item, inner)
        unwrap = self.source.optional(kind)
        if isinstance(conversion, Require):
            return partial(require, unwrap, load)
        if unwrap is None and load is None:
            return None
        if load is not None and may_leave and self._may_leave(conversion.item):
            load = partial(or_else, None, load)
        return partial(maybe, unwrap, load)

    def _may_leave(self, conversion: Conversion) -> bool:
        """Whether a value may be left out, to be kept as residue, where it is unknown here."""
        if self.watch is None or not self.watch.lenient:
            return False
        return isinstance(conversion, MapBranches | MapSymbols)

    def _wrap(self, conversion: ToItem, kind: Type, target: Array) -> Load:
        make = partial(array_of, typecode(target)) if target.vector_kind else None
        if conversion.optional and isinstance(kind, Optional):
            load = self.compile(conversion.item, kind.item, target.items)
            wrap: Load = partial(to_item, self.source.optional(kind), load)
        else:
            wrap = partial(one_item, self.compile(conversion.item, kind, target.items))
        return chain(wrap, make) or same

    def _array(self, conversion: EachItem, kind: Array, target: Array) -> Load | None:
        make = partial(array_of, typecode(target)) if target.vector_kind else None
        read = self.source.vector(kind) if kind.vector_kind else None
        if read is not None and isinstance(conversion.item, Keep):
            return chain(read, make or list)
        load = self._item(conversion.item, kind.items, target.items)
        iterate = read or self.source.array(kind)
        if load is not None and self.watch and self._may_leave(conversion.item):
            return partial(known_items, iterate, load, self.watch.left_out)
        if load is not None:
            return chain(partial(array, iterate, load), make)
        if make is not None:
            return chain(iterate, make)
        return iterate and (lambda raw: list(iterate(raw)))

    def _map(self, conversion: EachValue, kind: Map, target: Map) -> Load:
        load = self._item(conversion.value, kind.values, target.values)
        check = check_for(target.keys, self.types.schema)
        same = kind.keys == target.keys
        if load is not None and self._may_leave(conversion.value):
            load = partial(or_else, ABSENT, load)
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

    def _cast(self, conversion: Cast) -> Load:
        load = self.source.scalar(conversion.source)
        return rounded(chain(load, cast(conversion, self.types.schema)), conversion) or same


def rounded(load: Load | None, conversion: Conversion) -> Load | None:
    """Followed by the rounding that a vector on the way means."""
    rounds = isinstance(conversion, Keep | Cast) and conversion.single
    return chain(load, to_single) if rounds else load


def _is_null(field: Field) -> bool:
    return field.default is not None and field.default.value is None


def _null() -> None:
    return None


def _fresh(load: Load | None, default: Any) -> Any:
    value = deepcopy(default)
    return value if load is None else load(value)
