from __future__ import annotations

import datetime as dt
import math
import sys
import uuid
from decimal import Decimal
from typing import Any

import msgspec
import pytest
from examples import examples
from hypothesis import given, settings
from schema_strategies import schemas

from instar.codec.library.typed import knows_unions
from instar.codec.types import SchemaTypes, build_types
from instar.errors import SchemaError
from instar.schemas.model import (
    Array,
    Branch,
    Default,
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
    Symbol,
    Type,
    Union,
)

STRING = Primitive("string")
INT = Primitive("int")
LONG = Primitive("long")
KIND = Enum("p.Kind", (Symbol("A", 0), Symbol("None", 1)))
TEXT = Record("p.Text", (Field("text", STRING), Field("size", INT, default=Default(7))))
CONTENT = Union(
    (
        Branch("p.Text", Reference("p.Text")),
        Branch("string", STRING),
        Branch("json", Json()),
        Branch("double", Primitive("double")),
    )
)


def schema_of(*fields: Field, types: tuple[NamedType, ...] = ()) -> Schema:
    named = (Record("p.Root", fields), *types)
    return Schema("subject", 1, "avro", "p.Root", {type_.name: type_ for type_ in named})


def default_of(type_: Type, value: JsonValue, *types: NamedType) -> Any:
    field = Field("field", type_, default=Default(value))
    root = build_types(schema_of(field, types=types)).root
    return getattr(root(), "field")  # noqa: B009 - a checker does not know the attribute


def classes_of(types: SchemaTypes) -> tuple[Any, dict[str, Any]]:
    """The root and all classes by class name, whose arguments no checker can know."""
    by_name = {made.__name__: made for made in [*types.classes.values(), *types.boxes.values()]}
    return types.root, by_name


@settings(max_examples=examples(50))
@given(schemas())
def test_every_schema_gives_types_that_msgspec_can_decode(schema: Schema) -> None:
    """Whatever a schema says, msgspec accepts all its types at once, but for a vector in a
    union, which it could not tell from the others.
    """
    types = build_types(schema)
    for made in [*types.classes.values(), *types.boxes.values()] if knows_unions(types) else []:
        assert msgspec.json.Decoder(made).type is made


def test_recursive_types_resolve() -> None:
    """A record that refers to itself decodes to nested objects of one class."""
    root, _ = classes_of(build_types(schema_of(Field("next", Optional(Reference("p.Root"))))))
    found = msgspec.json.decode(b'{"next":{"next":null}}', type=root)
    assert found == root(next=root(next=None))


def test_types_leave_no_module_behind() -> None:
    """Building types adds nothing to sys.modules."""
    before = set(sys.modules)
    made = build_types(schema_of(Field("a", INT), types=(KIND,)))
    assert set(sys.modules) == before
    assert made.root.__module__ == "subject.v1"


def test_keys_follow_json_form() -> None:
    """Attributes are escaped, keys are not, but for one more dollar where ours begin so."""
    fields = (Field("from", STRING), Field("ref", STRING, json_name="$ref"))
    root, _ = classes_of(build_types(schema_of(*fields)))
    assert msgspec.to_builtins(root(from_="a", ref="b")) == {"from": "a", "$$ref": "b"}


def test_union_branches_carry_their_class() -> None:
    """Bare records and boxes say their class in $type; scalars stand as they are."""
    schema = schema_of(Field("items", Array(CONTENT)), types=(TEXT,))
    root, made = classes_of(build_types(schema))
    items = [made["Text"](text="hi"), "x", made["JsonValue2"](value={"a": 1}), 1.5]
    state = root(items=items)
    plain = {
        "items": [
            {"$type": "Text", "text": "hi", "size": 7},
            "x",
            {"$type": "JsonValue2", "value": {"a": 1}},
            1.5,
        ]
    }
    assert msgspec.to_builtins(state) == plain
    assert msgspec.convert(plain, root) == state


