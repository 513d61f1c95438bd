"""What goes in comes out or is refused: the values that other systems change in silence."""

from __future__ import annotations

import datetime as dt
import enum
import math
from collections import defaultdict, deque
from decimal import Decimal
from typing import Any

import pytest
from same import same

from instar import Codec, Registry
from instar.codec.codec import Settings
from instar.codec.limits import Limits
from instar.codec.subject import Subject
from instar.codec.tag.binary_frame import pack_binary
from instar.codec.tag.header import Format
from instar.errors import (
    BlobError,
    ConfigError,
    CorruptPayload,
    LimitExceeded,
    SchemaError,
    ValueMismatch,
)
from instar.schemas.model import (
    Array,
    Branch,
    Default,
    Enum,
    Field,
    Fixed,
    Json,
    Logical,
    Map,
    NamedType,
    Optional,
    Primitive,
    Record,
    Reference,
    Schema,
    Symbol,
    Type,
    Union,
)
from instar.schemas.numbering import number_fields

FORMATS: tuple[Format, ...] = ("avro", "protobuf", "msgpack", "json", "yaml")
INT, LONG, FLOAT, DOUBLE = map(Primitive, ("int", "long", "float", "double"))
TEXT, BYTES = Primitive("string"), Primitive("bytes")
FLAG = Primitive("boolean")
LAPSE = Logical("duration", LONG, "micros")
MICROS = Logical("timestamp", LONG, "micros")
MILLIS = Logical("timestamp", LONG, "millis")
MONEY = Logical("decimal", BYTES, precision=4, scale=2)
NAMED: dict[str, NamedType] = {
    "Mode": Enum("Mode", (Symbol("A", 0), Symbol("B", 1))),
    "Four": Fixed("Four", 4),
    "P": Record("P", (Field("n", INT),)),
    "Q": Record("Q", (Field("n", INT),)),
}
EITHER = Union((Branch("P", Reference("P")), Branch("Q", Reference("Q"))))


def codec_of(kind: Type, format_: Format, default: Default | None = None) -> Codec[Any]:
    """A codec of a subject whose one field ``f`` has this type."""
    types = {"State": Record("State", (Field("f", kind, default=default),)), **NAMED}
    schema = Schema("state", 1, "avro", "State", types)
    return Codec(Subject(number_fields([schema])), Settings(1, format_))


def again(codec: Codec[Any], value: Any) -> Any:
    """The value after a round trip."""
    return codec.decode(codec.encode(codec.type(f=value))).f


@pytest.mark.parametrize("format_", FORMATS)
@pytest.mark.parametrize(
    ("kind", "value"),
    [
        (INT, 2**31),
        (INT, -(2**31) - 1),
        (INT, True),
        (INT, 1.0),
        (LONG, 2**63),
        (LONG, 1.9),
        (FLOAT, 1e39),
        (DOUBLE, 2**53 + 1),
        (DOUBLE, True),
        (DOUBLE, "1"),
        (TEXT, b"x"),
        (TEXT, "\ud800"),
        (BYTES, "x"),
        (BYTES, bytearray(b"x")),
        (Reference("Four"), b"abc"),
        (Reference("Mode"), "A"),
        (MICROS, dt.datetime(2026, 1, 1)),  # noqa: DTZ001 - a naive one is the point
        (MICROS, dt.datetime(1, 1, 1, tzinfo=dt.timezone(dt.timedelta(hours=5)))),
        (MICROS, dt.datetime(9999, 12, 31, 23, tzinfo=dt.timezone(dt.timedelta(hours=-5)))),
        (LAPSE, dt.timedelta(days=106_751_992)),
        (FLOAT, 2**24 + 1),
        (MILLIS, dt.datetime(2026, 1, 1, microsecond=1999, tzinfo=dt.UTC)),
        (MONEY, Decimal("1.234")),
        (MONEY, Decimal("123.45")),
        (MONEY, Decimal("NaN")),
        (MONEY, 1.5),
        (Array(INT), (1, 2)),
        (Array(INT), deque([1])),
        (Map(INT), defaultdict(int, a=1)),
        (Map(INT), {1: 1}),
        (Optional(INT), "x"),
        (EITHER, {"n": 1}),
        (Json(), {1, 2}),
        (Json(), (1, 2)),
        (Json(), {1: 2}),
        (Json(), math.nan),
        (Json(), dt.date(2026, 1, 1)),
        (Json(), 2**64),
        (Json(), enum.StrEnum("S", ["A"])("a")),
    ],
)
def test_a_value_that_the_schema_cannot_hold_is_refused_with_its_path(
    format_: Format, kind: Type, value: Any
) -> None:
    """Nothing is rounded, cut, coerced or replaced on the way out."""
    codec = codec_of(kind, format_)
    with pytest.raises(ValueMismatch) as caught:
        codec.encode(codec.type(f=value))
    assert caught.value.path.startswith("state.f")


