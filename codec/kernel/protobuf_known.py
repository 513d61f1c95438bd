"""The nodes of the well-known messages that mean a scalar, alike for reading and writing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...schemas.model import Json, Logical, Schema
from .. import times
from ..checks import check_for, json_room
from . import core
from .draft import Draft, NotPlainError

_OPS: Mapping[str, int] = {
    "google.protobuf.Timestamp": core.TIMESTAMP_PARTS,
    "google.protobuf.Duration": core.DURATION_PARTS,
    "google.protobuf.Value": core.JSON_VALUE,
    "google.protobuf.Struct": core.JSON_STRUCT,
    "google.protobuf.ListValue": core.JSON_LIST,
}


_UNITS: Mapping[str, int] = {"micros": 1000, "nanos": 1}
"""Nanoseconds to a unit."""


def well_known(draft: Draft, kind: Logical | Json, schema: Schema) -> int:
    """The node of a Timestamp, a Duration or a JSON value."""
    op = _OPS[kind.well_known or ""]
    if isinstance(kind, Json):
        return draft.add(op, size=json_room(kind, schema))
    unit = _UNITS.get(kind.unit or "")
    if unit is None:
        raise NotPlainError(f"{kind.well_known} in {kind.unit}")
    return draft.add(op, size=unit)


def well_known_writer(draft: Draft, kind: Logical | Json, schema: Schema) -> int:
    """The same to write, with a function for a time of another zone or of a subclass."""
    node = well_known(draft, kind, schema)
    if isinstance(kind, Json) or kind.unit == "nanos":
        return node
    check = check_for(kind, schema)
    plain = _plain_instant if kind.kind == "timestamp" else _plain_span

    def convert(value: Any) -> Any:
        return plain(check(value))

    spec = draft.specs[node]
    return draft.add(spec.op, node, object=convert, size=spec.size)


def _plain_instant(value: Any) -> Any:
    return times.micros_to_timestamp(times.timestamp_to_micros(value))


def _plain_span(value: Any) -> Any:
    return times.micros_to_duration(times.duration_to_micros(value))
