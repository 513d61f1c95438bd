"""Which record is the root of a schema that defines several, and what belongs to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from ...errors import SchemaError, UnsupportedSchema
from ..model import NamedType, Record, Reference, Schema, Type
from ..naming import pascal
from ..references import nested, reachable
from .place import AvroSource


def pick_root(
    source: AvroSource,
    subject: str,
    types: Mapping[str, NamedType],
    tops: Sequence[Type],
    wanted: str | None,
) -> str:
    """The full name of the root: ``wanted``, the only record at the top, or by name or use.

    Raises UnsupportedSchema where the root is no record, SchemaError where there is none.
    """
    if wanted is not None:
        if not isinstance(types.get(wanted), Record):
            raise SchemaError(
                f"there is no record {wanted}",
                where=source.top,
                mend=f"correct roots.{subject} in [tool.instar]",
            )
        return wanted
    if len(tops) == 1:
        return _only(source, types, tops[0])
    records = [name for name, named in types.items() if isinstance(named, Record)]
    called = [name for name in records if name.rpartition(".")[2] == pascal(subject)]
    found = called or _unused(types, records)
    if len(found) != 1:
        raise SchemaError(
            f"{len(found)} records may be the root",
            where=source.top,
            mend=f"name it in [tool.instar]: roots.{subject} = {(found or records or [''])[0]!r}",
        )
    return found[0]


def _only(source: AvroSource, types: Mapping[str, NamedType], top: Type) -> str:
    if not isinstance(top, Reference) or not isinstance(types[top.name], Record):
        raise UnsupportedSchema("the root of the schema is not a record", where=source.top)
    return top.name


def _unused(types: Mapping[str, NamedType], records: Sequence[str]) -> list[str]:
    used = {
        (name, part.name)
        for name in records
        if isinstance(record := types[name], Record)
        for field in record.fields
        for part in nested(field.type)
        if isinstance(part, Reference)
    }
    others = {inner for outer, inner in used if outer != inner}
    return [name for name in records if name not in others]


def pruned(schema: Schema) -> Schema:
    """``schema`` with the types that its root uses, in order of first use, and no others."""
    types = reachable(schema)
    if list(types) == list(schema.types):
        return schema
    kept = {
        place: attributes
        for place, attributes in schema.attributes.items()
        if place.partition("#")[0] in types
    }
    return replace(schema, types=types, attributes=kept)
