"""Random schemas: valid, small, and full of names that Python reserves."""

from __future__ import annotations

from hypothesis import strategies as st

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

NASTY = (
    *("from", "class", "None", "True", "self", "encode", "list", "dict", "str", "int", "bytes"),
    *("list_", "from_", "_id", "id", "id_", "__init__", "__struct_fields__", "_", "_1", "mro"),
    *("name", "value", "a_b", "aB", "AB", "ab", "Record", "record", "UUID", "Decimal", "Final"),
    *("dt", "msgspec", "enum", "Enum", "SCHEMA", "TYPES", "JsonValue", "Mapping", "field", "type"),
    *("Codec", "codec", "StringValue", "string", "match", "print", "TimeoutError", "KindValue"),
)
NAMES = st.one_of(
    st.sampled_from(NASTY), st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,5}", fullmatch=True)
)
FULL_NAMES = st.lists(NAMES, min_size=1, max_size=3).map(".".join)
KINDS: tuple[Kind, ...] = ("boolean", "int", "long", "float", "double", "bytes", "string")
LEAVES: st.SearchStrategy[Type] = st.sampled_from(
    [
        *(Primitive(kind) for kind in KINDS),
        Logical("uuid", Primitive("string")),
        Logical("date", Primitive("int")),
        Logical("time", Primitive("long"), "micros"),
        Logical("timestamp", Primitive("long"), "micros"),
        Logical("local-timestamp", Primitive("long"), "micros"),
        Logical("decimal", Primitive("bytes"), precision=9, scale=2),
        Logical("timestamp", Primitive("long"), "nanos"),
        Logical("local-timestamp", Primitive("long"), "nanos"),
        Logical("duration", Primitive("long"), "micros"),
        Logical("duration", Primitive("long"), "nanos"),
        Logical("calendar-duration", Reference("Span_of_12")),
        Json(),
        Array(Primitive("float"), vector=True),
        Array(Primitive("double"), vector=True),
    ]
)
SPAN = Fixed("Span_of_12", 12)


def _types(references: list[Reference]) -> st.SearchStrategy[Type]:
    leaves = st.one_of(LEAVES, st.sampled_from(references))
    return st.recursive(
        leaves,
        lambda inner: st.one_of(
            inner.map(Array),
            inner.map(Map),
            inner.filter(lambda type_: not isinstance(type_, Optional)).map(Optional),
            _unions(leaves, inner),
        ),
        max_leaves=6,
    )


def _unions(
    leaves: st.SearchStrategy[Type], inner: st.SearchStrategy[Type]
) -> st.SearchStrategy[Type]:
    items = st.one_of(leaves, inner.map(Array), inner.map(Map))
    branches = st.builds(Branch, NAMES, items)
    return st.lists(branches, min_size=1, max_size=5, unique_by=lambda b: b.label).map(
        lambda found: Union(tuple(found))
    )


def _fields(draw: st.DrawFn, references: list[Reference]) -> tuple[Field, ...]:
    names = draw(st.lists(NAMES, max_size=6, unique=True))
    return tuple(draw(_field(name, references)) for name in names)


@st.composite
def _field(draw: st.DrawFn, name: str, references: list[Reference]) -> Field:
    type_ = draw(_types(references))
    default = draw(st.sampled_from([None, _empty(type_)]))
    return Field(name, type_, default=default, doc=draw(DOCS))


def _empty(type_: Type) -> Default | None:
    match type_:
        case Array():
            return Default([])
        case Map():
            return Default({})
        case Optional():
            return Default(None)
        case _:
            return None


DOCS = st.one_of(st.just(""), st.text(max_size=40), st.text(alphabet='"\\ \n.a', max_size=200))


@st.composite
def schemas(draw: st.DrawFn) -> Schema:
    """A schema of up to three records, two enums and a fixed type, that refer to each other."""
    names = draw(st.lists(FULL_NAMES, min_size=2, max_size=6, unique=True))
    references = [Reference(name) for name in names]
    types: dict[str, NamedType] = {SPAN.name: SPAN}
    for index, name in enumerate(names):
        if index % 3 == 1:
            symbols = draw(st.lists(NAMES, min_size=1, max_size=5, unique=True))
            types[name] = Enum(name, tuple(Symbol(s, n) for n, s in enumerate(symbols)))
        elif index == 5:
            types[name] = Fixed(name, 3)
        else:
            types[name] = Record(name, _fields(draw, references), doc=draw(DOCS))
    return Schema("subject", 1, "avro", names[0], types)
