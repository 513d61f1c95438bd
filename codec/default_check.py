"""Whether the defaults of a schema are values that their own types can hold.

A reader of schemas knows what a default looks like in its language; what the type then allows
(digits, ranges, text that can be written) is for the codec's own checks. A default that fails
them would give states that cannot be saved again.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from ..errors import InstarError, MigrationMismatch, SchemaError, ValueMismatch
from ..migrations.conversion import DefaultToNull, NullToDefault, RecordConversion
from ..migrations.graph_reading import field_before
from ..schemas.model import Field, Record
from ..schemas.stack import stack_errors
from .library.builtins_source import BuiltinsSource
from .library.check_sink import CheckSink
from .library.dump import type_compiler
from .library.load import value_compiler
from .library.load_fields import record_type
from .subject import Subject
from .types import SchemaTypes


def wrong_types(subject: Subject) -> Iterator[InstarError]:
    """An error for each version without types, and for each default of the others that is wrong."""
    for version in subject.chain.versions:
        try:
            with stack_errors(subject.name):
                wrong = list(wrong_defaults(subject.types(version)))
        except InstarError as error:
            yield error
        else:
            yield from wrong
    for source, target in subject.chain.hops(1, subject.latest):
        yield from _wrong_op_defaults(subject, source, target)
        yield from _wrong_op_defaults(subject, target, source)


def _wrong_op_defaults(subject: Subject, source: int, target: int) -> Iterator[MigrationMismatch]:
    """An error for each default of ``add`` or ``remove`` that its field cannot hold."""
    try:
        types, segments = subject.types(target), subject.plan(source, target).segments
    except InstarError:
        return  # Types are judged before; and that there is no way down is no error.
    problems = _Problems(types)
    for conversion in (c for s in segments for c in s.graph.records.values()):
        record = record_type(types.schema, conversion.target)
        yield from _wrong_null_defaults(subject, conversion, f"{subject.name} {source} to {target}")
        for fill in conversion.fills:
            problem = problems.of(replace(record.by_name[fill.target], default=fill.default))
            if fill.later is not None and problem:
                yield MigrationMismatch(
                    f"the default that its op gives is no value of its type: {problem}",
                    where=f"{subject.name} {source} to {target}, {record.name}.{fill.target}",
                    mend="give add() or remove() a default that the type can hold",
                )


def _wrong_null_defaults(
    subject: Subject, conversion: RecordConversion, where: str
) -> Iterator[MigrationMismatch]:
    """An error for each value of ``or_else`` or ``null_if`` that its field cannot hold."""
    for take in conversion.takes:
        if isinstance(take.conversion, NullToDefault | DefaultToNull):
            later = take.conversion.later
            problem = _Problems(subject.types(later.origin.version)).of(field_before(later))
            if problem:
                yield MigrationMismatch(
                    f"what stands for null is no value of its type: {problem}",
                    where=f"{where}, {later.record}.{later.field}",
                    mend="give or_else() or null_if() a value that the type can hold",
                )


def wrong_defaults(types: SchemaTypes) -> Iterator[SchemaError]:
    """An error for each default that its field cannot hold."""
    problems = _Problems(types)
    for named in types.schema.types.values():
        for field in named.fields if isinstance(named, Record) else ():
            problem = problems.of(field)
            if problem:
                yield SchemaError(
                    f"the default is no value of its type: {problem}",
                    where=f"{types.schema.subject} v{types.schema.version}, "
                    f"{named.name}.{field.name}",
                    mend="give a default that the type can hold",
                )


class _Problems:
    """Tries defaults as values of one version."""

    def __init__(self, types: SchemaTypes) -> None:
        source = BuiltinsSource(types.schema, types.names, fill=True)
        self._load = value_compiler(source, types)
        self._dump = type_compiler(types, CheckSink())

    def of(self, field: Field) -> str:
        """What is wrong with the default of a field; nothing where it has none."""
        if field.default is None:
            return ""
        try:
            value = self._load(field.type)(field.default.value)
            self._dump(field.type)(value)
        except ValueMismatch as error:
            return str(error)
        return ""
