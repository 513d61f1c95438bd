"""The schema model: one immutable description for Avro and Protobuf alike.

A schema is a table of named types (records, enums, fixed) and the name of its root
record. Types refer to named types by :class:`Reference`, so recursion needs no cycles.

Values that a schema itself holds (defaults) are written in *JSON form*, the form that
``docs/reference/type-mapping.md`` specifies: bytes as base64 text, timestamps as
RFC 3339 text, records in unions as objects with a ``$type`` key.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import msgspec

if TYPE_CHECKING:
    JsonValue: TypeAlias = (
        "bool | int | float | str | list[JsonValue] | dict[str, JsonValue] | None"
    )
else:
    # msgspec resolves annotations at run time and cannot resolve a recursive alias.
    JsonValue = Any

Kind: TypeAlias = Literal["null", "boolean", "int", "long", "float", "double", "bytes", "string"]
Wire: TypeAlias = Literal[
    "uint32", "uint64", "sint32", "sint64", "fixed32", "fixed64", "sfixed32", "sfixed64"
]
LogicalKind: TypeAlias = Literal[
    "uuid",
    "date",
    "time",
    "timestamp",
    "local-timestamp",
    "duration",
    "calendar-duration",
    "decimal",
]
Unit: TypeAlias = Literal["millis", "micros", "nanos"]
TextForm: TypeAlias = Literal["rfc3339"]
Language: TypeAlias = Literal["avro", "protobuf"]
Encoding: TypeAlias = Literal["expanded", "delimited"]
"""How Protobuf writes a field where it is not the usual way: each number of a list with its
own tag (``expanded``), a message between two tags and not behind its length (``delimited``).
"""


class Primitive(msgspec.Struct, frozen=True):
    """A scalar. ``wire`` names the Protobuf encoding where it is not the usual one.

    ``int`` is 32 bits and ``long`` 64; ``uint32`` and ``uint64`` make them unsigned.
    ``well_known`` is the Protobuf wrapper message that carries it where it cannot be null:
    in a list, a map or a oneof, and as a required field (``google.protobuf.StringValue``).
    """

    kind: Kind
    wire: Wire | None = None
    well_known: str | None = None


class Logical(msgspec.Struct, frozen=True):
    """A scalar with a meaning: what Python sees is a UUID, datetime, Decimal and so on.

    ``base`` is the Avro type below it (a primitive, or a reference to a fixed type).
    ``unit`` applies to times; ``precision`` and ``scale`` to decimals. A timestamp or
    duration in nanos is an integer, as no type of Python is so fine. ``calendar-duration``
    is Avro's ``duration``: months, days and milliseconds, each counted apart.
    ``well_known`` is set where Protobuf writes it as one of its own messages
    (``google.protobuf.Timestamp``, ``google.protobuf.Duration``). ``text_form`` is how the
    JSON documents that the subject was inferred from write it, where that is not the usual
    form of its unit: ``rfc3339`` ends in ``Z`` and has a fraction only where it needs one.
    """

    kind: LogicalKind
    base: Primitive | Reference
    unit: Unit | None = None
    precision: int | None = None
    scale: int = 0
    well_known: str | None = None
    text_form: TextForm | None = None


class Json(msgspec.Struct, frozen=True):
    """Any JSON value. ``well_known`` names the Protobuf message that carries it, if any
    (``google.protobuf.Value``, ``Struct`` or ``ListValue``); otherwise JSON text in bytes.
    """

    well_known: str | None = None


class Array(msgspec.Struct, frozen=True):
    """A list. ``vector`` marks numbers that are meant as one block (an embedding)."""

    items: Type
    vector: bool = False

    @property
    def vector_kind(self) -> Literal["float", "double"] | None:
        """What the numbers of a vector are; ``None`` for a list, marked or not: only floating
        point numbers make a vector.
        """
        match self.items:
            case Primitive(kind="float" | "double" as kind) if self.vector:
                return kind
            case _:
                return None


class Map(msgspec.Struct, frozen=True):
    """A dictionary. Avro keys are strings; Protobuf also has integer and boolean keys."""

    values: Type
    keys: Primitive = Primitive("string")


class Optional(msgspec.Struct, frozen=True):
    """A value or null. ``null_at`` is where null stands in an Avro union.

    ``well_known`` is set for Protobuf's wrapper messages (``google.protobuf.Int64Value``).
    ``unset`` is the default that a ``.proto`` declares: what null stands for. Python sees
    null all the same, so that it is told from the same value written out.
    """

    item: Type
    null_at: int = 0
    well_known: str | None = None
    unset: Default | None = None


class Branch(msgspec.Struct, frozen=True):
    """One alternative of a union: its Avro type name or Protobuf case name as ``label``,
    and its field number where the union is a oneof or a number was assigned.
    ``encoding`` and ``unset`` are those of an optional field, ``protojson`` that of any.
    """

    label: str
    type: Type
    number: int | None = None
    encoding: Encoding | None = None
    unset: Default | None = None
    protojson: str | None = None


class Union(msgspec.Struct, frozen=True):
    """Alternatives, none of them null: a nullable union is an ``Optional``.

    One alternative alone is Avro's union of a single type, which may be null too; none is
    its empty union, of which there is no value.

    ``oneof`` says that the branches are fields of the enclosing Protobuf message.
    """

    branches: tuple[Branch, ...]
    oneof: bool = False


class Reference(msgspec.Struct, frozen=True):
    """The use of a named type, by its full name."""

    name: str


Type: TypeAlias = Primitive | Logical | Json | Array | Map | Optional | Union | Reference


class Symbol(msgspec.Struct, frozen=True):
    """One value of an enum. The name is its identity; the number is only for Protobuf.

    ``aliases`` are further names of the number in a ``.proto`` with ``allow_alias``.
    """

    name: str
    number: int
    doc: str = ""
    aliases: tuple[str, ...] = ()


class Enum(msgspec.Struct, frozen=True):
    """A list of symbols. ``default`` is Avro's: what a reader takes for an unknown.

    ``closed`` is set for Protobuf's closed enums (proto2): to protobuf, a field with an
    unknown number is an unknown field.
    """

    name: str
    symbols: tuple[Symbol, ...]
    default: str | None = None
    aliases: tuple[str, ...] = ()
    doc: str = ""
    closed: bool = False


class Fixed(msgspec.Struct, frozen=True):
    """A byte string of one length, in bytes."""

    name: str
    size: int
    aliases: tuple[str, ...] = ()
    doc: str = ""


class Default(msgspec.Struct, frozen=True):
    """A default value in JSON form. A field without one has ``None`` in its place."""

    value: JsonValue


class Field(msgspec.Struct, frozen=True):
    """A field of a record.

    ``number`` is the Protobuf field number: declared in a ``.proto``, assigned otherwise.
    ``encoding`` says how Protobuf writes it, where it is not the usual way.
    ``json_name`` is the key in JSON documents where it differs from the name.
    ``absent`` says that a null of this field stands for a missing key in the JSON documents
    that the subject was inferred from. ``protojson`` is the key that a ``.proto`` gives it in
    ProtoJSON, where that is neither ``json_name`` nor the name in camel case; it changes
    nothing that is stored.
    """

    name: str
    type: Type
    number: int | None = None
    default: Default | None = None
    aliases: tuple[str, ...] = ()
    doc: str = ""
    deprecated: bool = False
    json_name: str | None = None
    absent: bool = False
    encoding: Encoding | None = None
    protojson: str | None = None

    @property
    def key(self) -> str:
        """The key of this field in the text formats and MessagePack."""
        return self.name if self.json_name is None else self.json_name


class Record(msgspec.Struct, frozen=True, dict=True):
    """Named fields in order. ``aliases`` are full names."""

    name: str
    fields: tuple[Field, ...]
    aliases: tuple[str, ...] = ()
    doc: str = ""

    @cached_property
    def by_name(self) -> Mapping[str, Field]:
        """The fields by name: made once, since those who follow paths ask for each field."""
        return {field.name: field for field in self.fields}


NamedType: TypeAlias = Record | Enum | Fixed


class Schema(msgspec.Struct, frozen=True):
    """One version of a subject.

    ``types`` holds every named type by full name, in order of first definition.
    ``attributes`` has what stands in an ``.avsc`` beyond what instar reads, by place
    (:mod:`.avro.attributes`): it is written back, and is no part of the fingerprint.
    """

    subject: str
    version: int
    language: Language
    root: str
    types: Mapping[str, NamedType] = msgspec.field(default_factory=dict[str, NamedType])
    attributes: Mapping[str, Mapping[str, JsonValue]] = msgspec.field(
        default_factory=dict[str, Mapping[str, JsonValue]]
    )

    @property
    def record(self) -> Record:
        """The root record."""
        named = self.types[self.root]
        if not isinstance(named, Record):
            raise TypeError(f"root type {self.root} is not a record")
        return named
