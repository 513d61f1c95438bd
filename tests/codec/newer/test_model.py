"""Old and new code take turns with one state, and a plain model says what has to be in it."""

from __future__ import annotations

import copy
from functools import cache
from typing import Any

import pytest
from evolve import FORMATS
from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)
from mixed_fleet import fleet, join_name, older, split_name

from instar.codec.engines import engine, forced_engine, missing_kernel
from instar.codec.tag.header import Format

WORDS = st.sampled_from(["", "a", "b c", "d e f"])
HUMANS = st.builds(lambda email: {"$type": "Human", "email": email}, WORDS)
TOOLS = st.builds(lambda name: {"$type": "Tool", "name": name}, WORDS)
PARTS = st.one_of(WORDS, TOOLS, HUMANS)
OLD_PARTS = st.one_of(WORDS, TOOLS)
STEPS = st.fixed_dictionaries(
    {
        "key": WORDS,
        "note": WORDS,
        "cost": st.integers(0, 3),
        "by": st.none() | HUMANS,
    }
)
STATES = st.fixed_dictionaries(
    {
        "title": WORDS,
        "status": st.sampled_from(["OPEN", "DONE", "STUCK"]),
        "mood": st.sampled_from([None, "CALM", "CROSS"]),
        "steps": st.lists(STEPS, max_size=3),
        "notes": st.dictionaries(WORDS, STEPS, max_size=2),
        "pick": st.none() | PARTS,
        "parts": st.lists(PARTS, max_size=4),
        "named": st.dictionaries(WORDS, PARTS, max_size=3),
        "first": WORDS,
        "last": WORDS,
        "goal": st.lists(WORDS, max_size=3),
        "budget": st.integers(0, 3),
        "owner": st.none() | HUMANS,
    }
)
ANY_FORMAT = st.sampled_from(FORMATS)
PLACES = st.integers(0, 3)


def is_human(part: Any) -> bool:
    return isinstance(part, dict) and part["$type"] == "Human"


def fresh_step(key: str) -> dict[str, Any]:
    return {"key": key, "note": "", "cost": 0, "by": None}


@cache
def codec(engine: str, format_: Format, **settings: Any) -> Any:
    """Compiled once, for each engine."""
    del engine
    return fleet().codec("state", format=format_, **settings)


