"""Random lines of versions, in which each step is one that instar derives unaided."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count

from hypothesis import strategies as st
from msgspec.structs import replace

from instar.schemas.model import (
    Array,
    Branch,
    Default,
    Enum,
    Field,
    Json,
    JsonValue,
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

INT, LONG, FLOAT, DOUBLE = map(Primitive, ("int", "long", "float", "double"))
TEXT, BYTES = Primitive("string"), Primitive("bytes")
COLOUR = Enum("Colour", (Symbol("RED", 0), Symbol("BLUE", 1)), "RED")
LEAF = Record("Leaf", (Field("n", INT), Field("note", Optional(TEXT), default=Default(None))))
NODE = Record(
    "Node", (Field("v", INT), Field("next", Optional(Reference("Node")), default=Default(None)))
)
MILLIS = Logical("timestamp", LONG, "millis")

REQUIRED: list[Type] = [Reference("Leaf"), Map(Reference("Leaf"))]
"""Types without a default here: one in JSON form would not follow the changes of Leaf."""
TYPES: list[tuple[Type, JsonValue]] = [
    (INT, 7),
    (LONG, 2**40),
    (DOUBLE, 0.5),
    (TEXT, "text"),
    (BYTES, "AAE="),
    (Json(), {"deep": [1]}),
    (MILLIS, "2020-01-01T00:00:00.001Z"),
    (Array(INT), [1, 2]),
    (Array(FLOAT), [0.5]),
    (Array(FLOAT, vector=True), [0.5, -2]),
    (Map(TEXT), {"k": "v"}),
    (Optional(INT), None),
    (Reference("Colour"), "BLUE"),
    (Optional(Reference("Node")), None),
    (Array(Reference("Leaf")), []),
    (Union((Branch("string", TEXT), Branch("long", LONG))), "u"),
]
WIDER: dict[Type, Type] = {
    INT: LONG,
    LONG: DOUBLE,
    TEXT: BYTES,
    Array(INT): Array(DOUBLE, vector=True),
    Array(DOUBLE, vector=True): Array(DOUBLE),
    Array(FLOAT): Array(FLOAT, vector=True),
    Array(FLOAT, vector=True): Array(DOUBLE),
    MILLIS: Logical("timestamp", LONG, "micros"),
    Reference("Leaf"): Union((Branch("Leaf", Reference("Leaf")), Branch("string", TEXT))),
    Union((Branch("string", TEXT), Branch("long", LONG))): Union(
        (Branch("boolean", Primitive("boolean")), Branch("long", LONG), Branch("string", TEXT))
    ),
}


@st.composite
def lines(draw: st.DrawFn, most: int = 4) -> tuple[Schema, ...]:
    """Versions 1 to n, n from 2 to ``most``, numbered."""
    picked = draw(st.lists(st.sampled_from(TYPES), min_size=1, max_size=5))
    fields = (
        *(
            Field(f"f{i}", kind, default=Default(default) if draw(st.booleans()) else None)
            for i, (kind, default) in enumerate(picked)
        ),
        *(
            Field(f"r{i}", kind)
            for i, kind in enumerate(draw(st.lists(st.sampled_from(REQUIRED), max_size=2)))
        ),
    )
    types = {"State": Record("State", fields), "Colour": COLOUR, "Leaf": LEAF, "Node": NODE}
    schemas = [Schema("state", 1, "avro", "State", types)]
    for version in range(2, draw(st.integers(2, most)) + 1):
        schemas.append(_next(draw, schemas[-1], version))
    return number_fields(schemas)


def _next(draw: st.DrawFn, schema: Schema, version: int) -> Schema:
    types = dict(schema.types)
    for change in draw(st.lists(st.sampled_from(CHANGES), min_size=1, max_size=3)):
        name = draw(st.sampled_from(["State", "State", "Leaf", "Node"]))
        record = types[name]
        assert isinstance(record, Record)
        types[name] = change(draw, record, version)
    if draw(st.booleans()):
        colour = types["Colour"]
        assert isinstance(colour, Enum)
        grown = Symbol(f"C{version}", len(colour.symbols))
        types["Colour"] = replace(colour, symbols=(grown, *colour.symbols))
    return replace(schema, version=version, types=types)


Change = Callable[[st.DrawFn, Record, int], Record]


def _add(draw: st.DrawFn, record: Record, version: int) -> Record:
    kind, default = draw(st.sampled_from(TYPES))
    taken = {field.name for field in record.fields}
    name = next(name for i in count() if (name := f"new{version}_{i}") not in taken)
    added = Field(name, kind, default=Default(default))
    at = draw(st.integers(0, len(record.fields)))
    return replace(record, fields=(*record.fields[:at], added, *record.fields[at:]))


def _remove(draw: st.DrawFn, record: Record, _: int) -> Record:
    if len(record.fields) < 2:
        return record
    at = draw(st.integers(0, len(record.fields) - 1))
    return replace(record, fields=record.fields[:at] + record.fields[at + 1 :])


def _rename(draw: st.DrawFn, record: Record, version: int) -> Record:
    at = draw(st.integers(0, len(record.fields) - 1))
    old = record.fields[at]
    new = replace(old, name=f"was{version}_{old.name}", aliases=(*old.aliases, old.name))
    return replace(record, fields=(*record.fields[:at], new, *record.fields[at + 1 :]))


def _reorder(draw: st.DrawFn, record: Record, _: int) -> Record:
    return replace(record, fields=tuple(draw(st.permutations(record.fields))))


def _widen(draw: st.DrawFn, record: Record, version: int) -> Record:
    at = draw(st.integers(0, len(record.fields) - 1))
    field = record.fields[at]
    if field.type not in WIDER or f"new{version}" in field.name:
        return record
    # The default is of the old type, so it goes.
    new = replace(field, type=WIDER[field.type], default=None)
    return replace(record, fields=(*record.fields[:at], new, *record.fields[at + 1 :]))


def _wrap(draw: st.DrawFn, record: Record, _: int) -> Record:
    at = draw(st.integers(0, len(record.fields) - 1))
    field = record.fields[at]
    if isinstance(field.type, Optional):
        return record
    new = replace(field, type=Optional(field.type))
    return replace(record, fields=(*record.fields[:at], new, *record.fields[at + 1 :]))


CHANGES: list[Change] = [_add, _remove, _rename, _reorder, _widen, _wrap]
