from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from cli.place import Run, write_schema


def documents(folder: Path, *values: Any) -> Path:
    path = folder / "samples.json"
    path.write_text(json.dumps(values))
    return path


def fields(project: Path, version: int = 4) -> dict[str, Any]:
    text = (project / "schemas" / "job" / f"v{version}.avsc").read_text()
    return {field["name"]: field for field in json.loads(text)["fields"]}


@pytest.fixture
def frozen(run: Run, project: Path) -> Path:
    """The project, with every version released."""
    assert run("release", "job").code == 0
    return project


def test_the_next_version_is_a_copy(run: Run, frozen: Path) -> None:
    """The newest schema is copied byte for byte, and the output says what to do with it."""
    done = run("new", "job")
    assert done.code == 0
    folder = frozen / "schemas" / "job"
    assert (folder / "v4.avsc").read_bytes() == (folder / "v3.avsc").read_bytes()
    assert done.out.startswith(f"{Path('schemas') / 'job' / 'v4.avsc'}, from v3.avsc\n")
    assert '"default"' in done.out
    assert "instar release job" in done.out


def test_a_proto_is_copied_too(run: Run, project: Path) -> None:
    """A Protobuf subject gets its next .proto, and the hint speaks of numbers."""
    (project / "schemas" / "p").mkdir()
    (project / "schemas" / "p" / "v1.proto").write_text('syntax = "proto3"; message P {}')
    run("release", "p")
    assert "number that was never used" in run("new", "p").out
    assert (project / "schemas" / "p" / "v2.proto").exists()


def test_an_unreleased_version_is_edited_instead(run: Run, project: Path) -> None:
    """While the newest version is not released there is no next one, but by force."""
    done = run("new", "job")
    assert done.code == 2
    assert "version 3 is not released yet" in done.err
    assert "instar release job" in done.err
    assert run("new", "job", "--force").code == 0
    assert (project / "schemas" / "job" / "v4.avsc").exists()


def test_an_unknown_subject_is_misuse(run: Run, frozen: Path) -> None:
    """A subject that is not there is exit code 2."""
    assert run("new", "nobody").code == 2


@pytest.mark.parametrize("args", [["job", "--from-json"], ["job", "samples.json"]])
def test_files_and_the_option_go_together(run: Run, frozen: Path, args: list[str]) -> None:
    """--from-json without files is misuse, and so are files without it."""
    documents(frozen, {})
    done = run("new", *args)
    assert done.code == 2
    assert "instar new SUBJECT --from-json FILES" in done.err


def test_missing_fields_are_added_as_optional(run: Run, frozen: Path) -> None:
    """What the samples have and the schema lacks is there, null by default, and told."""
    path = documents(
        frozen,
        {"first": "A", "steps": 1, "tags": ["x"], "owner": {"id": 7, "e-mail": "a@b"}},
        {"first": "B", "last": "C", "log": []},
    )
    done = run("new", "job", "--from-json", path)
    assert done.code == 0
    found = fields(frozen)
    assert [*found] == ["first", "last", "steps", "log", "tags", "owner"]
    assert found["tags"]["type"] == ["null", {"type": "array", "items": "string"}]
    assert (found["tags"]["default"], found["tags"]["absent"]) == (None, True)
    assert [field["name"] for field in found["owner"]["type"][1]["fields"]] == ["id", "e_mail"]
    assert "  tags\n  owner\n" in done.out
    assert run("check").code == 0
    assert run("release", "job").code == 0


def test_a_field_within_a_record_of_a_list_is_added(run: Run, project: Path) -> None:
    """Samples are compared at every depth: in lists, maps, optionals and unions."""
    part = {"type": "record", "name": "Part", "fields": [{"name": "id", "type": "string"}]}
    write_schema(
        project / "schemas" / "deep",
        1,
        [
            {"name": "parts", "type": {"type": "array", "items": part}},
            {"name": "named", "type": {"type": "map", "values": ["null", "Part"]}},
            {"name": "one", "type": ["null", "string", "Part"]},
        ],
    )
    run("release", "deep")
    path = documents(
        project,
        {"parts": [{"id": "a", "x": 1}], "named": {}, "one": {"id": "b", "y": True}},
        {"parts": [], "named": {"k": {"id": "c", "z": "?"}}, "one": None},
    )
    done = run("new", "deep", "--from-json", path, "--json").json
    assert done["added"] == ["parts[].x", "named{}.z", "one.y"]
    assert done["differences"] == []
    assert (done["from"], done["written"]) == (1, str(Path("schemas") / "deep" / "v2.avsc"))
    assert run("release", "deep").code == 0


