"""The rows hold what was measured, and their text is right."""

from __future__ import annotations

import pytest

from instar.bench.measure import Spread, Timing
from instar.bench.others import json_peer
from instar.bench.peers import Peer, Versions, instar_peers
from instar.bench.sample import agent_state
from instar.bench.table import Row, cells, columns, compare, ratio_text, spread_text, time_text
from instar.errors import ValueMismatch


@pytest.fixture
def peers(versions: Versions) -> list[Peer]:
    return [json_peer(versions), *instar_peers(versions, ["msgpack"])]


def test_compare(versions: Versions, peers: list[Peer]) -> None:
    """A row has the size of the first state's blob, and times of both directions."""
    codec = versions.codec("msgpack")
    states = [agent_state(codec, "small", seed=seed) for seed in (1, 2)]
    base, ours = compare(peers, states, rounds=7, base="json")
    assert ours.name == "instar msgpack"
    assert ours.bytes == len(codec.encode(states[0]))
    assert ours.zstd is None or ours.zstd < ours.bytes
    assert base.hydrate.ratio == base.dehydrate.ratio == Spread(1, 1, 1)
    assert ours.hydrate.seconds.lower > 0
    assert ours.dehydrate.seconds.lower > 0


def test_compare_checks_first(versions: Versions, peers: list[Peer]) -> None:
    """A peer that does not do the work is found before anything is timed."""
    state = agent_state(versions.codec("json"), "small")
    with pytest.raises(ValueMismatch, match="two different states"):
        compare(peers, [state], rounds=7, base="json")


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.0000012345, "1.23 µs"),
        (0.0000456, "45.6 µs"),
        (0.000789, "789 µs"),
        (0.00123, "1.23 ms"),
        (1.5, "1,500 ms"),
    ],
)
def test_time_text(seconds: float, text: str) -> None:
    """A time has three digits and the unit that suits it."""
    assert time_text(seconds) == text


def test_spread_text() -> None:
    """A spread is half its width, as a share of the median."""
    assert spread_text(Spread(100, 90, 110)) == "10%"
    assert spread_text(Spread(0, 0, 0)) == "0%"


def test_ratio_text() -> None:
    """A ratio shows its interval."""
    assert ratio_text(Spread(1.5, 1.25, 12)) == "1.50 [1.25-12.0]"


def test_cells() -> None:
    """There is a cell for each column, and a peer that only makes dicts says so."""
    timing = Timing("a", Spread(1e-5, 9e-6, 1.1e-5), Spread(2, 1.9, 2.1))
    row = Row("a", "dicts", 1234, None, timing, timing)
    found = dict(zip(columns("json"), cells(row), strict=True))
    assert found == {
        "format": "a, to dicts",
        "bytes": "1,234",
        "zstd": "-",
        "hydrate": "10.0 µs",
        "±": "10%",
        "ratio to json": "2.00 [1.90-2.10]",
        "dehydrate": "10.0 µs",
    }
