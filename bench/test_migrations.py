"""Times reading blobs that are nine versions old, with pytest-benchmark, in three sizes.

Beside them stand blobs of the current version, the bare Python calls of a migration, and what
others do with dict functions. These are measurements and assert no time; see README.md for how
to run them.
"""

from __future__ import annotations

from functools import cache

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from instar.bench.migration_kinds import KINDS, Kind
from instar.bench.migration_peers import OldReader, check_reader, dicts_pydantic, fastavro_dicts
from instar.bench.migration_states import Chain, Oldest
from instar.bench.migrations import FORMATS
from instar.bench.ten_versions import MESSAGES
from instar.codec.tag import Format

SIZES: dict[str, int] = dict(zip(("small", "medium", "large"), MESSAGES, strict=True))
READERS = {"dicts-pydantic": dicts_pydantic, "fastavro-dicts": fastavro_dicts}


@cache
def oldest(kind: Kind, size: str) -> Oldest:
    """A state that version 1 wrote."""
    return Chain.open(kind).oldest(SIZES[size])


@cache
def reader(kind: Kind, name: str) -> OldReader:
    """The peer, checked with two states before anything is timed."""
    chain = Chain.open(kind)
    found = READERS[name](chain)
    check_reader(found, chain)
    return found


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("format_", FORMATS)
@pytest.mark.parametrize("kind", KINDS)
def test_oldest(benchmark: BenchmarkFixture, kind: Kind, format_: Format, size: str) -> None:
    """A blob of version 1, read at version 10; the engine that does it is noted."""
    benchmark.group = f"{kind}, {size}"
    notes: dict[str, str] = benchmark.extra_info  # pyright: ignore[reportUnknownMemberType] - a bare dict
    notes["engine"] = oldest(kind, size).chain.engine(format_)
    benchmark(oldest(kind, size).loads(format_)[0])


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("format_", FORMATS)
@pytest.mark.parametrize("kind", KINDS)
def test_current(benchmark: BenchmarkFixture, kind: Kind, format_: Format, size: str) -> None:
    """The base: a blob of version 10 that gives the same state."""
    benchmark.group = f"{kind}, {size}"
    benchmark(oldest(kind, size).loads(format_)[1])


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("kind", ["root", "list"])
def test_calls(benchmark: BenchmarkFixture, kind: Kind, size: str) -> None:
    """The migration's Python function alone, as often and on the same values."""
    benchmark.group = f"{kind}, {size}"
    benchmark(oldest(kind, size).calls())


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize("kind", KINDS)
def test_others(benchmark: BenchmarkFixture, kind: Kind, name: str, size: str) -> None:
    """The same old state by dict functions behind another reader."""
    benchmark.group = f"{kind}, {size}"
    peer = reader(kind, name)
    benchmark(peer.load, peer.dump(oldest(kind, size)))
