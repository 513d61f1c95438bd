"""JSON documents as programs write them: few keys, repeated, with values that vary."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from hypothesis import strategies as st

from instar.schemas.infer import Document
from instar.schemas.infer.texts import write_local, write_micros, write_millis
from instar.schemas.infer.words import can_be_key

INTEGERS = st.integers(-(2**63), 2**64 - 1) | st.integers(-3, 3)
FLOATS = st.floats(allow_nan=False, allow_infinity=False) | st.sampled_from([0.0, -0.0, 1.0])
MOMENTS = st.datetimes(datetime(1000, 1, 1), datetime(9999, 12, 30))  # noqa: DTZ001  # the strategy adds zones
TEXTS = (
    st.text(st.characters(codec="utf-8"), max_size=6)
    | st.uuids().map(str)
    | MOMENTS.map(write_local)
    | MOMENTS.map(lambda moment: write_micros(moment.replace(tzinfo=UTC)))
    | MOMENTS.map(lambda moment: write_millis(moment.replace(tzinfo=UTC)))
    | st.sampled_from(["run", "stop", "2024-01-01", "2024-01-01T00:00:00Z", "NaN"])
)
SCALARS: st.SearchStrategy[Any] = st.none() | st.booleans() | INTEGERS | FLOATS | TEXTS
ODD_KEYS = ("", "été", "branch:to:x", "__class__", "8f14e45f", "x" * 70)
USUAL_KEYS = ("id", "type", "$type", "$schema", "messages", "args", "class", "self", "a-b", "a_b")
KEYS = st.sampled_from(USUAL_KEYS + ODD_KEYS) | st.text(st.characters(codec="utf-8"), max_size=3)


def values(leaves: int = 12) -> st.SearchStrategy[Any]:
    """Any JSON value."""
    return st.recursive(
        SCALARS,
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=5),
        max_leaves=leaves,
    )


def objects() -> st.SearchStrategy[dict[str, Any]]:
    """A JSON object, as a document must be: each key can be that of a field."""
    return st.dictionaries(KEYS.filter(can_be_key), values(), max_size=6)


def named(values: list[Any]) -> list[Document]:
    """Documents of the values, numbered from 1."""
    return [Document("sample", value, number) for number, value in enumerate(values, start=1)]