@pytest.mark.parametrize("format_", FORMATS)
@pytest.mark.parametrize(
    ("kind", "value"),
    [
        (DOUBLE, math.nan),
        (DOUBLE, math.inf),
        (DOUBLE, -math.inf),
        (DOUBLE, -0.0),
        (Array(DOUBLE), [math.nan, math.inf, -math.inf, -0.0, 5e-324, 1.7976931348623157e308]),
        (LONG, -(2**63)),
        (TEXT, "a\0b\u0085\u2028\ufeffé😀"),
        (TEXT, "yes"),
        (TEXT, "2026-01-01"),
        (TEXT, "1e3"),
        (TEXT, ""),
        (BYTES, bytes(range(256))),
        (Reference("Four"), b"\0\xff\0\xff"),
        (MICROS, dt.datetime(1969, 12, 31, 23, 0, 0, 1, tzinfo=dt.UTC)),
        (MICROS, dt.datetime(9999, 12, 31, 23, 59, 59, 999999, tzinfo=dt.UTC)),
        (MICROS, dt.datetime(1, 1, 1, tzinfo=dt.UTC)),
        (MILLIS, dt.datetime(1969, 12, 31, 23, 59, 59, 999000, tzinfo=dt.UTC)),
        (MONEY, Decimal("-0.01")),
        (MONEY, Decimal("10.00")),
        (MONEY, Decimal("99.99")),
        (Optional(DOUBLE), None),
        (Map(INT), {"": 1, "$type": 2, "$schema": 3, "a.b": 4}),
        (Json(), {"$schema": "agent_state/3#0", "$type": "P", "lc": 1, "type": "constructor"}),
        (Json(), [None, True, 1, 1.0, -0.0, "x", {"k": []}, 2**64 - 1, -(2**63)]),
        (Json(), None),
        (Array(Optional(INT)), [None, 0, 1]),
        (Array(Array(INT)), [[], [1], [2, 3]]),
        (Optional(Array(INT)), []),
        (Optional(Map(INT)), {}),
        (Map(INT, Primitive("boolean")), {True: 1, False: 2}),
        (Map(INT, LONG), {-5: 1, 2**62: 2}),
        (Optional(Union((Branch("int", INT), Branch("double", DOUBLE)))), math.nan),
        (Array(Union((Branch("double", DOUBLE), Branch("boolean", FLAG)))), [-math.inf, True]),
        (LAPSE, dt.timedelta(days=-1, microseconds=1)),
        (FLOAT, 2.0**24),
    ],
)
def test_a_value_at_the_edge_comes_back_as_it_was(format_: Format, kind: Type, value: Any) -> None:
    """Same value, same class, same sign of zero, in every format."""
    codec = codec_of(kind, format_)
    assert same(again(codec, value), value)


@pytest.mark.parametrize("format_", FORMATS)
def test_null_stays_null_where_the_default_is_another(format_: Format) -> None:
    """An explicit None is not the default."""
    codec = codec_of(Optional(DOUBLE, null_at=1), format_, Default(1.0))
    assert codec.type().f == 1.0
    assert again(codec, None) is None


@pytest.mark.parametrize("format_", FORMATS)
def test_the_class_carries_the_branch(format_: Format) -> None:
    """Two records of one shape do not change places, however often they are written."""
    codec = codec_of(EITHER, format_)
    second: Any = codec.from_builtins({"f": {"$type": "Q", "n": 1}})
    once = codec.encode(second)
    twice = codec.encode(codec.decode(once))
    assert once == twice
    assert type(codec.decode(twice).f).__name__ == "Q"


@pytest.mark.parametrize("format_", FORMATS)
def test_an_enum_comes_back_as_its_member(format_: Format) -> None:
    """Equality and isinstance both hold."""
    codec = codec_of(Reference("Mode"), format_)
    member: Any = codec.from_builtins({"f": "B"}).f
    assert again(codec, member) is member
    assert isinstance(member, enum.Enum)


@pytest.mark.parametrize("format_", ["json", "yaml"])
def test_nan_beside_text_in_a_union_is_refused_in_text(format_: Format) -> None:
    """JSON form could not tell it from the text 'NaN'."""
    codec = codec_of(Union((Branch("string", TEXT), Branch("double", DOUBLE))), format_)
    assert again(codec, 0.5) == 0.5
    assert again(codec, "NaN") == "NaN"
    with pytest.raises(ValueMismatch, match="beside text"):
        codec.encode(codec.type(f=math.nan))


@pytest.mark.parametrize("format_", FORMATS)
def test_two_states_share_no_default(format_: Format) -> None:
    """A list that was filled by default is fresh in each object."""
    codec = codec_of(Array(INT), format_, Default([]))
    first, second = codec.type(), codec.type()
    first.f.append(7)
    assert second.f == []
    assert codec.decode(codec.encode(second)).f == []


def test_a_decimal_beyond_its_precision_is_corrupt() -> None:
    """Stored digits are never rounded to fit."""
    codec = codec_of(MONEY, "avro")
    with pytest.raises(CorruptPayload, match="digits"):
        codec.decode(pack_binary("avro", 1, codec.fingerprint, bytes.fromhex("087fffffff")))


