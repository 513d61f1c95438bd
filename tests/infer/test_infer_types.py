from __future__ import annotations

from typing import Any

import pytest
from infer.json_documents import named

from instar.codec.registry import Registry
from instar.codec.tag.header import Format
from instar.errors import DocumentError
from instar.schemas.infer import infer_schema
from instar.schemas.model import (
    Array,
    Branch,
    Default,
    Enum,
    Field,
    Json,
    Logical,
    Map,
    Optional,
    Primitive,
    Record,
    Reference,
    Schema,
    Type,
    Union,
)
from instar.schemas.numbering import number_fields

FORMATS: tuple[Format, ...] = ("avro", "protobuf", "msgpack", "json", "yaml")
LONG, DOUBLE, STRING = Primitive("long"), Primitive("double"), Primitive("string")
RFC3339 = Logical("timestamp", LONG, "micros", text_form="rfc3339")


def infer(*values: Any, **options: Any) -> Schema:
    return infer_schema(named(list(values)), subject="agent_state", **options)


def field(schema: Schema, name: str) -> Field:
    return next(item for item in schema.record.fields if item.name == name)


def type_of(*samples: Any, **options: Any) -> Type:
    """The type of a field that has had these values."""
    return field(infer(*({"it": sample} for sample in samples), **options), "it").type


PLAIN: list[tuple[list[Any], Type]] = [
    ([True, False], Primitive("boolean")),
    ([1, -(2**63), 2**63 - 1], LONG),
    ([1.5, 2.0], DOUBLE),
    ([1, 1.5], DOUBLE),
    ([2**53 + 1, 1.5], Json()),
    ([2**63], Json()),
    (["a", ""], STRING),
    ([None, None], Json()),
    ([None, 1], Optional(LONG)),
    ([[], []], Array(Json())),
    ([[1], [None]], Array(Optional(LONG))),
    ([{}, {}], Map(Json())),
]


@pytest.mark.parametrize(("samples", "expected"), PLAIN)
def test_plain_types(samples: list[Any], expected: Type) -> None:
    """A field gets the plainest type that holds every sample exactly."""
    assert type_of(*samples) == expected


@pytest.mark.parametrize(
    ("samples", "expected"),
    [
        (["1f00fe48-515f-6b88-8004-6fffb69dd465"], Logical("uuid", STRING)),
        (["1F00FE48-515F-6B88-8004-6FFFB69DD465"], STRING),
        (["2026-07-16T23:40:16.179Z"], Logical("timestamp", LONG, "millis")),
        (["2025-04-02T17:04:20.825576+00:00"], Logical("timestamp", LONG, "micros")),
        (["2025-04-02T17:04:20+00:00"], Logical("timestamp", LONG, "micros")),
        (["2025-04-02T17:04:20+02:00"], STRING),
        (["2026-07-16T23:40:16Z", "2026-07-16T23:40:16.179001Z"], RFC3339),
        (["2026-07-16T23:40:16.179001Z"], RFC3339),
        (["2026-07-16T23:40:16.5Z"], STRING),
        (["2026-07-16T23:40:16Z", "2026-07-16T23:40:16.179Z"], STRING),
        (["2025-01-27T22:44:56.900854"], Logical("local-timestamp", LONG, "micros")),
        (["2025-01-27T22:44:56.900854", "soon"], STRING),
        (["2025-02-30T22:44:56.900854"], STRING),
        (["2025-01-27"], STRING),
    ],
)
def test_texts_with_a_meaning(samples: list[str], expected: Type) -> None:
    """A text is a UUID or a time only where all samples are written exactly as we write one."""
    assert type_of(*samples) == expected


def test_union_of_two_kinds() -> None:
    """Values of different kinds become a union, with a plain string where a time was."""
    union = type_of("2026-07-16T23:40:16.179Z", 7, {"a": 1}, {"a": 2})
    assert union == Union(
        (
            Branch("long", LONG),
            Branch("string", STRING),
            Branch("It", Reference("It")),
        )
    )


def test_too_many_kinds_are_json() -> None:
    """Four kinds at one place are any JSON."""
    assert type_of(True, 1, "a", [1]) == Json()


def test_key_that_may_be_missing() -> None:
    """A key missing in some samples is optional, null by default, and null means no key."""
    schema = infer({"a": 1, "b": 1}, {"a": 2})
    assert field(schema, "b") == Field(
        "b", Optional(LONG), default=Default(None), doc="In 1 of 2 samples.", absent=True
    )


@pytest.mark.parametrize(("nulls", "absents", "absent"), [(2, 1, False), (1, 2, True)])
def test_null_and_missing(nulls: int, absents: int, absent: bool) -> None:
    """Where a key was both null and missing, the rarer of the two is written as the other."""
    schema = infer({"a": 1}, *[{"a": None}] * nulls, *[{}] * absents)
    assert field(schema, "a").absent is absent


def test_keys_that_are_no_names() -> None:
    """A key that is no name keeps standing in documents; the field gets a name of its own."""
    schema = infer({"$type": 1, "type": 2, "a-b": 3, "a_b": 4, "9": 5, "é": 6, "ü": 7})
    names = {item.key: item.name for item in schema.record.fields}
    assert names == {
        "$type": "type_2",
        "type": "type",
        "a-b": "a_b_2",
        "a_b": "a_b",
        "9": "_9",
        "é": "field",
        "ü": "field_2",
    }
    assert field(schema, "type").json_name is None


