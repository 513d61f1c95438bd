from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from cli.place import Run, blob

import instar

FORMATS = ("avro", "protobuf", "msgpack", "json", "yaml")


def state_of(data: bytes, version: int = 3) -> Any:
    codec = instar.Registry.open().codec("job", version=version)
    return codec.to_builtins(codec.decode(data))


@pytest.mark.parametrize("to", FORMATS)
def test_format(run: Run, project: Path, to: str) -> None:
    """A blob becomes one of the latest version in the format asked for."""
    done = run("convert", "-", "--to", to, stdin=blob(project))
    tag = instar.read_tag(done.raw)
    assert (done.code, tag.format, tag.version) == (0, to, 3)
    assert state_of(done.raw) == {"first": "Ada", "last": "Lovelace", "steps": 7, "log": []}


def test_older_version(run: Run, project: Path) -> None:
    """--version writes an older version, for readers that know no other."""
    done = run("convert", "-", "--to", "avro", "--version", "1", stdin=blob(project, 3))
    assert instar.read_tag(done.raw).version == 1
    assert state_of(done.raw, 1) == {"name": "Ada Lovelace", "steps": 7}


def test_output_file(run: Run, project: Path) -> None:
    """-o writes a file, in place of what was there, and nothing to standard output."""
    (project / "a.blob").write_bytes(blob(project))
    assert run("convert", "a.blob", "--to", "json", "-o", "a.blob").raw == b""
    assert instar.read_tag((project / "a.blob").read_bytes()).format == "json"
    assert sorted(path.name for path in project.glob("a.*")) == ["a.blob"]


def test_failure_keeps_the_output(run: Run, project: Path) -> None:
    """A blob that does not convert leaves the output file as it was."""
    (project / "out").write_bytes(b"precious")
    done = run("convert", "-", "--to", "json", "-o", "out", stdin=blob(project)[:-1])
    assert done.code == 1
    assert (project / "out").read_bytes() == b"precious"


def test_compress(run: Run, project: Path) -> None:
    """--compress stores a payload compressed where that is smaller."""
    codec = instar.Registry.open().codec("job")
    long = codec.encode(codec.from_builtins({"first": "x" * 999, "last": "", "steps": 1}))
    done = run("convert", "-", "--to", "avro", "--compress", stdin=long)
    assert instar.read_tag(done.raw).compressed
    assert len(done.raw) < len(long) / 2


def test_unknown_writer(run: Run, project: Path) -> None:
    """A blob of a schema that is not here is refused by its fingerprint."""
    foreign = instar.Registry.open().codec("job", version=1)
    whole = foreign.encode(foreign.from_builtins({"name": "Ada", "steps": 1}))
    path = project / "schemas" / "job" / "v1.avsc"
    path.write_text(path.read_text().replace("steps", "paces"))
    (project / "schemas" / "job" / "v2.avsc").unlink()
    (project / "schemas" / "job" / "v3.avsc").unlink()
    (project / "migrations" / "job" / "v2_v3.py").unlink()
    done = run("convert", "-", "--to", "json", stdin=whole)
    assert done.code == 1
    assert "no schema here has the fingerprint" in done.err
    named = run("convert", "-", "--to", "json", "--subject", "job", stdin=whole)
    assert "job: no schema here has the fingerprint" in named.err


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["--to", "json", "--compress"], "json is text"),
        (["--to", "xml"], "'xml'"),
        (["--to", "json", "--subject", "nope"], "no such subject"),
        (["--to", "json", "--version", "9"], "there is no version 9"),
        (["--to", "json", "-o", "."], "no file that can be replaced"),
        (["--to", "json", "-o", "no/such/folder"], "No such file or directory"),
        ([], "--to"),
    ],
)
def test_misuse(run: Run, project: Path, args: list[str], says: str) -> None:
    """Options that cannot be met are misuse, and the message says which."""
    done = run("convert", "-", *args, stdin=blob(project))
    assert done.code == 2
    assert says in done.err
    assert not done.raw


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pseudo-terminals")
@pytest.mark.parametrize(("to", "code"), [("avro", 2), ("json", 0)])
def test_binary_never_goes_to_a_terminal(project: Path, to: str, code: int) -> None:
    """A terminal gets text formats only."""
    (project / "a.blob").write_bytes(blob(project))
    here, there = os.openpty()
    try:
        done = subprocess.run(
            [sys.executable, "-m", "instar.cli", "convert", "a.blob", "--to", to],
            stdout=there,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    finally:
        os.close(there)
        os.close(here)
    assert done.returncode == code
    assert ("would garble the terminal" in done.stderr) == (code == 2)
