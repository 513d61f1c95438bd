"""The kernel writes Protobuf byte for byte as the library engine does, all that it takes."""

from __future__ import annotations

import math
from typing import Any

import msgspec
import pytest
from codec.formats.test_protobuf_wire import SCHEMAS
from codec.kernel.protobuf_pairs import REFUSED, Pair
from examples import examples
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from schema_strategies import schemas

from instar.codec.compatibility.heights import heights
from instar.codec.compatibility.values import states
from instar.codec.subject import Subject
from instar.schemas.model import Schema
from instar.schemas.numbering import number_fields

SLOW = [HealthCheck.too_slow, HealthCheck.filter_too_much]


@settings(max_examples=examples(60), suppress_health_check=SLOW)
@given(schema=schemas(), data=st.data())
def test_states_of_any_schema_are_written(schema: Schema, data: st.DataObject) -> None:
    """Whatever our encoder writes of a schema from Avro, the kernel takes, with the same bytes."""
    assume(heights(schema)[schema.root] < math.inf)
    pair = Pair(Subject(number_fields([schema])))
    state = data.draw(states(pair.types))
    found = pair.written_by_kernel(state)
    if found is REFUSED and has_rare_number(state):
        return  # The kernel leaves such a number in a JSON value to Python.
    assert found == pair.written_by_library(state)


def has_rare_number(value: Any) -> bool:
    """Whether there is a number that is written with an exponent, or is beyond 64 bits."""
    match value:
        case msgspec.Struct():
            return any(has_rare_number(getattr(value, n)) for n in value.__struct_fields__)
        case list():
            return any(map(has_rare_number, value))
        case dict():
            return any(map(has_rare_number, value.values()))
        case float():
            return "e" in repr(value)
        case int():
            return not -(2**63) <= value < 2**63
        case _:
            return False


@pytest.mark.parametrize("name", SCHEMAS)
@settings(max_examples=examples(60), suppress_health_check=SLOW)
@given(data=st.data())
def test_what_protoc_has_alone_is_written(
    protos: dict[str, Pair], name: str, data: st.DataObject
) -> None:
    """Groups, closed enums, expanded lists, wrappers and required fields are written the same."""
    pair = protos[name]
    state = data.draw(states(pair.types))
    assert pair.written_by_kernel(state) == pair.written_by_library(state)
