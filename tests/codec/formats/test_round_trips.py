"""Every state comes back from every format as it went in."""

from __future__ import annotations

import math
from typing import Any

from examples import examples
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from same import same
from schema_strategies import schemas

from instar.codec.codec import Codec, Settings
from instar.codec.compatibility.heights import heights
from instar.codec.compatibility.values import states
from instar.codec.subject import Subject
from instar.codec.tag.header import Format
from instar.schemas.model import Schema
from instar.schemas.numbering import number_fields

FORMATS: tuple[Format, ...] = ("avro", "protobuf", "msgpack", "json", "yaml")


@settings(
    max_examples=examples(60),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
@given(schema=schemas(), data=st.data())
def test_states_of_any_schema_come_back(schema: Schema, data: st.DataObject) -> None:
    """Whatever encode accepts, decode gives back: same values, same classes."""
    assume(heights(schema)[schema.root] < math.inf)
    subject = Subject(number_fields([schema]))
    state = data.draw(states(subject.types(schema.version)))
    for format_ in FORMATS:
        codec = Codec[Any](subject, Settings(schema.version, format_))
        assert same(codec.decode(codec.encode(state)), state), format_
