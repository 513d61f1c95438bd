from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from avro_documents import documents
from hypothesis import assume, given
from hypothesis import strategies as st

from instar.errors import SchemaError, SchemaSyntaxError, UnsupportedSchema
from instar.schemas.avro import parse_avro

MARK = "Nowhere.At.All"


def refusal(text: str, *, lenient: bool = False) -> SchemaError:
    with pytest.raises(SchemaError) as caught:
        parse_avro(text, subject="s", version=1, where="s.avsc", lenient=lenient)
    return caught.value


def place(text: str, marked: str) -> str:
    """``file:line:column`` of the one place where ``marked`` stands in ``text``."""
    assert text.count(marked) == 1
    before = text[: text.index(marked)].split("\n")
    return f"s.avsc:{len(before)}:{len(before[-1]) + 1}"


def types(node: Any) -> Iterator[tuple[Any, Any]]:
    """Where a type stands in a document: the container, and the key or position in it."""
    if isinstance(node, list):
        for index, branch in enumerate(node):
            yield node, index
            yield from types(branch)
    if isinstance(node, dict):
        for field in node.get("fields", ()):
            yield field, "type"
            yield from types(field["type"])
        for key in ("items", "values"):
            if key in node:
                yield node, key
                yield from types(node[key])


@given(documents(), st.integers(0, 10**6), st.sampled_from([None, 0, 3]))
def test_a_fault_is_found_where_it_stands(document: Any, which: int, indent: int | None) -> None:
    """A type that is unknown is named with its very line and column, wherever it stands."""
    slots = list(types(document))
    assume(slots)
    container, step = slots[which % len(slots)]
    container[step] = MARK
    text = json.dumps(document, indent=indent, ensure_ascii=False)
    error = refusal(text)
    # Without the type that stood there, an earlier use of another may be the first fault.
    assume(MARK in error.what)
    assert error.where == place(text, f'"{MARK}"')


def field(type_: str, more: str = "") -> str:
    return (
        f'{{"type": "record", "name": "T", "fields": [\n {{"name": "f", "type": {type_}{more}}}]}}'
    )


def enum(rest: str) -> str:
    return field(f'{{"type": "enum", "name": "E",\n {rest}}}')


FAULTS: dict[str, tuple[str, str, str]] = {
    "a symbol twice": (enum('"symbols": ["A", "B",\n "A" ]'), '"A" ]', "A stands twice"),
    "an odd symbol": (enum('"symbols": ["A",\n "a-b"]'), '"a-b"', "'a-b' is no name"),
    "a symbol with a dot": (enum('"symbols": ["A",\n "a.b"]'), '"a.b"', "no name for a symbol"),
    "a symbol that is none": (enum('"symbols": ["A",\n 7]'), "7]", "7 is no name"),
    "no symbols": (enum('"symbols":\n []'), "[]", "enum without symbols"),
    "a default of no symbol": (enum('"symbols": ["A"],\n"default": "Z"'), '"Z"', "'Z' is none"),
    "an odd default": (enum('"symbols": ["A"],\n"default": {"a": 1}'), '{"a', "is none"),
    "an odd alias": (field('"int"', ',\n"aliases": ["a",\n"b c"]'), '"b c"', "for an alias"),
    "an odd namespace": (
        field('{"type": "fixed", "name": "F", "size": 1,\n"namespace": "a b"}'),
        '"a b"',
        "no Avro namespace",
    ),
    "a type twice": (
        field('[{"type": "fixed", "name": "F", "size": 1},\n{"type": "map", "values": "F"},\n"F"]'),
        '"F"]',
        "two branches of type F",
    ),
    "an array twice": (
        field('[{"type": "array", "items": "int"},\n{ "type": "array", "items": "long"}]'),
        '{ "type"',
        "two branches of type array",
    ),
    "a type defined twice": (
        field('[{"type": "fixed", "name": "F", "size": 1},\n{"type": "fixed", "name": "F" }]'),
        '"F" }',
        "redefined",
    ),
    "a name that hides in another record": (
        (
            '{"type": "record", "name": "T", "fields": [\n{"name": "a", "type": '
            '{"type": "record", "name": "U", "fields": [{"name": "f", "type": "int"}]}},\n'
            '{"name": "f", "type": "int", "default": "no"}]}'
        ),
        '"no"',
        "default of T.f",
    ),
    "a text that looks like the fault": (
        (
            '{"type": "record", "name": "T", "doc": "\\"type\\": [}{", "fields":\n'
            '[{"name": "f", "type": 7 }]}'
        ),
        "7 }",
        "7 is no Avro type",
    ),
    "a key of escapes": (
        '{"\\u0074ype": "record", "name": "T", "fields": [{"name":\n"f", "\\u0074ype": "Un" }]}',
        '"Un" }',
        "'Un' is not defined",
    ),
    "a key twice": (
        (
            '{"type": "record", "name": "T", "name": "T", "fields": [\n'
            '{"name": "f", "type": "int", "name": "g"}]}'
        ),
        '"g"',
        "'name' stands twice",
    ),
    "a number without end": (
        field('{"type": "fixed", "name": "F", "size":\n 1' + "0" * 5000 + "}"),
        "10000",
        "not JSON",
    ),
}


@pytest.mark.parametrize(("text", "marked", "reason"), FAULTS.values(), ids=FAULTS)
def test_each_fault_has_its_line_and_column(text: str, marked: str, reason: str) -> None:
    """What is wrong is named with its reason at its own place, not at that of what is around it."""
    error = refusal(text)
    assert reason in error.what
    assert isinstance(error, SchemaSyntaxError | UnsupportedSchema)
    assert error.where == place(text, marked)


def test_comments_move_no_place() -> None:
    """A schema that is read leniently has its faults where they stand in the file."""
    text = '// "type": [\n/* {\n */ {"type": "record", "name": "T", /* } */ "fields": [ "x" , ]}'
    assert refusal(text, lenient=True).where == place(text, '"x"')


def test_a_root_that_cannot_be_told_is_named_with_a_line() -> None:
    """Where several records may be the root, the file and its line are named, and the setting."""
    records = [{"type": "record", "name": name, "fields": []} for name in "AB"]
    error = refusal(f"\n {json.dumps(records)}")
    assert (error.where, error.what) == ("s.avsc:2:2", "2 records may be the root")
