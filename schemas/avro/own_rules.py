"""What a project may not release in an ``.avsc`` of its own, though foreign ones are read.

Readers of other languages hold to the letter of the specification, so a schema that one
releases does too: the default of a union is of its first branch (1.12, "Complex Types").
"""

from __future__ import annotations

from pathlib import Path

from ...errors import SchemaError
from ..model import Field, JsonValue, Record
from .default_writer import DefaultWriter
from .names import avro_names
from .place import AvroSource
from .reader import read_source, source_of
from .text import AvroText


def own_findings(source: Path | str, *, root: str | None = None) -> list[SchemaError]:
    """Everything that keeps an ``.avsc``, a folder of them or a text from being released.

    Comments and trailing commas are among it. ``root`` names the root record where several
    are defined.
    """
    try:
        texts = _source(source)
        schema = read_source(texts, "own", 1, root)
    except SchemaError as error:
        return [error]
    writer = DefaultWriter(schema, avro_names(schema))
    return [
        SchemaError(
            f"the default of {record.name}.{field.name} is not of the first branch of its union",
            where=str(texts.places[record.name, field.name].at("default")),
            mend="put the branch of the default first; Avro allows no other",
        )
        for record in schema.types.values()
        if isinstance(record, Record)
        for field in record.fields
        if field.default is not None and _strays(writer, field, field.default.value)
    ]


def _source(source: Path | str) -> AvroSource:
    if isinstance(source, Path):
        return source_of(source, lenient=False)
    return AvroSource((AvroText(source, "the schema"),), "the schema")


def _strays(writer: DefaultWriter, field: Field, value: JsonValue) -> bool:
    """Whether a default, or a part of it, is of a later branch of some union."""
    before = writer.strays
    writer.value(field.type, value)
    return writer.strays > before
