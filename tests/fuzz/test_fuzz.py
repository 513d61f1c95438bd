"""A short, seeded run of the fuzzer and of the leak check; the README has the long ones."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

pytest.importorskip("instar.codec.kernel.core", reason="no kernel was built")

from fuzz.carried_targets import CarriedTarget, carried_targets
from fuzz.leaks import everything, measure
from fuzz.mutate import flipped, mutated
from fuzz.targets import KEYED, Target, part_targets, targets

FORMATS = ("avro", "protobuf", "msgpack", "json")
NAMES = [target.name for format_ in FORMATS for target in targets(format_)]


@cache
def target(name: str) -> Target:
    format_ = name.partition("-")[0]
    return next(found for found in targets(format_) if found.name == name)


def changed(name: str, whole: list[bytes]) -> Iterator[bytes]:
    """The payloads with changes. Most of a keyed format is keys, and few changes leave them be."""
    if name.startswith(KEYED):
        yield from flipped(whole, 300, seed=20)
    yield from mutated(whole, 100 if name.startswith(KEYED) else 300, seed=20)


@pytest.mark.parametrize("name", NAMES)
def test_changed_payloads_are_read_alike_or_refused(name: str) -> None:
    """The kernel gives the library engine's value of whatever it accepts, and nothing crashes."""
    found = target(name)
    whole = [seed for seed in found.seeds if found.decode(seed) is not NotImplemented]
    accepted = 0
    for payload in changed(name, whole):
        value = found.decode(payload)
        found.check(payload, value)
        accepted += value is not NotImplemented
    # Else the payloads are too broken to show anything.
    assert accepted > (1 if name.startswith(KEYED) else 5)


@pytest.mark.parametrize("name", NAMES)
def test_the_corpus_is_read_alike_or_refused(name: str) -> None:
    """Payloads that once reached new code are tried again."""
    found = target(name)
    assert len(found.seeds) > 5
    for payload in found.seeds:
        found.check(payload, found.decode(payload))


@pytest.mark.parametrize("found", carried_targets(), ids=lambda target: target.name)
def test_changed_payloads_with_values_beside_them_do_no_harm(found: CarriedTarget) -> None:
    """An index may be of any value, or of none; what is read is written and read again alike."""
    assert all(found.decode(seed) is not NotImplemented for seed in found.seeds)
    accepted = 0
    for payload in [*found.seeds, *mutated(found.seeds, 300, seed=23)]:
        value = found.decode(payload)
        found.check(payload, value)
        accepted += value is not NotImplemented
    assert len(found.seeds) < accepted


@pytest.mark.parametrize("format_", [f for f in FORMATS if f not in KEYED])
def test_parts_are_those_of_the_state(format_: str) -> None:
    """All parts of the corpus and of changed payloads are what stands in the state, if that is
    accepted, and none crashes; through a migration too.
    """
    found = part_targets(format_)
    assert len(found) > 20
    accepted = 0
    for target in found:
        whole = [seed for seed in target.seeds if target.decode(seed) is not NotImplemented]
        assert len(whole) > 1, target.name
        accepted += sum(target.decode(p) is not NotImplemented for p in mutated(whole, 60, seed=21))
    assert accepted > 100


def test_a_wrong_value_would_be_seen() -> None:
    """The check is no formality: another value, or one for bytes that have none, is an error."""
    found = target("avro-zoo0-1-1")
    value = found.decode(found.seeds[0])
    with pytest.raises(AssertionError):
        found.check(found.seeds[1], value)
    with pytest.raises(AssertionError):
        found.check(b"", value)


@pytest.mark.parametrize("format_", FORMATS)
def test_decodes_and_encodes_leave_nothing_behind(format_: str) -> None:
    """Memory blocks and references to shared objects stay as many, after refusals too."""
    runs, shared = everything(format_)
    growth = measure(runs, 3, shared)
    assert growth.calls > 10_000
    assert growth.is_none, growth


def test_a_leak_would_be_seen() -> None:
    """One object, or one reference, left behind by each call is noticed."""
    kept: list[Any] = []

    def leaking(value: Any) -> int:
        kept.append(value())
        return 1

    shared = object()
    for value in (object, lambda: shared):
        growth = measure([lambda value=value: leaking(value)] * 100, 30, [shared])
        assert not growth.is_none
