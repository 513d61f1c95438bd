"""The command as a process of its own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from cli.place import blob

from instar import Registry

INSTAR = [sys.executable, "-m", "instar.cli"]


def instar(*args: str, stdin: bytes = b"", **env: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [*INSTAR, *args], input=stdin, capture_output=True, check=False, env={**os.environ, **env}
    )


@pytest.fixture
def bad(project: Path) -> Path:
    """A project beside files of all the wrong kinds."""
    (project / "empty").touch()
    (project / "garbage").write_bytes(bytes(range(256)))
    (project / "cut.blob").write_bytes(blob(project)[:-1])
    (project / "list.json").write_text("[[[[")
    (project / "broken" / "job").mkdir(parents=True)
    (project / "broken" / "job" / "v1.avsc").write_bytes(b"\xff\x00{")
    return project


@pytest.mark.parametrize(
    ("code", "line"),
    [
        (1, "inspect empty"),
        (1, "inspect garbage"),
        (1, "inspect cut.blob"),
        (2, "inspect missing"),
        (2, "inspect ."),
        (2, "inspect --store missing.db --key a"),
        (1, "inspect --store garbage --key a"),
        (2, "inspect garbage --version 0"),
        (1, "convert garbage --to json"),
        (2, "convert . --to json"),
        (2, "convert garbage --to nothing"),
        (1, "infer garbage --subject a"),
        (1, "infer list.json --subject a"),
        (2, "infer missing --subject a"),
        (1, "adopt garbage --subject job --store a.db"),
        (2, "adopt garbage --subject nope --store a.db"),
        (1, "census --store garbage"),
        (2, "census --store ://"),
        (1, "check --schemas broken"),
        (2, "check --schemas missing"),
        (2, "check --schemas garbage"),
        (2, "check --migrations missing"),
        (1, "generate --schemas broken --out out"),
        (2, "generate --out garbage --format nothing"),
        (2, "generate --out garbage"),
        (2, "nothing"),
        (2, "--nothing"),
    ],
)
def test_mistakes_have_no_traceback(bad: Path, code: int, line: str) -> None:
    """Whatever a user gets wrong is told in a few lines on stderr, with the right exit code."""
    done = instar(*line.split())
    told = done.stdout + done.stderr
    assert b"Traceback" not in told
    assert (done.returncode, bool(told)) == (code, True)


def test_settings_that_do_not_read(bad: Path) -> None:
    """A broken pyproject.toml is misuse that names the file."""
    (bad / "pyproject.toml").write_text("[tool.instar\n")
    done = instar("check")
    assert done.returncode == 2
    assert b"pyproject.toml: the file does not read" in done.stderr
    (bad / "pyproject.toml").write_text("[tool.instar]\ngenerated = 1\n")
    assert b"generated must be the path of a folder" in instar("check").stderr
    (bad / "pyproject.toml").write_text('[tool.instar]\nformat = "xml"\n')
    assert b"formats are avro" in instar("check").stderr


def test_piped_output_is_plain(project: Path) -> None:
    """Without a terminal there is no colour and no progress bar, and 80 columns at most."""
    done = instar("inspect", "-", stdin=blob(project))
    assert done.returncode == 0
    assert b"\x1b" not in done.stdout + done.stderr
    assert not done.stderr
    assert max(map(len, done.stdout.decode().splitlines())) <= 80


def test_narrow_encoding(project: Path) -> None:
    """Text that the output's encoding lacks is escaped, in JSON as JSON escapes it."""
    codec = Registry.open().codec("job")
    data = codec.encode(codec.from_builtins({"first": "Zoë 🦋", "last": "", "steps": 1}))
    done = instar("inspect", "-", stdin=data, PYTHONIOENCODING="ascii")
    assert b"Zo\\xeb" in done.stdout
    plain = instar("inspect", "-", "--json", stdin=data, PYTHONIOENCODING="ascii")
    assert b'"Zo\\u00eb \\ud83e\\udd8b"' in plain.stdout


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGPIPE")
def test_closed_pipe_is_quiet(project: Path) -> None:
    """A reader that goes away ends the command without a word."""
    (project / "a.blob").write_bytes(blob(project))
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [*INSTAR, "inspect", "a.blob"], stdout=writing, stderr=subprocess.PIPE, check=False
    )
    os.close(writing)
    assert not done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other signals")
def test_interrupt(project: Path) -> None:
    """Ctrl-C ends a command with 130 and no traceback."""
    code = """if True:
        import signal
        from instar.cli import main
        # A shell starts what runs in the background with it ignored.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        print('up', flush=True)
        main()"""
    with subprocess.Popen(
        [sys.executable, "-c", code, "inspect", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"up\n"
        time.sleep(0.5)  # until it waits for standard input
        process.send_signal(signal.SIGINT)
        _, told = process.communicate(timeout=30)
    assert process.returncode == 130
    assert b"Traceback" not in told


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pseudo-terminals")
@pytest.mark.parametrize("plain", [False, True])
def test_colour(project: Path, plain: bool) -> None:
    """A terminal gets colour, unless NO_COLOR is set."""
    here, there = os.openpty()
    env = {**os.environ, "NO_COLOR": "1"} if plain else {**os.environ, "NO_COLOR": ""}
    process = subprocess.run([*INSTAR, "inspect", "missing"], stderr=there, check=False, env=env)
    os.close(there)
    told = os.read(here, 4096)
    os.close(here)
    assert process.returncode == 2
    assert (b"\x1b" in told) == (not plain)
