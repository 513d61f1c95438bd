"""Compiles the fields of a record: what is taken, gathered, filled, and made by calls."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol, TypeAlias

from ...migrations.conversion import (
    Call,
    Conversion,
    Fill,
    Gather,
    Later,
    Made,
    NullToDefault,
    RecordConversion,
    Take,
    ToRecord,
)
from ...migrations.paths import record_at
from ...schemas.model import Field, Optional, Record, Schema, Type
from ..types import SchemaTypes
from .calls import Argument, CompiledCall, argument_type, compile_call
from .closures import (
    ABSENT,
    Load,
    Outcome,
    RecordSteps,
    Step,
    chain,
    gather,
    inside,
    maybe,
    or_absent,
    record_loader,
    same,
    watched,
)
from .object_source import ObjectSource
from .residue import keep_for, keeping
from .scalar_steps import absent, present
from .source import Getter, Raw, Source

Records: TypeAlias = Mapping[ToRecord, RecordConversion]
Versions: TypeAlias = Callable[[int], SchemaTypes]
"""The Python types of the versions of the subject, which functions of migrations see."""


class Watch(Protocol):
    """Is told what becomes of what.

    ``lenient`` has an unknown branch or symbol left out where there can be nothing: of an
    optional, an item, an entry of a map.
    """

    @property
    def lenient(self) -> bool:
        """Whether something may be left out."""
        ...

    def made(self, made: Any, raw: Raw, conversion: RecordConversion) -> None:
        """A record was made of a raw one, after those within it."""
        ...

    def left_out(self, raw: Raw, index: int) -> None:
        """The item ``index`` of a raw list was left out."""
        ...


class Compiler(Protocol):
    """What compiles the values of fields."""

    converted: Records
    source: Source
    schema: Schema
    types: SchemaTypes
    versions: Versions | None
    watch: Watch | None

    def compile(self, conversion: Conversion, kind: Type, target: Type) -> Load | None:
        """The closure of a value, ``None`` where a raw value is the Python value already."""
        ...

    def record(self, conversion: ToRecord) -> Load:
        """The closure of a record."""
        ...

    def carried(self, types: SchemaTypes, later: Later, target: Type) -> Callable[[], object]:
        """Makes the value of a default that an earlier version declares."""
        ...

    def value(self, source: Source, types: SchemaTypes, kind: Type) -> Load:
        """A loader of values of one type of ``types``."""
        ...

    def beside(
        self, converted: Records, source: Source, schema: Schema, types: SchemaTypes
    ) -> Compiler:
        """A compiler of other conversions of the same reading."""
        ...


def load_fields(compiler: Compiler, conversion: RecordConversion) -> Load:
    """The closure that builds a record from its fields."""
    return _Fields(compiler).load(conversion)


def load_values(compiler: Compiler, conversion: RecordConversion) -> Load:
    """A closure that gives the same fields as a dictionary, by attribute, but for those that
    the class of the record fills itself.
    """
    return _Fields(compiler).load(conversion, dict, keeps=False)


def record_type(schema: Schema, name: str) -> Record:
    """The record of this name; TypeError for any other type."""
    named = schema.types[name]
    if not isinstance(named, Record):
        raise TypeError(f"{name} is no record")
    return named


def field_of(record: Record, name: str) -> Field:
    """The field of this name."""
    return record.by_name[name]


@dataclass(frozen=True, slots=True)
class _Fields:
    compiler: Compiler

    def load(
        self,
        conversion: RecordConversion,
        make: Callable[..., Any] | None = None,
        *,
        keeps: bool = True,
    ) -> Load:
        """``make`` takes the place of the record's class. ``keeps`` says that the residue of
        the source record belongs to this one.
        """
        old = record_type(self.compiler.schema, conversion.source)
        new = record_type(self.compiler.types.schema, conversion.target)
        attributes = self.compiler.types.names.attributes[new.name]
        wanted = {f.name: f for f in new.fields}
        takes: list[Step] = []
        for take in conversion.takes:
            getter, load = self.take(old, take, wanted[take.target].type)
            takes.append(
                (attributes[take.target], ".".join((take.source, *take.inner)), getter, load)
            )
        for found in conversion.gathers:
            load = self._gather(old, found)
            # Errors in it have the path of the field that it was before.
            takes.append((attributes[found.target], "", same, load))
        # A default that the target declares itself is filled by its class, fresh each time.
        fills = [
            (
                attributes[f.target],
                self.compiler.carried(self.compiler.types, f.later, wanted[f.target].type),
            )
            for f in conversion.fills
            if f.later is not None
        ]
        calls = [self._call(old, call) for call in conversion.calls]
        made = [
            self._outcome(m, attributes[m.target], wanted[m.target].type) for m in conversion.made
        ]
        opened, steps = (
            self.compiler.source.open_record(old),
            RecordSteps(takes, fills, calls, made),
        )
        load = record_loader(make or self.compiler.types.record(new.name), opened, steps)
        if keeps and self.compiler.watch is not None:
            load = partial(watched, load, self.compiler.watch.made, conversion)
        residue = self.compiler.source.residue(old) if keeps else None
        if residue is None:
            return load
        compiler = self.compiler
        keep = keep_for(conversion, compiler.schema, compiler.types, compiler.value)
        return keeping(load, residue, keep)

    def take(self, old: Record, take: Take, target: Type) -> tuple[Getter, Load | None]:
        """How a value of a raw record is got, and how it is loaded."""
        get, kind, optional = self._reach(old, take)
        if not optional:
            return get, self.compiler.compile(take.conversion, kind, target)
        there = take.conversion if isinstance(kind, Optional) else present(take.conversion)
        load = self.compiler.compile(there, kind, target)
        missing = self._absent(take.conversion, target)
        return get, partial(or_absent, load, missing)

    def _absent(self, conversion: Conversion, target: Type) -> Callable[[], object]:
        """What stands for a field of a record that is null itself."""
        if isinstance(conversion, NullToDefault):
            return self.compiler.carried(self.compiler.types, conversion.later, target)
        return absent(conversion, self.compiler.types, target)

    def _reach(self, old: Record, take: Take) -> tuple[Getter, Type, bool]:
        """The getter of a field, its type, and whether a record on the way may be null."""
        field = field_of(old, take.source)
        get, kind, optional = self.compiler.source.field(old, field), field.type, False
        for name in take.inner:
            record = record_at(self.compiler.schema, kind)
            if record is None:
                raise TypeError(f"{name} stands in no record")
            field = field_of(record, name)
            unwrap = self.compiler.source.optional(kind) if isinstance(kind, Optional) else None
            opened, then = (
                self.compiler.source.open_record(record),
                self.compiler.source.field(record, field),
            )
            get = partial(inside, get, unwrap, opened, then)
            kind, optional = field.type, optional or isinstance(kind, Optional)
        return get, kind, optional

    def _gather(self, old: Record, found: Gather) -> Load:
        inner = self.compiler.converted[found.conversion]
        load, takes = self.load(inner, keeps=False), inner.takes
        nulls = [self._is_null(old, take) for take in takes] if found.optional else []
        return partial(gather, nulls, load)

    def _is_null(self, old: Record, take: Take) -> Callable[[Raw], bool]:
        get, kind, _ = self._reach(old, take)
        if not isinstance(kind, Optional):
            return lambda raw: get(raw) is ABSENT
        read = partial(
            or_absent, partial(maybe, self.compiler.source.optional(kind), None), lambda: None
        )
        return lambda raw: read(get(raw)) is None

    def _call(self, old: Record, call: Call) -> CompiledCall:
        arguments = [self._argument(old, call, read) for read in call.reads]
        return compile_call(call, arguments, self._version(call.results), self.compiler.value)

    def _argument(self, old: Record, call: Call, read: Take | Fill | Made) -> Argument:
        types = self._version(call.arguments)
        kind = argument_type(call, read.target)
        match read:
            case Take():
                of = self.compiler
                inner = of.beside(call.records, of.source, of.schema, types)
                get, load = _Fields(inner).take(old, read, kind)
                found = chain(get, load) or same
                return lambda raw, _: found(raw)
            case Fill():
                make = self._default(types, read, kind)
                return lambda _, __: make()
            case Made():
                call_index, index = read.call, read.index
                after = self._later(read.later, types, kind) or same
                return lambda _, results: after(results[call_index][index])

    def _outcome(self, made: Made, attribute: str, target: Type) -> Outcome:
        load = self._later(made.later, self.compiler.types, target)
        return Outcome(attribute, made.target, made.call, made.index, load)

    def _later(self, later: Later | None, types: SchemaTypes, target: Type) -> Load | None:
        """What becomes of a result of a function in the versions after it."""
        if later is None:
            return None
        source = ObjectSource(self._version(later.origin))
        kind = field_of(record_type(later.origin, later.record), later.field).type
        compiler = self.compiler.beside(later.records, source, later.origin, types)
        return compiler.compile(later.conversion, kind, target)

    def _version(self, schema: Schema) -> SchemaTypes:
        if self.compiler.versions is None:
            raise TypeError("a graph with calls is compiled with the types of its versions")
        return self.compiler.versions(schema.version)

    def _default(self, types: SchemaTypes, fill: Fill, kind: Type) -> Callable[[], object]:
        if fill.later is None:
            raise TypeError(f"the default of {fill.target} is of no version")
        return self.compiler.carried(types, fill.later, kind)
