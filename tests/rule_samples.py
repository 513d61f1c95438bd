"""Scalar types, values of them, and rules: what properties of rules are tried on."""

from __future__ import annotations

import datetime as dt
import uuid
from decimal import Decimal
from functools import cache
from typing import Any

from hypothesis import strategies as st

from instar.migrations import cast, null_if, or_else, retime, scale, split, table, ticks, time_text
from instar.migrations.casts import integer_range
from instar.migrations.rules import Rule, Scalar
from instar.schemas.model import Enum, Fixed, Logical, Primitive, Symbol


def enum(name: str, *symbols: str) -> Enum:
    return Enum(name, tuple(Symbol(symbol, at) for at, symbol in enumerate(symbols)))


BOOLEAN = Primitive("boolean")
INT = Primitive("int")
LONG = Primitive("long")
FLOAT = Primitive("float")
DOUBLE = Primitive("double")
STRING = Primitive("string")
BYTES = Primitive("bytes")
OLD = enum("p.Old", "DONE", "ENDED", "OPEN")
NEW = enum("p.New", "COMPLETED", "OPEN")
UUID = Logical("uuid", STRING)
DATE = Logical("date", INT)
TIME = Logical("time", LONG, "micros")
STAMP = Logical("timestamp", LONG, "micros")
STAMP_MILLIS = Logical("timestamp", LONG, "millis")
STAMP_NANOS = Logical("timestamp", LONG, "nanos")
LOCAL = Logical("local-timestamp", LONG, "micros")
SPAN = Logical("duration", LONG, "micros")
SPAN_NANOS = Logical("duration", LONG, "nanos")
DECIMAL = Logical("decimal", BYTES, precision=9, scale=2)

TYPES: tuple[Scalar, ...] = (
    *(BOOLEAN, INT, LONG, FLOAT, DOUBLE, STRING, BYTES, OLD, NEW, UUID, DATE, TIME),
    *(Primitive("int", "uint32"), Primitive("long", "uint64"), Fixed("p.Four", 4)),
    *(STAMP, STAMP_MILLIS, STAMP_NANOS, LOCAL, SPAN, SPAN_NANOS, DECIMAL),
    *(Fixed("p.Sixteen", 16), Logical("time", INT, "millis")),
    Logical("decimal", BYTES, precision=4, scale=0),
)

RULES: tuple[Rule, ...] = (
    table({"DONE": "COMPLETED", "ENDED": "COMPLETED"}),
    table({"DONE": "a", "ENDED": "b", "OPEN": "c"}, otherwise_down="OPEN"),
    table({"a": "b", "b": "a"}),
    table({"a": "b"}),
    table({"low": 1, "high": 2}, otherwise=0, otherwise_down="?"),
    table({"DONE": True, "ENDED": True, "OPEN": False}),
    table({True: 1, False: 0}),
    table({1: 2, 2: 1}),
    table({1: 2}, otherwise=7),
    table({0.5: "half"}),
    scale("0.01"),
    scale(100),
    scale("1.8", 32, rounding="half-even"),
    scale("-1/3", "0.5", rounding="floor"),
    scale(1),
    scale(10, "-5"),
    scale(7, rounding="toward-zero"),
    cast(),
    cast(encoding="hex"),
    cast(otherwise=0, otherwise_down="none"),
    cast(otherwise=True),
    cast(otherwise="OPEN"),
    or_else(0),
    or_else("", null_again=True),
    or_else("OPEN"),
    null_if(0),
    null_if(""),
    null_if("OPEN"),
    ticks("seconds"),
    ticks("millis"),
    ticks("nanos"),
    ticks("days", rounding="floor"),
    ticks("seconds", rounding="half-up"),
    retime(),
    retime(rounding="ceiling"),
    time_text(),
    time_text(utc=True, rounding="half-even", otherwise="1970-01-01T00:00:00Z"),
    time_text("%Y-%m-%d %H:%M:%S", utc=True),
    time_text("%d.%m.%Y"),
    time_text("%Y%jT%H%M%S.%f%z"),
    time_text("%H:%M", rounding="floor"),
    split("agent-(.*)", "agent-{0}"),
    split("v([0-9]+)", "v{0}", exact=False),
    split("([a-z]*)", "{0}", otherwise=("a",)),
    split("(?:agent-)?(.*)", "agent-{0}"),
)

UUID_ONE = uuid.UUID("6f0c9f5e-3a57-4a0e-9d33-0d5f3c3c9b11")
_FIRST = dt.datetime(1, 1, 1)  # noqa: DTZ001 - what has a zone gets it later
_DAYS = st.integers(0, dt.date.max.toordinal() - 1)
_WORDS = (
    *("a", "b", "c", "low", "high", "DONE", "ENDED", "OPEN", "COMPLETED", "true", "False", "0"),
    *(
        "007",
        "+5",
        "-1",
        "1.50",
        "1e3",
        "NaN",
        "QUI=",
        "QUJ=",
        "AAE=",
        "0aFF",
        "agent-7",
        "agent-",
        "v12",
        "half",
        "",
    ),
    *("2025-06-01 08:00:00.5", "b9Z/Wz==", "0af", "20251520T08", "2025152T080000.500000+0000"),
    *("2025-06-01", "2025-06-01T08:00:00Z", "2025-06-01T10:00:00.5+02:00", "08:30", "PT1.5S"),
    *("2025-06-01 08:00:00", "01.06.2025", "2025152T080000.5+0100", "08:00:00.123456789"),
    "6F0C9F5E3A574A0E9D330D5F3C3C9B11",
)


