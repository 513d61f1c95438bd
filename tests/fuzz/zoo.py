"""Subjects with every kind of type that a schema can have, in two versions, and states of it."""

from __future__ import annotations

import datetime as dt
import math
import uuid
from decimal import Decimal
from functools import cache
from typing import Any

from msgspec.structs import replace

from instar.codec import exact
from instar.codec.subject import Subject
from instar.codec.types import SchemaTypes
from instar.schemas.model import (
    Array,
    Branch,
    Default,
    Enum,
    Field,
    Fixed,
    Json,
    Kind,
    Logical,
    Map,
    Optional,
    Primitive,
    Record,
    Reference,
    Schema,
    Symbol,
    Type,
    Union,
)
from instar.schemas.numbering import number_fields

INT, LONG, TEXT, BYTES = map(Primitive, ("int", "long", "string", "bytes"))
KINDS: tuple[Kind, ...] = ("boolean", "int", "long", "float", "double", "bytes", "string")
SCALARS: tuple[Type, ...] = (
    *map(Primitive, KINDS),
    Primitive("int", "uint32"),
    Primitive("long", "uint64"),
    Reference("Four"),
    Reference("Colour"),
    Logical("uuid", TEXT),
    Logical("uuid", Reference("Sixteen")),
    Logical("date", INT),
    Logical("time", INT, "millis"),
    Logical("time", LONG, "micros"),
    Logical("timestamp", LONG, "millis"),
    Logical("timestamp", LONG, "micros"),
    Logical("timestamp", LONG, "nanos"),
    Logical("local-timestamp", LONG, "millis"),
    Logical("local-timestamp", LONG, "micros"),
    Logical("duration", LONG, "micros"),
    Logical("calendar-duration", Reference("Twelve")),
    Logical("decimal", BYTES, precision=9, scale=2),
    Logical("decimal", BYTES, precision=18, scale=0),
    Logical("decimal", BYTES, precision=30, scale=10),
    Logical("decimal", Reference("Four"), precision=9, scale=3),
    Json(),
)
UNION = Union(
    (
        Branch("string", TEXT),
        Branch("Leaf", Reference("Leaf")),
        Branch("long", LONG),
        Branch("ints", Array(INT)),
        Branch("strings", Array(TEXT)),
        Branch("counts", Map(LONG)),
    )
)
HOLDERS: tuple[Type, ...] = (
    Optional(TEXT),
    Optional(Reference("Node")),
    Optional(UNION, null_at=2),
    UNION,
    Array(TEXT),
    Array(Array(INT)),
    Array(Primitive("null")),
    Array(Reference("Nothing")),
    Array(Primitive("double")),
    Array(Optional(Primitive("boolean"))),
    Map(Reference("Leaf")),
    Map(Array(Json())),
    Map(TEXT, keys=INT),
    Reference("Leaf"),
)
LEAF = Record("Leaf", (Field("n", INT), Field("note", Optional(TEXT), default=Default(None))))
NODE = Record("Node", (Field("v", INT), Field("next", Optional(Reference("Node")))))
NAMED = {
    "Four": Fixed("Four", 4),
    "Twelve": Fixed("Twelve", 12),
    "Sixteen": Fixed("Sixteen", 16),
    "Colour": Enum("Colour", (Symbol("RED", 0), Symbol("BLUE", 1)), "RED"),
    "Leaf": LEAF,
    "Node": NODE,
    "Nothing": Record("Nothing", ()),
}


FIELDS = (
    *(
        Field(f"f{index}", Optional(kind) if index % 3 == 2 else kind)
        for index, kind in enumerate(SCALARS)
    ),
    *(Field(f"h{index}", kind) for index, kind in enumerate(HOLDERS)),
)
EACH = 4
"""Fields of one of the small subjects."""


@cache
def subjects() -> list[Subject]:
    """One of all fields, and small ones of a few: there a change leaves the rest readable."""
    parts = [FIELDS[at : at + EACH] for at in range(0, len(FIELDS), EACH)]
    return [_subject("zoo", FIELDS), *(_subject(f"zoo{n}", part) for n, part in enumerate(parts))]


