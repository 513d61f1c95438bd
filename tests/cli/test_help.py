from __future__ import annotations

import shlex
import subprocess
import sys
from importlib.metadata import version

import pytest
from cli.place import Run, commands
from typer.main import get_command

from instar.cli import app

COMMANDS = commands(get_command(app))


def examples(name: str) -> list[str]:
    _, _, lines = COMMANDS[name].epilog.partition("Example:\n")
    return [line.strip() for line in lines.strip().splitlines()]


@pytest.mark.parametrize("name", COMMANDS)
def test_help_has_an_example(run: Run, name: str) -> None:
    """The help of every command says what it does and shows an example."""
    done = run(*name.split(), "--help")
    assert done.code == 0
    assert COMMANDS[name].help
    assert COMMANDS[name].short_help
    assert "\n  Example:\n    " in done.out
    assert f"instar {name} " in f"{' '.join(examples(name))} "


@pytest.mark.parametrize("name", COMMANDS)
def test_examples_can_be_called(name: str) -> None:
    """An example uses only arguments and options that its command has."""
    for example in examples(name):
        words = shlex.split(example.rpartition("| ")[2])
        named = ["instar", *name.split()]
        assert words[: len(named)] == named
        COMMANDS[name].make_context(name, words[len(named) :], resilient_parsing=True)


@pytest.mark.parametrize("name", ["", "migration", "rollout", *COMMANDS])
def test_help_fits_80_columns(run: Run, name: str) -> None:
    """No line of help is longer than 80 columns, and none is cut."""
    lines = run(*name.split(), "--help").out.splitlines()
    assert max(map(len, lines)) <= 80
    assert not any(line.endswith("...") for line in lines[1:])


def test_version(run: Run) -> None:
    """--version names the release."""
    assert run("--version").out == f"instar {version('instar')}\n"


def test_no_command(run: Run) -> None:
    """Without a command, the commands are shown, and the exit code says misuse."""
    done = run()
    assert done.code == 2
    assert all(name.split()[0] in done.out + done.err for name in COMMANDS)


def test_help_is_quick() -> None:
    """Help needs none of the packages that take long to import."""
    code = (
        "import sys; from instar.cli import app\n"
        "try: app(['--help'], prog_name='instar')\n"
        "except SystemExit: pass\n"
        "print({'rich', 'fastavro', 'google.protobuf', 'yaml', 'zstandard'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.endswith("set()\n")
