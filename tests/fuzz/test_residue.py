"""A short, seeded run over residue, and whether it leaves anything behind."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import msgspec
import pytest

pytest.importorskip("instar.codec.kernel.core", reason="no kernel was built")

from fuzz.leaks import SHARED, measure
from fuzz.mutate import flipped, mutated
from fuzz.residue_targets import NEWER, ResidueTarget, crossing, grown, lowered, residue_targets

NAMES = ["residue-raise", "residue-hold", "residue-attach"]


@pytest.fixture(autouse=True)
def kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is the kernel that is tried."""
    monkeypatch.setenv("INSTAR_ENGINE", "kernel")


def target(name: str) -> ResidueTarget:
    return next(found for found in residue_targets() if found.name == name)


def changed(seeds: list[bytes]) -> Iterator[bytes]:
    """The seeds, and changes of them: most of a token has to stay as it is."""
    yield from seeds
    yield from flipped(seeds, 2500, seed=22)
    yield from mutated(seeds, 1000, seed=22)


@pytest.mark.parametrize("name", NAMES)
def test_changed_residue_is_read_alike_or_left_to_python(name: str) -> None:
    """The kernel gives what Python gives of whatever it takes, and nothing crashes."""
    found, accepted = target(name), 0
    for seed in found.seeds:
        assert found.decode(seed) is not NotImplemented
    for payload in changed(found.seeds):
        value = found.decode(payload)
        found.check(payload, value)
        accepted += value is not NotImplemented
    # Else the changes are too rough to show anything.
    assert 50 < accepted < 3000


def test_a_wrong_value_would_be_seen() -> None:
    """The checks are no formality: they tell another state, and a token that does not hold."""
    raising, holding = target("residue-raise"), target("residue-hold")
    first, second, *_ = raising.seeds
    value = raising.decode(first)
    assert raising.decode(second) is not NotImplemented
    with pytest.raises(AssertionError):
        raising.check(second, value)
    sources = msgspec.msgpack.encode((("level",),))
    assert sources in first
    overtaken = first.replace(sources, msgspec.msgpack.encode((("title",),)))
    assert holding.decode(overtaken) is NotImplemented
    with pytest.raises(AssertionError):
        holding.check(overtaken, True)


def test_nothing_is_left_behind() -> None:
    """Memory blocks and references to shared objects stay as many, after refusals too."""
    runs: list[Callable[[], int]] = [
        partial(_called, found.decode, payload)
        for found in residue_targets()
        for payload in list(changed(found.seeds))[::20]
    ]
    codec = grown().codec("state", version=1)
    state = grown().codec("state").from_builtins(NEWER)
    runs += [partial(_called, crossing().lower, state)] * 50
    runs += [partial(_called, codec.encode, lowered())] * 50
    growth = measure(runs, 20, list(SHARED))
    assert growth.calls > 10_000
    assert growth.is_none, growth


def _called(run: Callable[[Any], object], argument: Any) -> int:
    run(argument)
    return 1
