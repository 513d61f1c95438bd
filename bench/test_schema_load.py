"""Times opening a schema of 250 KB beside what its own tools take to parse it.

The ratio is to ``fastavro.parse_schema`` on the same document, and to a run of protoc on
the same file. That of the first reads and writes between two versions is to reading and linking
the schemas. These are measurements and assert no time; see README.md for how to run them.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from fastavro.schema import parse_schema
from pytest_benchmark.fixture import BenchmarkFixture

import instar
from instar.bench.big_schema import big_avsc, big_document, big_proto, next_avsc
from instar.schemas.avro import parse_avro

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


def both() -> instar.Registry:
    """Two versions, read and linked; no plan, type or fingerprint of theirs is there yet."""
    texts = enumerate((big_avsc(), next_avsc(big_avsc())), start=1)
    return instar.Registry.of(
        [parse_avro(text, subject="big", version=n, where="big") for n, text in texts]
    )


@cache
def blobs() -> dict[int, bytes]:
    """A blob of each version; that of the newer one has what the older one has no place for."""
    older, newer = both().codec("big", version=1), both().codec("big")
    states = [codec.from_builtins(big_document(big_avsc())) for codec in (older, newer)]
    states[1].part_0.added = "kept"
    return {1: older.encode(states[0]), 2: newer.encode(states[1])}


def read_older() -> Callable[[], Any]:
    """A blob of the older version, read by new code."""
    codec, blob = both().codec("big"), blobs()[1]
    return lambda: codec.decode(blob)


def read_newer() -> Callable[[], Any]:
    """A blob of the newer version, read by old code: with residue."""
    codec, blob = both().codec("big", version=1), blobs()[2]
    return lambda: codec.decode(blob)


def write_older() -> Callable[[], Any]:
    """A state of new code, written as the older version."""
    codec = both().codec("big", write_version=1)
    state = codec.from_builtins(big_document(big_avsc()))
    state.part_0.added = "kept"
    return lambda: codec.encode(state)


@pytest.mark.parametrize("first", [read_older, read_newer, write_older])
def test_first(benchmark: BenchmarkFixture, first: Callable[[], Callable[[], Any]]) -> None:
    """What is done for the first time by a codec that is at hand."""
    benchmark.group = "first reads, 250 KB"

    def setup() -> tuple[tuple[Callable[[], Any]], dict[str, Any]]:
        return (first(),), {}

    untyped: Any = benchmark
    untyped.pedantic(_run, setup=setup, rounds=5)


def _run(work: Callable[[], Any]) -> None:
    work()


def test_link(benchmark: BenchmarkFixture) -> None:
    """The base of the first reads: the text of two versions to a registry."""
    benchmark.group = "first reads, 250 KB"
    benchmark(both)
