"""Defaults that stricter readers of Avro refuse.

Avro's specification gave the default of a union to its first branch until 1.11, and most
implementations still hold to that. We read any branch, and write what everybody reads.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..avro.default_writer import DefaultWriter
from ..avro.names import avro_names
from ..model import JsonValue, Optional, Record, Schema, Type, Union


def later_branch_defaults(schema: Schema) -> Iterator[str]:
    """The fields, as ``record.field``, whose default is not of the first branch of their
    union.
    """
    writer = DefaultWriter(schema, avro_names(schema))
    for record in schema.types.values():
        for field in record.fields if isinstance(record, Record) else ():
            if field.default and not _is_first(writer, field.type, field.default.value):
                yield f"{record.name}.{field.name}"


def _is_first(writer: DefaultWriter, type_: Type, value: JsonValue) -> bool:
    match type_:
        case Optional() if value is None:
            return type_.null_at == 0
        case Optional():
            return type_.null_at > 0 and _is_first(writer, type_.item, value)
        case Union():
            return writer.branch(type_, value) == 0
        case _:
            return True
