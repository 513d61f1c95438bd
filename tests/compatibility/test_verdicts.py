from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from compatibility.make import avro, kinds, line, proto, ran

from instar.codec.compatibility import (
    Direction,
    Reading,
    Settings,
    diff,
    run,
    verdict,
    verdicts,
)
from instar.codec.subject import Subject
from instar.errors import MissingExtra
from instar.migrations import Migration, compute
from instar.schemas.model import Enum, Field, Record, Reference, Schema, Symbol

BOTH: tuple[Direction, ...] = ("backward", "forward")


def test_each_step_holds_and_the_chain_does_not() -> None:
    """EVO-1: the newest version is held against every earlier one, and the pair is named."""
    versions = line(
        {"f1": "int"},
        {"f1": "int", "f2": {"type": "string", "default": "t"}},
        {"f1": "int", "f2": "string"},
    )
    for older, newer in pairwise(versions):
        assert all(v.compatible for v in verdict(older, newer, "BACKWARD", "avro"))
    found = verdicts(versions, "BACKWARD_TRANSITIVE", "avro")
    assert [(v.older, v.newer, v.compatible) for v in found] == [(2, 3, True), (1, 3, False)]
    assert [change.path for change in found[1].changes] == ["job.f2"]


def test_instar_reads_the_chain_through_its_versions() -> None:
    """EVO-1: instar takes the default of version 2 on the way, so the same chain holds."""
    versions = line(
        {"f1": "int"},
        {"f1": "int", "f2": {"type": "string", "default": "t"}},
        {"f1": "int", "f2": "string"},
    )
    found = verdicts(versions, "BACKWARD_TRANSITIVE", "instar", Settings(Subject(versions)))
    assert [v.compatible for v in found] == [True, True]


def enum(*symbols: str, **more: Any) -> dict[str, Any]:
    return {"type": "enum", "name": "E", "symbols": [*symbols], **more}


def test_default_of_the_field_does_not_help_an_enum() -> None:
    """EVO-2: an unknown symbol needs a default of the enum; that of the field is not taken."""
    older = avro(1, {"e": {"type": enum("A", "B"), "default": "A"}})
    newer = avro(2, {"e": {"type": enum("A", "B", "C"), "default": "A"}})
    found = ran(older, newer, "forward", "avro")
    assert not found.layout
    assert "C" in str(found.failures[0].value)


def test_default_of_an_enum_is_another_value() -> None:
    """EVO-2: with a default of its own it reads, and the verdict says that the value changed."""
    older = avro(1, {"e": enum("A", "B", default="A")})
    newer = avro(2, {"e": enum("A", "B", "C", default="A")})
    found = ran(older, newer, "forward", "avro")
    assert found.layout
    assert not found.compatible
    assert found.failures[0].what == "e: 'C' is read as 'A'"


def test_unknown_number_of_an_enum() -> None:
    """EVO-4: Protobuf keeps the number of a symbol that it does not know; JSON refuses it."""
    older = proto(1, "enum E { A = 0; B = 1; } message Job { repeated E e = 1; }")
    newer = proto(2, "enum E { A = 0; B = 1; C = 3; } message Job { repeated E e = 1; }")
    assert ran(older, newer, "forward", "protobuf").compatible
    assert not ran(older, newer, "forward", "json").layout


def test_symbol_that_moved() -> None:
    """EVO-4: a symbol that takes another number is read as the one that had it."""
    older = proto(1, "enum E { A = 0; B = 1; C = 2; } message Job { E e = 1; }")
    newer = proto(2, "enum E { A = 0; B = 2; C = 1; } message Job { E e = 1; }")
    found = ran(older, newer, "backward", "protobuf")
    assert found.layout
    assert not found.compatible


def test_zeros_of_a_list_are_values() -> None:
    """EVO-6: a packed list of zeros is written, so another wire type does not parse it."""
    older, newer = proto(1, "repeated int32 a = 1;"), proto(2, "fixed64 a = 1;")
    assert not ran(older, newer, "backward", "protobuf").layout


def test_number_reused_with_another_type() -> None:
    """EVO-5: a known number of another wire type is bytes that do not parse, not a zero."""
    older, newer = proto(1, "int64 id = 1;"), proto(2, "string id = 1;")
    for direction in BOTH:
        found = ran(older, newer, direction, "protobuf")
        assert not found.layout
        assert found.failures[0].what == "1: the bytes of a known number are of another wire type"


def test_removed_number_reused() -> None:
    """EVO-5: a number that comes back as another field gives it the old one's values."""
    older, newer = proto(1, "int32 old = 4;"), proto(3, "bool new = 4; int32 kept = 1;")
    found = ran(older, newer, "backward", "protobuf")
    assert found.layout
    assert not found.compatible


