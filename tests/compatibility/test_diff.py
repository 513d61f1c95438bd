from __future__ import annotations

from compatibility.make import avro, broken, kinds, line, proto

from instar.codec.compatibility import diff

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
    assert change.what == "GREEN was added"
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
