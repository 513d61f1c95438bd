from __future__ import annotations

from typing import Any

import pytest
from compatibility.make import avro, broken, kinds, line, message, proto
from compatibility.pairs import BODIES, FIELDS, TYPES

from instar.codec.compatibility import Change, diff

COLOURS = {"type": "enum", "name": "Colour", "symbols": ["RED", "BLUE"]}
MORE = {"type": "enum", "name": "Colour", "symbols": ["RED", "BLUE", "GREEN"]}
TYPED = ("avro", "json", "msgpack")


def test_equal_versions_have_no_changes() -> None:
    """Versions that say the same have no changes, whatever their docs say."""
    older = avro(1, {"a": "int"}, doc="old")
    assert diff(older, avro(2, {"a": "int"}, doc="new")) == ()


def test_added_with_a_default_breaks_nothing() -> None:
    """A field with a default can be added: every reader passes over it or fills it in."""
    older, newer = line({"a": "int"}, {"a": "int", "b": {"type": "string", "default": ""}})
    assert kinds(diff(older, newer)) == [("field-added", "job.b")]
    assert broken(older, newer) == set()


def test_added_without_a_default_breaks_backward() -> None:
    """Without a default, newer readers of the formats that go by names refuse older bytes."""
    older, newer = line({"a": "int"}, {"a": "int", "b": "string"})
    assert broken(older, newer) == {(name, "backward", "layout") for name in TYPED}
    (change,) = diff(older, newer)
    assert change.source == "code that makes the record must give it"


def test_removed_breaks_older_readers_that_need_it() -> None:
    """Removing a field without a default breaks older readers; code that uses it breaks too."""
    older, newer = line({"a": "int", "b": "string"}, {"a": "int"})
    assert broken(older, newer) == {(name, "forward", "layout") for name in TYPED}
    (change,) = diff(older, newer)
    assert change.source == "code that uses b fails"


def test_renamed_by_alias() -> None:
    """Avro follows an alias to older bytes; JSON does not, and Protobuf goes by number."""
    renamed = {"type": "int", "aliases": ["a"]}
    older, newer = line({"a": "int"}, {"b": renamed})
    assert kinds(diff(older, newer)) == [("field-renamed", "job.b")]
    assert broken(older, newer) == {
        ("avro", "forward", "layout"),
        *(("json", way, "layout") for way in ("backward", "forward")),
        *(("msgpack", way, "layout") for way in ("backward", "forward")),
    }


def test_renamed_with_its_key_kept() -> None:
    """A JSON key of its own keeps a renamed field readable in the text formats."""
    renamed = {"type": "int", "aliases": ["a"], "json": "a"}
    assert {b[0] for b in broken(*line({"a": "int"}, {"b": renamed}))} == {"avro"}


def test_renamed_by_number() -> None:
    """In Protobuf a field with a new name under its number is renamed, and reads the same."""
    older, newer = proto(1, "int32 a = 1;"), proto(2, "int32 b = 1;")
    assert kinds(diff(older, newer)) == [("field-renamed", "job.b")]
    assert "protobuf" not in {b[0] for b in broken(older, newer)}


def test_number_changed() -> None:
    """A field that takes another number loses its value in Protobuf, both ways."""
    older, newer = proto(1, "int32 a = 1;"), proto(2, "int32 a = 2;")
    assert kinds(diff(older, newer)) == [("number-changed", "job.a")]
    assert broken(older, newer) == {
        ("protobuf", "backward", "value"),
        ("protobuf", "forward", "value"),
    }


def test_key_changed() -> None:
    """Another JSON key is a change of the text formats alone."""
    keyed = {"type": "int", "json": "A"}
    older, newer = line({"a": "int"}, {"a": keyed})
    assert kinds(diff(older, newer)) == [("key-changed", "job.a")]
    assert {b[0] for b in broken(older, newer)} == {"json", "msgpack"}


def test_reordered() -> None:
    """Fields in another order are a change that breaks nothing."""
    older, newer = line({"a": "int", "b": "int"}, {"b": "int", "a": "int"})
    assert kinds(diff(older, newer)) == [("fields-reordered", "job")]
    assert broken(older, newer) == set()


def test_default_changed() -> None:
    """A default that changed is told, and breaks no reader of what was written."""
    fields = [{"a": {"type": "int", "default": number}} for number in (1, 2)]
    older, newer = line(*fields)
    (change,) = diff(older, newer)
    assert (change.kind, change.what) == ("default-changed", "its default was 1 and is 2")
    assert change.breaks == ()


def test_widened_breaks_forward_alone() -> None:
    """An int that became a long is read by newer readers, and not always by older ones."""
    older, newer = line({"a": "int"}, {"a": "long"})
    assert {b[1] for b in broken(older, newer)} == {"forward"}
    (change,) = diff(older, newer)
    assert change.what == "it was int and is long"
    assert change.source == ""


def test_inner_types_have_paths() -> None:
    """A change inside lists and maps is named where it is."""
    older, newer = line(
        {"a": {"type": "array", "items": {"type": "map", "values": "int"}}},
        {"a": {"type": "array", "items": {"type": "map", "values": "long"}}},
    )
    assert kinds(diff(older, newer)) == [("type-changed", "job.a[][*]")]


