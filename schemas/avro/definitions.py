"""The definitions of named types in an ``.avsc`` document, before anything is checked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import cast

from ..model import JsonValue
from .place import Place

PRIMITIVES = frozenset({"null", "boolean", "int", "long", "float", "double", "bytes", "string"})
NAMED = frozenset({"enum", "fixed", "record", "error"})
PART: Mapping[str, str] = {
    "array": "items",
    "map": "values",
    "enum": "symbols",
    "fixed": "size",
    "record": "fields",
    "error": "fields",
}
"""The key that every type of a kind has to have."""


@dataclass(frozen=True, slots=True)
class Definition:
    """A named type: its full name, the node that defines it, and what is around that."""

    name: str
    node: dict[str, JsonValue]
    place: Place
    namespace: str


def full_name(node: Mapping[str, JsonValue], namespace: str) -> str:
    """The full name of a definition with a valid name, inside of ``namespace``."""
    name = cast("str", node["name"])
    own = node.get("namespace")
    around = own if isinstance(own, str) else namespace
    return f"{around}.{name}" if around and "." not in name else name


def definitions(node: JsonValue, place: Place, namespace: str = "") -> Iterator[Definition]:
    """Every definition in a document at ``place``, within ``namespace``."""
    if isinstance(node, list):
        for index, part in enumerate(node):
            yield from definitions(part, place.at(index), namespace)
    if not isinstance(node, dict):
        return
    kind = node.get("type")
    if not isinstance(kind, str):
        yield from definitions(kind, place.at("type"), namespace)
        return
    if kind in NAMED and isinstance(node.get("name"), str):
        full = full_name(node, namespace)
        yield Definition(full, node, place, namespace)
        namespace = full.rpartition(".")[0]
    for part, inner in _parts(kind, node, place):
        yield from definitions(part, inner, namespace)


def _parts(
    kind: str, node: Mapping[str, JsonValue], place: Place
) -> Iterator[tuple[JsonValue, Place]]:
    """The types inside a type of this kind."""
    if kind in {"array", "map"}:
        yield node.get(PART[kind]), place.at(PART[kind])
    fields = node.get("fields") if kind in {"record", "error"} else None
    for index, field in enumerate(fields if isinstance(fields, list) else ()):
        if isinstance(field, dict):
            yield field.get("type"), place.at("fields", index, "type")
