"""Calls a migration's compute functions, with just the fields that they read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import partial
from typing import Any

from ...errors import ComputeError, ValueMismatch
from ...migrations.migration import Migration
from ...migrations.ops import Compute
from ...schemas.model import Field, Schema, Type
from ..types import SchemaTypes
from .builtins_source import BuiltinsSource
from .check_sink import CheckSink
from .dump import compile_type
from .load import Extras, Load, compile_field, compile_value
from .source import Raw, Source


@dataclass(frozen=True, slots=True)
class _Call:
    """One op, compiled: how its inputs are read, and where its checked outputs go."""

    run: Callable[[Sequence[object]], tuple[object, ...]]
    inputs: tuple[tuple[str, Load], ...]
    outputs: tuple[tuple[str, str, Load], ...]
    hop: str


def compile_extras(
    migration: Migration, source: Source, writer: SchemaTypes, reader: SchemaTypes
) -> Extras:
    """A function from a raw root record to the attributes that the migration computes.

    The functions get and give values of the writer's and the reader's Python types. It raises
    ``ComputeError`` where one of them raises or gives what the schema cannot hold.
    """
    upwards = writer.schema.version < reader.schema.version
    calls = [
        _compile(op, source, writer, reader, upwards=upwards)
        for op in migration.ops
        if (op.up if upwards else op.down) is not None
    ]
    return partial(_run, calls)


def _compile(
    op: Compute, source: Source, writer: SchemaTypes, reader: SchemaTypes, *, upwards: bool
) -> _Call:
    reads, writes = (op.reads, op.writes) if upwards else (op.writes, op.reads)
    attributes = reader.names.attributes[reader.schema.root]
    outputs = [_field(reader.schema, name) for name in writes]
    return _Call(
        op.upgrade if upwards else op.downgrade,
        tuple((name, compile_field(source, writer, _field(writer.schema, name))) for name in reads),
        tuple((f.name, attributes[f.name], _acceptance(reader, f.type)) for f in outputs),
        f"{writer.schema.subject} {writer.schema.version} -> {reader.schema.version}",
    )


def _field(schema: Schema, name: str) -> Field:
    return next(field for field in schema.record.fields if field.name == name)


def _run(calls: Sequence[_Call], raw: Raw) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for call in calls:
        results = _results(call, _inputs(call, raw))
        for (name, attribute, accept), value in zip(call.outputs, results, strict=True):
            try:
                # A function may keep what it gives, and no two states may share it.
                values[attribute] = deepcopy(accept(value))
            except ValueMismatch as error:
                message = f"the function for {name} gave a wrong value: {error}"
                raise ComputeError(message, where=call.hop) from None
    return values


def _acceptance(types: SchemaTypes, kind: Type) -> Load:
    """Checks a value that a function gave: of the Python type, or in JSON form.

    A migration cannot import the classes of a version, so it gives records and enums as
    plain values.
    """
    check = compile_type(types, CheckSink(), kind)
    load = compile_value(BuiltinsSource(types.schema, types.names, fill=True), types, kind)

    def accept(value: Any) -> Any:
        try:
            check(value)
        except ValueMismatch:
            if not isinstance(value, str | list | dict):
                raise
            return load(value)
        return value

    return accept


def _inputs(call: _Call, raw: Raw) -> list[Any]:
    values: list[Any] = []
    try:
        for _, load in call.inputs:
            values.append(load(raw))
    except ValueMismatch as error:
        raise error.under(call.inputs[len(values)][0]) from None
    return values


def _results(call: _Call, values: list[Any]) -> tuple[object, ...]:
    try:
        return call.run(values)
    except ComputeError as error:
        error.where = f"{call.hop}, {error.where}"
        raise
