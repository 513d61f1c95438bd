"""What stands beside instar's own work is the same work: same states, same numbers."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from instar.bench.memory import peaks
from instar.bench.same import same
from instar.bench.states import LABELS
from instar.bench.ten_versions import LATEST, MESSAGES, SUBJECT, first_document, ten_versions
from instar.bench.vectors import LENGTH, vector_codec, vector_numbers
from instar.codec.registry import Registry
from instar.schemas.model import Record


@pytest.fixture(scope="module")
def registry() -> Registry:
    return ten_versions()


def fields(registry: Registry, version: int) -> dict[str, Any]:
    """The fields of all records of a version: what a step can change."""
    types = registry.subject(SUBJECT).schema(version).types
    records = [named for named in types.values() if isinstance(named, Record)]
    return {f"{record.name}.{f.name}": f for record in records for f in record.fields}


def test_ten_versions(registry: Registry) -> None:
    """There are ten versions, and each differs from the one before."""
    assert list(registry.subject(SUBJECT).schemas) == list(range(1, LATEST + 1))
    versions = [fields(registry, version) for version in range(1, LATEST + 1)]
    assert all(old != new for old, new in pairwise(versions))


def test_every_kind_of_step(registry: Registry) -> None:
    """From the first version to the last, fields were added, removed, renamed and widened."""
    old, new = fields(registry, 1), fields(registry, LATEST)
    aliases = {
        f"{name.rpartition('.')[0]}.{alias}" for name, f in new.items() for alias in f.aliases
    }
    added = {name for name in new.keys() - old.keys() if not new[name].aliases}
    widened = {name for name in new.keys() & old.keys() if new[name].type != old[name].type}
    assert added == {"Conversation.tags", "Message.pinned"}
    assert aliases == {"Conversation.agent", "Message.body"}
    assert old.keys() - new.keys() - aliases == {"Conversation.scratch", "Message.trace"}
    assert {"Conversation.tokens", "Conversation.score", "Message.seconds"} <= widened


def test_old_blob_gives_the_whole_state(registry: Registry) -> None:
    """A blob of version 1 read at version 10 has every message, text and number."""
    first, latest = registry.codec(SUBJECT, version=1), registry.codec(SUBJECT)
    document = first_document(5)
    state = latest.decode(first.encode(first.from_builtins(document)))
    assert (state.agent_name, state.tokens) == (document["agent"], document["tokens"])
    assert [m.text for m in state.messages] == [m["body"] for m in document["messages"]]
    assert [m.seconds for m in state.messages] == [m["seconds"] for m in document["messages"]]
    assert same(latest.decode(latest.encode(state)), state)


@pytest.mark.parametrize(("label", "messages"), [*zip(LABELS, MESSAGES, strict=True)])
def test_sizes(registry: Registry, label: str, messages: int) -> None:
    """Its states are about as large as those of the sample."""
    codec = registry.codec(SUBJECT, version=1, format="json")
    size = len(codec.encode(codec.from_builtins(first_document(messages)))) / 1000
    wanted = float(label.removesuffix(" KB"))
    assert 0.75 * wanted <= size <= 1.3 * wanted


def test_vector() -> None:
    """The vector has its length, is declared as one, and comes back with the same numbers."""
    codec, numbers = vector_codec(), vector_numbers()
    assert len(numbers) == LENGTH
    assert len(set(numbers)) > 1000
    state = codec.from_builtins({"values": list(numbers)})
    assert list(codec.decode(codec.encode(state)).values) == numbers


def test_peak_is_beyond_the_result() -> None:
    """What is allocated and freed again counts, and what is given back does not."""

    def run() -> bytes:
        bytes(300_000)
        return bytes(1_000_000)

    assert 0 <= peaks(run, 7).upper < 10

    def wasteful() -> tuple[bytes, int]:
        return bytes(1_000_000), len(bytes(300_000))

    assert 290 < peaks(wasteful, 7).median < 300


def test_peak_of_nothing() -> None:
    """A call that allocates nothing has no peak."""
    assert peaks(lambda: None, 7).median < 1


def test_first_call_does_not_count() -> None:
    """What only a first call takes, to fill a cache, is no part of the peak."""
    cache: list[bytes] = []

    def run() -> None:
        if not cache:
            cache.append(bytes(10_000_000))

    assert peaks(run, 7).upper < 10
