"""The checks of an ``.avsc`` document.

They come before fastavro's parser, which names no place, does not look at names, at doubled
fields or at missing parts, and believes a document that claims to have been parsed before.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

from ...errors import SchemaSyntaxError
from ..expect import excerpt
from ..model import JsonValue
from .definitions import NAMED, PART, PRIMITIVES, Definition, definitions, full_name
from .place import AvroSource, Place

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)*")
_SYMBOL = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
DEFAULT = "instar-default"
"""Key below which a field's default passes fastavro, whose check of defaults is too strict
in places and too lax in others."""
ATTRIBUTES = "instar-attributes"
"""Key below which everything that the layout does not need passes fastavro, which refuses
logical types that the specification asks to pass over."""


def checked(source: AvroSource, documents: Sequence[tuple[JsonValue, Place]]) -> list[JsonValue]:
    """The types of ``documents``, each at its place, as fastavro's parser leaves them.

    Several documents may use each other's types, in any order. Raises SchemaSyntaxError
    where one is not an Avro schema, UnsupportedSchema for an enum without symbols.
    """
    preparation = Preparation(source)
    if len(documents) > 1:
        preparation.collect(documents)
    prepared = [preparation.type(document, place, "") for document, place in documents]
    from fastavro.schema import (  # noqa: PLC0415  # loaded only by those who read .avsc
        SchemaParseException,
        UnknownType,
        parse_schema,
    )

    parse = cast("Callable[..., Any]", parse_schema)
    names: dict[str, Any] = {}  # of our own: two versions may define one name differently
    try:
        return [parse(node, names, _write_hint=False) for node in prepared]
    except (SchemaParseException, UnknownType) as error:  # another release may refuse more
        raise SchemaSyntaxError(str(error), where=source.top) from None


class Preparation:
    """Checks a document part by part, and copies it without what fastavro must not see.

    Every type is given its full name. A use of a type that another document defines is
    replaced by the definition, since fastavro knows only what comes before.
    """

    def __init__(self, source: AvroSource) -> None:
        self._source = source
        self._elsewhere: dict[str, Definition] = {}
        self._written: set[str] = set()

    def collect(self, documents: Sequence[tuple[JsonValue, Place]]) -> None:
        """Find every definition of ``documents``; raises SchemaSyntaxError for a double one."""
        for document, place in documents:
            for found in definitions(document, place):
                if found.name in self._elsewhere:
                    raise _redefined(found.name, found.place)
                self._elsewhere[found.name] = found

    def type(self, node: JsonValue, place: Place, namespace: str) -> JsonValue:
        """The prepared form of a type at ``place``, within ``namespace``."""
        if isinstance(node, str):
            return self._use(node, place, namespace)
        if isinstance(node, list):
            return self._union(node, place, namespace)
        if not isinstance(node, dict):
            raise place.error(f"{excerpt(node)} is no Avro type")
        kind = node.get("type")
        if isinstance(kind, dict | list):
            return self.type(kind, place.at("type"), namespace)
        if not isinstance(kind, str):
            raise place.error("a type without the key 'type'")
        if kind in PRIMITIVES:
            return {"type": kind, ATTRIBUTES: _left(node, kind)}
        if kind in PART:
            return self._complex(kind, node, place, namespace)
        return self._use(kind, place.at("type"), namespace)

    def _use(self, name: str, place: Place, namespace: str) -> JsonValue:
        if name in PRIMITIVES:
            return name
        full = f"{namespace}.{name}" if namespace and "." not in name else name
        if full in self._written:
            return full
        if full not in self._elsewhere:
            raise place.error(f"the type {full!r} is not defined before its use")
        found = self._elsewhere[full]
        return self.type(found.node, found.place, found.namespace)

    def _union(self, node: list[JsonValue], place: Place, namespace: str) -> JsonValue:
        branches: list[JsonValue] = []
        labels: set[str] = set()
        for index, branch in enumerate(node):
            prepared = self.type(branch, place.at(index), namespace)
            if isinstance(prepared, list):
                raise place.at(index).error("a union stands directly in a union")
            label = _label(prepared)
            if label in labels:
                raise place.at(index).error(f"this union has two branches of type {label}")
            labels.add(label)
            branches.append(prepared)
        return branches

    def _complex(
        self, kind: str, node: dict[str, JsonValue], place: Place, namespace: str
    ) -> JsonValue:
        prepared: dict[str, JsonValue] = {"type": kind, ATTRIBUTES: _left(node, kind)}
        if kind in NAMED:
            full = _full_name(kind, node, place, namespace)
            if full in self._written:
                if full in self._elsewhere:
                    return full
                raise _redefined(full, place)
            self._written.add(full)
            self._source.places[full,] = place
            namespace, _, name = full.rpartition(".")
            prepared |= {"name": name, "namespace": namespace, "aliases": _aliases(node, place)}
            prepared |= _doc(node)
            if kind == "enum" and node.get("default") is not None:
                prepared["default"] = node["default"]
        part = PART[kind]
        if part not in node:
            raise place.error(f"this {kind} has no {part!r}")
        return {**prepared, part: self._part(part, node, place, namespace)}

    def _part(
        self, part: str, node: dict[str, JsonValue], place: Place, namespace: str
    ) -> JsonValue:
        value, inner = node[part], place.at(part)
        if part in {"items", "values"}:
            return self.type(value, inner, namespace)
        if part == "size":
            if not isinstance(value, int) or isinstance(value, bool) or value < 0:
                raise inner.error(f"{excerpt(value)} is no size in bytes")
            return value
        if not isinstance(value, list):
            raise inner.error(f"{part!r} is not a list")
        if part == "fields":
            return self._fields(value, full_name(node, namespace), inner, namespace)
        return _symbols(value, node.get("default"), place)

    def _fields(
        self, fields: list[JsonValue], record: str, places: Place, namespace: str
    ) -> list[JsonValue]:
        prepared: list[JsonValue] = []
        keys: set[str] = set()
        for index, field in enumerate(fields):
            place = places.at(index)
            if not isinstance(field, dict):
                raise place.error(f"{excerpt(field)} is no field")
            name = _name(field, "field", place)
            if "." in name:
                raise place.at("name").error(f"the field name {name!r} has a dot")
            if (record, name) in self._source.places:
                raise place.at("name").error(f"two fields are named {name!r}")
            self._source.places[record, name] = place
            key = _json_key(field, name, place)
            if key in keys:
                raise place.at("json").error(f"two fields have the JSON key {key!r}")
            keys.add(key)
            prepared.append(self._field(field, place, namespace))
        return prepared

    def _field(self, field: dict[str, JsonValue], place: Place, namespace: str) -> JsonValue:
        if "type" not in field:
            raise place.error("this field has no 'type'")
        prepared: dict[str, JsonValue] = {
            "name": field["name"],
            "type": self.type(field["type"], place.at("type"), namespace),
            "aliases": _aliases(field, place),
            ATTRIBUTES: _left(field, "field"),
        }
        prepared |= _doc(field)
        if "default" in field:
            prepared[DEFAULT] = field["default"]
        return prepared


def _redefined(name: str, place: Place) -> SchemaSyntaxError:
    return place.at("name").error(f"redefined named type: {name}")


def _label(branch: JsonValue) -> str:
    """The Avro type name of a prepared branch."""
    if not isinstance(branch, dict):
        return cast("str", branch)
    kind = cast("str", branch["type"])
    return full_name(branch, "") if kind in NAMED else kind


def _full_name(kind: str, node: dict[str, JsonValue], place: Place, namespace: str) -> str:
    _name(node, kind, place)
    full = full_name(node, namespace)
    if full in PRIMITIVES:
        raise place.at("name").error(f"a type cannot be named {full!r}")
    return full


def _name(node: dict[str, JsonValue], kind: str, place: Place) -> str:
    name, namespace = node.get("name"), node.get("namespace") or ""
    if not isinstance(name, str):
        raise place.error(f"this {kind} has no name")
    if not _NAME.fullmatch(name):
        raise place.at("name").error(f"{name!r} is no Avro name")
    if not isinstance(namespace, str) or (namespace and not _NAME.fullmatch(namespace)):
        raise place.at("namespace").error(f"{excerpt(namespace)} is no Avro namespace")
    return name


def _json_key(field: dict[str, JsonValue], name: str, place: Place) -> str:
    key = field.get("json", name)
    if not isinstance(key, str):
        raise place.at("json").error(f"{excerpt(key)} is no JSON key")
    return key


def _symbols(symbols: list[JsonValue], default: JsonValue, place: Place) -> list[JsonValue]:
    if not symbols:
        raise place.at("symbols").unsupported("an enum without symbols")
    seen: set[str] = set()
    for index, symbol in enumerate(symbols):
        inner = place.at("symbols", index)
        if not isinstance(symbol, str) or not _SYMBOL.fullmatch(symbol):
            raise inner.error(f"{excerpt(symbol)} is no name for a symbol")
        if symbol in seen:
            raise inner.error(f"the symbol {symbol} stands twice in one enum")
        seen.add(symbol)
    if default is not None and default not in symbols:
        raise place.at("default").error(
            f"the default {excerpt(default)} is none of the enum's symbols"
        )
    return symbols


def _aliases(node: dict[str, JsonValue], place: Place) -> list[JsonValue]:
    aliases, inner = node.get("aliases", []), place.at("aliases")
    if not isinstance(aliases, list):
        raise inner.error("'aliases' is not a list")
    for index, alias in enumerate(aliases):
        if not isinstance(alias, str) or not _NAME.fullmatch(alias):
            raise inner.at(index).error(f"{excerpt(alias)} is no Avro name for an alias")
    return aliases


def _doc(node: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    return {"doc": node["doc"]} if "doc" in node else {}


def _left(node: Mapping[str, JsonValue], kind: str) -> JsonValue:
    """What stands in ``node`` beyond the layout of a ``kind``."""
    taken = _KEYS.get(kind, _TYPE)
    if kind == "enum" and node.get("default") is not None:
        taken |= {"default"}
    return {key: value for key, value in node.items() if key not in taken}


_TYPE = frozenset({"type"})
_NAMED_KEYS = frozenset({"type", "name", "namespace", "aliases", "doc"})
_KEYS: Mapping[str, frozenset[str]] = {
    **{kind: (_NAMED_KEYS if kind in NAMED else _TYPE) | {part} for kind, part in PART.items()},
    "field": frozenset({"type", "name", "aliases", "doc", "default"}),
}
