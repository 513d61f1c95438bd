from __future__ import annotations

from pathlib import Path

import pytest
from schemas.lock.subjects import breaches, field, freeze, write, write_avro, write_proto

ENUM = "enum E { A = 0; B = 1; }"


def kinds(folder: Path) -> list[str]:
    return [breach.kind for breach in breaches(folder)]


def second(folder: Path, first: str, body: str, more: str = "", before: str = "") -> list[str]:
    """The breaches of a version ``body`` after the release of one that is ``first``."""
    write_proto(folder, 1, first, before or more)
    freeze(folder)
    write_proto(folder, 2, body, more)
    return kinds(folder)


@pytest.mark.parametrize(
    ("first", "body"),
    [
        ("int32 a = 1;", "int32 a = 1; string b = 2;"),
        ("int32 a = 1; int32 b = 2;", "int32 a = 1;"),
        ("int32 a = 1;", "int32 renamed = 1;"),
        ("int32 a = 1;", "int64 a = 1;"),
        ("string a = 1;", "bytes a = 1;"),
        ("fixed32 a = 1;", "sfixed32 a = 1;"),
        ("int32 a = 1;", "optional int32 a = 1;"),
        ("int32 a = 1;", "oneof which { int32 a = 1; string b = 2; }"),
        ("int32 a = 1;", "E a = 1;"),
        ("T a = 1;", "T a = 1;"),
    ],
)
def test_what_protobuf_allows_is_no_breach(tmp_path: Path, first: str, body: str) -> None:
    """Adding, removing, renaming, and types that are written alike take nothing away."""
    assert second(tmp_path, first, body, ENUM) == []


@pytest.mark.parametrize(
    ("first", "body"),
    [
        ("int32 a = 1;", "string a = 1;"),
        ("int32 a = 1;", "sint32 a = 1;"),
        ("int32 a = 1;", "fixed32 a = 1;"),
        ("int32 a = 1;", "repeated int32 a = 1;"),
        ("int32 a = 1;", "string renamed = 1;"),
        ("float a = 1;", "double a = 1;"),
        ("T a = 1;", "M a = 1;"),
        ("M a = 1;", "string a = 1;"),
        ("map<string, int32> a = 1;", "map<string, string> a = 1;"),
    ],
)
def test_another_type_under_a_number_is_a_breach(tmp_path: Path, first: str, body: str) -> None:
    """A number whose bytes would read as something else names both types."""
    more = "message M { int32 x = 1; T t = 2; }"
    assert second(tmp_path, first, body, more) == ["type-changed"]


GROUP = "optional group G = 1 { optional int32 x = 1; }"
MESSAGE = "message G { optional int32 x = 1; } optional G g = 1;"
CASE = "oneof which { group G = 1 { optional int32 x = 1; } }"


def write_proto2(folder: Path, version: int, body: str) -> None:
    write(folder, f"v{version}.proto", f'syntax = "proto2";\nmessage T {{ {body} }}\n')


@pytest.mark.parametrize(
    ("first", "body", "found"),
    [
        (GROUP, MESSAGE, ["type-changed"]),
        (MESSAGE, GROUP, ["type-changed"]),
        (CASE, MESSAGE, ["type-changed"]),
        (GROUP, MESSAGE.replace("G g", "G renamed"), ["type-changed"]),
        (GROUP, GROUP, []),
        (GROUP, CASE, []),
        ("repeated int32 a = 1;", "repeated int32 a = 1 [packed = true];", []),
    ],
)
def test_a_group_is_no_message(tmp_path: Path, first: str, body: str, found: list[str]) -> None:
    """A group and a message are written in different ways; a list may be packed or not."""
    write_proto2(tmp_path, 1, first)
    freeze(tmp_path)
    write_proto2(tmp_path, 2, body)
    assert kinds(tmp_path) == found


def test_a_removed_group_does_not_come_back_as_a_message(tmp_path: Path) -> None:
    """The name and the number of a removed group are not those of a message."""
    write_proto2(tmp_path, 1, f"{GROUP} optional int32 a = 2;")
    write_proto2(tmp_path, 2, "optional int32 a = 2;")
    freeze(tmp_path)
    write_proto2(tmp_path, 3, f"{MESSAGE} optional int32 a = 2;")
    (breach,) = breaches(tmp_path)
    assert breach.kind == "name-reused"
    assert "the type delimited" in breach.what


def test_a_number_in_use_is_not_taken_by_another_field(tmp_path: Path) -> None:
    """Swapping the numbers of two fields is found for each."""
    found = second(tmp_path, "int32 a = 1; int32 b = 2;", "int32 a = 2; int32 b = 1;")
    assert found == ["number-changed", "number-changed"]


def test_the_number_of_a_removed_field_is_taken(tmp_path: Path) -> None:
    """A field that takes the number of one that was removed is told the next free number."""
    write_proto(tmp_path, 1, "int32 a = 1; int32 b = 5;")
    write_proto(tmp_path, 2, "int32 a = 1;")
    freeze(tmp_path)
    write_proto(tmp_path, 3, "int32 a = 1; int32 c = 5;")
    (breach,) = breaches(tmp_path)
    assert breach.kind == "number-reused"
    assert "T.c" in breach.what
    assert "T.b in version 1" in breach.what
    assert breach.mend.startswith("take 6")
    assert breach.where == str(tmp_path / "t" / "v3.proto")