@pytest.mark.parametrize(
    ("number", "differs"), [(2**31 - 1, False), (-(2**31), False), (2**31, True)]
)
def test_an_int_is_told_only_for_numbers_that_it_cannot_hold(
    run: Run, project: Path, number: int, differs: bool
) -> None:
    """A field of 32 bits fits samples of 32 bits, and is told beside a larger number."""
    counts = {"type": "array", "items": ["null", "int"]}
    write_schema(
        project / "schemas" / "small",
        1,
        [{"name": "n", "type": "int"}, {"name": "counts", "type": counts}],
    )
    run("release", "small")
    path = documents(project, {"n": 1, "counts": [1, number]})
    done = run("new", "small", "--from-json", path, "--json").json
    assert [found["path"] for found in done["differences"]] == (["counts[]"] if differs else [])


def test_new_whole_numbers_have_room(run: Run, frozen: Path) -> None:
    """A whole number that is added has 64 bits, however small those of the samples are."""
    path = documents(frozen, {"size": 1, "mixed": [1, "x"], "in": {"n": 2}})
    run("new", "job", "--from-json", path)
    found = fields(frozen)
    assert found["size"]["type"] == ["null", "long"]
    assert found["mixed"]["type"][1]["items"] == ["long", "string"]
    assert found["in"]["type"][1]["fields"][0]["type"] == "long"


def test_what_does_not_fit_is_told_and_left(run: Run, frozen: Path) -> None:
    """A type that the samples contradict stays as it is, and is listed with both sides."""
    path = documents(frozen, {"first": 1, "last": None, "steps": 2, "log": {"a": "b"}})
    done = run("new", "job", "--from-json", path)
    assert "first: the schema has string, the samples have int" in done.out
    assert "last: the schema has string" in done.out
    assert "log: the schema has list of string" in done.out
    assert fields(frozen)["first"]["type"] == "string"
    assert "nothing: the schema has every field" in done.out


def test_names_that_are_taken_are_avoided(run: Run, project: Path) -> None:
    """A record of the samples does not take the name of a type that the schema has."""
    owner = {"type": "record", "name": "Owner", "fields": [{"name": "n", "type": "int"}]}
    write_schema(project / "schemas" / "taken", 1, [{"name": "by", "type": owner}])
    run("release", "taken")
    path = documents(project, {"by": {"n": 1}, "owner": {"m": 2}, "owners": [{"m": 2}]})
    assert run("new", "taken", "--from-json", path).code == 0
    assert run("release", "taken").code == 0
    text = (project / "schemas" / "taken" / "v2.avsc").read_text()
    assert '"Owner2"' in text


def test_a_proto_takes_no_samples(run: Run, project: Path) -> None:
    """--from-json for a .proto is refused with the reason, and writes nothing."""
    (project / "schemas" / "p").mkdir()
    (project / "schemas" / "p" / "v1.proto").write_text('syntax = "proto3"; message P {}')
    run("release", "p")
    done = run("new", "p", "--from-json", documents(project, {"a": 1}))
    assert done.code == 2
    assert "could not be written again" in done.err
    assert not (project / "schemas" / "p" / "v2.proto").exists()


def test_a_recursive_record_is_walked_once(run: Run, project: Path) -> None:
    """A tree gets the fields of all its levels, and ends."""
    child = {"type": "array", "items": "Job"}
    write_schema(project / "schemas" / "tree", 1, [{"name": "kids", "type": child}])
    run("release", "tree")
    path = documents(project, {"kids": [{"kids": [], "deep": 1}], "top": "x"})
    added = run("new", "tree", "--from-json", path, "--json").json["added"]
    assert sorted(added) == ["kids[].deep", "top"]
    assert run("release", "tree").code == 0
