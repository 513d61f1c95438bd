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

from instar import Codec
from instar.codec.codec import Settings
from instar.codec.subject import Subject
from instar.codec.tag.binary_frame import pack_binary
from instar.codec.tag.header import Format
from instar.errors import CorruptPayload, ValueMismatch
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
