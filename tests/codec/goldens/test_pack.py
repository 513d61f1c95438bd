from __future__ import annotations

from array import array
from collections.abc import Iterator
from enum import Enum
from typing import Any

import msgspec
import pytest
from examples import examples
from hypothesis import given, settings
from schema_strategies import schemas as any_schemas

from instar import Registry
from instar.codec.compatibility.choices import choices
from instar.codec.goldens.pack import pack
from instar.codec.goldens.states import named_states
from instar.codec.types import build_types
from instar.schemas.model import Schema

MOST = 16
"""States of a version of a reference subject; a choice alone would be some hundred."""


class Pair(msgspec.Struct):
    left: Any
    right: Any


class Other(msgspec.Struct):
    value: Any


def atoms(value: Any) -> Iterator[str]:
    """What a value holds at its leaves, and each container that is empty, below its class."""
    match value:
        case msgspec.Struct():
            for name in value.__struct_fields__:
                for atom in atoms(getattr(value, name)):
                    yield f"{type(value).__name__}.{name}{atom}"
        case list() if value:
            for item in value:
                yield from (f"[]{atom}" for atom in atoms(item))
        case dict() if value:
            for item in value.values():
                yield from (f"{{}}{atom}" for atom in atoms(item))
        case Enum():
            yield f" {value.value}"
        case _:
            yield f" {value!r}"


def test_a_row_for_each_choice() -> None:
    """Values of one class become as many as its widest field needs; other classes stand apart."""
    found = pack([Pair(0, "a"), Pair(1, "a"), Pair(0, "b"), Pair(2, "a"), Other(None), None])
    assert found == [Pair(0, "a"), Pair(1, "b"), Pair(2, "a"), Other(None), None]


def test_containers_are_filled() -> None:
    """A list and a map hold all that any held, beside an empty one."""
    assert pack([[], [1], [2, 1]]) == [[], [1, 2]]
    assert pack([{}, {"a": 1}, {"a": 2}, {"a1": 3}]) == [{}, {"a": 1, "a1": 2, "a11": 3}]
    assert pack([{}, {1: 1}, {1: 2}, {1: 1}]) == [{}, {1: 1}, {1: 2}]


def test_what_only_equals_is_kept() -> None:
    """A zero below zero, a true beside a 1, and vectors stay what they are."""
    assert list(map(repr, pack([0.0, -0.0, 1, True, array("f"), array("f", [1])]))) == [
        *("0.0", "-0.0", "1", "True", "array('f')", "array('f', [1.0])"),
    ]


@settings(max_examples=examples(25))
@given(any_schemas())
def test_packing_keeps_every_part(schema: Schema) -> None:
    """Whatever a schema offers is in a packed state, and the plainest state stays first."""
    types = build_types(schema)
    chosen = list(choices(types, edges=True))
    packed = pack(chosen)
    assert len(packed) <= len(chosen)
    assert {a for state in packed for a in atoms(state)} == {
        a for state in chosen for a in atoms(state)
    }
    assert list(map(repr, packed[:1])) == list(map(repr, chosen[:1]))


@pytest.mark.parametrize(("name", "version"), [("agent_state", 3), ("agent_command", 2)])
def test_states_of_the_reference_subjects(reference: Registry, name: str, version: int) -> None:
    """A handful of states: the defaults, and between the others every symbol and branch."""
    types = reference.subject(name).types(version)
    states = dict(named_states(types))
    assert next(iter(states)) == "defaults"
    assert 5 <= len(states) <= MOST
    text = repr(list(states.values()))
    for enum_name in ("Status", "Role", "Decision"):
        for full, named in types.schema.types.items():
            if full.endswith(f".{enum_name}"):
                assert all(repr(symbol) in text for symbol in types.enum(full)), named
    assert "\N{BUTTERFLY}" in text
