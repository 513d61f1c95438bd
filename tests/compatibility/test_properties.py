from __future__ import annotations

import evolutions
import schema_strategies
from examples import examples
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from instar.codec.compatibility import Direction, RawFormat, Settings, diff, run
from instar.codec.compatibility.change import RAW_FORMATS
from instar.codec.compatibility.heights import heights
from instar.codec.compatibility.values import states
from instar.codec.registry import Registry
from instar.codec.types import build_types
from instar.schemas.model import Schema
from instar.schemas.numbering import number_fields

SLOW = settings(
    max_examples=examples(25),
    deadline=None,
    # A verdict runs hypothesis itself, on the versions that the outer one draws.
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.nested_given],
    derandomize=True,
)
DIRECTIONS: tuple[Direction, ...] = ("backward", "forward")


@given(schema_strategies.schemas(), st.data())
@SLOW
def test_states_are_ones_that_writers_take(schema: Schema, data: st.DataObject) -> None:
    """Whatever state is tried, the writers of every format take it and read it back."""
    (numbered,) = number_fields([schema])
    if heights(numbered)[numbered.root] == float("inf"):
        assert states(build_types(numbered)).is_empty
        return
    registry = Registry.of([numbered])
    codec = registry.codec(
        "subject", format=data.draw(st.sampled_from(("avro", "msgpack", "json")))
    )
    state = data.draw(states(registry.subject("subject").types(1)))
    # NaN is no other value's equal, so the bytes are compared.
    assert codec.encode(codec.decode(codec.encode(state))) == codec.encode(state)


@given(evolutions.lines(most=2), st.sampled_from(RAW_FORMATS), st.sampled_from(DIRECTIONS))
@SLOW
def test_no_value_fails_that_the_rules_let_pass(
    line: tuple[Schema, ...], format_: RawFormat, direction: Direction
) -> None:
    """Where the rules name no break, random changes of random schemas read every value."""
    older, newer = line
    found = run(older, newer, direction, format_, Settings(examples=15))
    if not any(change.broken(format_, direction) for change in diff(older, newer)):
        assert found.compatible


@given(schema_strategies.schemas())
@SLOW
def test_a_schema_has_no_changes_from_itself(schema: Schema) -> None:
    """A schema compared with itself has no changes."""
    assert diff(schema, schema) == ()
