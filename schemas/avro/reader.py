"""Reads Avro schemas (``.avsc``) into the model.

fastavro's parser checks the document (:mod:`.avro_check`); this module turns what it
leaves, a document with every name in full, into the types of the model.
"""

from __future__ import annotations

from pathlib import Path
from typing import cast

from ...errors import SchemaError, SchemaSyntaxError
from ..model import (
    Array,
    Branch,
    Enum,
    Field,
    Fixed,
    Json,
    JsonValue,
    Kind,
    Logical,
    Map,
    NamedType,
    Optional,
    Primitive,
    Record,
    Reference,
    Schema,
    Symbol,
    Type,
    Union,
)
from .check import DEFAULT, PRIMITIVES, checked
from .defaults import RawDefaults, with_defaults
from .logical import fixed_logical, primitive_logical, unsupported_logical
from .text import AvroText

_NULL = Primitive("null")


def read_avro(path: Path, subject: str, version: int) -> Schema:
    """Read the ``.avsc`` file at ``path`` as ``version`` of ``subject``.

    Raises SchemaSyntaxError or UnsupportedSchema, and SchemaError where there is no file.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise SchemaSyntaxError("not UTF-8 text", where=str(path)) from None
    except OSError as error:
        raise SchemaError(f"cannot be read: {error.strerror}", where=str(path)) from None
    return parse_avro(text, subject=subject, version=version, where=str(path))


def parse_avro(text: str, *, subject: str, version: int, where: str) -> Schema:
    """Read an Avro schema from its JSON text; ``where`` names the text in errors.

    Raises SchemaSyntaxError where the text is no Avro schema, UnsupportedSchema where it is
    one that this release does not read: a root other than a record, nanoseconds, durations.
    """
    source = AvroText(text, where)
    reader = _Reader(source)
    root = reader.type(checked(source), ())
    if not isinstance(root, Reference) or not isinstance(reader.types[root.name], Record):
        raise source.unsupported("the root of the schema is not a record")
    primitive = next((name for name in reader.types if name in PRIMITIVES), None)
    if primitive is not None:
        raise source.error(f"a type cannot be named {primitive!r}", primitive)
    schema = Schema(subject, version, "avro", root.name, reader.types)
    return with_defaults(schema, reader.defaults, source)


class _Reader:
    """Turns checked nodes into types, and collects the named types and defaults it meets."""

    def __init__(self, source: AvroText) -> None:
        self.types: dict[str, NamedType] = {}
        self.defaults: RawDefaults = {}
        self._source = source
        self._fixed: dict[str, Type] = {}

    def type(self, node: JsonValue, place: tuple[str, ...]) -> Type:
        if isinstance(node, str):
            return self._named_or_primitive(node)
        if isinstance(node, list):
            return self._union(node, place)
        node = cast("dict[str, JsonValue]", node)
        kind = cast("str", node["type"])
        unsupported = unsupported_logical(kind, node)
        if unsupported:
            raise self._source.unsupported(
                f"the logical type {unsupported!r} is not read by this release",
                *place,
                unsupported,
            )
        if kind in PRIMITIVES:
            return primitive_logical(cast("Kind", kind), node)
        match kind:
            case "array":
                return Array(self.type(node["items"], place), vector=node.get("vector") is True)
            case "map":
                return Map(self.type(node["values"], place))
            case "enum":
                return self._enum(node)
            case "fixed":
                return self._define_fixed(node)
            case _:
                return self._record(node, place)

    def _named_or_primitive(self, name: str) -> Type:
        if name in PRIMITIVES:
            return Primitive(cast("Kind", name))
        return self._fixed.get(name, Reference(name))

    def _union(self, node: list[JsonValue], place: tuple[str, ...]) -> Type:
        if any(isinstance(branch, list) for branch in node):
            raise self._source.error("a union stands directly in a union", *place)
        types = [self.type(branch, place) for branch in node]
        labels = [self._label(type_) for type_ in types]
        repeated = next((label for label in labels if labels.count(label) > 1), None)
        if repeated:
            raise self._source.error(f"this union has two branches of type {repeated}", *place)
        branches = [
            Branch(label, type_)
            for label, type_ in zip(labels, types, strict=True)
            if type_ != _NULL
        ]
        if len(node) <= 1 or not branches:
            raise self._source.unsupported("a union of fewer than two types", *place)
        item = branches[0].type if len(branches) == 1 else Union(tuple(branches))
        return Optional(item, null_at=types.index(_NULL)) if _NULL in types else item

    def _label(self, type_: Type) -> str:
        """The Avro type name of a branch."""
        match type_:
            case Primitive():
                return type_.kind
            case Reference():
                return type_.name
            case Logical():
                return self._label(type_.base)
            case Json():
                return "bytes"
            case Array():
                return "array"
            case _:
                return "map"

    def _record(self, node: dict[str, JsonValue], place: tuple[str, ...]) -> Type:
        name = cast("str", node["name"])
        place = (*place, name)
        # The place in the table is taken before the fields define types of their own.
        self.types[name] = Record(name, ())
        nodes = cast("list[dict[str, JsonValue]]", node["fields"])
        fields = tuple(self._field(name, field, place) for field in nodes)
        keys = [field.key for field in fields]
        repeated = next((key for key in keys if keys.count(key) > 1), None)
        if repeated is not None:
            raise self._source.error(f"two fields have the JSON key {repeated!r}", *place)
        self.types[name] = Record(name, fields, aliases=_full_aliases(node), doc=_doc(node))
        return Reference(name)

    def _field(self, record: str, node: dict[str, JsonValue], place: tuple[str, ...]) -> Field:
        name = cast("str", node["name"])
        if DEFAULT in node:
            self.defaults[record, name] = node[DEFAULT]
        return Field(
            name,
            self.type(node["type"], (*place, name)),
            aliases=_aliases(node),
            doc=_doc(node),
            deprecated=node.get("deprecated") is True,
            json_name=self._json_name(node, name, place),
            absent=node.get("absent") is True,
        )

    def _json_name(
        self, node: dict[str, JsonValue], name: str, place: tuple[str, ...]
    ) -> str | None:
        key = node.get("json", name)
        if not isinstance(key, str):
            raise self._source.error(f"{key!r} is no JSON key", *place, name)
        return None if key == name else key

    def _enum(self, node: dict[str, JsonValue]) -> Type:
        name = cast("str", node["name"])
        symbols = cast("list[str]", node["symbols"])
        default = cast("str | None", node.get("default"))
        if not symbols:
            raise self._source.unsupported("an enum without symbols", name)
        self.types[name] = Enum(
            name,
            tuple(Symbol(symbol, number) for number, symbol in enumerate(symbols)),
            default=default,
            aliases=_full_aliases(node),
            doc=_doc(node),
        )
        return Reference(name)

    def _define_fixed(self, node: dict[str, JsonValue]) -> Type:
        name, size = cast("str", node["name"]), cast("int", node["size"])
        self.types[name] = Fixed(name, size, aliases=_full_aliases(node), doc=_doc(node))
        # A later use by name alone carries the logical type of the definition.
        self._fixed[name] = fixed_logical(name, size, node)
        return self._fixed[name]


def _doc(node: dict[str, JsonValue]) -> str:
    doc = node.get("doc")
    return doc if isinstance(doc, str) else ""


def _aliases(node: dict[str, JsonValue]) -> tuple[str, ...]:
    return tuple(cast("list[str]", node.get("aliases", [])))


def _full_aliases(node: dict[str, JsonValue]) -> tuple[str, ...]:
    """The aliases of a named type in full: one without a dot is in the type's namespace."""
    namespace = cast("str", node["name"]).rpartition(".")[0]
    return tuple(
        f"{namespace}.{alias}" if namespace and "." not in alias else alias
        for alias in _aliases(node)
    )