def test_a_number_that_moves_to_a_new_field_is_taken(tmp_path: Path) -> None:
    """A field that keeps its name but not its number leaves nothing to its successor."""
    found = second(tmp_path, "int32 a = 1;", "int32 b = 1; int32 a = 2;")
    assert found == ["number-reused", "number-changed"]


def test_the_number_of_a_symbol_is_taken(tmp_path: Path) -> None:
    """Symbols keep their numbers; a new name may have one only if the old name is gone."""
    found = second(tmp_path, "E e = 1;", "E e = 1;", "enum E { A = 0; C = 1; B = 2; }", before=ENUM)
    assert sorted(found) == ["number-changed", "number-reused"]


def test_a_removed_name_comes_back_as_it_was(tmp_path: Path) -> None:
    """A field that was removed may return with its number and type."""
    write_proto(tmp_path, 1, "int32 a = 1; int32 b = 5;")
    write_proto(tmp_path, 2, "int32 a = 1;")
    freeze(tmp_path)
    write_proto(tmp_path, 3, "int32 a = 1; int32 b = 5;")
    assert kinds(tmp_path) == []


@pytest.mark.parametrize("returned", ["int32 b = 6;", "int64 b = 5;", "string b = 5;"])
def test_a_removed_name_comes_back_as_something_else(tmp_path: Path, returned: str) -> None:
    """A removed name with another number or type says when it was removed, and what it was."""
    write_proto(tmp_path, 1, "int32 a = 1; int32 b = 5;")
    write_proto(tmp_path, 2, "int32 a = 1;")
    freeze(tmp_path)
    write_proto(tmp_path, 3, f"int32 a = 1; {returned}")
    (breach,) = breaches(tmp_path)
    assert breach.kind == "name-reused"
    assert "removed in version 2" in breach.what
    assert "number 5 and the type int" in breach.what


@pytest.mark.parametrize(("type_", "found"), [("string", []), ("int", ["name-reused"])])
def test_a_removed_name_of_an_avro_record(tmp_path: Path, type_: str, found: list[str]) -> None:
    """The same holds where the numbers are ours: the type must be what it was."""
    write_avro(tmp_path, 1, "a", "b")
    write_avro(tmp_path, 2, "a")
    freeze(tmp_path)
    write_avro(tmp_path, 3, "a", {"name": "b", "type": type_})
    assert kinds(tmp_path) == found


def test_a_name_that_a_rename_gave_up_is_taken(tmp_path: Path) -> None:
    """The former name of a field is not the name of a new one."""
    write_avro(tmp_path, 1, "a")
    write_avro(tmp_path, 2, field("b", "string", "a"))
    freeze(tmp_path)
    write_avro(tmp_path, 3, field("b", "string", "a"), "a")
    assert kinds(tmp_path) == ["name-reused"]


def test_avro_types_may_change_under_numbers_that_are_ours(tmp_path: Path) -> None:
    """Only instar reads numbers that it gave, and it reads with the writer's schema."""
    write_avro(tmp_path, 1, {"name": "a", "type": "int"})
    freeze(tmp_path)
    write_avro(tmp_path, 2, {"name": "a", "type": "string"})
    assert kinds(tmp_path) == []


def test_a_renamed_root_is_the_same_message(tmp_path: Path) -> None:
    """The numbers of the root are taken, whatever it is called."""
    write_avro(tmp_path, 1, "a", "b")
    write_avro(tmp_path, 2, "a")
    freeze(tmp_path)
    write_avro(tmp_path, 3, "a", {"name": "b", "type": "int"}, name="New")
    assert kinds(tmp_path) == ["name-reused"]


def test_released_versions_are_no_breach_any_more(tmp_path: Path) -> None:
    """What was released anyway is not told again, and nothing is told without a release."""
    write_proto(tmp_path, 1, "int32 a = 1;")
    write_proto(tmp_path, 2, "string a = 1;")
    assert kinds(tmp_path) == []
    freeze(tmp_path)
    assert kinds(tmp_path) == []


@pytest.mark.parametrize(
    ("fields", "what"),
    [
        (["a"], "T.a had the number 5 in version 1, and has 1 here"),
        (["c"], "the number 1, of T.c, is that of T.b in version 1"),
    ],
)
def test_an_avsc_is_not_asked_to_state_a_number(
    tmp_path: Path, fields: list[str], what: str
) -> None:
    """After versions in .proto, numbers of an .avsc differ, and only a .proto can state them."""
    write_proto(tmp_path, 1, "string a = 5; string b = 1;")
    write_proto(tmp_path, 2, "string a = 5;")
    freeze(tmp_path)
    write_avro(tmp_path, 3, *fields)
    (breach,) = breaches(tmp_path)
    assert breach.what == what.replace("5 in version 1", "5 in version 2")
    assert "write the version as a .proto" in breach.mend
