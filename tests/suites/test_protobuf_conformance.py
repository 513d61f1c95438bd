"""The official conformance suite, for what of it our model carries."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from google.protobuf import json_format
from material import material
from suites.protobuf_cases import (
    Tally,
    beyond_python,
    codec_of,
    compile_once,
    families,
    lines,
    message_class,
    pool_of,
    shown,
)

from instar.codec.codec import Codec
from instar.codec.tag import unpack
from instar.errors import InstarError
from instar.schemas.reading import TimeUnit

__all__ = ["compile_once", "families"]

PROTO_JSON = "the case is about ProtoJSON, and is run below"
OUTPUTS = ("Json", "Protobuf")
NULL_VALUE = {
    # The type mapping says so: a null in a field of google.protobuf.Value reads as no value.
    "Required.Proto3.JsonInput.ValueAcceptNull.ProtobufOutput": "another message",
}
NO_TEXT_FORMAT = "the case is about Protobuf's text format, which is no format of ours"


@pytest.fixture(scope="module")
def suite() -> Path:
    return material("suites", "protobuf-conformance")


def carried(codec: Codec[Any], class_: Any, payload: bytes, expected: bytes) -> str | None:
    """What is wrong with ``payload``, read by us and written again, for protobuf's reading."""
    try:
        state = codec.decode(payload, legacy=1)
    except InstarError as error:
        return f"refused: {error}"
    found, wanted = class_.FromString(unpack(codec.encode(state))[1]), class_.FromString(expected)
    return None if shown(found) == shown(wanted) else "another message"


def refused(codec: Codec[Any], payload: bytes) -> str | None:
    try:
        codec.decode(payload, legacy=1)
    except InstarError:
        return None
    return "accepted"


def judge(case: dict[str, Any], codec: Codec[Any], class_: Any) -> str | None:
    payload = bytes.fromhex(case["payload_hex"])
    if case["expect"] == "parse_error":
        return refused(codec, payload)
    return carried(codec, class_, payload, bytes.fromhex(case["result_hex"]))


def test_conformance_in_binary(suite: Path) -> None:
    """Every payload of the suite is read and written as protobuf's own, or refused as it is."""
    tally = Tally("protobuf-conformance")
    for _, case in lines(suite / "handout.jsonl"):
        if case["in"] == case["out"] == "binary":
            codec = codec_of(suite / "protos", case["message"])
            class_ = message_class(suite / "protos", case["message"])
            tally.check(case["name"], judge(case, codec, class_))
        else:
            other = {case["in"], case["out"]} - {"binary"}
            tally.pass_over(PROTO_JSON if "json" in other else NO_TEXT_FORMAT)
    tally.report()
    assert tally.failed == {}, str(tally.failed)
    assert tally.passed


@pytest.mark.parametrize("times", ["micros", "nanos"])
def test_conformance_bytes_of_json_cases(suite: Path, times: TimeUnit) -> None:
    """The messages of the JSON and text cases are carried too, as far as they are bytes."""
    tally = Tally(f"protobuf-conformance, the bytes of JSON and text cases in {times}")
    for _, case in lines(suite / "handout.jsonl"):
        payload = case.get("payload_hex") if case["in"] == "binary" else case.get("result_hex")
        if payload is None or case["in"] == case["out"]:
            continue
        codec = codec_of(suite / "protos", case["message"], times)
        class_ = message_class(suite / "protos", case["message"])
        data = bytes.fromhex(payload)
        message = class_.FromString(data)
        reason = beyond_python(message, times)
        problem = carried(codec, class_, data, data)
        if reason is not None and problem is not None:
            tally.pass_over(f"{reason}, refused by design")
        else:
            tally.check(case["name"], problem or reason)
    tally.report()
    assert tally.failed == NULL_VALUE