_FLOATS = (
    *(0.0, -0.0, 1.0, -2.5, 0.1, 19.99, 1999.0, 0.30000000000000004, 1e22, 1e300, 5e-324),
    *(123456789012345.6, 1e15, 2.0**63, float("inf"), float("-inf"), float("nan")),
)
_MOMENTS = (
    dt.datetime(1970, 1, 1),  # noqa: DTZ001 - as above
    dt.datetime(2025, 6, 1, 8),  # noqa: DTZ001
    dt.datetime(2024, 12, 31, 23, 59, 59, 999000),  # noqa: DTZ001
    dt.datetime(1969, 12, 31, 23, 59, 59, 999999),  # noqa: DTZ001
    dt.datetime(9999, 12, 31, 23, 59, 59, 999999),  # noqa: DTZ001
    _FIRST,
)


def edges(type_: Scalar) -> list[Any]:
    """Values at which a rule may go wrong: ends of ranges, halves, and text in many forms."""
    match type_:
        case Enum():
            return [symbol.name for symbol in type_.symbols]
        case Fixed():
            return [bytes(type_.size), b"\xff" * type_.size]
        case Logical():
            return _logical_edges(type_)
        case Primitive(kind="boolean"):
            return [False, True]
        case Primitive(kind="int" | "long"):
            low, high = integer_range(type_)
            some = (-200, -1, 0, 1, 2, 3, 5, 7, 10, 15, 255, 86399, 999999999, 2**63)
            return [low, high, *(number for number in some if low <= number <= high)]
        case Primitive(kind="float"):
            return [value for value in _FLOATS if value != 1e300]
        case Primitive(kind="double"):
            return [*_FLOATS]
        case Primitive(kind="bytes"):
            return [b"", b"\x00", b"\xff\xfe", bytes(16)]
        case _:
            return [*_WORDS]


def _logical_edges(type_: Logical) -> list[Any]:
    if type_.unit == "nanos":
        return [-(2**63), 2**63 - 1, -1, 0, 1, 1500, 86400 * 10**9, 1748764800 * 10**9]
    moments = [
        moment.replace(microsecond=moment.microsecond // 1000 * 1000)
        if type_.unit == "millis"
        else moment
        for moment in _MOMENTS
    ]
    match type_.kind:
        case "uuid":
            return [UUID_ONE]
        case "date":
            return [moment.date() for moment in moments]
        case "time":
            return [moment.time() for moment in moments]
        case "timestamp":
            return [moment.replace(tzinfo=dt.UTC) for moment in moments]
        case "local-timestamp":
            return moments
        case "duration":
            micros = (-(2**63), 2**63 - 1, -1, 0, 1500000, 86400 * 10**6)
            return [dt.timedelta(microseconds=number) for number in micros]
        case _:
            digits = 10 ** (type_.precision or 0) - 1
            return [Decimal(number).scaleb(-type_.scale) for number in (-digits, digits, 0, 1, 150)]


@cache
def values(type_: Scalar) -> st.SearchStrategy[Any]:
    """Values of a scalar type, as rules see them."""
    match type_:
        case Enum():
            return st.sampled_from([symbol.name for symbol in type_.symbols])
        case Fixed():
            return st.binary(min_size=type_.size, max_size=type_.size)
        case Logical():
            return _logical(type_)
        case Primitive(kind="boolean"):
            return st.booleans()
        case Primitive(kind="int" | "long"):
            low, high = integer_range(type_)
            return st.integers(max(low, -200), 200) | st.integers(low, high)
        case Primitive(kind="float"):
            return st.floats(width=32)
        case Primitive(kind="double"):
            return st.floats() | st.integers(-100000, 100000).map(lambda cents: cents / 100)
        case Primitive(kind="bytes"):
            return st.binary(max_size=20)
        case _:
            return st.sampled_from(_WORDS) | st.text(max_size=8)


def _logical(type_: Logical) -> st.SearchStrategy[Any]:
    if type_.unit == "nanos":
        return st.integers(-(2**63), 2**63 - 1) | st.integers(-100, 100).map(
            lambda seconds: seconds * 10**9
        )
    step = 1000 if type_.unit == "millis" else 1
    moments = st.builds(
        lambda day, micros: _FIRST + dt.timedelta(days=day, microseconds=micros // step * step),
        _DAYS,
        st.sampled_from([0, 3600 * 10**6]) | st.integers(0, 86400 * 10**6 - 1),
    )
    match type_.kind:
        case "uuid":
            return st.uuids()
        case "date":
            return moments.map(dt.datetime.date)
        case "time":
            return moments.map(dt.datetime.time)
        case "timestamp":
            return moments.map(lambda moment: moment.replace(tzinfo=dt.UTC))
        case "local-timestamp":
            return moments
        case "duration":
            seconds = st.integers(-100, 100).map(lambda number: dt.timedelta(seconds=number))
            micros = st.integers(-(2**63), 2**63 - 1)
            return seconds | micros.map(lambda number: dt.timedelta(microseconds=number))
        case _:
            digits = 10 ** (type_.precision or 0) - 1
            return st.decimals(-digits, digits, places=0).map(
                lambda number: number.scaleb(-type_.scale)
            )