class Fleet(RuleBasedStateMachine):
    """``model`` is the state as plain values of version 2; ``blob`` what is stored."""

    @initialize(state=STATES, format_=ANY_FORMAT)
    def start(self, state: dict[str, Any], format_: Format) -> None:
        self.model = state
        self.blob = b""
        self.save_new(format_, None)

    def codec(self, format_: Format = "avro", **settings: Any) -> Any:
        return codec(engine().name, format_, **settings)

    def save_new(self, format_: Format, write_version: int | None) -> None:
        codec = self.codec(format_, write_version=write_version)
        self.blob = codec.encode(codec.from_builtins(self.model))

    @rule(format_=ANY_FORMAT, write_version=st.sampled_from([1, 2]))
    def save_as_new(self, format_: Format, write_version: int) -> None:
        """New code loads and saves, at either version."""
        codec = self.codec(format_, write_version=write_version)
        self.blob = codec.encode(codec.decode(self.blob))

    @rule(state=STATES, format_=ANY_FORMAT, write_version=st.sampled_from([1, 2]))
    def edit_as_new(self, state: dict[str, Any], format_: Format, write_version: int) -> None:
        """New code changes what only it knows, by the same records."""
        codec = self.codec(format_, write_version=write_version)
        loaded, donor = codec.decode(self.blob), codec.from_builtins(state)
        for name in ("budget", "status", "pick", "owner", "goal", "first"):
            setattr(loaded, name, getattr(donor, name))
            self.model[name] = state[name]
        self.blob = codec.encode(loaded)

    def old(self, format_: Format) -> tuple[Any, Any]:
        codec = self.codec(format_, version=1)
        return codec, codec.decode(self.blob)

    @rule(format_=ANY_FORMAT)
    def save_as_old(self, format_: Format) -> None:
        """Old code loads and saves."""
        codec, state = self.old(format_)
        self.blob = codec.encode(copy.deepcopy(state))

    @rule(format_=ANY_FORMAT, title=WORDS)
    def save_as_oldest(self, format_: Format, title: str) -> None:
        """Code that was deployed before version 2 edits what is written as version 1."""
        codec, state = self.old(format_)
        codec = older().codec("state", format=format_)
        state = codec.decode(self.codec(format_, version=1).encode(state))
        state.title = self.model["title"] = title
        state.steps.reverse()
        self.model["steps"].reverse()
        self.blob = codec.encode(state)

    @rule(format_=ANY_FORMAT, place=PLACES, note=WORDS)
    def edit_step(self, format_: Format, place: int, note: str) -> None:
        """Old code changes a field of a record in a list, and moves the record."""
        codec, state = self.old(format_)
        if state.steps:
            at = place % len(state.steps)
            state.steps[at].note = self.model["steps"][at]["note"] = note
            state.steps.insert(0, state.steps.pop(at))
            self.model["steps"].insert(0, self.model["steps"].pop(at))
        self.blob = codec.encode(state)

    @rule(format_=ANY_FORMAT, place=PLACES, key=WORDS)
    def replace_steps(self, format_: Format, place: int, key: str) -> None:
        """Old code deletes a record, adds one, and moves one from the list to the map."""
        codec, state = self.old(format_)
        step = codec.schema_types().record("Step")
        if state.steps:
            at = place % len(state.steps)
            state.notes[key] = state.steps.pop(at)
            self.model["notes"][key] = self.model["steps"].pop(at)
        state.steps.append(step(key=key, note=""))
        self.model["steps"].append(fresh_step(key))
        del state.steps[2:], self.model["steps"][2:]
        self.blob = codec.encode(state)

    @rule(format_=ANY_FORMAT, status=st.sampled_from(["OPEN", "DONE"]))
    def set_status(self, format_: Format, status: str) -> None:
        """A symbol that the default stands for is kept until another one is set."""
        codec, state = self.old(format_)
        assert state.status.value == {"STUCK": "OPEN"}.get(
            self.model["status"], self.model["status"]
        )
        if status != state.status.value:
            state.status = type(state.status)(status)
            self.model["status"] = status
        self.blob = codec.encode(state)

    @rule(format_=ANY_FORMAT, calm=st.booleans())
    def set_mood(self, format_: Format, calm: bool) -> None:
        """An unknown symbol of an optional reads as None, and is kept while it is."""
        codec, state = self.old(format_)
        seen = None if self.model["mood"] == "CROSS" else self.model["mood"]
        assert (state.mood and state.mood.value) == seen
        if calm:
            state.mood = codec.schema_types().enum("Mood")("CALM")
            self.model["mood"] = "CALM"
        elif seen is not None:
            state.mood = self.model["mood"] = None
        self.blob = codec.encode(state)

    @rule(format_=ANY_FORMAT, pick=st.none() | OLD_PARTS)
    def set_pick(self, format_: Format, pick: Any) -> None:
        """A known case that is set clears an unknown one."""
        codec, state = self.old(format_)
        seen = None if is_human(self.model["pick"]) else self.model["pick"]
        if pick != seen:
            state.pick = self.part(codec, pick)
            self.model["pick"] = pick
        self.blob = codec.encode(state)

    @staticmethod
    def part(codec: Any, part: Any) -> Any:
        return (
            codec.schema_types().record("Tool")(name=part["name"])
            if isinstance(part, dict)
            else part
        )

    @rule(format_=ANY_FORMAT, part=OLD_PARTS)
    def add_part(self, format_: Format, part: Any) -> None:
        """Items of an unknown branch are left out, and stay where they were."""
        codec, state = self.old(format_)
        assert len(state.parts) == sum(not is_human(part) for part in self.model["parts"])
        if len(self.model["parts"]) < 6:
            state.parts.append(self.part(codec, part))
            self.model["parts"].append(part)
        self.blob = codec.encode(state)

    @rule(format_=ANY_FORMAT)
    def clear_parts(self, format_: Format) -> None:
        """What old code cannot see, it cannot delete."""
        codec, state = self.old(format_)
        state.parts.clear()
        self.model["parts"] = [part for part in self.model["parts"] if is_human(part)]
        self.blob = codec.encode(state)

    @rule(format_=ANY_FORMAT, key=WORDS, part=OLD_PARTS)
    def set_named(self, format_: Format, key: str, part: Any) -> None:
        """An entry of a map that is set beats an unknown one of the same key."""
        codec, state = self.old(format_)
        state.named[key] = self.part(codec, part)
        self.model["named"][key] = part
        self.blob = codec.encode(state)

    @rule(format_=ANY_FORMAT, name=WORDS)
    def set_name(self, format_: Format, name: str) -> None:
        """What is computed is computed anew once its argument differs, and only then."""
        codec, state = self.old(format_)
        assert state.name == join_name(self.model["first"], self.model["last"])
        if name != state.name:
            state.name = name
            self.model["first"], self.model["last"] = split_name(name)
        self.blob = codec.encode(state)

    @rule(format_=ANY_FORMAT, goal=st.none() | WORDS)
    def set_goal(self, format_: Format, goal: str | None) -> None:
        """The rest of a list stays behind its head, as long as there is one."""
        codec, state = self.old(format_)
        goals = self.model["goal"]
        assert state.goal == (goals[0] if goals else None)
        state.goal = goal
        self.model["goal"] = [] if goal is None else [goal, *goals[1:]]
        self.blob = codec.encode(state)

    @invariant()
    def nothing_is_lost(self) -> None:
        """Whoever reads at version 2 finds the model."""
        codec = self.codec()
        assert codec.to_builtins(codec.decode(self.blob)) == self.model


STEPS_OF_ONE_RUN = settings(
    stateful_step_count=12, max_examples=40, deadline=None, phases=[Phase.generate]
)


@pytest.mark.parametrize("name", ["kernel", "library"])
def test_nothing_is_lost(name: Any) -> None:
    """Whatever the interleaving of versions, formats and edits."""
    if name == "kernel" and missing_kernel():
        pytest.skip(missing_kernel())
    with forced_engine(name):
        run_state_machine_as_test(Fleet, settings=STEPS_OF_ONE_RUN)
