"""Whatever the interleaving of versions, formats, engines and edits, nothing is lost.

``python tests/fleet/long_turns.py --steps 100000`` is a long run of the same.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from evolutions import lines
from evolve import FORMATS
from examples import examples
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

from instar import Registry
from instar.codec.compatibility.values import states
from instar.codec.engines import engines
from instar.codec.verify.walk import bare
from instar.errors import InstarError

ROOT = Path(__file__).resolve().parents[2]
WAYS = st.tuples(st.sampled_from(engines()), st.sampled_from(FORMATS))


@cache
def reference(name: str) -> Turns:
    return Turns(Registry.open(ROOT / "schemas", ROOT / "migrations", subjects=[name]), name)


def everything(_: st.DataObject) -> Turns:
    return Turns(fleet(), "state")


def generated(data: st.DataObject) -> Turns:
    return Turns(Registry.of(data.draw(lines())), "state")


SUBJECTS: dict[str, Callable[[st.DataObject], Turns]] = {
    "agent_state": lambda _: reference("agent_state"),
    "agent_command": lambda _: reference("agent_command"),
    "everything": everything,
    "generated": generated,
}


def machine(subject: Callable[[st.DataObject], Turns]) -> type[RuleBasedStateMachine]:
    """Programs of any version of ``subject`` load, edit and save one state, in turn."""

    class Machine(RuleBasedStateMachine):
        @initialize(data=st.data(), way=WAYS)
        def start(self, data: st.DataObject, way: Any) -> None:
            self.turns = subject(data)
            of = self.turns.subject
            self.values = {version: states(of.types(version)) for version in of.schemas}
            state = data.draw(self.values[self.turns.high])
            try:
                self.turns.start(state, *way)
            except InstarError:
                # A text format does not have every value.
                self.turns.start(state, way[0], "msgpack")

        @rule(data=st.data(), way=WAYS, copied=st.booleans(), edited=st.booleans())
        def turn(self, data: st.DataObject, way: Any, copied: bool, edited: bool) -> None:
            """Load at any version, edit or not, and save at any version up to that."""
            version = data.draw(st.integers(1, self.turns.high), label="version")
            written = data.draw(st.integers(1, version), label="written")
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
    run_state_machine_as_test(machine(SUBJECTS[name]), settings=short)


def test_what_is_dropped_is_noticed() -> None:
    """A program that saves without residue does not pass."""
    turns, codec = Turns(fleet(), "state"), fleet().codec("state", version=1)
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