def test_became_optional() -> None:
    """Null that is newly allowed breaks older readers that meet one, where formats tell it."""
    older, newer = line({"a": "int"}, {"a": ["null", "int"]})
    assert kinds(diff(older, newer)) == [("became-optional", "job.a")]
    assert broken(older, newer) == {(name, "forward", "layout") for name in TYPED}


def test_became_required() -> None:
    """Null that is no longer allowed breaks newer readers of older states."""
    older, newer = line({"a": ["null", "int"]}, {"a": "int"})
    assert kinds(diff(older, newer)) == [("became-required", "job.a")]
    assert broken(older, newer) == {(name, "backward", "layout") for name in TYPED}


def test_symbol_added() -> None:
    """A new symbol breaks older readers; the hint of Avro is the missing default."""
    older, newer = line({"a": COLOURS}, {"a": MORE})
    (change,) = diff(older, newer)
    assert change.what == "the symbol GREEN was added"
    assert {b.why for b in change.broken("avro", "forward")} == {
        "the reader does not know GREEN, and its enum has no default"
    }
    assert "protobuf" not in {b.format for b in change.breaks}


def test_symbol_removed() -> None:
    """A removed symbol breaks newer readers, and code that uses it."""
    (change,) = diff(*line({"a": MORE}, {"a": COLOURS}))
    assert change.kind == "symbol-removed"
    assert {b.direction for b in change.breaks} == {"backward"}
    assert change.source == "code that uses GREEN fails"


def test_symbol_renamed_and_renumbered() -> None:
    """Protobuf symbols are the same by number; one that moved has another meaning."""
    older = proto(1, "enum E { A = 0; B = 1; C = 2; } message Job { E e = 1; }")
    newer = proto(2, "enum E { Z = 0; B = 2; C = 1; } message Job { E e = 1; }")
    found = kinds(diff(older, newer))
    assert ("symbol-renamed", "job.e") in found
    assert found.count(("symbol-renumbered", "job.e")) == 2


def test_branches() -> None:
    """Branches of a union that came and went break the side that does not know them."""
    older, newer = line({"a": ["string", "int"]}, {"a": ["string", "boolean"]})
    found = {change.kind: change for change in diff(older, newer)}
    assert set(found) == {"branch-added", "branch-removed"}
    assert {b.direction for b in found["branch-added"].breaks} == {"forward"}
    assert {b.direction for b in found["branch-removed"].breaks} == {"backward"}


def test_branch_that_gets_a_box() -> None:
    """A branch that another one makes ambiguous looks otherwise in JSON: that is a change."""
    older, newer = line({"a": ["string", "int"]}, {"a": ["string", "int", "bytes"]})
    found = [change for change in diff(older, newer) if change.kind == "branch-changed"]
    assert [change.path for change in found] == ["job.a<string>"]
    assert {b.format for b in found[0].breaks} == {"json", "msgpack"}


def test_named_type_renamed() -> None:
    """A record under another name breaks Avro, unless the reader has an alias for it."""

    def inner(name: str, **more: object) -> dict[str, object]:
        return {"type": "record", "name": name, "fields": [], **more}

    older, newer = line({"a": inner("X")}, {"a": inner("Y", aliases=["X"])})
    (change,) = diff(older, newer)
    assert change.kind == "type-renamed"
    assert [(b.format, b.direction) for b in change.breaks] == [("avro", "forward")]


def test_recursive_types_end() -> None:
    """A type that holds itself is compared once."""
    node = {
        "type": "record",
        "name": "Node",
        "fields": [{"name": "next", "type": ["null", "Node"]}],
    }
    grown = {**node, "fields": [*node["fields"], {"name": "v", "type": "int"}]}
    assert kinds(diff(*line({"a": node}, {"a": grown}))) == [("field-added", "job.a.v")]


def only(older: Any, newer: Any) -> Change:
    (change,) = diff(older, newer)
    return change


def whys(change: Change, format_: str) -> set[str]:
    return {found.why for found in change.breaks if found.format == format_}


@pytest.mark.parametrize(
    ("name", "what"),
    [
        (
            "fewer digits",
            "it was decimal of precision 6 and scale 2 and is decimal of precision 4 and scale 2",
        ),
        ("millis to micros", "it was timestamp in millis and is timestamp in micros"),
        ("another length", "it was fixed F of 4 bytes and is fixed F of 5 bytes"),
        ("fixed to duration", "it was fixed F of 12 bytes and is calendar-duration"),
        ("record to json", "it was record I and is json"),
    ],
)
def test_types_are_told_so_that_they_differ(name: str, what: str) -> None:
    """What a type was and is are never the same words."""
    before, after = TYPES[name]
    assert only(*line({"a": before}, {"a": after})).what == what


