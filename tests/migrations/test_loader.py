"""Loading migration files."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from instar.errors import ConfigError, DuplicateMigration, MigrationError, MigrationFileError
from instar.migrations import Migration, convert, rename
from instar.migrations.chain import check_chain
from instar.migrations.data import to_data
from instar.migrations.loader import load_migrations

GOOD = """
from instar.migrations import Migration
migration = Migration("s", {source}, {target})
"""


def write(folder: Path, name: str, text: str) -> Path:
    """Write a migration file of subject s."""
    path = folder / "s" / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    return path


def good(folder: Path, source: int, target: int) -> Path:
    """Write a migration file that loads."""
    text = GOOD.format(source=source, target=target)
    return write(folder, f"v{source}_v{target}.py", text)


def test_order(tmp_path: Path) -> None:
    """Migrations come by version, whatever the order of the names."""
    for source in (10, 2, 1):
        good(tmp_path, source, source + 1)
    assert [step.source for step in load_migrations(tmp_path, "s")] == [1, 2, 10]


def test_subject_without_migrations(tmp_path: Path) -> None:
    """A subject without a folder has no migrations."""
    assert load_migrations(tmp_path, "s") == ()


def test_missing_folder(tmp_path: Path) -> None:
    """A folder of migrations that is not there is an error, not an empty folder."""
    with pytest.raises(ConfigError, match="no such folder"):
        load_migrations(tmp_path / "absent", "s")


def test_other_files(tmp_path: Path) -> None:
    """Files that are not named like a version are passed over."""
    write(tmp_path, "helpers.py", "raise RuntimeError")
    write(tmp_path, "README.md", "")
    assert load_migrations(tmp_path, "s") == ()


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("x = 1\ndef f(:\n", 2, "syntax error"),
        ("\n\nraise ValueError('no')\n", 3, "it raised ValueError: no"),
        ("import sys\nsys.exit(3)\n", 2, "it raised SystemExit: 3"),
        ("def f():\n    1 / 0\nf()\n", 2, "ZeroDivisionError"),
        ("import absent_module_of_a_user\n", 1, "ModuleNotFoundError"),
        (
            "from instar.migrations import compute as c\nc(reads='a', writes='b', up=1, down=None)",
            2,
            "compute has no down; give down=",
        ),
        ("x = 'a\x00b'\n", None, "null bytes"),
    ],
)
def test_file_that_does_not_load(tmp_path: Path, text: str, line: int | None, reason: str) -> None:
    """The error says which file and which line of it."""
    path = write(tmp_path, "v1_v2.py", text)
    with pytest.raises(MigrationFileError, match=reason) as caught:
        load_migrations(tmp_path, "s")
    assert caught.value.where == (f"{path}:{line}" if line else str(path))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("x = 1\n", "defines no `migration`"),
        ("migration = 3\n", "a `migration` that is 3"),
        (GOOD.format(source=1, target=3), "s 1 -> 3, and its name says s 1 -> 2"),
        (GOOD.format(source=1, target=2).replace('"s"', '"t"'), "t 1 -> 2, and its name says s"),
    ],
)
def test_file_without_its_migration(tmp_path: Path, text: str, reason: str) -> None:
    """A file holds the migration that its name says."""
    path = write(tmp_path, "v1_v2.py", text)
    with pytest.raises(MigrationFileError, match=reason) as caught:
        load_migrations(tmp_path, "s")
    assert caught.value.where == str(path)


@pytest.mark.parametrize("name", ["v2-v3.py", "v2.py", "v02_v3.py", "v2_v3_old.py"])
def test_name(tmp_path: Path, name: str) -> None:
    """A name that almost says which versions it joins is an error, not passed over."""
    write(tmp_path, name, GOOD.format(source=2, target=3))
    with pytest.raises(MigrationFileError, match="does not say which versions"):
        load_migrations(tmp_path, "s")


def test_collected_errors(tmp_path: Path) -> None:
    """Where errors are collected, the files that load still load."""
    good(tmp_path, 1, 2)
    write(tmp_path, "v2_v3.py", "boom")
    write(tmp_path, "v3_v4.py", "")
    good(tmp_path, 4, 5)
    errors: list[MigrationError] = []
    loaded = load_migrations(tmp_path, "s", errors)
    assert [step.source for step in loaded] == [1, 4]
    assert [Path(error.where.split(":")[0]).name for error in errors] == ["v2_v3.py", "v3_v4.py"]


def test_changed_file(tmp_path: Path) -> None:
    """A file that changed is loaded anew, and loading leaves nothing behind."""
    path = good(tmp_path, 1, 2)
    assert load_migrations(tmp_path, "s")[0].ops == ()
    before = set(sys.modules)
    text = path.read_text().replace('Migration("s", 1, 2)', 'Migration("s", 1, 1)')
    path.write_text(text)
    with pytest.raises(MigrationFileError):
        load_migrations(tmp_path, "s")
    assert set(sys.modules) == before
    assert [item.name for item in path.parent.iterdir()] == ["v1_v2.py"]


def test_dataclass_in_file(tmp_path: Path) -> None:
    """A file may define a dataclass under postponed annotations."""
    text = "from __future__ import annotations\nfrom dataclasses import dataclass\n"
    text += "@dataclass\nclass Name:\n    first: str\n"
    write(tmp_path, "v1_v2.py", text + GOOD.format(source=1, target=2))
    assert len(load_migrations(tmp_path, "s")) == 1


def test_data(tmp_path: Path) -> None:
    """A file of data is a migration as well, beside files of Python."""
    good(tmp_path, 1, 2)
    migration = Migration("s", 2, 3, rename("a", "b"))
    write(tmp_path, "v2_v3.json", to_data(migration))
    first, second = load_migrations(tmp_path, "s")
    assert first.source == 1
    assert second == migration


@pytest.mark.parametrize(
    ("text", "place", "reason"),
    [
        ('{"revision": 1,\n "ops": [}', ":2:10", "it is no JSON"),
        (
            '{"revision":1,"subject":"s","source":1,"target":2,"ops":[{"op":"x"}]}',
            ":ops[0].op",
            "no op",
        ),
        (
            '{"revision":1,"subject":"s","source":1,"target":3,"ops":[]}',
            "",
            "its name says s 1 -> 2",
        ),
        (
            to_data(Migration("s", 1, 2, convert("a", {"x": "y", "z": "w"}))).replace("z", "x"),
            ":ops[0].rule",
            "the key 'x' stands twice in the table",
        ),
        (
            '{"revision":1,"subject":"s","source":"1","target":2,"ops":[]}',
            ":source",
            "'1' is no version",
        ),
        ("[" * 100_000, "", "nests deeper"),
    ],
)
def test_data_that_does_not_load(tmp_path: Path, text: str, place: str, reason: str) -> None:
    """The error says which file and which place of it."""
    path = write(tmp_path, "v1_v2.json", text)
    with pytest.raises(MigrationFileError, match=reason) as caught:
        load_migrations(tmp_path, "s")
    assert caught.value.where == f"{path}{place}"


def test_data_that_is_no_text(tmp_path: Path) -> None:
    """A file of other bytes is an error of that file."""
    write(tmp_path, "v1_v2.json", "").write_bytes(b"\xff")
    with pytest.raises(MigrationFileError, match="does not read"):
        load_migrations(tmp_path, "s")


def test_data_with_another_name(tmp_path: Path) -> None:
    """A name that almost says which versions it joins is told its own ending."""
    write(tmp_path, "v1-v2.json", to_data(Migration("s", 1, 2)))
    with pytest.raises(MigrationFileError, match=r"name it as v2_v3\.json is named"):
        load_migrations(tmp_path, "s")


def test_data_and_python_for_one_step(tmp_path: Path) -> None:
    """A step that is written both ways is found as a duplicate."""
    good(tmp_path, 1, 2)
    write(tmp_path, "v1_v2.json", to_data(Migration("s", 1, 2)))
    findings = check_chain("s", (1, 2), load_migrations(tmp_path, "s"))
    assert [type(finding) for finding in findings] == [DuplicateMigration]
