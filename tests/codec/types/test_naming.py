from __future__ import annotations

import keyword

import pytest
from examples import examples
from hypothesis import given, settings
from schema_strategies import schemas

from instar.schemas.model import (
    Array,
    Branch,
    Enum,
    Field,
    Fixed,
    Json,
    Logical,
    Map,
    NamedType,
    Primitive,
    Record,
    Reference,
    Schema,
    Symbol,
    Type,
    Union,
)
from instar.schemas.naming import json_key, names

STRING = Primitive("string")


def schema_of(*types: NamedType) -> Schema:
    return Schema("subject", 1, "avro", types[0].name, {type_.name: type_ for type_ in types})


def record(name: str, *fields: str) -> Record:
    return Record(name, tuple(Field(field, STRING) for field in fields))


def union_of(*branches: tuple[str, Type]) -> Union:
    return Union(tuple(Branch(label, type_) for label, type_ in branches))


def boxes_of(union: Union, *types: NamedType) -> tuple[str | None, ...]:
    root = Record("Root", (Field("union", union),))
    return names(schema_of(root, *types)).box(union)


@settings(max_examples=examples(50))
@given(schemas())
def test_names_are_valid_and_never_shared(schema: Schema) -> None:
    """Classes, attributes and members are identifiers, not keywords, and injective."""
    found = names(schema)
    groups = [
        [*found.classes.values(), *found.boxes],
        *(list(group.values()) for group in found.attributes.values()),
        *(list(group.values()) for group in found.members.values()),
    ]
    for group in groups:
        assert len(set(group)) == len(group)
        assert all(name.isidentifier() and not keyword.iskeyword(name) for name in group)
        assert not any(name.startswith("_") for name in group)


@settings(max_examples=examples(50))
@given(schemas())
def test_no_attribute_hides_a_class(schema: Schema) -> None:
    """An attribute never has the name of a class that an annotation beside it may use."""
    found = names(schema)
    classes = {*found.classes.values(), *found.boxes, "list", "dict", "str", "int", "UUID"}
    for attributes in found.attributes.values():
        assert classes.isdisjoint(attributes.values())


@pytest.mark.parametrize(
    ("full_names", "expected"),
    [
        (["p.Agent"], ["Agent"]),
        (["p.Agent", "p.Agent.Kind"], ["Agent", "Kind"]),
        (["p.A", "p.A.Kind", "p.B.Kind"], ["A", "AKind", "BKind"]),
        (["a.b.Kind", "c.b.Kind"], ["ABKind", "CBKind"]),
        (["a.b", "a_b"], ["B", "AB"]),
        (["Kind", "kind"], ["Kind", "Kind2"]),
        (["p.Record"], ["PRecord"]),
        (["Record"], ["Record2"]),
        (["TimeoutError"], ["TimeoutError2"]),
        (["p.tool_call"], ["ToolCall"]),
        (["_1"], ["Type1"]),
    ],
)
def test_class_names(full_names: list[str], expected: list[str]) -> None:
    """A class has the last part of its full name, more parts where shared, then a number."""
    found = names(schema_of(*map(record, full_names)))
    assert list(found.classes.values()) == expected


def test_attributes_are_escaped() -> None:
    """Reserved names get an underscore until free; names that need none keep theirs."""
    given_names = ("from", "from_", "_id", "self", "list", "type", "__init__", "a_b", "aB", "_")
    found = names(schema_of(record("p.A", *given_names))).attributes["p.A"]
    assert list(found.values()) == [
        *("from__", "from_", "id_", "self_", "list_", "type", "init_", "a_b", "aB", "n_"),
    ]


def test_a_field_named_as_a_class_is_escaped() -> None:
    """A field `Status` beside a type `Status` does not hide the type in the class body."""
    found = names(schema_of(record("Root", "Status"), Enum("Status", (Symbol("A", 0),))))
    assert found.attributes["Root"] == {"Status": "Status_"}


