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


ORDER = 'syntax = "proto3"; message Order { int64 line_count = 1; string note = 2; }'


@pytest.fixture
def order(project: Path) -> Path:
    """The project, with a subject that is a .proto beside the other."""
    folder = project / "schemas" / "order"
    folder.mkdir()
    (folder / "v1.proto").write_text(ORDER)
    (folder / "v2.proto").write_text(ORDER.replace("note = 2", "note = 2; bool paid = 3"))
    return project


def test_protojson_becomes_a_blob_and_back(run: Run, order: Path) -> None:
    """What other programs of Protobuf write as JSON is read without a tag, and written so."""
    text = '{"lineCount": "5", "note": "x"}'
    (order / "order.json").write_text(text)
    done = run(
        *("convert", "order.json", "--from", "protojson", "--subject", "order"),
        *("--to", "protobuf", "-o", "order.blob"),
    )
    assert (done.code, done.raw) == (0, b"")
    blob_ = (order / "order.blob").read_bytes()
    assert instar.read_tag(blob_).version == 2
    back = run("convert", "order.blob", "--to", "protojson")
    assert (back.code, back.out) == (0, text + "\n")


def test_the_version_of_a_text_is_said(run: Run, order: Path) -> None:
    """--legacy names the version that wrote the text, and only the keys of that one count."""
    args = ("convert", "-", "--from", "protojson", "--subject", "order", "--to", "json")
    assert run(*args, stdin=b'{"paid": true}').code == 0
    refused = run(*args, "--legacy", "1", stdin=b'{"paid": true}')
    assert refused.code == 1
    assert 'no field named "paid"' in refused.err
    dropped = run(*args, "--legacy", "1", "--drop-unknown", stdin=b'{"paid": true}')
    assert (dropped.code, dropped.json["paid"]) == (0, False)


def test_any_format_is_read_without_a_tag(run: Run, order: Path) -> None:
    """A payload of another program is read in the format that --from says."""
    done = run(
        *("convert", "-", "--from", "protobuf", "--subject", "order", "--legacy", "1"),
        *("--to", "protojson"),
        stdin=bytes.fromhex("0805"),
    )
    assert (done.code, done.json) == (0, {"lineCount": "5"})


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (("--from", "protojson"), "add --subject"),
        (("--legacy", "1"), "add --from"),
        (("--from", "json", "--subject", "order", "--drop-unknown"), "--drop-unknown is for"),
        (("--from", "xml", "--subject", "order"), "xml"),
    ],
)
def test_options_that_do_not_go_together(
    run: Run, order: Path, args: tuple[str, ...], says: str
) -> None:
    """What would be passed over is misuse, and nothing is read."""
    done = run("convert", "-", "--to", "json", *args, stdin=b"{}")
    assert done.code == 2
    assert says in done.err


def test_protojson_of_avro_is_refused(run: Run, project: Path) -> None:
    """A subject in Avro has no ProtoJSON, and the error says what it has."""
    done = run("convert", "-", "--to", "protojson", stdin=blob(project))
    assert done.code == 1
    assert "only a version that is a .proto" in done.err