FINER_TIME = "a time that is no whole microsecond"
FAR = "a time that 64 bits of nanoseconds do not hold"
_DURATIONS = [f"Duration{end}Value.{out}Output" for end in ("Min", "Max") for out in OUTPUTS]
_REPEATED = [f"TimestampRepeatedValue.{out}Output" for out in OUTPUTS]
_FIRST_YEAR = [f"TimestampMinValue.{out}Output" for out in OUTPUTS]
_BY_DESIGN = {
    "Recommended.Proto2.JsonInput.FieldNameExtension.Validator": "an extension: no part of a state",
    "Required.Proto3.JsonInput.EnumFieldUnknownValue.Validator": "an unknown number of an enum",
}
REFUSED: dict[TimeUnit, dict[str, str]] = {
    "micros": {
        **_BY_DESIGN,
        **{f"Required.Proto3.JsonInput.{name}": FINER_TIME for name in (*_DURATIONS, *_REPEATED)},
        "Recommended.Proto3.JsonInput.TimestampHas9FractionalDigits.Validator": FINER_TIME,
    },
    "nanos": {
        **_BY_DESIGN,
        **{
            f"Required.Proto3.JsonInput.{name}": FAR
            for name in (*_DURATIONS, *_REPEATED, *_FIRST_YEAR)
        },
    },
}
"""What is refused by design, by the unit of times: all other cases are as protobuf has them."""
JSON_NULL_VALUE = {
    f"Required.Proto3.JsonInput.ValueAcceptNull.{out}Output": "another message" for out in OUTPUTS
}


def json_state(case: dict[str, Any], codec: Codec[Any]) -> Any:
    if case["in"] == "binary":
        return codec.decode(bytes.fromhex(case["payload_hex"]), legacy=1)
    drop = case["category"] == "JSON_IGNORE_UNKNOWN"
    return codec.from_protojson(case["payload"], drop_unknown=drop)


def judge_json(case: dict[str, Any], codec: Codec[Any], class_: Any, pool: Any) -> str | None:
    """What is wrong with a case that is ProtoJSON on the way in or out."""
    try:
        state = json_state(case, codec)
    except InstarError as error:
        # What cannot be written need not be read: no time is both within 64 bits of nanoseconds
        # and beyond Protobuf's calendar.
        return f"refused: {error}" if case["expect"] == "ok" else None
    if case["expect"] == "parse_error":
        return "accepted"
    if case["out"] == "binary":
        found, wanted = unpack(codec.encode(state))[1], bytes.fromhex(case["result_hex"])
        same = str(class_.FromString(found)) == str(class_.FromString(wanted))
        return None if same else "another message"
    try:
        text = codec.to_protojson(state)
    except InstarError as error:
        return None if case["expect"] == "serialize_error" else f"not written: {error}"
    if case["expect"] == "serialize_error":
        return "written"
    read = [json_format.Parse(t, class_(), descriptor_pool=pool) for t in (text, case["result"])]
    if str(read[0]) != str(read[1]):
        return "another message"
    return None if json.loads(text) == json.loads(case["result"]) else "another text"


@pytest.mark.parametrize("times", ["micros", "nanos"])
def test_conformance_in_protojson(suite: Path, times: TimeUnit) -> None:
    """Every ProtoJSON text is read, refused and written as Protobuf's own library has it."""
    tally = Tally(f"protobuf-conformance in ProtoJSON, {times}")
    refused_by_design: set[str] = set()
    for _, case in lines(suite / "handout.jsonl"):
        if "json" not in (case["in"], case["out"]):
            continue
        codec = codec_of(suite / "protos", case["message"], times)
        class_ = message_class(suite / "protos", case["message"])
        name, problem = case["name"], judge_json(case, codec, class_, pool_of(suite / "protos"))
        if name in REFUSED[times] and problem is not None and problem.startswith("refused: case"):
            refused_by_design.add(name)
            tally.pass_over(f"{REFUSED[times][name]}, refused by design")
        else:
            tally.check(name, problem)
    tally.report()
    assert tally.failed == JSON_NULL_VALUE
    assert refused_by_design == set(REFUSED[times])
