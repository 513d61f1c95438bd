"""Compiles ``.proto`` files with protoc, which grpcio-tools brings as a Python module."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from ...errors import MissingExtra, SchemaError, SchemaSyntaxError

if TYPE_CHECKING:
    from google.protobuf.descriptor_pb2 import FileDescriptorSet

_TIMEOUT = 60.0
_MESSAGE = re.compile(r"(?P<file>.*?\.proto):(?:(?P<line>\d+):\d+:)?\s*(?P<reason>.*)")


def compile_proto(path: Path) -> FileDescriptorSet:
    """Compile the file at ``path`` and all that it imports, comments included.

    Imports are looked for beside the file. Each call runs a process of its own, so calls
    may run side by side. Raises MissingExtra without grpcio-tools, SchemaSyntaxError where
    protoc finds a fault, SchemaError where there is no file.
    """
    if importlib.util.find_spec("grpc_tools") is None:
        raise MissingExtra("reading .proto schemas needs grpcio-tools", extra="compile")
    if not path.is_file():
        raise SchemaError("cannot be read: no such file", where=str(path))
    from google.protobuf.descriptor_pb2 import FileDescriptorSet  # noqa: PLC0415  # by need only

    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder, "descriptors")
        _run_protoc(path, output)
        return FileDescriptorSet.FromString(output.read_bytes())


def _run_protoc(path: Path, output: Path) -> None:
    command = [
        # -P keeps Python files that lie beside the schema from being taken for protoc's own.
        *(sys.executable, "-P", "-m", "grpc_tools.protoc"),
        "--proto_path=.",
        f"--descriptor_set_out={output}",
        *("--include_imports", "--include_source_info"),
        path.name,
    ]
    try:
        done = subprocess.run(  # noqa: S603  # the command is this interpreter's own protoc
            command,
            capture_output=True,
            check=False,
            cwd=path.parent,
            encoding="utf-8",
            errors="replace",
            timeout=_TIMEOUT,
        )
    except subprocess.TimeoutExpired:
        raise SchemaError(f"protoc took over {_TIMEOUT:.0f} seconds", where=str(path)) from None
    if done.returncode != 0:
        raise _fault(path, done.stderr)


def _fault(path: Path, report: str) -> SchemaSyntaxError:
    """The first fault of protoc's report; the rest mostly follows from it."""
    faults = [line for line in report.splitlines() if line and "warning:" not in line]
    matches = [found for line in faults if (found := _MESSAGE.match(line))]
    # A file that is not found is reported first, and then where it is imported.
    match = next((found for found in matches if found["line"]), matches[0] if matches else None)
    if match is None:
        return SchemaSyntaxError(faults[0] if faults else "protoc failed", where=str(path))
    # protoc names files as import statements do; only the main one is known by its path.
    name = str(path) if match["file"] == path.name else match["file"]
    where = f"{name}:{match['line']}" if match["line"] else name
    return SchemaSyntaxError(match["reason"], where=where)
