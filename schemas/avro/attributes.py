"""Where the leftover attributes of a schema are kept: ``Schema.attributes``, by place.

The place of a named type is its full name, that of a field ``record#field``, and those of the
types inside a field follow with ``/items``, ``/values`` or the position in a union.
"""

from __future__ import annotations


def field_place(record: str, field: str) -> str:
    """The place of a field of the record with this full name."""
    return f"{record}#{field}"


def type_place(record: str, field: str) -> str:
    """The place of the type of a field."""
    return f"{record}#{field}/type"


def inner_place(place: str, step: str | int) -> str:
    """The place of a type within the type at ``place``."""
    return f"{place}/{step}"
