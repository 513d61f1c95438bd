"""The checks of an ``.avsc`` document: ours first, then those of fastavro's parser.

fastavro checks references, redefinitions, symbols and decimals. It does not look at
names, at doubled fields or at missing parts, and it believes a document that claims to
have been parsed before; those checks are here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, cast

from ..model import JsonValue
from .text import AvroText

PRIMITIVES = frozenset({"null", "boolean", "int", "long", "float", "double", "bytes", "string"})
_PART: Mapping[str, str] = {
    "array": "items",
    "map": "values",
    "enum": "symbols",
    "fixed": "size",
    "record": "fields",
    "error": "fields",
}
NAMED = frozenset({"enum", "fixed", "record", "error"})
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)*")
DEFAULT = "instar-default"
"""Key below which a field's default passes fastavro, whose check of defaults is too strict
in places and too lax in others."""


def checked(source: AvroText) -> JsonValue:
    """The document of ``source`` with every name in full, as fastavro's parser leaves it.

    Raises SchemaSyntaxError where it is not an Avro schema.
    """
    prepared = _Preparation(source).type(source.document(), ())
    from fastavro.schema import (  # noqa: PLC0415  # loaded only by those who read .avsc
        SchemaParseException,
        UnknownType,
        parse_schema,
    )

    parse = cast("Callable[..., Any]", parse_schema)
    try:
        # A name table of our own: two versions may define one name differently.
        parsed: JsonValue = parse(prepared, {}, _write_hint=False)
    except UnknownType as error:
        name = f"{error.name}"
        raise source.error(f"the type {name!r} is not defined before its use", name) from None
    except SchemaParseException as error:
        raise source.error(str(error), *_quoted(str(error))) from None
    return parsed


def _quoted(message: str) -> list[str]:
    """The name that an error message of fastavro ends with, as a hint where to look."""
    return [message.rpartition(": ")[2]] if ": " in message else []


class _Preparation:
    """Checks a document part by part, and copies it without what fastavro must not see."""

    def __init__(self, source: AvroText) -> None:
        self._source = source

    def type(self, node: JsonValue, place: tuple[str, ...]) -> JsonValue:
        if isinstance(node, str):
            return node
        if isinstance(node, list):
            return [self.type(branch, place) for branch in node]
        if not isinstance(node, dict):
            raise self._source.error(f"{node!r} is no Avro type", *place)
        kind = node.get("type")
        if isinstance(kind, dict | list):
            return self.type(kind, place)
        if not isinstance(kind, str):
            raise self._source.error("a type without the key 'type'", *place)
        if kind in PRIMITIVES:
            return _own_keys(node)
        return self._complex(kind, node, place) if kind in _PART else kind

    def _complex(
        self, kind: str, node: dict[str, JsonValue], place: tuple[str, ...]
    ) -> dict[str, JsonValue]:
        if kind in NAMED:
            place = (*place, self._name(node, kind, place))
            self._aliases(node, place)
        part = _PART[kind]
        if part not in node:
            raise self._source.error(f"this {kind} has no {part!r}", *place)
        return {**_own_keys(node), part: self._part(part, node[part], place)}

    def _part(self, part: str, value: JsonValue, place: tuple[str, ...]) -> JsonValue:
        if part in {"items", "values"}:
            return self.type(value, place)
        if part == "size":
            if not isinstance(value, int) or isinstance(value, bool) or value < 0:
                raise self._source.error(f"{value!r} is no size in bytes", *place)
            return value
        if not isinstance(value, list):
            raise self._source.error(f"{part!r} is not a list", *place)
        return self._fields(value, place) if part == "fields" else value

    def _fields(self, fields: list[JsonValue], place: tuple[str, ...]) -> list[JsonValue]:
        prepared: list[JsonValue] = []
        seen: set[str] = set()
        for field in fields:
            if not isinstance(field, dict):
                raise self._source.error(f"{field!r} is no field", *place)
            name = self._name(field, "field", place)
            if "." in name:
                raise self._source.error(f"the field name {name!r} has a dot", *place, name)
            if name in seen:
                raise self._source.error(f"two fields are named {name!r}", *place, name, name)
            seen.add(name)
            prepared.append(self._field(field, (*place, name)))
        return prepared

    def _field(self, field: dict[str, JsonValue], place: tuple[str, ...]) -> JsonValue:
        if "type" not in field:
            raise self._source.error("this field has no 'type'", *place)
        self._aliases(field, place)
        prepared = {**_own_keys(field), "type": self.type(field["type"], place)}
        if "default" in prepared:
            prepared[DEFAULT] = prepared.pop("default")
        return prepared

    def _name(self, node: dict[str, JsonValue], kind: str, place: tuple[str, ...]) -> str:
        name, namespace = node.get("name"), node.get("namespace", "")
        if not isinstance(name, str):
            raise self._source.error(f"a {kind} without a name", *place)
        if not _NAME.fullmatch(name):
            raise self._source.error(f"{name!r} is no Avro name", *place, name)
        if not isinstance(namespace, str) or (namespace and not _NAME.fullmatch(namespace)):
            raise self._source.error(f"{namespace!r} is no Avro namespace", *place, name)
        return name

    def _aliases(self, node: dict[str, JsonValue], place: tuple[str, ...]) -> None:
        aliases = node.get("aliases", [])
        if not isinstance(aliases, list):
            raise self._source.error("'aliases' is not a list", *place)
        for alias in aliases:
            if not isinstance(alias, str) or not _NAME.fullmatch(alias):
                raise self._source.error(f"{alias!r} is no Avro name for an alias", *place)


def _own_keys(node: dict[str, JsonValue]) -> dict[str, JsonValue]:
    """A copy of ``node`` without fastavro's private marks."""
    return {
        key: value for key, value in node.items() if not key.startswith("__") and key != DEFAULT
    }
