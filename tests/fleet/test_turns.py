"""Whatever the interleaving of versions, formats, engines and edits, nothing is lost.

``python tests/fleet/long_turns.py --steps 100000`` is a long run of the same.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from evolve import FORMATS, field, registry
from examples import examples
from fleet.turn_subjects import OWN, REAL
from fleet.turns import Turns, Way
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)
from mixed_fleet import array, fleet

from instar.codec.engines import EngineName, engines
from instar.codec.tag.header import Format
from instar.codec.verify.walk import bare
from instar.errors import InstarError
from instar.migrations import compute

SLOW = [
    HealthCheck.too_slow,
    HealthCheck.data_too_large,
    HealthCheck.large_base_example,
    HealthCheck.filter_too_much,
]
"""States of real histories are large."""
MOST = 4
"""Versions in a fleet at once, besides the newest; it has no more formats and engines than that,
since all is compiled for each.
"""


def machine(subjects: Any, most: int) -> type[RuleBasedStateMachine]:
    """Programs of a fleet of one of ``subjects`` load, edit and save one state, in turn."""

    class Machine(RuleBasedStateMachine):
        @initialize(data=st.data())
        def start(self, data: st.DataObject) -> None:
            self.turns = data.draw(subjects)
            of = self.turns.subject
            drawn = data.draw(some(of.schemas, most), label="fleet")
            self.fleet = sorted({*drawn, of.latest})
            self.formats = data.draw(some(FORMATS, most), label="formats")
            self.engines = data.draw(some(engines(), most), label="engines")
            self.values = {v: self.turns.values(v) for v in self.fleet}
            state, (engine, format_) = data.draw(self.values[of.latest]), self.way(data)
            try:
                self.turns.start(state, engine, format_)
            except InstarError:
                # A text format does not have every value.
                self.turns.start(state, engine, "msgpack")

        def way(self, data: st.DataObject) -> tuple[EngineName, Format]:
            drawn = st.tuples(st.sampled_from(self.engines), st.sampled_from(self.formats))
            return data.draw(drawn, label="way")

        @rule(data=st.data(), copied=st.booleans(), edited=st.booleans())
        def turn(self, data: st.DataObject, copied: bool, edited: bool) -> None:
            """Load at a version of the fleet, edit or not, and save at one up to that."""
            version = data.draw(st.sampled_from(self.fleet), label="version")
            older = [each for each in self.fleet if each <= version]
            written = data.draw(st.sampled_from(older), label="written")
            donor = data.draw(self.values[version]) if edited else None
            edit = data.draw(st.integers(0, 999), label="edit")
            self.turns.turn(version, written, self.way(data), donor, edit, copied=copied)

        @invariant()
        def nothing_is_lost(self) -> None:
            """The newest version reads the model, by each engine of the fleet."""
            for engine in self.engines:
                self.turns.check((engine, "avro"))

    return Machine


def some(of: Iterable[Any], most: int) -> Any:
    """One or more, up to so many."""
    return st.lists(st.sampled_from(list(of)), min_size=1, max_size=most, unique=True)


def take_turns(subjects: Any, most: int, runs: int, steps: int) -> None:
    """So many runs of the machine, in proportion to the profile."""
    short = settings(
        stateful_step_count=steps,
        max_examples=examples(runs),
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=SLOW,
    )
    run_state_machine_as_test(machine(subjects, most), settings=short)


@pytest.mark.parametrize("name", OWN)
def test_nothing_is_lost(name: str) -> None:
    """Any interleaving of versions, formats, engines and edits gives what the model says."""
    take_turns(OWN[name](), MOST, runs=6, steps=8)


@pytest.mark.parametrize("name", REAL)
def test_nothing_is_lost_of_real_histories(name: str) -> None:
    """The same between any versions of a real history, for which much has to be compiled."""
    take_turns(REAL[name](), 1, runs=2, steps=4)


def test_what_is_dropped_is_noticed() -> None:
    """A program that saves without residue does not pass."""
    turns, codec = Turns(fleet().subject("state")), fleet().codec("state", version=1)
    turns.start(fleet().codec("state").from_builtins(STATE), engines()[0], "avro")
    turns.blob = codec.encode(bare(codec.decode(turns.blob)))
    with pytest.raises(AssertionError, match=r"status: expected <Status\.STUCK"):
        turns.check((engines()[0], "avro"))


def first_or(url: str, known: list[str]) -> list[str]:
    return known or [url]


def spread(known: list[str]) -> tuple[str, list[str]]:
    return known[0] if known else "", known


@pytest.mark.parametrize(("written", "known"), [(1, ["new"]), (2, ["old"]), (3, ["new"])])
def test_a_value_that_a_version_between_has_twice(written: int, known: list[str]) -> None:
    """An edit of one of the two counts for what the version between makes of both, if that wrote
    the blob.
    """
    url, urls = field("url", "string"), field("known", array("string"), default=[])
    once = compute(reads=("url", "known"), writes="known", up=first_or, down=spread)
    opened = registry([[url], [url, urls], [urls]], [], [once])
    new, old = opened.codec("state"), opened.codec("state", version=1)
    turns = Turns(opened.subject("state"))
    way: Way = engines()[0], "avro"
    turns.start(new.from_builtins({"known": ["old"]}), *way)
    turns.turn(3, written, way, None, 0)
    turns.turn(1, 1, way, old.from_builtins({"url": "new"}), 0)
    assert turns.edits == 1
    assert turns.by_way == (written == 2)
    assert new.decode(turns.blob).known == known


STATE: dict[str, Any] = {
    "title": "t",
    "status": "STUCK",
    "mood": None,
    "steps": [],
    "notes": {},
    "pick": None,
    "parts": [],
    "named": {},
    "first": "a",
    "last": "b",
    "goal": [],
}
