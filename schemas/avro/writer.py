"""Writes a schema of either language as Avro (``.avsc``).

What Avro has no word for is written as attributes that Avro readers pass over and ours
reads back: ``json``, ``absent``, ``vector``, ``deprecated``, and the logical types
``json`` and ``duration-micros``. Attributes that instar does not read are written as they
were found.
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
from .attributes import field_place, inner_place, type_place
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
        kept = self._schema.attributes.get(self._schema.root, {})
        return {**self._named(self._schema.record, name, ""), **kept}

    def _type(self, type_: Type, namespace: str, here: str) -> JsonValue:
        """A type; ``here`` is where its attributes are kept."""
        match type_:
            case Primitive():
                return self._marked(avro_kind(type_), here)
            case Logical():
                return self._logical(type_, namespace, here)
            case Json():
                return self._marked({"type": "bytes", **logical_attributes(type_)}, here)
            case Array():
                items = self._type(type_.items, namespace, inner_place(here, "items"))
                mark: dict[str, JsonValue] = {"vector": True} if type_.vector else {}
                return self._marked({"type": "array", "items": items, **mark}, here)
            case Map():
                values = self._type(type_.values, namespace, inner_place(here, "values"))
                return self._marked({"type": "map", "values": values}, here)
            case Optional():
                return self._optional(type_, namespace, here)
            case Union():
                return self._union(type_, namespace, here)
            case Reference():
                return self._reference(type_, namespace, {})

    def _marked(self, written: str | dict[str, JsonValue], here: str) -> JsonValue:
        """``written`` with the attributes that are kept at ``here``."""
        kept = self._schema.attributes.get(here)
        if not kept:
            return written
        return {**({"type": written} if isinstance(written, str) else written), **kept}

    def _logical(self, type_: Logical, namespace: str, here: str) -> JsonValue:
        if isinstance(type_.base, Reference):
            return self._reference(type_.base, namespace, logical_attributes(type_))
        return self._marked({"type": avro_kind(type_.base), **logical_attributes(type_)}, here)

    def _optional(self, type_: Optional, namespace: str, here: str) -> JsonValue:
        item, at = type_.item, type_.null_at
        null = self._marked("null", inner_place(here, at))
        branches = (
            self._union(item, namespace, here, at)
            if isinstance(item, Union)
            else [self._type(item, namespace, inner_place(here, int(at == 0)))]
        )
        return [*branches[:at], null, *branches[at:]]

    def _union(
        self, union: Union, namespace: str, here: str, null_at: int | None = None
    ) -> list[JsonValue]:
        """The branches of a union; where null stands among them, those after it move on."""
        wrappers = self._names.wrappers(union)
        written: list[JsonValue] = []
        for index, (branch, wrapper) in enumerate(zip(union.branches, wrappers, strict=True)):
            moved = index + int(null_at is not None and index >= null_at)
            written.append(
                self._type(branch.type, namespace, inner_place(here, moved))
                if wrapper is None
                else self._wrapper(wrapper, branch.type, namespace)
            )
        return written

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
        kept = self._schema.attributes.get(reference.name, {})
        return {
            **self._named(self._schema.types[reference.name], name, namespace),
            **attributes,
            **kept,
        }

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
                written["fields"] = [self._field(named.name, field, own) for field in named.fields]
            case Enum():
                written["symbols"] = [symbol.name for symbol in named.symbols]
                if named.default is not None:
                    written["default"] = named.default
            case Fixed():
                written["size"] = named.size
        return written

    def _field(self, record: str, field: Field, namespace: str) -> JsonValue:
        written: dict[str, JsonValue] = {"name": field.name}
        if field.aliases:
            written["aliases"] = [*field.aliases]
        if field.doc:
            written["doc"] = field.doc
        written["type"] = self._type(field.type, namespace, type_place(record, field.name))
        if field.default is not None:
            written["default"] = self._defaults.value(field.type, field.default.value)
        if field.json_name is not None:
            written["json"] = field.json_name
        if field.absent:
            written["absent"] = True
        if field.deprecated:
            written["deprecated"] = True
        return {**written, **self._schema.attributes.get(field_place(record, field.name), {})}
