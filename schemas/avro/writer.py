"""Writes a schema of either language as Avro (``.avsc``).

What Avro has no word for is written as attributes that Avro readers pass over and ours
reads back: ``json``, ``absent``, ``vector``, ``deprecated``, and the logical types
``json`` and ``duration-micros``.
"""

from __future__ import annotations

import json

from ..model import (
    Array,
    Enum,
    Field,
    Fixed,
    Json,
    JsonValue,
    Logical,
    Map,
    NamedType,
    Optional,
    Primitive,
    Record,
    Reference,
    Schema,
    Type,
    Union,
)
from .default_writer import DefaultWriter
from .logical import logical_attributes
from .names import WRAPPED_FIELD, AvroNames, avro_kind, avro_names


def to_avro(schema: Schema) -> dict[str, JsonValue]:
    """``schema`` as the JSON of an ``.avsc`` file, each type defined where it is first used.

    Unsigned and other Protobuf widths become ``int`` or ``long``, ``uint64`` with its bits
    read as a signed number; map keys become text.
    """
    return _Writer(schema).root()


def avsc_text(schema: Schema) -> str:
    """``schema`` as the text of an ``.avsc`` file, indented by two."""
    document = to_avro(schema)
    text = json.dumps(document, indent=2, ensure_ascii=False)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:  # half of a surrogate pair, in a doc or a default
        text = json.dumps(document, indent=2)
    return f"{text}\n"


class _Writer:
    """Writes types, and remembers which named ones are written."""

    def __init__(self, schema: Schema) -> None:
        self._schema = schema
        self._names: AvroNames = avro_names(schema)
        self._defaults = DefaultWriter(schema, self._names)
        self._written: set[str] = set()

    def root(self) -> dict[str, JsonValue]:
        name = self._names.types[self._schema.root]
        self._written.add(name)
        return self._named(self._schema.record, name, "")

    def _type(self, type_: Type, namespace: str) -> JsonValue:
        match type_:
            case Primitive():
                return avro_kind(type_)
            case Logical():
                return self._logical(type_, namespace)
            case Json():
                return {"type": "bytes", **logical_attributes(type_)}
            case Array():
                items = self._type(type_.items, namespace)
                mark: dict[str, JsonValue] = {"vector": True} if type_.vector else {}
                return {"type": "array", "items": items, **mark}
            case Map():
                return {"type": "map", "values": self._type(type_.values, namespace)}
            case Optional():
                return self._optional(type_, namespace)
            case Union():
                return self._union(type_, namespace)
            case Reference():
                return self._reference(type_, namespace, {})

    def _logical(self, type_: Logical, namespace: str) -> JsonValue:
        if isinstance(type_.base, Reference):
            return self._reference(type_.base, namespace, logical_attributes(type_))
        return {"type": avro_kind(type_.base), **logical_attributes(type_)}

    def _optional(self, type_: Optional, namespace: str) -> JsonValue:
        item = type_.item
        null: list[JsonValue] = ["null"]
        branches = (
            self._union(item, namespace)
            if isinstance(item, Union)
            else [self._type(item, namespace)]
        )
        return branches[: type_.null_at] + null + branches[type_.null_at :]

    def _union(self, union: Union, namespace: str) -> list[JsonValue]:
        return [
            self._type(branch.type, namespace)
            if wrapper is None
            else self._wrapper(wrapper, branch.type, namespace)
            for branch, wrapper in zip(union.branches, self._names.wrappers(union), strict=True)
        ]

    def _wrapper(self, name: str, type_: Type, namespace: str) -> JsonValue:
        if name in self._written:
            return name
        self._written.add(name)
        field = Field(WRAPPED_FIELD, type_)
        return self._named(Record(name, (field,)), name, namespace)

    def _reference(
        self, reference: Reference, namespace: str, attributes: dict[str, JsonValue]
    ) -> JsonValue:
        name = self._names.types[reference.name]
        if name in self._written:
            return name
        self._written.add(name)
        return self._named(self._schema.types[reference.name], name, namespace) | attributes

    def _named(self, named: NamedType, name: str, namespace: str) -> dict[str, JsonValue]:
        own = name.rpartition(".")[0]
        written: dict[str, JsonValue] = {
            "type": type(named).__name__.lower(),
            "name": name.rpartition(".")[2],
        }
        if own != namespace:
            written["namespace"] = own
        if named.aliases:
            written["aliases"] = [*named.aliases]
        if named.doc:
            written["doc"] = named.doc
        match named:
            case Record():
                written["fields"] = [self._field(field, own) for field in named.fields]
            case Enum():
                written["symbols"] = [symbol.name for symbol in named.symbols]
                if named.default is not None:
                    written["default"] = named.default
            case Fixed():
                written["size"] = named.size
        return written

    def _field(self, field: Field, namespace: str) -> JsonValue:
        written: dict[str, JsonValue] = {"name": field.name}
        if field.aliases:
            written["aliases"] = [*field.aliases]
        if field.doc:
            written["doc"] = field.doc
        written["type"] = self._type(field.type, namespace)
        if field.default is not None:
            written["default"] = self._defaults.value(field.type, field.default.value)
        if field.json_name is not None:
            written["json"] = field.json_name
        if field.absent:
            written["absent"] = True
        if field.deprecated:
            written["deprecated"] = True
        return written
