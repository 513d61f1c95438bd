"""The kernel writes Protobuf byte for byte as the library engine does, all that it takes."""

from __future__ import annotations

import math

import pytest
from codec.formats.test_protobuf_wire import SCHEMAS
from codec.kernel.protobuf_pairs import Pair
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from schema_strategies import schemas

from instar.codec.compatibility.heights import heights
from instar.codec.compatibility.values import states
from instar.codec.subject import Subject
from instar.schemas.model import Schema
from instar.schemas.numbering import number_fields

SLOW = [HealthCheck.too_slow, HealthCheck.filter_too_much]


@settings(max_examples=60, suppress_health_check=SLOW)
@given(schema=schemas(), data=st.data())
def test_states_of_any_schema_are_written(schema: Schema, data: st.DataObject) -> None:
    """Whatever our encoder writes of a schema from Avro, the kernel takes, with the same bytes."""
    assume(heights(schema)[schema.root] < math.inf)
    pair = Pair(Subject(number_fields([schema])))
    state = data.draw(states(pair.types))
    assert pair.written_by_kernel(state) == pair.written_by_library(state)


@pytest.mark.parametrize("name", SCHEMAS)
@settings(max_examples=60, suppress_health_check=SLOW)
@given(data=st.data())
def test_what_protoc_has_alone_is_written(
    protos: dict[str, Pair], name: str, data: st.DataObject
) -> None:
    """Groups, closed enums, expanded lists, wrappers and required fields are written the same."""
    pair = protos[name]
    state = data.draw(states(pair.types))
    assert pair.written_by_kernel(state) == pair.written_by_library(state)