NARROWINGS = {
    "int64 to int32": ("int64 a = 1;", "int32 a = 1;", True),
    "int32 to bool": ("int32 a = 1;", "bool a = 1;", True),
    "bytes to string": ("bytes a = 1;", "string a = 1;", False),
    "optional to repeated": ("optional string a = 1;", "repeated string a = 1;", True),
    "two fields into a oneof": (
        "int32 a = 1; int32 b = 2;",
        "oneof o { int32 a = 1; int32 b = 2; }",
        True,
    ),
    "int32 to sint32": ("int32 a = 1;", "sint32 a = 1;", True),
    "int32 to fixed32": ("int32 a = 1;", "fixed32 a = 1;", False),
}


@pytest.mark.parametrize("name", NARROWINGS)
def test_compatible_on_the_wire_is_not_compatible(name: str) -> None:
    """EVO-6: what parses and what keeps its value are two verdicts."""
    before, after, layout = NARROWINGS[name]
    found = ran(proto(1, before), proto(2, after), "backward", "protobuf")
    assert found.layout is layout
    assert not found.compatible


SAFE = {
    "int32 to int64": ("int32 a = 1;", "int64 a = 1;"),
    "bool to int32": ("bool a = 1;", "int32 a = 1;"),
    "string to bytes": ("string a = 1;", "bytes a = 1;"),
    "enum to int32": ("enum E { A = 0; B = 1; } message Job { E a = 1; }", "int32 a = 1;"),
    "one field into a oneof": ("int32 a = 1;", "oneof o { int32 a = 1; string b = 2; }"),
    "required to optional": ("int32 a = 1;", "optional int32 a = 1;"),
    "packed to a wider list": ("repeated int32 a = 1;", "repeated int64 a = 1;"),
}


@pytest.mark.parametrize("name", SAFE)
def test_compatible_on_the_wire(name: str) -> None:
    """EVO-6: what Protobuf's guide calls safe gives every value back."""
    before, after = SAFE[name]
    assert ran(proto(1, before), proto(2, after), "backward", "protobuf").compatible


PROMOTIONS = {
    "inside a nullable union": (["null", "int"], ["null", "double"]),
    "into a union": ("int", ["string", "long"]),
    "an exact match before a promotion": ("long", ["float", "long"]),
    "string to bytes": ("string", "bytes"),
    "float to double": ("float", "double"),
}


@pytest.mark.parametrize("name", PROMOTIONS)
def test_promotions(name: str) -> None:
    """EVO-8: Avro promotes a type, in unions too, and the value stays."""
    before, after = PROMOTIONS[name]
    assert ran(avro(1, {"u": before}), avro(2, {"u": after}), "backward", "avro").compatible


def test_aliases_take_the_namespace() -> None:
    """EVO-10: an alias without a dot is in the namespace of its type."""

    def schema(version: int, inner: dict[str, Any]) -> Any:
        return avro(version, {"a": {"type": "record", "fields": [], **inner}}, namespace="com.x")

    older = schema(1, {"name": "Old"})
    assert ran(older, schema(2, {"name": "New", "aliases": ["Old"]}), "backward", "avro").compatible
    other = schema(2, {"name": "New", "aliases": ["com.y.Other"]})
    assert not ran(older, other, "backward", "avro").layout


def test_chain_of_aliases() -> None:
    """EVO-10: a field renamed twice is read from its first name, if the alias is kept."""
    versions = line(
        {"a": "int"},
        {"b": {"type": "int", "aliases": ["a"]}},
        {"c": {"type": "int", "aliases": ["b", "a"]}},
    )
    assert all(v.compatible for v in verdicts(versions, "BACKWARD_TRANSITIVE", "avro"))
    dropped = avro(3, {"c": {"type": "int", "aliases": ["b"]}})
    found = verdicts((*versions[:2], dropped), "BACKWARD_TRANSITIVE", "avro")
    assert [(v.older, v.compatible) for v in found] == [(2, True), (1, False)]


def test_required_field_of_an_inner_record() -> None:
    """EVO-12: a required field that an inner record gains is found there, by its path."""

    def schema(version: int, *fields: str) -> Any:
        listed = [{"name": name, "type": "int"} for name in fields]
        inner = {"type": "record", "name": "In", "fields": listed}
        return avro(version, {"a": {"type": "array", "items": inner}})

    found = ran(schema(1, "x"), schema(2, "x", "y"), "backward", "avro")
    assert not found.layout
    assert kinds(found.changes) == [("field-added", "job.a[].y")]
    assert {failure.place for failure in found.failures} == {"In"}


def split(name: str) -> tuple[str, str]:
    first, _, last = name.partition(" ")
    return first, last


def join(first: str, last: str) -> str:
    return f"{first} {last}"


def test_compute_bridges_a_break() -> None:
    """A field that a migration splits is a break to plain readers, and none to instar."""
    older, newer = line({"name": "string"}, {"first": "string", "last": "string"})
    step = Migration(
        "job", 1, 2, compute(reads="name", writes=("first", "last"), up=split, down=join)
    )
    assert not run(older, newer, "backward", "avro").compatible
    settings = Settings(Subject([older, newer], [step]))
    assert all(v.compatible for v in verdict(older, newer, "FULL", "instar", settings))


