"""Measures give a row for each size, in order, and say honestly whether a target is met."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from time import thread_time

import pytest

from instar.bench import own_runs
from instar.bench.measure import FEWEST_ROUNDS, Spread
from instar.bench.measures import (
    QUICK,
    Effort,
    Entry,
    Finding,
    Found,
    Ground,
    Measure,
    Skipped,
    Targets,
    Trial,
    contest,
    findings,
)
from instar.bench.measures_table import MEASURES
from instar.bench.others import json_peer, msgspec_msgpack_peer
from instar.bench.peer_runs import loads, repeating_loads, target_at
from instar.bench.peers import Peer, Versions
from instar.bench.states import LABELS, avro_peer, sample_states
from instar.errors import ValueMismatch

TINY = Effort(FEWEST_ROUNDS, 0.0)


def spin(seconds: float) -> None:
    """Compute for that long; sleeping takes no time of the processor."""
    end = thread_time() + seconds
    while thread_time() < end:
        pass


def rows(_: Ground, targets: Targets) -> Iterator[Entry]:
    yield Trial("small", targets[0], lambda _: Found(Spread(0.5, 0.4, 0.6)))
    yield Skipped("large", targets[-1], "not built")


def test_findings(ground: Ground) -> None:
    """There is a finding for each row, with its target, and a reason where nothing was run."""
    measure = Measure(1, "ours", "theirs", (0.6, 0.4), rows)
    first, second = findings([measure], ground, QUICK)
    assert (first.size, first.target, first.met) == ("small", 0.6, True)
    assert (second.size, second.target, second.found, second.met) == ("large", 0.4, None, None)
    assert second.why == "not built"


@pytest.mark.parametrize(("target", "met"), [(0.49, False), (0.5, True), (0.51, True)])
def test_met(target: float, met: bool) -> None:
    """A target is met by a median at it or below, whatever the interval."""
    measure = Measure(1, "ours", "theirs", (target,), rows)
    assert Finding(measure, "small", target, Found(Spread(0.5, 0.1, 9))).met is met


def test_contest() -> None:
    """A contest gives the ratio of ours to the peer's, and the seconds of both."""
    trial = contest("small", 1.0, lambda: spin(0.002), lambda: spin(0.001))
    found = trial.run(TINY)
    assert found.ours is not None
    assert found.peer is not None
    assert found.ours >= 0.002
    assert found.peer >= 0.001
    assert found.ratio.lower <= found.ratio.median <= found.ratio.upper


def test_effort_is_spent() -> None:
    """A trial runs its candidates in as many rounds as the effort says, or more."""
    calls: Counter[str] = Counter()
    trial = contest("small", 1.0, lambda: calls.update(["a"]), lambda: calls.update(["b"]))
    trial.run(Effort(11, 0.0))
    assert min(calls["a"], calls["b"]) >= 11


def test_target_at() -> None:
    """A measure has three targets, by size, or one for all sizes."""
    assert [target_at(place, (3.0, 2.0, 1.0)) for place in range(3)] == [3, 2, 1]
    assert [target_at(place, (3.0,)) for place in range(3)] == [3, 3, 3]


def test_sizes_and_real_data(ground: Ground) -> None:
    """A measure has the three sizes with their targets, and says that real data is not here."""
    measure = loads(avro_peer, msgspec_msgpack_peer)
    found = list(measure(ground, (0.8, 0.7, 0.4)))
    assert [(row.size, row.target) for row in found] == [
        *zip(LABELS, (0.8, 0.7, 0.4), strict=True),
        ("real", 0.7),
    ]
    assert isinstance(found[-1], Skipped)
    assert found[-1].why == "there is no real data"


def test_real_data_is_a_row(ground: Ground) -> None:
    """Where there is real data it is measured too, with the target of the size next to it."""
    real = replace(ground.plain[0], label="92 KB real", place=2)
    found = list(
        loads(avro_peer, msgspec_msgpack_peer)(replace(ground, real=real), (3.0, 2.0, 1.0))
    )
    assert isinstance(found[-1], Trial)
    assert (found[-1].size, found[-1].target) == ("92 KB real", 1.0)


def test_repeating(ground: Ground) -> None:
    """The measure of repeats runs on the states whose ids repeat, and no other does."""
    marked = replace(ground, repeating=[replace(ground.plain[0], label="repeating")])
    measure = repeating_loads(avro_peer, msgspec_msgpack_peer)
    assert [row.size for row in measure(marked, (1.0,))] == ["repeating", "real"]
    plain = loads(avro_peer, msgspec_msgpack_peer)(marked, (1.0,))
    assert "repeating" not in {row.size for row in plain}


def test_peers_are_checked(ground: Ground) -> None:
    """A peer that does less than the whole work is refused before its row is there."""

    def lazy(versions: Versions) -> Peer:
        return replace(json_peer(versions), load=lambda _: {})

    with pytest.raises(ValueMismatch, match="no state"):
        next(loads(lazy, msgspec_msgpack_peer)(ground, (1.0,)))
    with pytest.raises(ValueMismatch, match="no state"):
        next(loads(avro_peer, lazy)(ground, (1.0,)))


@pytest.mark.usefixtures("few_objects")
def test_every_measure_runs(ground: Ground, monkeypatch: pytest.MonkeyPatch) -> None:
    """All eighteen measures are there, and each has rows that can be run."""
    monkeypatch.setattr(own_runs, "MESSAGES", (1, 2, 3))
    assert sorted({measure.number for measure in MEASURES}) == list(range(1, 19))
    found = list(findings(MEASURES, ground, TINY))
    sizes = Counter(row.measure.number for row in found)
    assert [sizes[number] for number in range(1, 19)] == [
        *([4] * 6), *([3] * 5), 5, 2, 1, 1, 2, 8, 8,
    ]  # fmt: skip
    for row in found:
        assert (row.found is None) == bool(row.why)
        if row.found is not None:
            assert 0 <= row.found.ratio.lower <= row.found.ratio.upper


def test_sample_states(versions: Versions) -> None:
    """The sample comes in three sizes, each with the place of its target."""
    found = sample_states(versions)
    assert [(states.label, states.place) for states in found] == [
        *zip(LABELS, range(3), strict=True)
    ]
    assert [len(states.state.messages) for states in found] == [2, 100, 2000]
    repeating = sample_states(versions, ids=8)
    assert {len({m.id for m in states.state.messages}) for states in repeating} == {2, 8}