@pytest.mark.parametrize(
    ("name", "what", "why"),
    [
        (
            "keys of a map",
            "it was map of string by int and is map of string by long",
            {"int64 beyond int32 is cut"},
        ),
        (
            "a wrapper is widened",
            "it was optional int (Int32Value) and is optional long (Int64Value)",
            {"int64 beyond int32 is cut"},
        ),
        (
            "unset stands for something else",
            "its default was 5 and is 3",
            {"what was not written is read as the other default"},
        ),
        (
            "optional becomes required",
            "null is no longer allowed: it was optional int and is int",
            {"the reader requires it"},
        ),
        (
            "a message becomes a group",
            "its encoding was the usual one and is delimited",
            {"a message between two tags is not read as one behind its length"},
        ),
        (
            "a case takes another number",
            "its number was 2 and is 3",
            {"the reader finds no branch under its number"},
        ),
    ],
)
def test_what_protobuf_makes_of_it(name: str, what: str, why: set[str]) -> None:
    """A change that only Protobuf has is told with what it was, what it is, and what it breaks."""
    before, after = BODIES[name]
    change = only(message(1, before), message(2, after))
    assert change.what == what
    assert whys(change, "protobuf") == why


def test_keys_that_swap() -> None:
    """Two fields whose JSON keys swap take each other's values, without a word from a parser."""
    first, second = diff(*line(*FIELDS["keys that swap"]))
    assert first.what == "its JSON key was x and is y"
    assert {(b.format, b.direction, b.aspect) for b in first.breaks} == {
        (format_, way, "value")
        for format_ in ("json", "msgpack")
        for way in ("backward", "forward")
    }
    assert whys(first, "json") == {"it takes the value of b"}
    assert whys(second, "json") == {"it takes the value of a"}


def test_swapped_numbers_name_the_field_that_is_read() -> None:
    """Two fields whose numbers swap are told with the field whose value is taken."""
    first, _ = diff(proto(1, "int32 a = 1; int32 b = 2;"), proto(2, "int32 a = 2; int32 b = 1;"))
    assert whys(first, "protobuf") == {
        "it takes the value of b, whose number was 2",
        "it takes the value of b, whose number was 1",
    }


def test_a_default_that_went_away() -> None:
    """Without its default a field has to be given; that is a break of code, and of no bytes."""
    change = only(*line({"a": {"type": "int", "default": 1}}, {"a": "int"}))
    assert change.what == "its default was 1 and is none"
    assert (change.breaks, change.source) == ((), "code that makes the record must give it")


def test_added_tells_the_default() -> None:
    """A field that was added is told with its default."""
    newer = {"a": "int", "b": {"type": "string", "default": "x"}}
    assert only(*line({"a": "int"}, newer)).what == 'string was added, with the default "x"'


def test_order_tells_what_moved() -> None:
    """Of an order that changed, the part from the first field that moved to the last is told."""
    before = dict.fromkeys("abcde", "int")
    after = dict.fromkeys("acbde", "int")
    assert only(*line(before, after)).what == "the order was b, c and is c, b"


def test_symbol_that_moved_is_told_as_what_it_is_read() -> None:
    """A symbol under another number is told with the one that is read in its place."""
    found = diff(*(message(at, BODIES["symbols that swap"][at - 1]) for at in (1, 2)))
    assert [change.what for change in found] == [
        "the number of B was 1 and is 2",
        "the number of C was 2 and is 1",
    ]
    assert whys(found[0], "protobuf") == {"B is read as C"}


def test_a_branch_that_avro_wraps() -> None:
    """A case of a oneof that Avro needs a record for, and then does not, breaks Avro both ways."""
    found = diff(
        *(message(at, BODIES["a case whose type Avro cannot tell"][at - 1]) for at in (1, 2))
    )
    (change,) = [c for c in found if "in Avro" in c.what]
    assert (change.path, change.what) == ("job.o<a>", "in Avro it was AValue and is bare")
    assert {
        b.direction for b in change.broken("avro", "backward") + change.broken("avro", "forward")
    } == {
        "backward",
        "forward",
    }


def test_a_field_that_no_reader_finds() -> None:
    """What a reader looks for is named: the name in Avro, the key in JSON."""
    older, newer = line(
        {"a": {"type": "int", "json": "A"}}, {"b": {"type": "int", "aliases": ["a"]}}
    )
    change = only(older, newer)
    finds_no = "the reader finds no {}, and has no default for it"
    assert whys(change, "avro") == {finds_no.format("a")}
    assert whys(change, "json") == {finds_no.format("A"), finds_no.format("b")}


def test_marked_as_a_vector() -> None:
    """The mark breaks nobody who reads bytes, and code that takes the field for a list."""
    plain = {"type": "array", "items": "float"}
    older, newer = line({"a": plain}, {"a": {**plain, "vector": True}})
    (change,) = diff(older, newer)
    assert (change.kind, change.path, change.breaks) == ("vector-changed", "job.a", ())
    assert change.source == "list of float became vector of floats in Python"
    assert change.what == "it was a list of float and is a vector of floats"


def test_a_wider_vector() -> None:
    """The numbers are judged as those of a list are."""
    older, newer = (
        avro(number, {"a": {"type": "array", "items": items, "vector": True}})
        for number, items in enumerate(("float", "double"), 1)
    )
    assert kinds(diff(older, newer)) == [("vector-changed", "job.a"), ("type-changed", "job.a[]")]
