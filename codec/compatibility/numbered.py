"""Numbers for versions that come from no folder, which would have numbered them."""

from __future__ import annotations

from ...schemas.model import Schema
from ...schemas.numbering import number_fields


def numbered(older: Schema, newer: Schema) -> tuple[Schema, Schema]:
    """Both versions with Protobuf numbers: the ones they have, or those of a line of two."""
    has_all = all(field.number for schema in (older, newer) for field in schema.record.fields)
    if has_all or {older.language, newer.language} != {"avro"}:
        return older, newer
    first, second = number_fields((older, newer))
    return first, second