def _subject(name: str, fields: tuple[Field, ...]) -> Subject:
    """Version 2 drops, adds, widens, renames and wraps what version 1 has."""
    first = Schema(name, 1, "avro", "Zoo", {"Zoo": Record("Zoo", fields), **NAMED})
    later = tuple(_changed(index, field) for index, field in enumerate(fields) if index % 7 != 6)
    later += (Field("more", Array(TEXT), default=Default(["a"])),)
    leaf = replace(LEAF, fields=(*LEAF.fields, Field("extra", INT, default=Default(3))))
    types = {**first.types, "Zoo": Record("Zoo", later), "Leaf": leaf}
    second = replace(first, version=2, types=types)
    return Subject(number_fields([first, second]))


def _changed(index: int, field: Field) -> Field:
    if field.type == INT:
        return replace(field, type=LONG)
    if index % 5 == 1:
        return replace(field, name=f"was_{field.name}", aliases=(field.name,))
    if index % 5 == 2 and not isinstance(field.type, Optional):
        return replace(field, type=Optional(field.type))
    return field


def states(types: SchemaTypes) -> list[Any]:
    """Two states of version 1: one nearly empty, one with something everywhere."""
    attributes = types.names.attributes["Zoo"]
    root: Any = types.root
    return [
        root(**{attributes[f.name]: row[f.name] for f in types.schema.record.fields})
        for row in (_row(types, wide=False), _row(types, wide=True))
    ]


def _row(types: SchemaTypes, *, wide: bool) -> dict[str, Any]:
    """A value for each field."""
    values = [*_scalars(types, wide=wide), *_times(wide=wide), *_numbers(wide=wide)]
    holders = _holders(types) if wide else _empty(types)
    return dict(zip((field.name for field in FIELDS), [*values, *holders], strict=True))


def _scalars(types: SchemaTypes, *, wide: bool) -> list[Any]:
    colour = types.enum("Colour")
    if not wide:
        plain = [False, 0, 0, 0.0, 0.0, b"", "", 0, 0, bytes(4)]
        return [*plain, colour("RED"), uuid.UUID(int=0), uuid.UUID(int=7)]
    plain = [True, -(2**31), 2**63 - 1, 0.5, math.nan, b"\xff\x00", "h\u00e9llo", 2**32 - 1]
    most = uuid.UUID(int=2**128 - 1)
    return [*plain, 2**64 - 1, b"four", colour("BLUE"), most, most]


def _times(*, wide: bool) -> list[Any]:
    when = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)
    if wide:
        when -= dt.timedelta(milliseconds=1)
    local, day = when.replace(tzinfo=None), dt.date.max if wide else when.date()
    length = dt.timedelta(days=-3 if wide else 0)
    span = exact.Duration(months=1, days=2, millis=3)
    return [day, local.time(), local.time(), when, when, -5, local, local, length, span]


def _numbers(*, wide: bool) -> list[Any]:
    decimals = [Decimal(text) for text in ("-1234567.89", "1", "-0.0000000001", "12.345")]
    json = {"k": [1, -2.5, "\u00e9\n", None, True, {}], "": 2**64 - 1}
    return [*decimals, json if wide else None]


def _empty(types: SchemaTypes) -> list[Any]:
    leaf: Any = types.record("Leaf")
    return [None, None, None, "u", [], [], [], [], [], [], {}, {}, {}, leaf(n=1, note="n")]


def _holders(types: SchemaTypes) -> list[Any]:
    make_leaf: Any = types.record("Leaf")
    node: Any = types.record("Node")
    nothing: Any = types.record("Nothing")
    leaf, deep = make_leaf(n=1, note="n"), node(v=1, next=node(v=2, next=None))
    boxes: list[Any] = list(types.boxes.values())
    union = boxes[0](value=[1]) if boxes else None
    held = ["o", deep, union, leaf, ["a", "b", "a"], [[1], [], [2, 3]], [None] * 3]
    held += [[nothing()], [0.5, -0.0], [None, True], {"k": leaf}, {"j": [[], {"a": 1}]}]
    return [*held, {-1: "m"}, leaf]
