"""What all commands do where streams, files or stores are not what they should be."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from cli.place import Run, blob

import instar

INSTAR = [sys.executable, "-m", "instar.cli"]

shell_only = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no POSIX shell")
linux_only = pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="there is no /proc")


def shell(line: str, redirections: str) -> subprocess.CompletedProcess[str]:
    """Run a command with its streams redirected; all that it tells comes back."""
    script = f'exec "$@" {redirections}'
    return subprocess.run(
        ["/bin/sh", "-c", script, "sh", *INSTAR, *line.split()],
        capture_output=True,
        check=False,
        text=True,
    )


@pytest.fixture
def filled(project: Path) -> Path:
    """The project with a blob, a document and a store in it."""
    (project / "a.blob").write_bytes(blob(project))
    (project / "a.json").write_text('{"first": "Ada", "last": "", "steps": 1, "log": []}')
    with instar.open_store("a.db") as store:
        store.put("k", blob(project), expected=0, write_id="w")
    return project


COMMANDS = (
    "--version",
    "--help",
    "infer --help",
    "infer a.json --subject run",
    "adopt a.json --subject job --store b.db",
    "generate --out out",
    "check",
    "inspect a.blob",
    "inspect a.blob --json",
    "convert a.blob --to avro -o b.blob",
    "census --store a.db",
)


@shell_only
@pytest.mark.parametrize("line", COMMANDS)
def test_closed_streams_are_quiet(filled: Path, line: str) -> None:
    """A command whose output nobody wants does its work without a word."""
    done = shell(line, "<&- >&-")
    assert (done.returncode, done.stderr) == (0, "")


@shell_only
@pytest.mark.parametrize("line", ["adopt a.json --subject job --store b.db", "census --store a.db"])
def test_closed_messages_are_quiet(filled: Path, line: str) -> None:
    """Neither progress nor an error needs a stream to be told on."""
    assert shell(line, "2>&-").returncode == 0
    assert shell("inspect missing", "2>&-").returncode == 2


@shell_only
@pytest.mark.parametrize("line", ["inspect -", "convert - --to json"])
def test_closed_input_is_misuse(filled: Path, line: str) -> None:
    """A command that reads a closed standard input says so."""
    done = shell(line, "<&-")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("error: standard input: it is closed\n")


@shell_only
def test_input_that_does_not_read_is_named(filled: Path) -> None:
    """A standard input that cannot be read is an error with its name."""
    done = shell("inspect -", "0>written")
    assert done.returncode == 1
    assert done.stderr.startswith("error: standard input: ")


@shell_only
@pytest.mark.parametrize("to", ["avro", "json"])
def test_a_blob_is_not_written_to_nowhere(filled: Path, to: str) -> None:
    """convert, whose output is all it is for, is misuse without one."""
    done = shell(f"convert a.blob --to {to}", ">&-")
    assert done.returncode == 2
    assert done.stderr.startswith("error: standard output: it is closed\n")
    assert "-o FILE" in done.stderr


@shell_only
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
@pytest.mark.parametrize("line", ["--help", "--version", "infer --help", "check"])
def test_a_full_disk_is_told(filled: Path, line: str) -> None:
    """Output that cannot be written is an error without a traceback."""
    done = shell(line, ">/dev/full")
    assert (done.returncode, done.stderr) == (1, "error: No space left on device\n")


@linux_only
@pytest.mark.parametrize(
    ("code", "line"),
    [
        (1, "inspect {}"),
        (1, "convert {} --to json"),
        (1, "infer {} --subject a"),
        (2, "inspect --store {} --key a"),
    ],
)
def test_an_unreadable_file_is_named(run: Run, project: Path, code: int, line: str) -> None:
    """What the system refuses to read is told with the name of the file."""
    (project / "memory").symlink_to("/proc/self/mem")
    done = run(*line.format("memory").split())
    assert done.code == code
    assert "memory: " in done.err


@linux_only
def test_an_unreadable_document_is_named(run: Run, project: Path) -> None:
    """A document that cannot be read is refused by its name."""
    (project / "memory").symlink_to("/proc/self/mem")
    done = run("adopt", "memory", "--subject", "job", "--store", "a.db")
    assert done.code == 1
    assert "memory: cannot be read: Input/output error" in done.out


@pytest.mark.parametrize("target", ["none/out", "x" * 300])
def test_an_output_that_cannot_be_is_named(run: Run, filled: Path, target: str) -> None:
    """An output file is named by its own name, not by that of its temp."""
    done = run("convert", "a.blob", "--to", "json", "-o", target)
    assert done.code == 2
    assert f"{target}: " in done.err


def test_the_working_folder_is_no_store(run: Run, project: Path) -> None:
    """The working folder is refused as what it is."""
    done = run("census", "--store", ".")
    assert done.code == 2
    assert "working folder" in done.err
    assert "empty" not in done.err
