"""JSON and MessagePack under both engines: the same blobs, and the same error at the same place."""

from __future__ import annotations

import datetime as dt
import math
import re
import uuid
from decimal import Decimal
from functools import reduce
from typing import Any, Literal, TypeAlias

import msgspec
import pytest

pytest.importorskip("instar.codec.kernel.core", reason="no kernel was built")

from codec.kernel.keyed_pair import KeyedPair

from instar import Codec, InstarError
from instar.codec.codec import Settings
from instar.codec.engines import forced_engine
from instar.codec.subject import Subject
from instar.codec.tag import unpack
from instar.codec.tag.binary_frame import pack_binary
from instar.codec.tag.text_frame import pack_json
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
  {"name": "raw", "type": "bytes"},
  {"name": "extra", "type": {"type": "bytes", "logicalType": "json"}},
  {"name": "messages", "type": {"type": "array", "items":
    {"type": "record", "name": "Message", "fields": [
      {"name": "role", "type": {"type": "enum", "name": "Role", "symbols": ["USER", "TOOL"]}},
      {"name": "content", "type": ["null", "string", "long"]},
      {"name": "answers", "type": ["null", "Message"]}]}}}]}"""
Name: TypeAlias = Literal["json", "msgpack"]
FORMATS: tuple[Name, ...] = ("json", "msgpack")
DEEP: Any = reduce(lambda inner, _: [inner], range(120), [])


class Both:
    """A codec of each engine, for one format; decoders are made within the engine."""

    def __init__(self, format_: Name) -> None:
        self.format: Name = format_
        self.codecs = {name: self._codec(name) for name in ("kernel", "library")}

    def _codec(self, engine: Any) -> Codec[Any]:
        with forced_engine(engine):
            schema = parse_avro(SCHEMA, subject="agent_state", version=1, where="v1.avsc")
            codec: Codec[Any] = Codec(Subject([schema]), Settings(1, self.format))
            codec.decode(codec.encode(state_of(codec)))
        return codec

    def blob(self, payload: bytes) -> bytes:
        """A sound blob around a payload."""
        mark = self.codecs["library"].fingerprint
        if self.format == "json":
            return pack_json("agent_state", 1, mark, payload)
        return pack_binary("msgpack", 1, mark, payload)


@pytest.fixture(scope="module", params=FORMATS)
def both(request: pytest.FixtureRequest) -> Both:
    return Both(request.param)


def state_of(codec: Codec[Any], **changes: Any) -> Any:
    types = codec.schema_types().classes
    message: Any = types["Message"]
    role: Any = types["Role"]
    values: dict[str, Any] = {
        "id": uuid.UUID(int=5),
        "created": dt.datetime(2026, 1, 2, tzinfo=dt.UTC),
        "spent": Decimal("0.01"),
        "turns": 3,
        "weights": [0.5],
        "nothing": [None],
        "memory": {"k": 'a "quoted"\nline, é'},
        "raw": b"\x00\xff",
        "extra": {"a": [1, 2.5, None, True, "x"]},
        "messages": [message(role=role("USER"), content="a", answers=None) for _ in range(4)],
    }
    last = values["messages"][3]
    for name, value in changes.items():
        if name.startswith("message_"):
            setattr(last, name.removeprefix("message_"), value)
        else:
            values[name] = value
    return codec.type(**values)


def outcome(run: Any) -> tuple[Any, ...]:
    """What a call gives, or its error as a user sees it."""
    try:
        found = run()
    except InstarError as error:
        # What msgspec makes of a damaged timestamp shows its address.
        what = re.sub(" at 0x[0-9a-f]+", "", error.what)
        return type(error), error.where, what, error.mend
    return ("fine", found if isinstance(found, bytes) else repr(found))


@pytest.mark.parametrize(
    ("change", "value", "where"),
    [
        ("turns", 2**31, "turns"),
        ("turns", 1.9, "turns"),
        ("turns", True, "turns"),
        ("turns", None, "turns"),
        ("weights", [0.5, 1e39], "weights[1]"),
        ("weights", [2**24 + 1], "weights[0]"),
        ("weights", (0.5,), "weights"),
        ("spent", Decimal("1.234"), "spent"),
        ("spent", Decimal("123.45"), "spent"),
        ("spent", Decimal("NaN"), "spent"),
        ("created", dt.datetime(2026, 1, 1), "created"),  # noqa: DTZ001 - that is what is wrong
        ("created", dt.datetime(2026, 1, 1, 0, 0, 0, 1999, dt.UTC), "created"),
        ("created", dt.date(2026, 1, 1), "created"),
        ("id", "00000000-0000-4000-8000-000000000000", "id"),
        ("memory", {"k": "\ud800"}, "memory['k']"),
        ("memory", {"\ud800": "x"}, None),
        ("memory", {1: "x"}, "memory[1]"),
        ("memory", {"k": 1}, "memory['k']"),
        ("raw", bytearray(b"x"), "raw"),
        ("extra", {"a": math.nan}, "extra"),
        ("extra", {"a": 2**64}, "extra"),
        ("extra", {1: 2}, "extra"),
        ("extra", {"a": ["\ud800"]}, "extra"),
        ("extra", DEEP, None),
        ("message_role", "USER", "messages[3].role"),
        ("message_content", 2**63, "messages[3].content"),
        ("message_content", b"x", "messages[3].content"),
        ("message_answers", {"role": "USER"}, "messages[3].answers"),
        ("nothing", [None] * 1048577, "nothing"),
        ("nothing", [0], "nothing[0]"),
        ("messages", [None], "messages[0]"),
    ],
)
def test_an_unfit_state_is_named_alike(
    both: Both, change: str, value: Any, where: str | None
) -> None:
    """Nothing is coerced on the way to bytes, and both engines say where and what in one way."""
    kernel, library = (
        outcome(lambda c=codec: c.encode(state_of(c, **{change: value})))
        for codec in both.codecs.values()
    )
    assert kernel == library
    assert issubclass(kernel[0], ValueMismatch)
    assert where is None or kernel[1].startswith(f"agent_state.{where}")


@pytest.mark.parametrize(
    ("change", "value"),
    [
        ("weights", [math.nan, math.inf, -math.inf, -0.0, 3]),
        ("weights", [1e-7, 3.4e38, 0.1, 1 / 3]),
        ("spent", Decimal("-0.01")),
        ("spent", Decimal("1E+1")),
        ("created", dt.datetime(1, 1, 1, tzinfo=dt.UTC)),
        ("created", dt.datetime.max.replace(microsecond=999000, tzinfo=dt.UTC)),
        ("created", dt.datetime(2026, 1, 1, tzinfo=dt.timezone(dt.timedelta(hours=1)))),
        ("created", dt.datetime(2106, 2, 7, 6, 28, 16, tzinfo=dt.UTC)),
        ("created", dt.datetime(2600, 1, 1, 0, 0, 0, 1000, dt.UTC)),
        ("message_content", 2**63 - 1),
        ("message_content", -(2**63)),
        ("message_content", ""),
        ("memory", {"": "", "k" * 40: "\x00\x1f\x7f\u2028\U0001f600" * 9}),
        ("raw", bytes(range(256)) * 300),
        ("extra", {"big": 2**63, "small": 1e-300, "deep": {"$type": "Message"}}),
        ("extra", [[0.1, 1 / 3], [1 / 3, 0.1, -2.5], [1e22, 1e23, 5e-324]]),
        ("messages", []),
        ("nothing", [None] * 70000),
    ],
)
def test_what_fits_is_the_same_blob_and_comes_back_alike(
    both: Both, change: str, value: Any
) -> None:
    """Values at the edge of what fits are the same bytes, and the same state again."""
    kernel, library = both.codecs.values()
    blob = kernel.encode(state_of(kernel, **{change: value}))
    assert blob == library.encode(state_of(library, **{change: value}))
    assert repr(kernel.decode(blob)) == repr(library.decode(blob))


def test_an_ordinary_state_needs_the_kernel_alone(both: Both) -> None:
    """Every kind of value here is written and read by it, nulls and escapes too."""
    codec = both.codecs["kernel"]
    state = state_of(codec)
    pair = KeyedPair(both.format, codec.schema_types())
    payload = pair.payload(state)
    assert payload == pair.write(state)
    assert pair.read_alone(payload)


def test_a_state_that_nests_too_deep_or_holds_itself_is_named_alike(both: Both) -> None:
    """Depth is bounded on write as on read, and a cycle is depth without end."""
    for depth in (97, 98, 101, 5000, None):

        def encode(codec: Codec[Any], depth: int | None = depth) -> bytes:
            state = state_of(codec)
            first = inner = state.messages[0]
            for _ in range(depth or 0):
                inner.answers = msgspec.structs.replace(inner)
                inner = inner.answers
            if depth is None:
                first.answers = first
            return codec.encode(state)

        kernel, library = (outcome(lambda c=c: encode(c)) for c in both.codecs.values())
        assert kernel == library
        assert (kernel[0] == "fine") == (depth == 97)
        if kernel[0] == "fine":
            read = [repr(codec.decode(kernel[1])) for codec in both.codecs.values()]
            assert read[0] == read[1]


def changes(payload: dict[str, Any]) -> list[dict[str, Any]]:
    """Payloads in JSON form that are wrong somewhere, or written by another hand."""
    message = payload["messages"][0]
    return [
        payload | {"turns": 2**31},
        payload | {"turns": 1.5},
        payload | {"turns": "3"},
        payload | {"unknown": 1},
        {key: value for key, value in payload.items() if key != "raw"},
        dict(reversed(payload.items())),
        payload | {"weights": [1e39]},
        payload | {"weights": [1, 2]},
        payload | {"weights": ["NaN"]},
        payload | {"spent": "1.234"},
        payload | {"spent": "1E+1"},
        payload | {"id": "00000000-0000-0000-0000-00000000000g"},
        payload | {"id": "00000000-0000-0000-0000-00000000000A"},
        payload | {"created": "2026-01-02T00:00:00.001999Z"},
        payload | {"created": "2026-02-30T00:00:00Z"},
        payload | {"created": "2026-01-02T00:00:00+01:00"},
        payload | {"nothing": [None, 0]},
        payload | {"memory": {"k": 1}},
        payload | {"extra": {"a": 2**64 - 1}},
        payload | {"extra": DEEP},
        payload | {"messages": [message, message | {"role": "SYSTEM"}]},
        payload | {"messages": [message | {"content": True}]},
        payload | {"messages": [message | {"content": 2**63}]},
        payload | {"messages": [message | {"answers": [message]}]},
    ]


def test_a_payload_that_does_not_fit_is_named_alike(both: Both) -> None:
    """What msgspec can write of another hand is read the same, or refused the same."""
    kernel, library = both.codecs.values()
    module: Any = getattr(msgspec, both.format)
    payload = unpack(library.encode(state_of(library)))[1]
    plain: dict[str, Any] = module.decode(payload)
    refused = 0
    for changed in changes(plain):
        blob = both.blob(module.encode(changed))
        found = outcome(lambda b=blob: kernel.decode(b))
        assert found == outcome(lambda b=blob: library.decode(b))
        refused += found[0] is CorruptPayload
    assert refused > len(changes(plain)) / 2


def test_every_damaged_byte_is_named_alike(both: Both) -> None:
    """A flipped bit or a cut anywhere in tag or payload gives one error; so does white space."""
    kernel, library = both.codecs.values()
    blob = kernel.encode(state_of(kernel))
    cases = [blob[:at] + bytes([blob[at] ^ 1]) + blob[at + 1 :] for at in range(len(blob))]
    cases += [blob[:at] for at in range(0, len(blob), 7)]
    cases += [b"", blob + b"\n", b" " + blob, blob + blob, blob.replace(b":", b": ", 3)]
    for case in cases:
        assert outcome(lambda b=case: kernel.decode(b)) == outcome(lambda b=case: library.decode(b))


def test_a_damaged_payload_with_a_sound_tag_is_named_alike(both: Both) -> None:
    """Each byte of the payload flipped, with the checksum made right again."""
    kernel, library = both.codecs.values()
    payload = unpack(library.encode(state_of(library)))[1]
    assert isinstance(payload, bytes)
    accepted = 0
    for at in range(1, len(payload) - 1):
        for flip in (1, 0x10, 0x80):
            blob = both.blob(payload[:at] + bytes([payload[at] ^ flip]) + payload[at + 1 :])
            found = outcome(lambda b=blob: kernel.decode(b))
            assert found == outcome(lambda b=blob: library.decode(b))
            accepted += found[0] == "fine"
    assert accepted > 50
