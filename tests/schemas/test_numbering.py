from __future__ import annotations

import json
from typing import Any

from avro_documents import documents
from examples import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from instar.schemas.avro import parse_avro
from instar.schemas.model import Array, Enum, Field, Primitive, Record, Schema, Union
from instar.schemas.numbering import number_fields


def version(fields: list[Any], **root: Any) -> Schema:
    """A version whose fields are given as nodes, or as names of strings."""
    nodes = [{"name": f, "type": "string"} if isinstance(f, str) else f for f in fields]
    document = {"type": "record", "name": "T", "fields": nodes, **root}
    return parse_avro(json.dumps(document), subject="t", version=1, where="t")


def numbers(schema: Schema, name: str | None = None) -> dict[str, int | None]:
    record = schema.types[name or schema.root]
    assert isinstance(record, Record)
    return {field.name: field.number for field in record.fields}


def renamed(name: str, *former: str) -> dict[str, Any]:
    return {"name": name, "type": "string", "aliases": [*former]}


def test_fields_count_from_one_and_keep_their_number() -> None:
    """A field has the number of its first version, wherever it stands later."""
    first, second = number_fields([version(["a", "b"]), version(["c", "b", "a"])])
    assert numbers(first) == {"a": 1, "b": 2}
    assert numbers(second) == {"c": 3, "b": 2, "a": 1}


def test_a_renamed_field_keeps_its_number() -> None:
    """An alias of a former name carries the number on."""
    _, second = number_fields([version(["a", "b"]), version([renamed("z", "a"), "b"])])
    assert numbers(second) == {"z": 1, "b": 2}


def test_the_number_of_a_removed_field_is_never_given_again() -> None:
    """A new field does not take the place of a removed one."""
    *_, last = number_fields([version(["a", "b"]), version(["a"]), version(["a", "c"])])
    assert numbers(last) == {"a": 1, "c": 3}


def test_a_name_given_up_by_a_rename_is_a_new_field_later() -> None:
    """A field that takes a name which another one gave up has a number of its own."""
    *_, last = number_fields(
        [version(["a"]), version([renamed("b", "a")]), version([renamed("b", "a"), "a"])]
    )
    assert numbers(last) == {"b": 1, "a": 2}


def test_a_name_goes_before_an_alias() -> None:
    """Where a version has a field and another that claims its name, the field keeps it."""
    _, second = number_fields([version(["a"]), version([renamed("b", "a"), "a"])])
    assert numbers(second) == {"b": 2, "a": 1}


def test_protobufs_own_numbers_are_left_out() -> None:
    """Numbers 19000 to 19999 are not given."""
    (schema,) = number_fields([version([f"f{index}" for index in range(19005)])])
    given = [number for number in numbers(schema).values() if number is not None]
    assert given[18998:19000] == [18999, 20000]


def test_a_renamed_record_keeps_its_numbers() -> None:
    """A record known by an alias of its former name goes on with the same numbers."""
    inner = {"type": "record", "name": "In", "fields": [{"name": "x", "type": "int"}]}
    other = {
        "type": "record",
        "name": "Out",
        "aliases": ["In"],
        "fields": [{"name": "y", "type": "int"}, {"name": "x", "type": "int"}],
    }
    _, second = number_fields(
        [version([{"name": "i", "type": inner}]), version([{"name": "i", "type": other}])]
    )
    assert numbers(second, "Out") == {"y": 2, "x": 1}


def test_the_root_keeps_its_numbers_under_any_name() -> None:
    """The root record of a subject is one record, whatever each version calls it."""
    _, second = number_fields([version(["a", "b"]), version(["b"], name="v2.T")])
    assert numbers(second) == {"b": 2}


def test_symbols_count_from_zero_and_keep_their_number() -> None:
    """A symbol keeps its number, and a removed one's is not given again."""

    def enum(*symbols: str) -> Schema:
        return version([{"name": "e", "type": {"type": "enum", "name": "E", "symbols": symbols}}])

    *_, last = number_fields([enum("A", "B"), enum("A"), enum("C", "A")])
    found = last.types["E"]
    assert isinstance(found, Enum)
    assert [(symbol.name, symbol.number) for symbol in found.symbols] == [("C", 2), ("A", 0)]


def test_branches_keep_their_number_at_each_place() -> None:
    """The branches of a union are numbered by label, apart from those of other unions."""

    def union(*branches: Any) -> Schema:
        items = {"type": "array", "items": [*branches]}
        return version([{"name": "u", "type": items}, {"name": "w", "type": ["long", "string"]}])

    _, second = number_fields([union("int", "string"), union("boolean", "string")])
    first_type, second_type = (field.type for field in second.record.fields)
    assert isinstance(first_type, Array)
    assert isinstance(first_type.items, Union)
    assert [branch.number for branch in first_type.items.branches] == [3, 2]
    assert isinstance(second_type, Union)
    assert [branch.number for branch in second_type.branches] == [1, 2]


def test_a_branch_of_a_renamed_record_keeps_its_number() -> None:
    """A branch follows its record to the new name."""

    def union(*records: dict[str, Any]) -> Schema:
        nodes: list[dict[str, Any]] = [
            {"type": "record", "fields": [], **record} for record in records
        ]
        return version([{"name": "u", "type": nodes}])

    _, second = number_fields(
        [union({"name": "A"}, {"name": "B"}), union({"name": "B"}, {"name": "C", "aliases": ["A"]})]
    )
    type_ = second.record.fields[0].type
    assert isinstance(type_, Union)
    assert [(branch.label, branch.number) for branch in type_.branches] == [("B", 2), ("C", 1)]


def test_declared_numbers_stay() -> None:
    """A version written in Protobuf keeps its numbers and lends them to no other."""
    record = Record("T", (Field("a", Primitive("string"), number=9),))
    proto = Schema("t", 1, "protobuf", "T", {"T": record})
    first, second = number_fields([proto, version(["b", "a"])])
    assert first is proto
    assert numbers(second) == {"b": 1, "a": 2}


@settings(max_examples=examples(60))
@given(st.lists(documents(), min_size=1, max_size=4))
def test_a_later_version_changes_no_earlier_number(history: list[dict[str, Any]]) -> None:
    """Adding a version leaves those before it as they were, and no number stands twice."""
    versions = [
        parse_avro(json.dumps(document), subject="t", version=1, where="t") for document in history
    ]
    numbered = number_fields(versions)
    for count in range(1, len(versions)):
        assert number_fields(versions[:count]) == numbered[:count]
    for schema in numbered:
        for named in schema.types.values():
            if isinstance(named, Record):
                given = [field.number for field in named.fields]
                assert len(set(given)) == len(given)
                assert None not in given