def test_a_timestamp_beyond_the_calendar_is_corrupt() -> None:
    """No OverflowError escapes."""
    codec = codec_of(MICROS, "avro")
    payload = bytes.fromhex("ffffffffffffffffff01")
    with pytest.raises(CorruptPayload, match="1970"):
        codec.decode(pack_binary("avro", 1, codec.fingerprint, payload))


@pytest.mark.parametrize("format_", FORMATS)
def test_an_instant_survives_any_zone(format_: Format) -> None:
    """An offset with seconds in it, as zones had before 1900, moves no instant."""
    codec = codec_of(MICROS, format_)
    for offset in (dt.timedelta(minutes=19, seconds=32), dt.timedelta(seconds=-30)):
        moment = dt.datetime(1880, 1, 1, 2, 3, tzinfo=dt.timezone(offset))
        assert again(codec, moment) == moment
        plain = codec.to_builtins(codec.type(f=moment))
        assert codec.from_builtins(plain).f == moment


@pytest.mark.parametrize("format_", FORMATS)
def test_an_attribute_that_was_deleted_is_named(format_: Format) -> None:
    """No AttributeError escapes."""
    codec = codec_of(INT, format_)
    state = codec.type(f=1)
    del state.f
    with pytest.raises(ValueMismatch, match=r"state\.f: the attribute is not set"):
        codec.encode(state)


@pytest.mark.parametrize("format_", FORMATS)
def test_items_without_bytes_are_bounded_on_write(format_: Format) -> None:
    """What would be refused on reading is refused before it is written."""
    kind = Array(Primitive("null"))
    types = {"State": Record("State", (Field("f", kind),))}
    schema = Schema("state", 1, "avro", "State", types)
    settings = Settings(1, format_, limits=Limits(zero_size_items=3))
    codec = Codec[Any](Subject(number_fields([schema])), settings)
    assert again(codec, [None] * 3) == [None] * 3
    with pytest.raises(ValueMismatch, match="more than 3 items"):
        codec.encode(codec.type(f=[None] * 4))


@pytest.mark.parametrize("format_", FORMATS)
@pytest.mark.parametrize("well_known", [None, "google.protobuf.Value"])
def test_json_nests_as_deep_in_every_format(format_: Format, well_known: str | None) -> None:
    """The deepest value that is written comes back, and one level more is refused."""
    codec = codec_of(Json(well_known), format_)
    room = 99 if well_known is None else 33
    deep: Any = 1
    for _ in range(room):
        deep = [deep]
    assert again(codec, deep) == deep
    with pytest.raises(ValueMismatch, match="nested"):
        codec.encode(codec.type(f=[deep]))


def test_what_is_no_blob_at_all_is_said() -> None:
    """Text, None and numbers are no blobs, and a number is no size of one."""
    codec = codec_of(INT, "avro")
    for wrong in ("text", None, 5, 2_000_000_000):
        with pytest.raises(BlobError, match="a blob is bytes"):
            codec.decode(wrong)  # pyright: ignore[reportArgumentType] - wrong on purpose


def test_settings_that_do_not_exist_are_refused() -> None:
    """A format, a framing or a limit of the user's own is answered with those there are."""
    schema = Schema("state", 1, "avro", "State", {"State": Record("State", (Field("f", INT),))})
    registry = Registry.of([schema])
    wrong: Any
    for wrong in ({"format": "xml"}, {"framing": "zz"}):
        with pytest.raises(ConfigError, match="known are"):
            registry.codec("state", **wrong)
    with pytest.raises(ConfigError, match="depth is -1"):
        Limits(depth=-1)
    with pytest.raises(ConfigError, match="version is True"):
        registry.codec("state", version=True)


@pytest.mark.parametrize("key", ['x"y', "x\\y", "x\ny", "\ud800"])
def test_a_key_that_cannot_be_written_is_found_when_the_registry_opens(key: str) -> None:
    """Not at the first use of the codec."""
    record = Record("State", (Field("f", INT, json_name=key),))
    with pytest.raises(SchemaError, match="cannot be one of JSON form"):
        Registry.of([Schema("state", 1, "avro", "State", {"State": record})])


def test_text_that_is_no_text_is_refused_from_builtins() -> None:
    """A lone surrogate is no date, number or identifier."""
    for kind in (MICROS, MONEY, Logical("uuid", TEXT), BYTES, LAPSE):
        with pytest.raises(ValueMismatch):
            codec_of(kind, "json").from_builtins({"f": "\ud800"})


def test_a_deep_state_low_on_the_stack_is_no_recursion_error() -> None:
    """Whatever is left of Python's stack, the error is ours."""
    node = Record("Node", (Field("next", Optional(Reference("Node"))),))
    schema = Schema("node", 1, "avro", "Node", {"Node": node})
    codec = Registry.of([schema]).codec("node", limits=Limits(depth=5_000))
    state = codec.type(next=None)
    for _ in range(2_000):
        state = codec.type(next=state)
    with pytest.raises(LimitExceeded, match="stack"):
        codec.encode(state)
