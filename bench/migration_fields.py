"""Fields that only some versions of a schema have, as an ``.avsc`` writes them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, TypeAlias

LATEST: Final = 10
"""The newest version of a chain."""

Row: TypeAlias = tuple[range, dict[str, Any]]
"""A field, with the versions that have it so."""


def field(name: str, type_: Any, *, since: int = 1, until: int = LATEST, **attributes: Any) -> Row:
    """A field of the versions from ``since`` to ``until``."""
    return range(since, until + 1), {"name": name, "type": type_, **attributes}


def present(version: int, rows: Iterable[Row]) -> list[dict[str, Any]]:
    """The fields that a version has."""
    return [found for versions, found in rows if version in versions]


def record(name: str, *fields: dict[str, Any]) -> dict[str, Any]:
    """A record type."""
    return {"type": "record", "name": name, "fields": list(fields)}


def enum(name: str, *symbols: str) -> dict[str, Any]:
    """An enum type."""
    return {"type": "enum", "name": name, "symbols": list(symbols)}
