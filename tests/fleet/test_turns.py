"""Whatever the interleaving of versions, formats, engines and edits, nothing is lost.

``python tests/fleet/long_turns.py --steps 100000`` is a long run of the same.
"""

from __future__ import annotations

from typing import Any

import pytest
from evolve import FORMATS
from examples import examples
from fleet.turn_subjects import SUBJECTS
from fleet.turns import Turns
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)
from mixed_fleet import fleet

from instar.codec.compatibility.values import states
from instar.codec.engines import engines
from instar.codec.verify.walk import bare
from instar.errors import InstarError

WAYS = st.tuples(st.sampled_from(engines()), st.sampled_from(FORMATS))

MOST = 4
"""Versions in a fleet at once."""


def machine(subjects: Any) -> type[RuleBasedStateMachine]:
    """Programs of any version of one of ``subjects`` load, edit and save one state, in turn."""

    class Machine(RuleBasedStateMachine):
        @initialize(data=st.data(), way=WAYS)
        def start(self, data: st.DataObject, way: Any) -> None:
            self.turns = data.draw(subjects)
            of = self.turns.subject
            some = st.lists(st.sampled_from(list(of.schemas)), min_size=1, max_size=MOST, unique=True)
            self.fleet = sorted(data.draw(some, label="fleet"))
            self.values = {v: states(of.types(v)) for v in (*self.fleet, of.latest)}
            state = data.draw(self.values[self.turns.high])
            try:
                self.turns.start(state, *way)
            except InstarError:
                # A text format does not have every value.
                self.turns.start(state, way[0], "msgpack")

        @rule(data=st.data(), way=WAYS, copied=st.booleans(), edited=st.booleans())
        def turn(self, data: st.DataObject, way: Any, copied: bool, edited: bool) -> None:
            """Load at a version of the fleet, edit or not, and save at one up to that."""
            version = data.draw(st.sampled_from(self.fleet), label="version")
            older = [each for each in self.fleet if each <= version]
            written = data.draw(st.sampled_from(older), label="written")
            donor = data.draw(self.values[version]) if edited else None
            edit = data.draw(st.integers(0, 999), label="edit")
            self.turns.turn(version, written, way, donor, edit, copied=copied)

        @invariant()
        def nothing_is_lost(self) -> None:
            """The newest version reads the model, by either engine."""
            for engine in engines():
                self.turns.check((engine, "avro"))

    return Machine


@pytest.mark.parametrize("name", SUBJECTS)
def test_nothing_is_lost(name: str) -> None:
    """Any interleaving of versions, formats, engines and edits gives what the model says."""
    short = settings(
        stateful_step_count=8,
        max_examples=examples(12),
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
    )
    run_state_machine_as_test(machine(SUBJECTS[name]()), settings=short)


def test_what_is_dropped_is_noticed() -> None:
    """A program that saves without residue does not pass."""
    turns, codec = Turns(fleet().subject("state")), fleet().codec("state", version=1)
    turns.start(fleet().codec("state").from_builtins(STATE), engines()[0], "avro")
    turns.blob = codec.encode(bare(codec.decode(turns.blob)))
    with pytest.raises(AssertionError, match=r"status: expected <Status\.STUCK"):
        turns.check((engines()[0], "avro"))


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
