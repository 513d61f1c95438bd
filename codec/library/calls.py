"""Compiles the calls of a record: what their arguments are, and what becomes of their results."""

from __future__ import annotations

import enum
from array import array
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, TypeAlias

import msgspec

from ...errors import ComputeError, ValueMismatch
from ...migrations.conversion import Call
from ...migrations.paths import type_at
from ...migrations.rules import Scalar, Split
from ...migrations.stepped import scalar_of
from ...schemas.model import Enum, Field, Record, Schema, Type
from ..types import SchemaTypes
from .builtins_source import BuiltinsSource
from .check_sink import CheckSink
from .closures import PLACED, Load, Results
from .dump import compile_type
from .scalar_steps import checked_scalar
from .source import Raw, Source

Argument: TypeAlias = Callable[[Raw, Results], Any]
"""The value of an argument, from the raw record and the results of the calls before."""


@dataclass(frozen=True, slots=True)
class CompiledCall:
    """A call with the names and loaders of its arguments, and the checks of its results."""

    run: Callable[[Sequence[object]], tuple[object, ...]]
    arguments: tuple[tuple[str, Argument], ...]
    accepts: tuple[tuple[str, Load], ...]
    hop: str

    def __call__(self, raw: Raw, results: Results) -> tuple[Any, ...]:
        """The results of the call for a raw record; ``results`` are those of the calls before."""
        values: list[Any] = []
        try:
            for _, argument in self.arguments:
                values.append(_own(argument(raw, results)))
        except PLACED as error:
            raise error.under(self.arguments[len(values)][0]) from None
        try:
            return self._accepted(self.run(values))
        except ComputeError as error:
            raise error.on(self.hop) from error.__cause__

    def _accepted(self, results: tuple[object, ...]) -> tuple[Any, ...]:
        found: list[Any] = []
        for (name, accept), value in zip(self.accepts, results, strict=True):
            try:
                found.append(accept(value))
            except ValueMismatch as error:
                message = f"the function for {name} gave a wrong value: {error}"
                raise ComputeError(message, path=name) from None
        return tuple(found)


ValueLoader: TypeAlias = Callable[[Source, SchemaTypes, Type], Load]
"""Compiles a loader of values of one type."""


def compile_call(
    call: Call, arguments: Sequence[Argument], types: SchemaTypes, value_loader: ValueLoader
) -> CompiledCall:
    """``arguments`` give what the call reads, in order; its results are values of ``types``.

    It raises ``ComputeError`` where the function raises, or gives what the schema cannot hold.
    """
    names = tuple(read.target for read in call.reads)
    fields = _fields(call.results, call.result_record)
    kinds = [(name, fields[name].type) for name in call.writes]
    hop = f"{call.results.subject} {call.arguments.version} -> {call.results.version}"
    named = tuple(zip(names, arguments, strict=True))
    if isinstance(call.function, Split):
        accepts = tuple((name, _typed(types, kind)) for name, kind in kinds)
        return CompiledCall(_split(call, call.function), named, accepts, hop)
    accepts = tuple((name, _acceptance(types, kind, value_loader)) for name, kind in kinds)
    return CompiledCall(call.function.upgrade, named, accepts, hop)


def argument_type(call: Call, name: str) -> Type:
    """The type of an argument, by its path in the record that the call reads."""
    record = call.arguments.types[call.argument_record]
    assert isinstance(record, Record)  # noqa: S101 - derivation took it for one
    return type_at(call.arguments, record, name.split("."))


def _split(call: Call, rule: Split) -> Callable[[Sequence[object]], tuple[object, ...]]:
    fields = _fields(call.results, call.result_record)
    run = rule.bind_fields(
        tuple(_scalar(call.arguments, argument_type(call, read.target)) for read in call.reads),
        tuple(_scalar(call.results, fields[name].type) for name in call.writes),
        call.forward,
    )
    return lambda values: run(tuple(map(_plain, values)))


def _typed(types: SchemaTypes, kind: Type) -> Load:
    """A result of a rule as the Python value of its type."""
    scalar = _scalar(types.schema, kind)
    check = checked_scalar(scalar)
    if not isinstance(scalar, Enum):
        return check
    members = types.enum(scalar.name)
    return lambda value: members(check(value))


def _acceptance(types: SchemaTypes, kind: Type, value_loader: ValueLoader) -> Load:
    """Checks a value that a function gave: of the Python type, or in JSON form.

    A migration cannot import the classes of a version, so it gives records and enums as
    plain values, or hands on those that it was given, of the older version's classes.
    """
    check = compile_type(types, CheckSink(), kind)
    load = value_loader(BuiltinsSource(types.schema, types.names, fill=True), types, kind)

    def accept(value: Any) -> Any:
        try:
            check(value)
        except ValueMismatch:
            if not isinstance(value, str | list | dict | msgspec.Struct | enum.Enum):
                raise
            return load(msgspec.to_builtins(value, enc_hook=list))
        # A function may keep what it gives, and no two states may share it.
        return deepcopy(value)

    return accept


def _own(value: Any) -> Any:
    """A value that a function may change, without changing the state that it is of."""
    return deepcopy(value) if type(value) in {list, dict, array} else value


def _plain(value: Any) -> Any:
    return value.value if isinstance(value, enum.Enum) else value


def _fields(schema: Schema, name: str) -> Mapping[str, Field]:
    record = schema.types[name]
    assert isinstance(record, Record)  # noqa: S101 - derivation took it for one
    return record.by_name


def _scalar(schema: Schema, kind: Type) -> Scalar:
    found = scalar_of(schema, kind)
    if found is None:
        raise TypeError(f"a rule cannot change {kind}")
    return found
