from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from material import material

from instar.errors import SchemaError, SchemaSyntaxError
from instar.schemas.avro import parse_avro, read_avro
from instar.schemas.model import Reference


def record(name: str, **fields: Any) -> dict[str, Any]:
    nodes = [{"name": field, "type": type_} for field, type_ in fields.items()]
    return {"type": "record", "name": name, "fields": nodes}


def write(folder: Path, **documents: Any) -> Path:
    folder.mkdir(exist_ok=True)
    for name, document in documents.items():
        text = document if isinstance(document, str) else json.dumps(document)
        (folder / f"{name}.avsc").write_text(text)
    return folder


def test_files_may_use_each_other_in_any_order(tmp_path: Path) -> None:
    """Types of one file are known in all others, whatever their names and order."""
    leaf = record("lab.Leaf", kind={"type": "enum", "name": "Kind", "symbols": ["A"]})
    tree = record("Tree", leaf="Leaf", kind="lab.Kind") | {"namespace": "lab"}
    for first, second in ((leaf, tree), (tree, leaf)):
        schema = read_avro(write(tmp_path / "v1", a=first, b=second), "tree", 1)
        assert schema.root == "lab.Tree"
        assert list(schema.types) == ["lab.Tree", "lab.Leaf", "lab.Kind"]


def test_files_may_use_each_other_in_a_circle(tmp_path: Path) -> None:
    """Two records of two files that hold each other are both read."""
    one = record("One", two=["null", "Two"])
    two = record("Two", one=["null", "One"])
    schema = read_avro(write(tmp_path / "v1", one=one, two=two), "two", 1)
    assert schema.root == "Two"
    assert schema == read_avro(write(tmp_path / "v1", one=two, two=one), "two", 1)


def test_a_type_of_no_namespace_stays_in_none(tmp_path: Path) -> None:
    """A type of another file keeps its own namespace, not that of the place of its use."""
    bare = record("Bare", n="int")
    root = record("Root", b="Bare", other="far.Other")
    other = record("far.Other", n="Near")
    near = record("far.Near", n="int")
    schema = read_avro(write(tmp_path / "v1", z=bare, y=root, x=other, w=near), "root", 1)
    assert schema.record.fields[0].type == Reference("Bare")
    assert set(schema.types) == {"Root", "Bare", "far.Other", "far.Near"}


def test_types_that_the_root_does_not_use_are_left_out(tmp_path: Path) -> None:
    """A file that has nothing to do with the root changes nothing in the schema."""
    root, other = record("Root", n="int"), record("Other", n={"type": "int", "x": 1})
    folder = write(tmp_path / "v1", root=root, other=other)
    schema = read_avro(folder, "root", 1)
    assert list(schema.types) == ["Root"]
    assert not schema.attributes
    assert read_avro(folder, "root", 1, root="Other").root == "Other"


def test_the_root_is_the_record_that_no_other_uses(tmp_path: Path) -> None:
    """Where no record has the subject's name, the only one that no other uses is the root."""
    folder = write(tmp_path / "v1", a=record("A", b="B"), b=record("B", b=["null", "B"]))
    assert read_avro(folder, "thing", 1).root == "A"


def test_a_root_that_cannot_be_told_is_asked_for(tmp_path: Path) -> None:
    """Two candidates are an error that names the setting to write."""
    folder = write(tmp_path / "v1", a=record("A"), b=record("B"))
    with pytest.raises(SchemaError, match="2 records may be the root") as caught:
        read_avro(folder, "thing", 1)
    assert "roots.thing" in caught.value.mend


def test_a_root_that_is_not_there_is_named(tmp_path: Path) -> None:
    """A setting that names no record says so."""
    with pytest.raises(SchemaError, match=r"no record lab\.A"):
        read_avro(write(tmp_path / "v1", a=record("A")), "thing", 1, root="lab.A")


def test_a_type_defined_in_two_files_is_refused(tmp_path: Path) -> None:
    """One name has one definition in all files of a version."""
    folder = write(tmp_path / "v1", a=record("A", n="int"), b=record("A", n="long"))
    with pytest.raises(SchemaSyntaxError, match="redefined named type: A"):
        read_avro(folder, "a", 1)


def test_an_error_names_the_file_that_it_is_in(tmp_path: Path) -> None:
    """A fault in one of several files has that file and its line as its place."""
    field = '{"name": "n", "type": "int",\n"default": "x"}'
    bad = f'{{"type": "record", "name": "B", "fields": [\n{field}]}}'
    folder = write(tmp_path / "v1", a=record("A", b="B"), b=bad)
    with pytest.raises(SchemaSyntaxError, match=r"default of B\.n") as caught:
        read_avro(folder, "a", 1)
    assert caught.value.where == f"{folder}{os.sep}b.avsc:3:12"
    (folder / "b.avsc").write_text('{"type": "record",\n"name": "B", "fields": [{"name": "n"}]}')
    with pytest.raises(SchemaSyntaxError, match="no 'type'") as caught:
        read_avro(folder, "a", 1)
    assert caught.value.where == f"{folder}{os.sep}b.avsc:2:25"


def test_a_folder_without_schemas_is_refused(tmp_path: Path) -> None:
    """A folder that holds no .avsc file is named."""
    with pytest.raises(SchemaError, match=r"no \.avsc file"):
        read_avro(tmp_path, "a", 1)


def test_a_file_may_be_an_array_of_definitions() -> None:
    """The definitions of an array know each other, and the root is found by the same rule."""
    text = json.dumps([record("A", b="B"), record("B", c="C"), record("C")])
    assert parse_avro(text, subject="b", version=1, where="f").root == "B"
    assert list(parse_avro(text, subject="a", version=1, where="f").types) == ["A", "B", "C"]


@pytest.mark.parametrize(
    "family",
    ["hudi-archived-meta-entry", "radar-altoida-summary", "wherehows-inventory-event"],
)
def test_real_schemas_of_several_files_equal_their_inlined_form(
    family: str, tmp_path: Path
) -> None:
    """Committed files, put together by us, give what another tool made of them."""
    compared = 0
    for inlined in sorted(material("histories", family).glob("*.inlined.avsc")):
        stem = inlined.name.removesuffix(".inlined.avsc")
        folder = tmp_path / stem
        folder.mkdir()
        for part in [
            inlined.with_name(f"{stem}.avsc"),
            *(inlined.parent / f"{stem}.deps").iterdir(),
        ]:
            (folder / part.name).write_bytes(part.read_bytes())
        try:
            wanted = read_avro(inlined, "history", 1)
        except SchemaSyntaxError:
            with pytest.raises(SchemaSyntaxError):
                read_avro(folder, "history", 1, lenient=True)
            continue
        assert read_avro(folder, "history", 1, root=wanted.root, lenient=True).types == wanted.types
        compared += 1
    print(f"{family}: {compared} versions of several files")  # noqa: T201 - the count is the point
