"""The checks of an ``.avsc`` document: ours first, then those of fastavro's parser.

fastavro checks references, redefinitions and symbols. It does not look at names, at
doubled fields or at missing parts, and it believes a document that claims to have been
parsed before; those checks are here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias, cast

from ..model import JsonValue
from .text import AvroSource, AvroText

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
ATTRIBUTES = "instar-attributes"
"""Key below which everything that the layout does not need passes fastavro, which refuses
logical types that the specification asks to pass over."""
Definition: TypeAlias = tuple[str, dict[str, JsonValue], str]
"""A full name, the node that defines it, and the namespace around that."""


def checked(source: AvroSource, documents: Sequence[tuple[JsonValue, AvroText]]) -> list[JsonValue]:
    """The types of ``documents``, each from its text, as fastavro's parser leaves them.

    Several documents may use each other's types, in any order. Raises SchemaSyntaxError
    where one is not an Avro schema.
    """
    preparation = Preparation(source)
    if len(documents) > 1:
        preparation.collect(documents)
    prepared = [preparation.type(document, (), "") for document, _ in documents]
    from fastavro.schema import (  # noqa: PLC0415  # loaded only by those who read .avsc
        SchemaParseException,
        UnknownType,
        parse_schema,
    )

    parse = cast("Callable[..., Any]", parse_schema)
    names: dict[str, Any] = {}  # of our own: two versions may define one name differently
    try:
        return [parse(node, names, _write_hint=False) for node in prepared]
    except UnknownType as error:
        name = f"{error.name}"
        raise source.error(f"the type {name!r} is not defined before its use", name) from None
    except SchemaParseException as error:
        raise source.error(str(error), *_quoted(str(error))) from None


def _quoted(message: str) -> list[str]:
    """The name that an error message of fastavro ends with, as a hint where to look."""
    return [message.rpartition(": ")[2]] if ": " in message else []


class Preparation:
    """Checks a document part by part, and copies it without what fastavro must not see.

    Every type is given its full name. A use of a type that another document defines is
    replaced by the definition, since fastavro knows only what comes before.
    """

    def __init__(self, source: AvroSource) -> None:
        self._source = source
        self._elsewhere: dict[str, tuple[dict[str, JsonValue], str]] = {}
        self._written: set[str] = set()

    def collect(self, documents: Sequence[tuple[JsonValue, AvroText]]) -> None:
        """Find every definition of ``documents``; raises SchemaSyntaxError for a double one."""
        for document, text in documents:
            for full, node, namespace in definitions(document, ""):
                if full in self._elsewhere:
                    raise self._source.error(f"redefined named type: {full}", full)
                self._elsewhere[full] = (node, namespace)
                self._source.owners[full] = text

    def type(self, node: JsonValue, place: tuple[str, ...], namespace: str) -> JsonValue:
        """The prepared form of a type within ``namespace``."""
        if isinstance(node, str):
            return self._use(node, place, namespace)
        if isinstance(node, list):
            return [self.type(branch, place, namespace) for branch in node]
        if not isinstance(node, dict):
            raise self._source.error(f"{node!r} is no Avro type", *place)
        kind = node.get("type")
        if isinstance(kind, dict | list):
            return self.type(kind, place, namespace)
        if not isinstance(kind, str):
            raise self._source.error("a type without the key 'type'", *place)
        if kind in PRIMITIVES:
            return {"type": kind, ATTRIBUTES: _left(node, kind)}
        if kind in _PART:
            return self._complex(kind, node, place, namespace)
        return self._use(kind, place, namespace)

    def _use(self, name: str, place: tuple[str, ...], namespace: str) -> JsonValue:
        if name in PRIMITIVES:
            return name
        full = f"{namespace}.{name}" if namespace and "." not in name else name
        if full in self._elsewhere and full not in self._written:
            node, around = self._elsewhere[full]
            return self.type(node, (*place, full), around)
        return full

    def _complex(
        self, kind: str, node: dict[str, JsonValue], place: tuple[str, ...], namespace: str
    ) -> JsonValue:
        prepared: dict[str, JsonValue] = {"type": kind, ATTRIBUTES: _left(node, kind)}
        if kind in NAMED:
            place = (*place, self._name(node, kind, place))
            full = full_name(node, namespace)
            if full in self._elsewhere and full in self._written:
                return full
            self._written.add(full)
            namespace, _, name = full.rpartition(".")
            prepared |= {
                "name": name,
                "namespace": namespace,
                "aliases": self._aliases(node, place),
            }
            prepared |= _doc(node)
            if kind == "enum" and node.get("default") is not None:
                prepared["default"] = node["default"]
        part = _PART[kind]
        if part not in node:
            raise self._source.error(f"this {kind} has no {part!r}", *place)
        return {**prepared, part: self._part(part, node[part], place, namespace)}

    def _part(
        self, part: str, value: JsonValue, place: tuple[str, ...], namespace: str
    ) -> JsonValue:
        if part in {"items", "values"}:
            return self.type(value, place, namespace)
        if part == "size":
            if not isinstance(value, int) or isinstance(value, bool) or value < 0:
                raise self._source.error(f"{value!r} is no size in bytes", *place)
            return value
        if not isinstance(value, list):
            raise self._source.error(f"{part!r} is not a list", *place)
        return self._fields(value, place, namespace) if part == "fields" else value

    def _fields(
        self, fields: list[JsonValue], place: tuple[str, ...], namespace: str
    ) -> list[JsonValue]:
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
            prepared.append(self._field(field, (*place, name), namespace))
        return prepared

    def _field(
        self, field: dict[str, JsonValue], place: tuple[str, ...], namespace: str
    ) -> JsonValue:
        if "type" not in field:
            raise self._source.error("this field has no 'type'", *place)
        prepared: dict[str, JsonValue] = {
            "name": field["name"],
            "type": self.type(field["type"], place, namespace),
            "aliases": self._aliases(field, place),
            ATTRIBUTES: _left(field, "field"),
        }
        prepared |= _doc(field)
        if "default" in field:
            prepared[DEFAULT] = field["default"]
        return prepared

    def _name(self, node: dict[str, JsonValue], kind: str, place: tuple[str, ...]) -> str:
        name, namespace = node.get("name"), node.get("namespace") or ""
        if not isinstance(name, str):
            raise self._source.error(f"a {kind} without a name", *place)
        if not _NAME.fullmatch(name):
            raise self._source.error(f"{name!r} is no Avro name", *place, name)
        if not isinstance(namespace, str) or (namespace and not _NAME.fullmatch(namespace)):
            raise self._source.error(f"{namespace!r} is no Avro namespace", *place, name)
        return name

    def _aliases(self, node: dict[str, JsonValue], place: tuple[str, ...]) -> list[JsonValue]:
        aliases = node.get("aliases", [])
        if not isinstance(aliases, list):
            raise self._source.error("'aliases' is not a list", *place)
        for alias in aliases:
            if not isinstance(alias, str) or not _NAME.fullmatch(alias):
                raise self._source.error(f"{alias!r} is no Avro name for an alias", *place)
        return aliases


def _doc(node: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    return {"doc": node["doc"]} if "doc" in node else {}


def full_name(node: Mapping[str, JsonValue], namespace: str) -> str:
    """The full name of a definition with a valid name, inside of ``namespace``."""
    name = cast("str", node["name"])
    own = node.get("namespace")
    around = own if isinstance(own, str) else namespace
    return f"{around}.{name}" if around and "." not in name else name


def definitions(node: JsonValue, namespace: str) -> Iterator[Definition]:
    """Every definition in a document: its full name, its node, and the namespace around it."""
    if isinstance(node, list):
        for part in node:
            yield from definitions(part, namespace)
    if not isinstance(node, dict):
        return
    kind = node.get("type")
    if not isinstance(kind, str):
        yield from definitions(kind, namespace)
        return
    if kind in NAMED and isinstance(node.get("name"), str):
        full = full_name(node, namespace)
        yield full, node, namespace
        namespace = full.rpartition(".")[0]
    for part in _parts(kind, node):
        yield from definitions(part, namespace)


def _parts(kind: str, node: Mapping[str, JsonValue]) -> list[JsonValue]:
    """The types inside a type of this kind."""
    if kind in {"array", "map"}:
        return [node.get(_PART[kind])]
    fields = node.get("fields") if kind in {"record", "error"} else None
    if not isinstance(fields, list):
        return []
    return [field.get("type") for field in fields if isinstance(field, dict)]


def _left(node: Mapping[str, JsonValue], kind: str) -> JsonValue:
    """What stands in ``node`` beyond the layout of a ``kind``."""
    taken = _KEYS.get(kind, _TYPE)
    if kind == "enum" and node.get("default") is not None:
        taken |= {"default"}
    return {key: value for key, value in node.items() if key not in taken}


_TYPE = frozenset({"type"})
_NAMED_KEYS = frozenset({"type", "name", "namespace", "aliases", "doc"})
_KEYS: Mapping[str, frozenset[str]] = {
    **{kind: (_NAMED_KEYS if kind in NAMED else _TYPE) | {part} for kind, part in _PART.items()},
    "field": frozenset({"type", "name", "aliases", "doc", "default"}),
}
