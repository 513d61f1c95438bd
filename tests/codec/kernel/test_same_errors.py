"""Hostile and unfit input under both engines: the same error at the same place."""

from __future__ import annotations

import datetime as dt
import math
from decimal import Decimal
from typing import Any

import msgspec
import pytest

from instar import Codec, InstarError, Registry
from instar.codec.codec import Settings
from instar.codec.subject import Subject
from instar.codec.tag.binary_frame import pack_binary
from instar.errors import CorruptPayload, ValueMismatch
from instar.schemas.avro import parse_avro

SCHEMA = """{"type": "record", "name": "AgentState", "fields": [
  {"name": "id", "type": {"type": "string", "logicalType": "uuid"}},
  {"name": "created", "type": {"type": "long", "logicalType": "timestamp-millis"}},
  {"name": "spent", "type":
    {"type": "bytes", "logicalType": "decimal", "precision": 4, "scale": 2}},
  {"name": "turns", "type": "int"},
  {"name": "weights", "type": {"type": "array", "items": "float"}},
  {"name": "nothing", "type": {"type": "array", "items": "null"}},
  {"name": "memory", "type": {"type": "map", "values": "string"}},
  {"name": "messages", "type": {"type": "array", "items":
    {"type": "record", "name": "Message", "fields": [
      {"name": "role", "type": {"type": "enum", "name": "Role", "symbols": ["USER", "TOOL"]}},
      {"name": "content", "type": ["null", "string", "long"]},
      {"name": "answers", "type": ["null", "Message"]}]}}}]}"""
ID = b"\x48" + b"0" * 8 + b"-0000-4000-8000-" + b"0" * 12
# An id, a moment, 0.01, one turn; no weights, nothing, no memory, no messages.
HEAD = ID + b"\x00" + b"\x02\x01" + b"\x02"
EMPTY = b"\x00\x00\x00"


@pytest.fixture(scope="module")
def both() -> tuple[Codec[Any], Codec[Any]]:
    """A codec of each engine."""
    with pytest.MonkeyPatch.context() as patch:
        made: list[Codec[Any]] = []
        for engine in ("kernel", "library"):
            patch.setenv("INSTAR_ENGINE", engine)
            schema = parse_avro(SCHEMA, subject="agent_state", version=1, where="v1.avsc")
            made.append(Codec(Subject([schema]), Settings(1)))
            made[-1].decode(pack_binary("avro", 1, made[-1].fingerprint, HEAD + EMPTY + b"\x00"))
        return made[0], made[1]


def failure(run: Any) -> tuple[type, str, str, str]:
    """The error of a call, as a user sees it."""
    with pytest.raises(InstarError) as caught:
        run()
    error = caught.value
    return type(error), error.where, error.what, error.mend


MESSAGE = b"\x00\x02\x02a\x00"
"""One of a user who says "a"."""


