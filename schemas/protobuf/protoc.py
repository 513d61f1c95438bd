"""Compiles ``.proto`` files with protoc, which grpcio-tools brings as a Python module."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from ...errors import MissingExtra, SchemaError, SchemaSyntaxError

if TYPE_CHECKING:
    from google.protobuf.descriptor_pb2 import FileDescriptorSet

_TIMEOUT = 60.0
_MESSAGE = re.compile(r"(?P<file>.*?\.proto):(?:(?P<place>\d+:\d+):)?\s*(?P<reason>.*)")


def proto_paths(path: Path) -> dict[str, str]:
    """The path of each file to compile, by the name that protoc knows it by.

    ``path`` is one file, or a folder of which every ``.proto`` counts, in folders below too.
    """
    if not path.is_dir():
        return {path.name: str(path)}
    found = sorted(file.relative_to(path).as_posix() for file in path.rglob("*.proto"))
    return {name: str(path / name) for name in found}


def compile_proto(path: Path) -> FileDescriptorSet:
    """Compile the file at ``path``, or the files of the folder, and all that they import,
    comments included.

    Imports are looked for beside the file, or from the folder. Each call runs a process of
    its own, so calls may run side by side. Raises MissingExtra without grpcio-tools,
    SchemaSyntaxError where protoc finds a fault, SchemaError where there is no file.
    """
    if importlib.util.find_spec("grpc_tools") is None:
        raise MissingExtra("reading .proto schemas needs grpcio-tools", extra="compile")
    if not path.is_file() and not (path.is_dir() and proto_paths(path)):
        raise SchemaError("cannot be read: no such file", where=str(path))
    from google.protobuf.descriptor_pb2 import FileDescriptorSet  # noqa: PLC0415  # by need only

    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder, "descriptors")
        _run_protoc(path, output)
        return FileDescriptorSet.FromString(output.read_bytes())


def _run_protoc(path: Path, output: Path) -> None:
    names = proto_paths(path)
    command = [
        # -P keeps Python files that lie beside the schema from being taken for protoc's own.
        *(sys.executable, "-P", "-m", "grpc_tools.protoc"),
        "--proto_path=.",
        f"--descriptor_set_out={output}",
        *("--include_imports", "--include_source_info"),
        *names,
    ]
    try:
        done = subprocess.run(  # noqa: S603  # the command is this interpreter's own protoc
            command,
            capture_output=True,
            check=False,
            cwd=path if path.is_dir() else path.parent,
            encoding="utf-8",
            errors="replace",
            timeout=_TIMEOUT,
        )
    except subprocess.TimeoutExpired:
        raise SchemaError(f"protoc took over {_TIMEOUT:.0f} seconds", where=str(path)) from None
    if done.returncode != 0:
        raise _fault(names, done.stderr)


def _fault(names: Mapping[str, str], report: str) -> SchemaSyntaxError:
    """The first fault of protoc's report; the rest mostly follows from it."""
    asked = next(iter(names.values()))
    faults = [line for line in report.splitlines() if line and "warning:" not in line]
    matches = [found for line in faults if (found := _MESSAGE.match(line))]
    # A file that is not found is reported first, and then where it is imported.
    match = next((found for found in matches if found["place"]), matches[0] if matches else None)
    if match is None:
        return SchemaSyntaxError(faults[0] if faults else "protoc failed", where=asked)
    # protoc names files as import statements do; only those asked for are known by a path.
    name = names.get(match["file"], match["file"])
    where = f"{name}:{match['place']}" if match["place"] else name
    return SchemaSyntaxError(match["reason"], where=where)
