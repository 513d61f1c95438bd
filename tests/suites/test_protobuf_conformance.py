"""The official conformance suite, for what of it our model carries."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from material import material
from suites.protobuf_cases import (
    Tally,
    beyond_python,
    codec_of,
    compile_once,
    families,
    lines,
    message_class,
)

from instar.codec.codec import Codec
from instar.codec.tag import unpack
from instar.errors import InstarError
from instar.schemas.reading import TimeUnit

__all__ = ["compile_once", "families"]

NO_PROTO_JSON = "the case is about ProtoJSON, which is no format of ours"
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
    # As text, since a NaN is never equal to itself.
    return None if str(found) == str(wanted) else "another message"


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
            tally.pass_over(NO_PROTO_JSON if "json" in other else NO_TEXT_FORMAT)
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
        problem = carried(codec, class_, data, without_unknown(message))
        if reason is not None and problem is not None:
            tally.pass_over(f"{reason}, refused by design")
        else:
            tally.check(case["name"], problem or reason)
    tally.report()
    assert tally.failed == NULL_VALUE


def without_unknown(message: Any) -> bytes:
    """The bytes of a message less its unknown fields, which a foreign read drops."""
    message.DiscardUnknownFields()
    data: bytes = message.SerializeToString()
    return data