def test_members_are_escaped() -> None:
    """Symbols that Python or Enum reserves get an underscore."""
    symbols = ("None", "name", "value", "mro", "_sunder_", "B", "class")
    enum = Enum("E", tuple(Symbol(symbol, n) for n, symbol in enumerate(symbols)))
    found = names(schema_of(record("R"), enum)).members["E"]
    assert list(found.values()) == [
        *("None_", "name_", "value_", "mro_", "sunder_", "B", "class_"),
    ]


@pytest.mark.parametrize(
    ("branches", "expected"),
    [
        ([("string", STRING), ("long", Primitive("long"))], (None, None)),
        ([("int", Primitive("int")), ("long", Primitive("long"))], ("IntValue", "LongValue")),
        ([("int", Primitive("int")), ("float", Primitive("float"))], (None, None)),
        (
            [("string", STRING), ("t", Logical("timestamp", Primitive("long"), "micros"))],
            ("StringValue", "TValue"),
        ),
        ([("a", Reference("A")), ("b", Reference("B"))], (None, None)),
        ([("x", Reference("A")), ("y", Reference("A"))], ("XValue", "YValue")),
        ([("a", Reference("A")), ("array", Array(STRING))], (None, None)),
        ([("a", Reference("A")), ("map", Map(STRING))], (None, "MapValue")),
        ([("map", Map(STRING)), ("string", STRING)], (None, None)),
        (
            [("map", Map(STRING)), ("s", STRING), ("b", Primitive("bytes"))],
            ("MapValue", "SValue", "BValue"),
        ),
        ([("json", Json()), ("string", STRING)], ("JsonValue2", None)),
        ([("p.E", Reference("E")), ("string", STRING)], ("EValue", "StringValue")),
        ([("F", Reference("F")), ("E", Reference("E"))], ("FValue", "EValue")),
    ],
)
def test_boxes(branches: list[tuple[str, Type]], expected: tuple[str | None, ...]) -> None:
    """A branch is boxed where its value alone would not tell it from another."""
    types = (record("A"), record("B"), Enum("E", (Symbol("X", 0),)), Fixed("F", 2))
    assert boxes_of(union_of(*branches), *types) == expected


def test_equal_boxes_are_one_class() -> None:
    """The same label and type share a box; another type of that label gets a number."""
    ints = union_of(("a", Primitive("int")), ("b", Primitive("long")))
    same = union_of(("a", Primitive("int")), ("c", Primitive("long")))
    other = union_of(("a", Primitive("long")), ("c", Primitive("long")))
    fields = tuple(Field(f"f{n}", union) for n, union in enumerate((ints, same, other)))
    found = names(schema_of(Record("Root", fields)))
    assert [found.box(union) for union in (ints, same, other)] == [
        ("AValue", "BValue"),
        ("AValue", "CValue"),
        ("AValue2", "CValue"),
    ]


def test_a_box_avoids_the_names_of_types() -> None:
    """A box whose name a type of the schema has gets a number."""
    union = union_of(("note", STRING), ("other", STRING))
    assert boxes_of(union, record("p.NoteValue")) == ("NoteValue2", "OtherValue")


def test_only_bare_records_are_tagged() -> None:
    """A record carries $type if it stands bare in a union; enums and boxed records do not."""
    bare = union_of(("A", Reference("A")), ("E", Reference("E")))
    boxed = union_of(("x", Reference("B")), ("y", Reference("B")))
    root = Record("Root", (Field("a", bare), Field("b", Array(boxed))))
    enum = Enum("E", (Symbol("X", 0),))
    assert names(schema_of(root, record("A"), record("B"), enum)).tagged == {"A"}


@pytest.mark.parametrize(
    ("key", "expected"), [("ref", "ref"), ("$ref", "$$ref"), ("$$ref", "$$$ref"), ("a$", "a$")]
)
def test_keys_that_begin_with_a_dollar_get_another(key: str, expected: str) -> None:
    """Keys of the user's never look like our own."""
    assert json_key(Field("name", STRING, json_name=key)) == expected
