from __future__ import annotations

import json
from typing import Any

import pytest

from instar.errors import SchemaSyntaxError
from instar.schemas.avro import parse_avro, to_avro
from instar.schemas.model import Default, Schema

POINT = {
    "type": "record",
    "name": "Point",
    "fields": [
        {"name": "x", "type": "int"},
        {"name": "y", "type": "int", "default": 7, "json": "$y"},
    ],
}


def parse(type_: Any, default: Any) -> Schema:
    field = {"name": "f", "type": type_, "default": default}
    document = {"type": "record", "name": "T", "fields": [field]}
    return parse_avro(json.dumps(document), subject="t", version=1, where="t.avsc")


def logical(base: str, name: str, **more: Any) -> dict[str, Any]:
    return {"type": base, "logicalType": name, **more}


FORMS = [
    ("null", None, None),
    ("boolean", False, False),
    ("long", -(2**63), -(2**63)),
    ("double", 3, 3.0),
    ({"type": "double"}, 0, 0.0),
    ("double", float("nan"), "NaN"),
    ("float", "-Infinity", "-Infinity"),
    ("bytes", "\u00ff\u0000", "/wA="),
    ({"type": "fixed", "name": "F", "size": 2}, "ab", "YWI="),
    ({"type": "enum", "name": "E", "symbols": ["A", "B"]}, "B", "B"),
    ({"type": "array", "items": "bytes"}, ["a"], ["YQ=="]),
    ({"type": "map", "values": "float"}, {"k": 1}, {"k": 1.0}),
    (logical("string", "uuid"), "0" * 32, "00000000-0000-0000-0000-000000000000"),
    (logical("int", "date"), -1, "1969-12-31"),
    (logical("int", "time-millis"), 1500, "00:00:01.500000"),
    (logical("long", "timestamp-micros"), 0, "1970-01-01T00:00:00Z"),
    (logical("long", "timestamp-millis"), -1, "1969-12-31T23:59:59.999000Z"),
    (logical("long", "local-timestamp-micros"), 10**6, "1970-01-01T00:00:01"),
    (logical("long", "duration-micros"), 10**6, "PT1S"),
    (logical("bytes", "decimal", precision=9, scale=2), "\u0001\u0000", "2.56"),
    (logical("bytes", "decimal", precision=9, scale=2), "\u00ff", "-0.01"),
    (logical("bytes", "json"), '{"a": [1, null]}', {"a": [1, None]}),
    (["null", "string"], None, None),
    (["null", "string"], "x", "x"),
    (["string", "null"], "x", "x"),
    (["double", "string"], "x", "x"),
    (["double", "int"], 3, 3.0),
    (["double", {"type": "fixed", "name": "F", "size": 3}], "000", "MDAw"),
    (["boolean", "double"], "NaN", "NaN"),
    (["long", "int"], 5, {"$type": "LongValue", "value": 5}),
    (POINT, {"x": 1}, {"x": 1, "$$y": 7}),
    ([POINT, "string"], {"x": 1, "y": 2}, {"$type": "Point", "x": 1, "$$y": 2}),
    ([POINT, "string"], "later", "later"),
]


@pytest.mark.parametrize(("type_", "avro", "form"), FORMS)
def test_a_default_is_read_into_json_form(type_: Any, avro: Any, form: Any) -> None:
    """Each kind of default reaches the model in the form that the type mapping specifies."""
    assert parse(type_, avro).record.fields[0].default == Default(form)


@pytest.mark.parametrize(("type_", "avro", "form"), FORMS)
def test_a_default_is_written_as_avro_writes_it(type_: Any, avro: Any, form: Any) -> None:
    """A default in JSON form is written so that Avro, and we, read the same default."""
    schema = parse(type_, avro)
    again = parse_avro(json.dumps(to_avro(schema)), subject="t", version=1, where="t.avsc")
    assert again == schema


@pytest.mark.parametrize(
    ("type_", "avro"),
    [
        ("null", 0),
        ("boolean", 1),
        ("int", 2**31),
        ("int", True),
        ("int", 1.0),
        ("long", 2**63),
        ("float", 1e39),
        ("double", "one"),
        ("double", 10**400),
        ("string", None),
        ("bytes", "\u0100"),
        ({"type": "fixed", "name": "F", "size": 2}, "a"),
        ({"type": "enum", "name": "E", "symbols": ["A"]}, "B"),
        ({"type": "array", "items": "int"}, {}),
        ({"type": "array", "items": "int"}, [None]),
        ({"type": "map", "values": "int"}, []),
        (logical("string", "uuid"), "no"),
        (logical("long", "timestamp-micros"), 2**62),
        (logical("int", "time-millis"), -1),
        (logical("bytes", "json"), "{"),
        (logical("bytes", "json"), "NaN"),
        (["null", "string"], 1),
        (POINT, {}),
        (POINT, {"x": 1, "z": 2}),
    ],
)
def test_a_default_that_does_not_fit_is_refused(type_: Any, avro: Any) -> None:
    """A default of the wrong type or out of range is an error that names the field."""
    with pytest.raises(SchemaSyntaxError, match=r"default of T\.f") as caught:
        parse(type_, avro)
    field = json.dumps({"name": "f", "type": type_, "default": avro})
    before = '{"type": "record", "name": "T", "fields": ['
    column = len(before) + len(field) - len(json.dumps(avro))
    assert caught.value.where == f"t.avsc:1:{column}"


def test_defaults_that_double_at_each_level_are_refused() -> None:
    """Records whose defaults hold each other twice over do not fill the memory."""
    fields: list[Any] = []
    inner: Any = "int"
    for level in range(40):
        default: Any = {} if level else 0
        pair = [{"name": name, "type": inner, "default": default} for name in "ab"]
        record: dict[str, Any] = {"type": "record", "name": f"L{level}", "fields": pair}
        fields.append({"name": f"f{level}", "type": record})
        inner = f"L{level}"
    fields.append({"name": "all", "type": inner, "default": {}})
    document = {"type": "record", "name": "T", "fields": fields}
    with pytest.raises(SchemaSyntaxError, match="more than"):
        parse_avro(json.dumps(document), subject="t", version=1, where="t.avsc")