@pytest.mark.parametrize(
    ("type_", "value", "expected"),
    [
        (Primitive("null"), None, None),
        (Primitive("boolean"), True, True),
        (INT, -(2**31), -(2**31)),
        (Primitive("int", "uint32"), 2**32 - 1, 2**32 - 1),
        (Primitive("double"), 1, 1.0),
        (Primitive("double"), "-Infinity", -math.inf),
        (Primitive("bytes"), "AAH/", b"\x00\x01\xff"),
        (Reference("p.Fixed"), "AAH/", b"\x00\x01\xff"),
        (Optional(STRING), None, None),
        (Optional(STRING), "a", "a"),
        (
            Logical("uuid", STRING),
            "6ba7b810-9dad-11d1-80b4-00c04fd430c8",
            uuid.UUID("6ba7b810-9dad-11d1-80b4-00c04fd430c8"),
        ),
        (Logical("date", INT), "2024-02-29", dt.date(2024, 2, 29)),
        (Logical("time", LONG, "micros"), "01:02:03.000004", dt.time(1, 2, 3, 4)),
        (
            Logical("timestamp", LONG, "micros"),
            "2024-01-01T00:00:00Z",
            dt.datetime(2024, 1, 1, tzinfo=dt.UTC),
        ),
        (
            Logical("local-timestamp", LONG, "micros"),
            "2024-01-01T00:00:00",
            dt.datetime(2024, 1, 1),  # noqa: DTZ001 - a local time has no zone
        ),
        (Logical("duration", LONG, "micros"), "PT1.5S", dt.timedelta(seconds=1.5)),
        (Logical("decimal", Primitive("bytes")), "1.50", Decimal("1.50")),
        (Json(), {"a": [1, None]}, {"a": [1, None]}),
        (Map(STRING, keys=LONG), {"-3": "x"}, {-3: "x"}),
        (Map(STRING, keys=Primitive("boolean")), {"true": "x"}, {True: "x"}),
        (CONTENT, "NaN", "NaN"),
        (CONTENT, 2, 2.0),
    ],
)
def test_defaults_are_decoded(type_: Type, value: JsonValue, expected: Any) -> None:
    """A default in JSON form becomes a value of the field's Python type."""
    found = default_of(type_, value, TEXT, Fixed("p.Fixed", 3))
    assert (found, type(found)) == (expected, type(expected))


def test_defaults_of_named_types() -> None:
    """Enum members, records with defaults of their own, and boxes can be defaults."""
    value: JsonValue = [
        {"$type": "Text", "text": "hi"},
        {"$type": "JsonValue2", "value": [1]},
    ]
    fields = (
        Field("kind", Reference("p.Kind"), default=Default("None")),
        Field("items", Array(CONTENT), default=Default(value)),
    )
    root, made = classes_of(build_types(schema_of(*fields, types=(KIND, TEXT))))
    items = [made["Text"](text="hi", size=7), made["JsonValue2"](value=[1])]
    assert root() == root(kind=made["Kind"].None_, items=items)


@pytest.mark.parametrize(
    ("type_", "value"),
    [
        (Array(STRING), []),
        (Array(Reference("p.Text")), [{"text": "a"}]),
        (Map(Json()), {"a": {}}),
        (Json(), {}),
        (Json(), [[1]]),
        (Reference("p.Text"), {"text": "a"}),
    ],
)
def test_mutable_defaults_are_fresh(type_: Type, value: JsonValue) -> None:
    """Two objects never share a mutable default."""
    field = Field("field", type_, default=Default(value))
    root = build_types(schema_of(field, types=(TEXT,))).root
    one, two = (msgspec.structs.astuple(root())[0] for _ in range(2))
    assert one == two
    assert one is not two


@pytest.mark.parametrize(
    ("type_", "value"),
    [
        (INT, 2**31),
        (INT, True),
        (Primitive("int", "uint32"), -1),
        (STRING, None),
        (Primitive("double"), "1"),
        (Primitive("bytes"), "?"),
        (Reference("p.Fixed"), "AAH="),
        (Reference("p.Kind"), "B"),
        (Reference("p.Text"), {"text": "a", "other": 1}),
        (Reference("p.Text"), {}),
        (Array(INT), {}),
        (Map(INT, keys=INT), {"a": 1}),
        (Logical("uuid", STRING), "x"),
        (Logical("timestamp", LONG, "micros"), "2024-01-01T00:00:00"),
        (Logical("local-timestamp", LONG, "micros"), "2024-01-01T00:00:00Z"),
        (CONTENT, []),
        (CONTENT, {"$type": "Other"}),
        (CONTENT, {"$type": "JsonValue2"}),
        (CONTENT, {"$type": ["x"]}),
    ],
)
def test_a_default_that_does_not_fit_is_refused(type_: Type, value: JsonValue) -> None:
    """The error names the record and field."""
    with pytest.raises(SchemaError, match=r"^p\.Root\.field.*default"):
        default_of(type_, value, TEXT, KIND, Fixed("p.Fixed", 3))


def test_two_fields_with_one_key_are_refused() -> None:
    """Two fields of a record cannot share a key of its JSON form."""
    fields = (Field("a", INT), Field("b", INT, json_name="a"))
    with pytest.raises(SchemaError, match="another field has the JSON key 'a'"):
        build_types(schema_of(*fields))


def test_unknown_names_are_refused() -> None:
    """Asking for a record or enum that is not in the schema says so."""
    made = build_types(schema_of(types=(KIND,)))
    with pytest.raises(SchemaError, match=r"no record p\.Kind"):
        made.record("p.Kind")
    with pytest.raises(SchemaError, match=r"no enum p\.Root"):
        made.enum("p.Root")
