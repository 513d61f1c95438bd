"""JSON and MessagePack by the kernel against the library engine: random schemas and states."""

from __future__ import annotations

import math
from typing import Any, Literal, TypeAlias

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from schema_strategies import schemas

pytest.importorskip("instar.codec.kernel.core", reason="no kernel was built")

from codec.kernel.keyed_pair import KeyedPair
from codec.kernel.test_avro_differential import damaged

from instar.codec.compatibility.heights import heights
from instar.codec.compatibility.values import states
from instar.codec.types import build_types
from instar.schemas.model import Schema
from instar.schemas.numbering import number_fields

Name: TypeAlias = Literal["json", "msgpack"]

# Making the types of a schema is what takes the time here, so one schema is used for all.
SLOW = settings(
    max_examples=20, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much]
)
WRONG = [object(), [object()], {"k": object()}, {1: 2}, 10**30, "\ud800", "x", None, True, 0.5]


@pytest.mark.parametrize("format_", ["json", "msgpack"])
@SLOW
@given(schema=schemas(), data=st.data())
def test_both_engines_write_and_read_alike(
    format_: Name, schema: Schema, data: st.DataObject
) -> None:
    """The kernel alone writes and reads every ordinary state as the library engine does; of
    damaged payloads and unfit states it takes nothing that the library engine does not.
    """
    assume(heights(schema)[schema.root] < math.inf)
    (numbered,) = number_fields([schema])
    pair = KeyedPair(format_, build_types(numbered))
    state = data.draw(states(pair.types))
    wanted = pair.write(state)
    # JSON has no numbers for NaN and the infinities, so Python spells and reads them.
    if format_ == "msgpack" or not (b"NaN" in wanted or b"Infinity" in wanted):
        assert pair.payload(state) == wanted
        assert pair.read_alone(wanted)
    assert pair.agrees(data.draw(damaged(wanted)))
    names = type(state).__struct_fields__
    if names:
        wrong = with_other(state, data.draw(st.sampled_from(names)), data.draw(OTHERS))
        found = pair.payload(wrong)
        assert found is NotImplemented or found == pair.write(wrong)


OTHERS = st.sampled_from(WRONG)


def with_other(state: Any, name: str, value: Any) -> Any:
    """The state with another value in one attribute."""
    changed = state.__copy__()
    setattr(changed, name, value)
    return changed
