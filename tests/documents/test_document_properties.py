from __future__ import annotations

from copy import deepcopy
from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st
from infer.json_documents import named, objects, values

from instar.codec.documents import DocumentCodec, differences
from instar.codec.types import build_types
from instar.schemas.infer import infer_schema
from instar.schemas.model import JsonValue


def inferred(samples: list[Any], *, enums: bool = False) -> DocumentCodec:
    schema = infer_schema(named(samples), subject="agent_state", enums=enums)
    return DocumentCodec(build_types(schema))


@given(st.lists(objects(), min_size=1, max_size=6), st.booleans())
@example([{"a": 1}, {"a": 1.5}, {}, {"a": None}], False)
@example([{"a": -0.0}, {"a": 0}], False)
def test_every_sample_comes_back(samples: list[Any], enums: bool) -> None:
    """Each document fits the schema inferred from all, and differs only where it is said."""
    codec = inferred(samples, enums=enums)
    for sample in samples:
        before = deepcopy(sample)
        state, changes = codec.load(sample)
        assert tuple(differences(before, codec.dump(state))) == changes
        assert {change.kind for change in changes} <= {"absent-null-merged", "number-type"}
        assert not list(differences(before, sample))


@given(st.lists(objects(), min_size=1, max_size=4))
def test_a_second_trip_changes_nothing(samples: list[Any]) -> None:
    """What was dumped once loads to an equal state, without any change."""
    codec = inferred(samples)
    for sample in samples:
        state, _ = codec.load(sample)
        assert codec.load(codec.dump(state)) == (state, ())


@given(values())
def test_a_value_does_not_differ_from_itself(value: Any) -> None:
    """Equal values have no differences."""
    assert not list(differences(value, deepcopy(value)))


@given(values(4), values(4))
def test_different_values_differ(left: Any, right: Any) -> None:
    """Two values have no difference only where they are written alike, keys in any order."""
    alike = repr(_ordered(left)) == repr(_ordered(right))
    assert (not list(differences(left, right))) == alike


def _ordered(value: JsonValue) -> JsonValue:
    if isinstance(value, dict):
        return {key: _ordered(item) for key, item in sorted(value.items())}
    return [_ordered(item) for item in value] if isinstance(value, list) else value