@pytest.mark.parametrize(
    ("payload", "where", "what"),
    [
        (HEAD + EMPTY + b"\x00\x00", "", "1 bytes follow"),
        (b"", "id", "ends in the middle"),
        (
            HEAD + EMPTY + b"\x08" + MESSAGE * 3 + b"\x00\x02\xfe\x01",
            "messages[3].content",
            "ends in",
        ),
        (
            HEAD + EMPTY + b"\x08" + MESSAGE * 3 + b"\x00\x02\x02\xff\x00\x00",
            "messages[3].content",
            "UTF-8",
        ),
        (HEAD + EMPTY + b"\x02" + MESSAGE + b"\x02\x04", "messages[1].role", "no symbol of Role"),
        (HEAD + EMPTY + b"\x02\x01", "messages[0].role", "no symbol of Role"),
        (HEAD + EMPTY + b"\x02\x00\x06", "messages[0].content", "no branch"),
        (HEAD + EMPTY + b"\x02\x00\x01", "messages[0].content", "no branch"),
        (
            HEAD + EMPTY + b"\x02\x00\x00\x02\x00\x00\x04",
            "messages[0].answers.answers",
            "no branch",
        ),
        (
            HEAD + EMPTY + b"\x01\x0c" + MESSAGE + b"\x00",
            "messages",
            "a block says 6 bytes and has 5",
        ),
        (HEAD + EMPTY + b"\x01\x0a" + MESSAGE, "messages", "ends in the middle"),
        (HEAD + EMPTY + b"\xfe\xff\xff\xff\x0f", "messages", "items has 0 bytes"),
        (HEAD + b"\x00\x80\xda\xc4\x09\x00", "nothing", "more than 1048576 items"),
        (HEAD + b"\x00\x00\x04\x02k\x02v\x02x\x03", "memory['x']", "negative"),
        (HEAD + b"\x00\x00\x02\x02\xff\x02v\x00\x00", "memory", "UTF-8"),
        (HEAD + b"\x00\x00\x02\x02k\x02\xff\x00\x00", "memory['k']", "UTF-8"),
        (HEAD + b"\x04\x00\x00\x00\x00", "weights[1]", "ends in the middle"),
        (ID + b"\x80" * 10 + b"\x00", "created", "longer than its type"),
        (ID + b"\xfe" + b"\xff" * 8 + b"\x01", "spent", "ends in the middle"),
        (ID + b"\x00\x08\x7f\xff\xff\xff\x02" + EMPTY + b"\x00", "spent", "more than 4 digits"),
        (
            ID + b"\xc0\xf0\xf5\xab\xb5\xea\xc1\x41\x02\x01\x02" + EMPTY + b"\x00",
            "created",
            "no year",
        ),
        (ID + b"\x00\x02\x01" + b"\x80\x80\x80\x80\x20", "turns", "longer than its type"),
        (b"\x02x" + HEAD[37:] + EMPTY + b"\x00", "id", "no UUID"),
        (
            HEAD + EMPTY + b"\x02" + b"\x00\x00\x02" * 200,
            "messages[0].answers",
            "nested more than 100",
        ),
    ],
)
def test_a_hostile_payload_is_named_alike(
    both: tuple[Codec[Any], Codec[Any]], payload: bytes, where: str, what: str
) -> None:
    """The error has the path of the part that is wrong, whichever engine met it."""
    blobs = [pack_binary("avro", 1, codec.fingerprint, payload) for codec in both]
    kernel, library = (
        failure(lambda c=c, b=b: c.decode(b)) for c, b in zip(both, blobs, strict=True)
    )
    assert kernel == library
    assert kernel[0] is CorruptPayload
    wanted = f"agent_state.{where}".removesuffix(".")
    assert kernel[1] == wanted or (what.startswith("nested") and kernel[1].startswith(wanted))
    assert what in kernel[2]


def state_of(codec: Codec[Any], **changes: Any) -> Any:
    message: Any = msgspec.structs.fields(codec.type)[-1].type.__args__[0]
    role: Any = msgspec.structs.fields(message)[0].type
    state = codec.decode(pack_binary("avro", 1, codec.fingerprint, HEAD + EMPTY + b"\x00"))
    state.messages = [message(role=role("USER"), content="a", answers=None) for _ in range(4)]
    for path, value in changes.items():
        target = state
        if path.startswith("message_"):
            target = state.messages[3]
        setattr(target, path.removeprefix("message_"), value)
    return state


@pytest.mark.parametrize(
    ("change", "value", "where"),
    [
        ("turns", 2**31, "turns"),
        ("turns", 1.9, "turns"),
        ("turns", True, "turns"),
        ("turns", None, "turns"),
        ("turns", "1", "turns"),
        ("weights", [0.5, 1e39], "weights[1]"),
        ("weights", [2**24 + 1], "weights[0]"),
        ("weights", (0.5,), "weights"),
        ("weights", None, "weights"),
        ("spent", Decimal("1.234"), "spent"),
        ("spent", Decimal("123.45"), "spent"),
        ("spent", Decimal("NaN"), "spent"),
        ("spent", Decimal("1E+3"), "spent"),
        ("spent", 0.01, "spent"),
        ("created", dt.datetime(2026, 1, 1), "created"),  # noqa: DTZ001 - that is what is wrong
        ("created", dt.datetime(2026, 1, 1, 0, 0, 0, 1999, dt.UTC), "created"),
        ("created", dt.datetime.min.replace(tzinfo=dt.timezone(dt.timedelta(hours=1))), "created"),
        ("created", dt.date(2026, 1, 1), "created"),
        ("id", "00000000-0000-4000-8000-000000000000", "id"),
        ("memory", {"k": "\ud800"}, "memory['k']"),
        ("memory", {1: "x"}, "memory[1]"),
        ("memory", {"k": 1}, "memory['k']"),
        ("memory", [("k", "v")], "memory"),
        ("message_role", "USER", "messages[3].role"),
        ("message_role", None, "messages[3].role"),
        ("message_content", 2**63, "messages[3].content"),
        ("message_content", True, "messages[3].content"),
        ("message_content", b"x", "messages[3].content"),
        ("message_answers", {"role": "USER"}, "messages[3].answers"),
        ("nothing", [None] * 1048577, "nothing"),
        ("nothing", [0], "nothing[0]"),
        ("messages", [None], "messages[0]"),
    ],
)
def test_an_unfit_state_is_named_alike(
    both: tuple[Codec[Any], Codec[Any]], change: str, value: Any, where: str
) -> None:
    """Nothing is coerced on the way to bytes, and both engines say where and what in one way."""
    kernel, library = (failure(lambda c=c: c.encode(state_of(c, **{change: value}))) for c in both)
    assert kernel == library
    assert kernel[0] is ValueMismatch
    assert kernel[1] == f"agent_state.{where}"