def test_function_that_fails_is_found() -> None:
    """A migration's function that cannot take every state is found, with the state."""
    older, newer = line({"a": "int"}, {"b": "double"})
    step = Migration("job", 1, 2, compute(reads="a", writes="b", up=lambda a: 1 / a, down=int))
    (found,) = verdict(
        older, newer, "BACKWARD", "instar", Settings(Subject([older, newer], [step]))
    )
    assert not found.compatible
    assert found.failures[0].value.a == 0


def test_unlinked_versions_are_not_read_by_instar() -> None:
    """Two versions that nothing joins fail without any value."""
    found = run(avro(1, {"a": "int"}), avro(2, {"a": "boolean"}), "backward", "instar")
    assert found.failures[0].value is None
    assert not found.compatible


MODES = {
    "NONE": [],
    "BACKWARD": [(2, "backward")],
    "FORWARD": [(2, "forward")],
    "FULL": [(2, "backward"), (2, "forward")],
    "BACKWARD_TRANSITIVE": [(2, "backward"), (1, "backward")],
    "FORWARD_TRANSITIVE": [(2, "forward"), (1, "forward")],
    "FULL_TRANSITIVE": [(2, "backward"), (2, "forward"), (1, "backward"), (1, "forward")],
}


@pytest.mark.parametrize("mode", MODES)
def test_modes(mode: Any) -> None:
    """Each mode asks for its directions, of the version before or of every earlier one."""
    found = verdicts(line({"a": "int"}, {"a": "int"}, {"a": "int"}), mode, "msgpack")
    assert [(v.older, v.direction) for v in found] == MODES[mode]
    assert all(v.newer == 3 for v in found)


# Avro refuses a long for an int whatever its value.
@pytest.mark.parametrize("reading", ["protobuf", "json", "msgpack", "instar"])
def test_failing_value_is_shrunk(reading: Reading) -> None:
    """The value that is shown is the simplest: everything else is at its least."""
    older, newer = line({"a": "int", "t": "string"}, {"a": "long", "t": "string"})
    found = run(older, newer, "forward", reading)
    value = found.failures[0].value
    assert abs(value.a) in {2**31, 2**31 + 1}
    assert value.t == ""


def test_verdicts_are_the_same_on_every_run() -> None:
    """Two runs give the same verdict, down to the value."""
    older, newer = line({"a": "long"}, {"a": "double", "b": "string"})
    first, second = (run(older, newer, "backward", "json") for _ in range(2))
    assert repr(first) == repr(second)


def test_format_without_the_schema_is_told() -> None:
    """A format that cannot hold a schema gives a verdict that says so, and no failure."""
    from msgspec.structs import replace  # noqa: PLC0415 - for this test alone

    older, newer = proto(1, "int32 a = 1;"), proto(2, "int32 a = 1;")
    record = newer.record
    bare = replace(record, fields=(replace(record.fields[0], number=None),))
    found = run(older, replace(newer, types={record.name: bare}), "backward", "protobuf")
    assert "no number" in found.refused
    assert not found.compatible


def test_without_hypothesis(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without hypothesis nothing is run, and the error says what to install."""
    import sys  # noqa: PLC0415 - for this test alone

    monkeypatch.setitem(sys.modules, "hypothesis", None)
    older, newer = line({"a": "int"}, {"a": "int"})
    with pytest.raises(MissingExtra, match=r"instar\[test\]"):
        run(older, newer, "backward", "json")
    assert diff(older, newer) == ()


def test_every_symbol_is_tried() -> None:
    """A symbol among very many that the reader lacks is met, whatever random values meet."""
    symbols = tuple(Symbol(f"S{number}", number) for number in range(400))
    record = Record("Job", (Field("kind", Reference("Kind")),))
    newer, older = (
        Schema("job", version, "avro", "Job", {"Job": record, "Kind": Enum("Kind", known)})
        for version, known in ((2, symbols), (1, symbols[:-1]))
    )
    found = run(older, newer, "forward", "avro", Settings(examples=1))
    assert not found.compatible
    assert found.disagreement == ""


@pytest.mark.parametrize("reading", ["json", "msgpack"])
@pytest.mark.parametrize(
    ("wide", "narrow"),
    [
        (
            {"type": "long", "logicalType": "timestamp-micros"},
            {"type": "long", "logicalType": "timestamp-millis"},
        ),
        (
            {"type": "bytes", "logicalType": "decimal", "precision": 6, "scale": 2},
            {"type": "bytes", "logicalType": "decimal", "precision": 4, "scale": 2},
        ),
        (
            {"type": "fixed", "name": "F", "size": 4},
            {"type": "fixed", "name": "F", "size": 5},
        ),
    ],
)
def test_plain_readers_hold_what_they_read_to_its_type(
    reading: Reading, wide: object, narrow: object
) -> None:
    """A value that the reader's own type cannot hold is no value that it reads."""
    older, newer = line({"f": wide}, {"f": narrow})
    assert not run(older, newer, "backward", reading).compatible
