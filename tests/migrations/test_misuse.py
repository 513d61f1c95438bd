"""Whatever an op, a rule or a migration is given, it is one of instar's errors that says so."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from instar import migrations
from instar.cli import app
from instar.errors import InstarError, MigrationError
from instar.migrations import join, rename, split

PAIR = split("(.*)/(.*)", "{0}/{1}")
endless: list[Any] = []
endless.append(endless)
NAMES = {**{name: getattr(migrations, name) for name in migrations.__all__}, "endless": endless}
NAMES["PAIR"] = PAIR

# Every function that a migration file calls, as a type checker would not let it.
MISUSED = [
    "rename([], {})",
    "rename('a', None)",
    "add(1)",
    "add('a', default={1})",
    "add('a', default=object())",
    "add('a', default={1: 2})",
    "add('a', default=[[b'']])",
    "add('a', default=endless)",
    "remove(None)",
    "remove('a', default=b'')",
    "convert(None, cast())",
    "convert(('a', None), cast())",
    "convert('a', None)",
    "convert('a', cast)",
    "convert('a', cast(), into=5)",
    "convert('a', {None: 1})",
    "convert('a', {'x': []})",
    "join(None, PAIR, into='a')",
    "join(('a', 'b'), None, into='a')",
    "join(('a', 'b'), PAIR, into=None)",
    "join(('a', []), PAIR, into='a')",
    "wrap([])",
    "head({})",
    "move(1, 'a')",
    "move('a', None)",
    "hoist(3)",
    "hoist('a.b', 3)",
    "plunge(1, 1)",
    "plunge('a', None)",
    "plunge('a', 'b', 1)",
    "within(None)",
    "within('a', None)",
    "within('a', rename)",
    "table(None)",
    "table([])",
    "table({'a': None})",
    "table({'a': []})",
    "table({('a',): 'b'})",
    "table({}, otherwise=[])",
    "table({}, otherwise_down={})",
    "scale(None)",
    "scale([])",
    "scale(1, {})",
    "scale(2, rounding=1)",
    "scale(float('nan'))",
    "cast(encoding=[])",
    "cast(otherwise=[])",
    "ticks([])",
    "ticks('days', rounding=[])",
    "retime(rounding=1)",
    "time_text(1)",
    "time_text([])",
    "time_text(utc=None)",
    "time_text(otherwise=b'')",
    "or_else(None)",
    "or_else(object())",
    "or_else(0, null_again=None)",
    "null_if({1: 2})",
    "split(None, '{0}')",
    "split('(.*)', None)",
    "split('(.*)', '{0}', exact=None)",
    "split('(.*)', '{0}', otherwise=5)",
    "split('(.*)', '{0}', otherwise=([],))",
    "compute(reads=(None,), writes=([],), up=len, down=str)",
    "compute(reads=None, writes='a', up=len, down=str)",
    "compute(reads='a', writes={}, up=len, down=str)",
    "compute(reads='a', writes='b', up=len, down=str, lossy=None)",
    "compute(reads='a', writes='b', up=len, down=3)",
    "compute(reads='a', writes='b', up=[], down=None, lossy='a')",
    "todo(None)",
    "Migration(1, 1, 2)",
    "Migration([], 1, 2)",
    "Migration('s', '1', 2)",
    "Migration('s', 1, None)",
    "Migration('s', 1, 2, None)",
    "Migration('s', 1, 2, [rename('a', 'b')])",
]


@pytest.mark.parametrize("call", MISUSED)
def test_misuse_is_an_error_of_ours(call: str) -> None:
    """Each call raises MigrationError, which says how to mend it."""
    with pytest.raises(MigrationError) as caught:
        eval(call, NAMES)  # noqa: S307 - the lines above
    assert caught.value.mend or "is not a function" in caught.value.what


def test_what_was_given_and_what_is_wanted() -> None:
    """The message names the argument, the value, its type and what to give."""
    expected = "old of rename(...) is [], of the type list; give text"
    with pytest.raises(MigrationError, match=re.escape(expected)):
        rename([], "a")  # type: ignore[arg-type]


def test_lists_of_names_are_taken() -> None:
    """Names in a list are as good as those in a tuple."""
    names: Any = ["a", "b"]
    assert join(names, PAIR, into="c") == join(("a", "b"), PAIR, into="c")


SCHEMAS = {
    1: '{"type": "record", "name": "Crew", "fields": [{"name": "a", "type": "string"}]}',
    2: '{"type": "record", "name": "Crew", "fields": [{"name": "b", "type": "string"}]}',
}
COMMANDS = (("check",), ("migration", "path", "crew", "1", "2"), ("generate", "--out", "out"))


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
@pytest.mark.parametrize(
    "op",
    [
        "rename([], {})",
        "wrap([])",
        "compute(reads=(None,), writes=([],), up=len, down=str)",
        "hoist(3)",
        "add('b', default=object())",
    ],
)
def test_a_migration_file_names_its_mistake(
    op: str,
    command: tuple[str, ...],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A command names the file, and how to mend it, and ends with an exit code of its own."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pyproject.toml").write_text("[tool.instar]\n")
    for version, text in SCHEMAS.items():
        path = tmp_path / "schemas" / "crew" / f"v{version}.avsc"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    step = tmp_path / "migrations" / "crew" / "v1_v2.py"
    step.parent.mkdir(parents=True)
    step.write_text(f"from instar.migrations import *\nmigration = Migration('crew', 1, 2, {op})\n")
    done = CliRunner().invoke(app, command)
    assert done.exit_code in {1, 2}
    assert "v1_v2.py:2" in done.output
    assert type(done.exception) in {SystemExit, type(None)}


def test_every_function_of_a_migration_is_here() -> None:
    """The table above has each function that ``instar.migrations`` offers."""
    called = {line.partition("(")[0] for line in MISUSED}
    assert called == set(migrations.__all__)
    assert issubclass(MigrationError, InstarError)
