from __future__ import annotations

from pathlib import Path

import pytest

from instar.codec.generate import check_generated, generate, write_generated
from instar.codec.subject import Subject
from instar.errors import ConfigError
from instar.schemas.model import Field, Primitive, Record, Schema


def files_of(*versions: int) -> dict[str, str]:
    record = Record("Root", (Field("a", Primitive("string")),))
    schemas = [Schema("small", version, "avro", "Root", {"Root": record}) for version in versions]
    return generate(Subject(schemas), {})


def test_writing_makes_the_folder_match(tmp_path: Path) -> None:
    """After writing nothing has drifted, and writing again changes nothing."""
    files = files_of(1)
    assert check_generated(files, tmp_path) == [
        "small/__init__.py is missing",
        "small/v1.py is missing",
    ]
    assert write_generated(files, tmp_path) == ["small/__init__.py", "small/v1.py"]
    assert check_generated(files, tmp_path) == []
    assert write_generated(files, tmp_path) == []
    assert {path.name for path in (tmp_path / "small").iterdir()} == {"__init__.py", "v1.py"}


def test_drift_is_found_and_mended(tmp_path: Path) -> None:
    """An edited file and one of a version that is gone are named, then rewritten and removed."""
    two = files_of(1, 2)
    one = files_of(1)
    write_generated(two, tmp_path)
    (tmp_path / "small" / "mine.py").write_text("mine = 1\n", encoding="utf-8")
    assert check_generated(one, tmp_path) == [
        "small/__init__.py is not what the schemas and migrations give",
        "small/v2.py is stale: no schema or migration gives it",
    ]
    assert write_generated(one, tmp_path) == ["small/__init__.py", "small/v2.py"]
    assert sorted(path.name for path in (tmp_path / "small").iterdir()) == [
        *("__init__.py", "mine.py", "v1.py"),
    ]


def test_a_file_of_the_users_is_never_overwritten(tmp_path: Path) -> None:
    """A file that instar did not generate stops the writing before anything is written."""
    mine = tmp_path / "small" / "v1.py"
    mine.parent.mkdir()
    mine.write_text("mine = 1\n", encoding="utf-8")
    with pytest.raises(ConfigError, match="the file is in the way"):
        write_generated(files_of(1), tmp_path)
    assert mine.read_text(encoding="utf-8") == "mine = 1\n"
    assert [path.name for path in mine.parent.iterdir()] == ["v1.py"]
