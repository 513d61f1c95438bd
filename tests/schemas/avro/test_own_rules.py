from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from instar.schemas.avro import own_findings


def text(type_: Any, default: Any) -> str:
    fields = [{"name": "a", "type": "int"}, {"name": "f", "type": type_, "default": default}]
    return json.dumps({"type": "record", "name": "lab.T", "fields": fields}, indent=1)


SOUND = [
    (["null", "string"], None),
    (["string", "null"], "x"),
    (["bytes", "string"], "x"),
    (["int"], 1),
    ({"type": "array", "items": ["int", "string"]}, [1, 2]),
]
ASTRAY = [
    (["string", "null"], None),
    (["null", "string"], "x"),
    (["null", "int", "string"], 1),
    (["int", "string"], "x"),
    ({"type": "array", "items": ["int", "string"]}, [1, "x"]),
    ({"type": "map", "values": ["null", "int"]}, {"k": 1}),
]


@pytest.mark.parametrize(("type_", "default"), SOUND)
def test_a_default_of_the_first_branch_may_be_released(type_: Any, default: Any) -> None:
    """What the specification allows is no finding."""
    assert own_findings(text(type_, default)) == []


@pytest.mark.parametrize(("type_", "default"), ASTRAY)
def test_a_default_of_a_later_branch_is_a_finding(type_: Any, default: Any) -> None:
    """A default of another branch than the first is found at its line, also within another."""
    schema = text(type_, default)
    (finding,) = own_findings(schema)
    assert "lab.T.f is not of the first branch" in finding.what
    before = schema[: schema.index('"default": ')].count("\n")
    assert finding.where == f"the schema:{before + 1}:15"


def test_a_comment_is_a_finding() -> None:
    """What is read only leniently may not be released."""
    (finding,) = own_findings("// none\n" + text("int", 1))
    assert "comment" in finding.what


def test_every_file_of_a_version_is_looked_at(tmp_path: Path) -> None:
    """Findings of a folder name the file they are in."""
    folder = tmp_path / "v1"
    folder.mkdir()
    (folder / "t.avsc").write_text(text(["null", "U"], None))
    inner = json.loads(text(["null", "int"], 1)) | {"name": "lab.U"}
    (folder / "u.avsc").write_text(json.dumps(inner))
    (finding,) = own_findings(folder)
    assert finding.where.startswith(f"{folder / 'u.avsc'}:1:")
