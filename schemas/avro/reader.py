"""Reads Avro schemas (``.avsc``) into the model.

The document is checked first (:mod:`.check`); this module turns what fastavro's parser leaves
of it, a document with every name in full, into the types of the model.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import cast

from ...errors import SchemaError
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
from .attributes import field_place, inner_place, type_place
from .check import ATTRIBUTES, DEFAULT, checked
from .defaults import RawDefaults, with_defaults
from .definitions import NAMED, PRIMITIVES
from .logical import fixed_logical, leftover, primitive_logical
from .place import AvroSource, Place
from .roots import pick_root, pruned
from .text import AvroText, read_text

_NULL = Primitive("null")


def read_avro(
    path: Path, subject: str, version: int, *, root: str | None = None, lenient: bool = False
) -> Schema:
    """Read ``path`` as ``version`` of ``subject``: an ``.avsc`` file, or a folder of them.

    The files of a folder may use each other's types, in any order. ``root`` and ``lenient``
    are those of :func:`parse_avro`. Raises as that does, and SchemaError where there is no
    such file.
    """
    return read_source(source_of(path, lenient=lenient), subject, version, root)


def source_of(path: Path, *, lenient: bool) -> AvroSource:
    """The text or texts at ``path``.

    Raises SchemaSyntaxError where one is not UTF-8, SchemaError where there is none.
    """
    files = sorted(path.rglob("*.avsc")) if path.is_dir() else [path]
    if not files:
        raise SchemaError("there is no .avsc file in this folder", where=str(path))
    texts = tuple(AvroText(read_text(file), str(file), lenient) for file in files)
    return AvroSource(texts, str(path))


def parse_avro(  # noqa: PLR0913 - each is one independent fact of the text
    text: str,
    *,
    subject: str,
    version: int,
    where: str,
    root: str | None = None,
    lenient: bool = False,
) -> Schema:
    """Read an Avro schema from its JSON text; ``where`` names the text in errors.

    The root is the record that the text defines. Where it is an array of definitions, the
    root is the record whose name is the subject's in Pascal case, or else the only one that
    no other uses; ``root`` names another by its full name. ``lenient`` lets comments and
    trailing commas pass.

    Raises SchemaSyntaxError where the text is no Avro schema, UnsupportedSchema where it is
    one whose root is no record, SchemaError where no root can be told.
    """
    source = AvroSource((AvroText(text, where, lenient),), where)
    return read_source(source, subject, version, root)


def read_source(source: AvroSource, subject: str, version: int, root: str | None) -> Schema:
    """The schema that the texts of ``source`` make up; see :func:`parse_avro`."""
    documents = [part for text in source.texts for part in _definitions(Place(text))]
    reader = _Reader()
    tops = [reader.type(node, "") for node in checked(source, documents)]
    found = pick_root(source, subject, reader.types, tops, root)
    schema = Schema(subject, version, "avro", found, reader.types, reader.attributes)
    return pruned(with_defaults(schema, reader.defaults, source))


def _definitions(place: Place) -> list[tuple[JsonValue, Place]]:
    """The document of a text, or the definitions that it is an array of, each at its place."""
    document = place.text.document()
    if not isinstance(document, list):
        return [(document, place)]
    kinds = [part.get("type") if isinstance(part, dict) else None for part in document]
    others = (not isinstance(kind, str) or kind not in NAMED for kind in kinds)
    other = next((index for index, found in enumerate(others) if found), None)
    if not kinds or other is not None:
        what = "the root of the schema is a union of other than named types"
        raise (place if other is None else place.at(other)).unsupported(what)
    return [(part, place.at(index)) for index, part in enumerate(document)]


class _Reader:
    """Turns checked nodes into types, and collects the named types and defaults it meets."""

    def __init__(self) -> None:
        self.types: dict[str, NamedType] = {}
        self.defaults: RawDefaults = {}
        self.attributes: dict[str, Mapping[str, JsonValue]] = {}
        self._fixed: dict[str, Type] = {}

    def type(self, node: JsonValue, here: str) -> Type:
        """The type of ``node``; ``here`` is where its attributes are kept."""
        if isinstance(node, str):
            return self._named_or_primitive(node)
        if isinstance(node, list):
            return self._union(node, here)
        node = cast("dict[str, JsonValue]", node)
        kind, extra = cast("str", node["type"]), _attributes(node)
        if kind in PRIMITIVES:
            type_ = primitive_logical(cast("Kind", kind), extra)
            self._keep(here, leftover(type_, extra))
            return type_
        match kind:
            case "array":
                return self._array(node, here)
            case "map":
                self._keep(here, extra)
                return Map(self.type(node["values"], inner_place(here, "values")))
            case "enum":
                return self._enum(node)
            case "fixed":
                return self._define_fixed(node)
            case _:
                return self._record(node)

    def _keep(self, here: str, extra: Mapping[str, JsonValue]) -> None:
        if extra:
            self.attributes[here] = extra

    def _array(self, node: dict[str, JsonValue], here: str) -> Type:
        extra = _attributes(node)
        vector = extra.get("vector") is True
        self._keep(here, _without(extra, "vector") if vector else extra)
        return Array(self.type(node["items"], inner_place(here, "items")), vector=vector)

    def _named_or_primitive(self, name: str) -> Type:
        if name in PRIMITIVES:
            return Primitive(cast("Kind", name))
        return self._fixed.get(name, Reference(name))

    def _union(self, node: list[JsonValue], here: str) -> Type:
        types = [self.type(branch, inner_place(here, index)) for index, branch in enumerate(node)]
        labels = [self._label(type_) for type_ in types]
        branches = [
            Branch(label, type_)
            for label, type_ in zip(labels, types, strict=True)
            if type_ != _NULL
        ]
        if len(types) < 2:  # noqa: PLR2004 - one that has no choice, or is null alone
            return Union(tuple(map(Branch, labels, types)))
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

    def _record(self, node: dict[str, JsonValue]) -> Type:
        name = cast("str", node["name"])
        # The place in the table is taken before the fields define types of their own.
        self.types[name] = Record(name, ())
        nodes = cast("list[dict[str, JsonValue]]", node["fields"])
        fields = tuple(self._field(name, field) for field in nodes)
        self.types[name] = Record(name, fields, aliases=_full_aliases(node), doc=_doc(node))
        self._keep(name, _attributes(node))
        return Reference(name)

    def _field(self, record: str, node: dict[str, JsonValue]) -> Field:
        name, extra = cast("str", node["name"]), _attributes(node)
        if DEFAULT in node:
            self.defaults[record, name] = node[DEFAULT]
        marks = [mark for mark in ("deprecated", "absent") if extra.get(mark) is True]
        self._keep(field_place(record, name), _without(extra, "json", *marks))
        key = cast("str", extra.get("json", name))
        return Field(
            name,
            self.type(node["type"], type_place(record, name)),
            aliases=_aliases(node),
            doc=_doc(node),
            deprecated="deprecated" in marks,
            json_name=None if key == name else key,
            absent="absent" in marks,
        )

    def _enum(self, node: dict[str, JsonValue]) -> Type:
        name = cast("str", node["name"])
        symbols = cast("list[str]", node["symbols"])
        default = cast("str | None", node.get("default"))
        self.types[name] = Enum(
            name,
            tuple(Symbol(symbol, number) for number, symbol in enumerate(symbols)),
            default=default,
            aliases=_full_aliases(node),
            doc=_doc(node),
        )
        self._keep(name, _attributes(node))
        return Reference(name)

    def _define_fixed(self, node: dict[str, JsonValue]) -> Type:
        name, size = cast("str", node["name"]), cast("int", node["size"])
        self.types[name] = Fixed(name, size, aliases=_full_aliases(node), doc=_doc(node))
        # A later use by name alone carries the logical type of the definition.
        self._fixed[name] = fixed_logical(name, size, _attributes(node))
        self._keep(name, leftover(self._fixed[name], _attributes(node)))
        return self._fixed[name]


def _attributes(node: dict[str, JsonValue]) -> dict[str, JsonValue]:
    return cast("dict[str, JsonValue]", node[ATTRIBUTES])


def _without(extra: Mapping[str, JsonValue], *said: str) -> dict[str, JsonValue]:
    return {key: value for key, value in extra.items() if key not in said}


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
