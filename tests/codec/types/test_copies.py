"""Copies and pickles of states whose classes were made at run time."""

from __future__ import annotations

import copy
import json
import pickle
from typing import Any

import pytest

from instar.codec.registry import Registry
from instar.errors import ConfigError
from instar.schemas.avro import parse_avro

TEXT = {"type": "record", "name": "Text", "fields": [{"name": "body", "type": "string"}]}
FIELDS = [
    {"name": "parts", "type": {"type": "array", "items": [TEXT, "string", "bytes"]}},
    {"name": "kind", "type": {"type": "enum", "name": "Kind", "symbols": ["A"]}},
    {"name": "free", "type": {"type": "bytes", "logicalType": "json"}},
    {"name": "when", "type": {"type": "long", "logicalType": "timestamp-micros"}},
]
SCHEMA = parse_avro(
    json.dumps({"type": "record", "name": "T", "fields": FIELDS}),
    subject="t",
    version=1,
    where="t.avsc",
)
CODEC: Any = Registry.of([SCHEMA]).codec("t")
PLAIN = {
    "parts": [{"$type": "Text", "body": "a"}, {"$type": "StringValue", "value": "b"}],
    "kind": "A",
    "free": {"deep": [1]},
    "when": "2025-06-01T08:00:00Z",
}


def test_a_deep_copy_is_equal_and_shares_nothing() -> None:
    """copy.deepcopy gives a state of the same classes, whose parts are its own."""
    state = CODEC.from_builtins(PLAIN)
    made = copy.deepcopy(state)
    assert made == state
    assert [type(part) for part in made.parts] == [type(part) for part in state.parts]
    made.parts[0].body = "other"
    made.parts[1].value = "other"
    made.free["deep"].append(2)
    assert CODEC.to_builtins(state) == PLAIN
    assert copy.copy(state) == state


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_pickling_is_refused_in_words(protocol: int) -> None:
    """Classes that cannot be imported are refused, with what to pickle instead."""
    state = CODEC.from_builtins(PLAIN)
    for value in (state, state.parts[1], state.kind, [state]):
        with pytest.raises(ConfigError, match=r"^t\.v1\.\w+: .*made at run time") as caught:
            pickle.dumps(value, protocol)
        assert "instar generate" in caught.value.mend
    assert CODEC.decode(pickle.loads(pickle.dumps(CODEC.encode(state), protocol))) == state  # noqa: S301 - made here