@pytest.mark.parametrize(
    ("change", "value"),
    [
        ("weights", [math.nan, math.inf, -math.inf, -0.0, 3]),
        ("spent", Decimal("-0.01")),
        ("spent", Decimal("10.00")),
        ("spent", Decimal("1E+1")),
        ("created", dt.datetime(1969, 12, 31, 23, 0, 0, 1000, dt.UTC)),
        ("created", dt.datetime.max.replace(microsecond=999000, tzinfo=dt.UTC)),
        ("message_content", 2**63 - 1),
    ],
)
def test_what_fits_comes_back_alike(
    both: tuple[Codec[Any], Codec[Any]], change: str, value: Any
) -> None:
    """Values at the edge of what fits are the same bytes, and the same state again."""
    kernel, library = both
    blob = kernel.encode(state_of(kernel, **{change: value}))
    assert blob == library.encode(state_of(library, **{change: value}))
    assert repr(kernel.decode(blob)) == repr(library.decode(blob))


def test_a_state_that_nests_too_deep_or_holds_itself_is_named_alike(
    both: tuple[Codec[Any], Codec[Any]],
) -> None:
    """Depth is bounded on write as on read, and a cycle is depth without end."""
    for depth in (101, 5000, None):

        def encode(codec: Codec[Any], depth: int | None = depth) -> None:
            state = state_of(codec)
            first = inner = state.messages[0]
            for _ in range(depth or 0):
                inner.answers = msgspec.structs.replace(inner)
                inner = inner.answers
            if depth is None:
                first.answers = first
            codec.encode(state)

        kernel, library = (failure(lambda c=c: encode(c)) for c in both)
        assert kernel == library
        assert "nested more than 100 deep" in kernel[2]


def damages(blob: bytes) -> list[bytes]:
    """The cases of damaged and foreign tags."""
    return [
        *(b"", bytes(100), b"\x00\x02", b"\xc3\x01" + bytes(20), b"{}", b"junk", blob + b"junk"),
        *(blob + blob, blob[:-1], blob[:20], blob[:4] + b"\x02" + blob[5:], b"\xc1INS"),
        *(blob[:5] + bytes([code]) + blob[6:] for code in (0, 9, 255)),
        *(blob[:6] + bytes([flag]) + blob[7:] for flag in (1, 2, 4, 128)),
        *(blob[:at] + bytes([blob[at] ^ 1]) + blob[at + 1 :] for at in range(len(blob))),
    ]


def test_a_damaged_tag_is_named_alike(both: tuple[Codec[Any], Codec[Any]]) -> None:
    """Whatever is wrong about a tag, the error is that of the general way."""
    kernel, library = both
    for blob in damages(kernel.encode(state_of(kernel))):
        assert failure(lambda b=blob: kernel.decode(b)) == failure(lambda b=blob: library.decode(b))


def test_other_versions_and_subjects_are_named_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    """A newer version, an unknown fingerprint and another subject are told apart by both."""
    found: list[Any] = []
    for engine in ("kernel", "library"):
        monkeypatch.setenv("INSTAR_ENGINE", engine)
        schema = parse_avro(SCHEMA, subject="agent_state", version=1, where="v1.avsc")
        other = parse_avro(SCHEMA.replace("turns", "steps"), subject="o", version=1, where="o.avsc")
        registry = Registry.of([schema, other])
        codec, foreign = registry.codec("agent_state"), registry.codec("o")
        payload = HEAD + EMPTY + b"\x00"
        marks = ((1, foreign.fingerprint), (2, 7), (1, 7), (2, codec.fingerprint))
        blobs = [pack_binary("avro", version, mark, payload) for version, mark in marks]
        found.append([failure(lambda b=b, c=codec: c.decode(b)) for b in blobs])
    assert found[0] == found[1]
