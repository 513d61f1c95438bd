"""Times opening a schema of 250 KB beside what its own tools take to parse it.

The ratio is to ``fastavro.parse_schema`` on the same document, and to a run of protoc on
the same file. These are measurements and assert no time; see README.md for how to run
them.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from fastavro.schema import parse_schema
from pytest_benchmark.fixture import BenchmarkFixture

import instar
from instar.bench.big_schema import big_avsc, big_proto

MANY = 200
"""Types that a large schema has at least."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with one subject in each language."""
    root = tmp_path_factory.mktemp("schemas")
    for name, text in (("big_avro/v1.avsc", big_avsc()), ("big_proto/v1.proto", big_proto())):
        (root / name).parent.mkdir()
        (root / name).write_text(text, encoding="utf-8")
    registry = instar.Registry.open(root)
    for name in registry.subjects:
        assert len(registry.subject(name).schema(1).types) > MANY
    return root


def test_open_avro(benchmark: BenchmarkFixture, folder: Path) -> None:
    """From the .avsc to an open registry."""
    benchmark.group = "open 250 KB, Avro"
    benchmark(instar.Registry.open, folder, subjects=["big_avro"])


def test_fastavro(benchmark: BenchmarkFixture, folder: Path) -> None:
    """The base for Avro: the text as JSON, then fastavro's parser."""
    benchmark.group = "open 250 KB, Avro"
    file = folder / "big_avro" / "v1.avsc"
    benchmark(lambda: parse_schema(json.loads(file.read_text(encoding="utf-8")), {}))


def test_open_protobuf(benchmark: BenchmarkFixture, folder: Path) -> None:
    """From the .proto to an open registry, protoc's run included."""
    benchmark.group = "open 250 KB, Protobuf"
    benchmark(instar.Registry.open, folder, subjects=["big_proto"])


def test_protoc(benchmark: BenchmarkFixture, folder: Path, tmp_path: Path) -> None:
    """The base for Protobuf: protoc as the reader runs it, to a descriptor set."""
    benchmark.group = "open 250 KB, Protobuf"
    command = [
        *(sys.executable, "-P", "-m", "grpc_tools.protoc", "--proto_path=.", "v1.proto"),
        *(f"--descriptor_set_out={tmp_path / 'set'}", "--include_imports"),
        "--include_source_info",
    ]
    place = folder / "big_proto"
    benchmark(lambda: subprocess.run(command, cwd=place, check=True))  # noqa: S603 - our own protoc