def test_keys_that_are_data_make_a_map() -> None:
    """Keys that nobody would choose as names make the object a map."""
    versions = {"__start__": "1", "branch:to:a": "2", "start:b": "3"}
    assert type_of(versions) == Map(STRING)


def test_ids_as_keys_make_a_map_of_one_record() -> None:
    """Objects of one shape under ids are a map of that record, named in the singular."""
    schema = infer({"calls": {"call_12345": {"n": 1}, "call_67890": {"n": 2}}})
    assert field(schema, "calls").type == Map(Reference("Call"))


def test_many_keys_make_a_map() -> None:
    """Very many keys with values of one kind make a map even in one sample."""
    assert type_of({f"word{'x' * n}": n for n in range(70)}) == Map(LONG)


def test_keys_that_come_and_go_make_a_map() -> None:
    """Objects that share no key, with values of one kind, are maps."""
    samples = [{"ann": 1}, {"bob": 2}, {"carl": 3}, {"dora": 4}, {"ann": 5}]
    assert type_of(*samples) == Map(LONG)


def test_free_form_objects_are_json() -> None:
    """Objects whose keys keep changing and whose values differ are any JSON."""
    samples: list[Any] = [{"ann": 1}, {"bob": "x"}, {"carl": [3]}, {"dora": {}}, {"eve": None}]
    assert type_of(*samples) == Json()


def test_records_of_one_kind_with_optional_parts() -> None:
    """Objects with a key in common are a record, however many of the others are optional."""
    samples = [{"type": name, name: 1} for name in ("ann", "bob", "carl", "dora", "eve")]
    assert isinstance(type_of(*samples), Reference)


def test_trees_end_in_json() -> None:
    """A record that holds its like under the same key, and again, ends as any JSON."""
    leaf: dict[str, Any] = {"name": "leaf"}
    tree = leaf
    for _ in range(6):
        tree = {"name": "node", "child": tree}
    schema = infer(tree)
    inner = schema.types["ChildChild"]
    assert isinstance(inner, Record)
    assert inner.fields[1].type == Json()


def test_equal_records_share_a_type() -> None:
    """Records of one field name and one structure are one type, wherever they stand."""
    usage = {"tokens": 1}
    schema = infer({"first": {"usage": usage}, "second": {"n": 1, "usage": usage}})
    assert list(schema.types) == ["AgentState", "First", "Usage", "Second"]


def test_unequal_records_of_one_name() -> None:
    """A second record of a name gets its parent's name before its own."""
    schema = infer({"usage": {"a": 1}, "second": {"usage": {"b": 1}}})
    assert list(schema.types) == ["AgentState", "Usage", "Second", "SecondUsage"]


def test_namespace() -> None:
    """A namespace goes before the name of every type."""
    schema = infer({"usage": {"a": 1}}, namespace="my.agents")
    assert list(schema.types) == ["my.agents.AgentState", "my.agents.Usage"]


def test_enums_only_when_asked() -> None:
    """Few, repeated words are an enum only where the caller asks for enums."""
    samples = ["run", "stop"] * 4
    assert type_of(*samples) == STRING
    schema = infer(*({"status": word} for word in samples), enums=True)
    enum = schema.types["Status"]
    assert isinstance(enum, Enum)
    assert [symbol.name for symbol in enum.symbols] == ["run", "stop"]


@pytest.mark.parametrize(
    "samples", [["run", "stop"], ["to do", "done"] * 9, list("abcdefghijklm") * 9]
)
def test_texts_that_are_no_enum(samples: list[str]) -> None:
    """Texts seldom repeated, not words, or too many are no enum even when asked."""
    assert type_of(*samples, enums=True) == STRING


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ([1], "an array"),
        (None, "null"),
        ("x", "a string"),
        ({"a": 2**64}, "64 bits"),
        ({"a": float("nan")}, "nan"),
        ({"a": (1,)}, "tuple"),
        ({1: 2}, "no text"),
    ],
)
def test_what_is_no_document(value: Any, reason: str) -> None:
    """A value that no state can hold is refused, with the document's place."""
    with pytest.raises(DocumentError, match=reason) as caught:
        infer({"a": 1}, value)
    assert caught.value.where == "sample#2"


def test_an_empty_key() -> None:
    """A field may have the empty key, in the root too: every format writes it back."""
    registry = Registry.of(number_fields([infer({"": 1, "a": "x"})]))
    for name in FORMATS:
        codec = registry.codec("agent_state", format=name)
        state = codec.decode(codec.encode(codec.from_builtins({"": 1, "a": "x"})))
        assert codec.to_builtins(state) == {"": 1, "a": "x"}


@pytest.mark.parametrize("key", ['a "quoted" word', "a\\b", "a\n"])
def test_keys_that_no_field_can_have(key: str) -> None:
    """An object with such a key is a map or any JSON; the root can be neither."""
    assert type_of({key: 1, "abc": 2, "def": 3, "ghi": 4, "jkl": 5}) == Map(LONG)
    with pytest.raises(DocumentError, match="no field can have the key"):
        infer({key: 1})


def test_no_documents() -> None:
    """Nothing to infer from is an error, not an empty schema."""
    with pytest.raises(DocumentError, match="no document"):
        infer()
