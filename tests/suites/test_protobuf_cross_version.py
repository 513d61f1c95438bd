"""Bytes of one version of real schemas, read with the next: what protobuf's own classes see."""

from __future__ import annotations

from typing import Any

import pytest
from google.protobuf.json_format import MessageToDict, SerializeToJsonError
from material import material
from suites.protobuf_cases import (
    BEYOND_64_BITS,
    FAMILIES,
    FINER,
    Families,
    Tally,
    beyond_python,
    codec_of,
    compile_once,
    families,
    lines,
    message_class,
    messages_in,
    shown,
)

from instar import read_residue
from instar.codec.codec import Codec
from instar.codec.tag import unpack
from instar.errors import InstarError
from instar.schemas.reading import TimeUnit

__all__ = ["compile_once", "families"]


# What has no place in Python, by the unit of times: everything else is read exactly.
_FINER = f"{FINER}, refused by design"
_FAR = f"{BEYOND_64_BITS}, refused by design"
_YEARS = "a timestamp outside the years 1 to 9999, refused by design"
_OPEN = "an unknown number of an open enum, refused by design"
IN_VALUES = "unknown fields of a wrapper or an instant, dropped by design"
_KINDS = ("Double", "Float", "Int64", "UInt64", "Int32", "UInt32", "Bool", "String", "Bytes")
VALUES = {
    f"google.protobuf.{name}"
    for name in ("Timestamp", "Duration", *(f"{kind}Value" for kind in _KINDS))
}
REFUSED: dict[TimeUnit, dict[str, dict[str, int]]] = {
    "micros": {
        "cadence-history": {_FINER: 37},
        "durabletask-orchestrator": {_FINER: 62, IN_VALUES: 2},
        "otel-metrics": {IN_VALUES: 2},
        "flyte-event": {_FINER: 25},
        "temporal-workflow": {_FINER: 56, _YEARS: 2, _OPEN: 1},
    },
    "nanos": {
        "durabletask-orchestrator": {IN_VALUES: 3},
        "otel-metrics": {IN_VALUES: 2},
        "temporal-workflow": {_FAR: 2, _OPEN: 2},
    },
}


def as_json(message: Any) -> Any:
    try:
        return MessageToDict(message, preserving_proto_field_name=True)
    except (SerializeToJsonError, ValueError):
        return None


def drop_within_values(message: Any) -> None:
    """Drop the unknown fields of messages that are no records in Python, but values."""
    for field, value in message.ListFields():
        for part in messages_in(field, value):
            if part.DESCRIPTOR.full_name in VALUES:
                part.DiscardUnknownFields()
            else:
                drop_within_values(part)


def judge(case: dict[str, Any], codec: Codec[Any], class_: Any) -> str | None:
    """What is wrong with our reading of old bytes with the new schema."""
    payload = bytes.fromhex(case["blob_hex"])
    try:
        state = codec.decode(payload, legacy=1)
    except InstarError as error:
        return None if case["new_parse"] == "error" else f"refused: {error}"
    if case["new_parse"] == "error":
        return "accepted"
    found, whole = class_.FromString(unpack(codec.encode(state))[1]), class_.FromString(payload)
    if as_json(found) != case.get("new_json"):
        return "another message"
    if shown(found) != shown(whole):
        drop_within_values(whole)
        return IN_VALUES if shown(found) == shown(whole) else "another message"
    if case["unknown_fields"] != bool(read_residue(state)):
        return "unknown fields are not what protobuf says"
    return None


@pytest.mark.parametrize("times", ["micros", "nanos"])
@pytest.mark.parametrize("family", FAMILIES)
def test_old_bytes_under_the_new_schema(family: str, times: TimeUnit, families: Families) -> None:
    """What the new version reads of old bytes is what protobuf's own new class reads, every
    nanosecond of it where times are in nanoseconds.
    """
    tally = Tally(f"cross-version-protobuf {family} in {times}")
    suite = material("suites", "cross-version-protobuf", "handout")
    for name, case in lines(suite / f"{family}.jsonl"):
        path = families.path(family, case["to"])
        codec = codec_of(path, case["message_to"], times)
        class_ = message_class(path, case["message_to"])
        problem = judge(case, codec, class_)
        reason = None
        if case["new_parse"] == "ok":
            reason = beyond_python(class_.FromString(bytes.fromhex(case["blob_hex"])), times)
        if problem == IN_VALUES:
            tally.pass_over(problem)
        elif reason is None:
            tally.check(name, problem)
        elif problem is not None and problem.startswith("refused: case."):
            tally.pass_over(f"{reason}, refused by design")
        else:
            tally.failed[name] = f"{reason}, and not refused"
    tally.report()
    assert tally.failed == {}, str(tally.failed)
    assert tally.passed
    assert tally.other == REFUSED[times].get(family, {})
