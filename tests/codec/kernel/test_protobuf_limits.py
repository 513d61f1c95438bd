"""Depth, wrong values and rare ones: the kernel takes nothing that the library does not."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest
from codec.kernel.protobuf_pairs import REFUSED, Pair
from same import same

from instar.codec.limits import Limits
from instar.codec.subject import Subject
from instar.schemas.model import (
    Array,
    Branch,
    Enum,
    Field,
    Json,
    Logical,
    Map,
    Optional,
    Primitive,
    Record,
    Reference,
    Schema,
    Symbol,
    Type,
    Union,
)

LONG, TEXT = Primitive("long"), Primitive("string")
NODE = Reference("Node")
WAYS: dict[str, Type] = {
    "optional": Optional(NODE),
    "list": Array(NODE),
    "map": Map(NODE),
    "union": Optional(Union((Branch("Node", NODE), Branch("string", TEXT)))),
    "list of lists": Array(Array(NODE)),
    "box": Optional(Union((Branch("a", Map(NODE)), Branch("b", Map(LONG)), Branch("c", NODE)))),
}


def node_pair(kind: Type, limits: Limits) -> Pair:
    fields = (Field("next", kind, 1), Field("free", Optional(Json()), 2))
    schema = Schema("state", 1, "avro", "Node", {"Node": Record("Node", fields)})
    return Pair(Subject([schema]), limits=limits)


def nested(pair: Pair, way: str, levels: int, free: Any = None) -> Any:
    """A record inside itself, ``levels`` times, with ``free`` in the innermost."""
    cls: Any = pair.types.record("Node")
    empty: Any = {"list": [], "map": {}, "list of lists": []}.get(way)
    state = cls(next=empty, free=free)
    for _ in range(levels):
        inner: Any = {
            "optional": state,
            "union": state,
            "list": [state],
            "map": {"k": state},
            "list of lists": [[state]],
        }.get(way)
        if way == "box":
            box: Any = next(iter(pair.types.boxes.values()))
            inner = box(value={"k": state})
        state = cls(next=inner, free=None)
    return state


@pytest.mark.parametrize("limits", [Limits(), Limits(depth=7), Limits(depth=300)])
@pytest.mark.parametrize("way", WAYS)
def test_nesting_is_refused_where_the_library_refuses(way: str, limits: Limits) -> None:
    """At each depth around the limits the kernel writes and reads what the library does."""
    pair = node_pair(WAYS[way], limits)
    outcomes: set[bool] = set()
    for levels in [*range(12), *range(22, 60), *range(94, 105)]:
        state = nested(pair, way, levels)
        payload = pair.written_by_library(state)
        assert pair.written_by_kernel(state) == payload
        outcomes.add(payload == REFUSED)
        if payload != REFUSED:
            assert same(pair.read_by_kernel(payload), state)
    assert outcomes == {True, False}


@pytest.mark.parametrize("way", WAYS)
def test_json_counts_towards_the_depth(way: str) -> None:
    """A JSON value deep inside may nest as deep as the library allows there, and no deeper."""
    pair = node_pair(WAYS[way], Limits())
    free: Any = 1
    for depth in range(1, 100):
        free = [free] if depth % 2 else {"k": free}
        for levels in (0, 3, 10, 20):
            state = nested(pair, way, levels, free)
            assert pair.written_by_kernel(state) in (REFUSED, pair.written_by_library(state))
    assert pair.written_by_kernel(nested(pair, way, 3, [[1]])) != REFUSED


def test_a_payload_deeper_than_protobuf_reads_is_refused() -> None:
    """A hundred messages inside the outermost are read, and not one more."""
    pair = node_pair(WAYS["optional"], Limits())
    payload = b""
    for levels in range(1, 103):
        size = len(payload)
        head = bytes([size]) if size < 0x80 else bytes([size & 0x7F | 0x80, size >> 7])
        payload = b"\x0a" + head + payload
        found = pair.read_by_kernel(payload)
        assert (found == REFUSED) == (levels > 100)
        assert same(found, pair.read_by_library(payload))


KINDS: dict[str, Type] = {
    "boolean": Primitive("boolean"),
    "int": Primitive("int"),
    "long": LONG,
    "uint32": Primitive("int", "uint32"),
    "fixed64": Primitive("long", "fixed64"),
    "float": Primitive("float"),
    "double": Primitive("double"),
    "bytes": Primitive("bytes"),
    "string": TEXT,
    "null": Primitive("null"),
    "enum": Reference("Tone"),
    "record": Reference("Part"),
    "uuid": Logical("uuid", TEXT),
    "date": Logical("date", Primitive("int")),
    "time": Logical("time", LONG, "micros"),
    "millis": Logical("timestamp", LONG, "millis"),
    "micros": Logical("timestamp", LONG, "micros"),
    "local": Logical("local-timestamp", LONG, "micros"),
    "nanos": Logical("timestamp", LONG, "nanos"),
    "duration": Logical("duration", LONG, "micros"),
    "decimal": Logical("decimal", Primitive("bytes"), precision=30, scale=2),
    "json": Json(),
    "list": Array(LONG),
    "nulls": Array(Primitive("null")),
    "map": Map(TEXT),
    "flags": Map(TEXT, Primitive("boolean")),
    "signed": Map(TEXT, Primitive("int")),
    "union": Union((Branch("double", Primitive("double")), Branch("string", TEXT))),
}


class Text(str):
    """A text of another class."""

    __slots__ = ()


class Moment(dt.datetime):
    """An instant of another class."""


LOCAL = dt.datetime(2025, 1, 1, 1, 1, 1, 1)  # noqa: DTZ001 - a local timestamp has no zone
EAST = dt.timezone(dt.timedelta(hours=5, minutes=30))
VALUES: list[Any] = [
    *(None, True, False, 0, 1, -1, 2**31, -(2**31), 2**32, 2**63, -(2**63), 2**64, 2**200),
    *(0.0, -0.0, 0.5, 1e-60, 1e300, float("inf"), float("nan"), 2**53 + 1),
    *("", "a", "é", "\U0001f600" * 50, "\ud800", Text("a"), b"", b"\xff" * 300, bytearray(b"a")),
    *([], [1], [None, None], [[]], ["a"], [2**63], (1,)),
    *({}, {"a": "b"}, {"b": "1", "a": "2", "ab": "3", "": "4"}, {"é": "", "z": "", "a\0": ""}),
    *({1: "a", -1: "b", 2**31 - 1: "c"}, {True: "a", False: "b"}, {"a": 1}, {None: "a"}),
    *({"deep": [{"x": 1.5, "y": [None, True]}], "e": 1e100}, {"inf": float("inf")}, {1: 2}),
    {f"key {n % 7} {n}": str(n) for n in range(60)},
    {f"{'é' * (n % 3)}{n}": "" for n in range(40)},
    *(UUID(int=0), UUID(int=2**128 - 1), Decimal(0), Decimal("-12.50"), Decimal("1e25")),
    *(Decimal("0.001"), Decimal("NaN"), Decimal("1E+2"), Decimal("-0"), Decimal("12.340")),
    *(
        dt.date(1, 1, 1),
        dt.date(1970, 1, 1),
        dt.date(9999, 12, 31),
        dt.time(0),
        dt.time(1, 2, 3, 4),
    ),
    *(dt.time(1, tzinfo=dt.UTC), dt.timedelta(0), dt.timedelta(microseconds=-1), dt.timedelta.max),
    *(dt.timedelta(days=-106751991), dt.datetime(1970, 1, 1, tzinfo=dt.UTC), LOCAL),
    dt.datetime(2025, 6, 1, tzinfo=EAST),
    *(Moment(2025, 6, 1, tzinfo=dt.UTC), dt.datetime(1, 1, 1, tzinfo=EAST)),
    dt.datetime(1969, 12, 31, 23, 59, 59, 999000, tzinfo=dt.UTC),
]


@pytest.fixture(scope="module", params=KINDS)
def kind_pair(request: pytest.FixtureRequest) -> Pair:
    """A record with a value of one type, and the same where it may be null, listed and mapped."""
    kind = KINDS[request.param]
    fields = [Field("plain", kind, 1), Field("many", Array(kind), 3), Field("named", Map(kind), 17)]
    if kind != Primitive("null"):
        fields.append(Field("maybe", Optional(kind), 2))
    types = {
        "State": Record("State", tuple(fields)),
        "Part": Record("Part", (Field("a", LONG, 1),)),
        "Tone": Enum("Tone", (Symbol("LOW", 5), Symbol("HIGH", -1), Symbol("NONE", 0))),
    }
    return Pair(Subject([Schema("state", 1, "avro", "State", types)]))


def candidates(pair: Pair) -> list[Any]:
    part: Any = pair.types.record("Part")
    return [*VALUES, *pair.types.enum("Tone"), part(a=1), part(a=0), part(a="x")]


def test_any_value_in_any_place(kind_pair: Pair) -> None:
    """Whatever stands in a field, right or wrong, the kernel writes the library's bytes or none.

    And what it writes, both read as the same.
    """
    cls: Any = kind_pair.types.record("State")
    has_maybe = "maybe" in cls.__struct_fields__
    plain = next(v for v in candidates(kind_pair) if takes(kind_pair, cls, has_maybe, v))
    taken = 0
    for value in candidates(kind_pair):
        for place in ("plain", "maybe", "many", "named"):
            rest: dict[str, Any] = {"plain": plain, "many": [], "named": {}}
            if has_maybe:
                rest["maybe"] = None
            elif place == "maybe":
                continue
            put: dict[str, Any] = {"many": [value, value], "named": {"k": value}}
            state = cls(**{**rest, place: put.get(place, value)})
            written = kind_pair.written_by_kernel(state)
            if written == REFUSED:
                continue
            taken += 1
            assert written == kind_pair.written_by_library(state)
            found = kind_pair.read_by_kernel(written)
            assert found != REFUSED
            assert same(found, kind_pair.read_by_library(written))
    assert taken >= 3


def takes(pair: Pair, cls: Any, has_maybe: bool, value: Any) -> bool:
    rest: dict[str, Any] = {"maybe": None} if has_maybe else {}
    return pair.written_by_library(cls(plain=value, many=[], named={}, **rest)) != REFUSED


def test_ordinary_values_are_not_left_to_the_library(kind_pair: Pair) -> None:
    """What the library writes of plain Python values, the kernel writes too."""
    cls: Any = kind_pair.types.record("State")
    has_maybe = "maybe" in cls.__struct_fields__
    for value in candidates(kind_pair):
        rest: dict[str, Any] = {"maybe": None} if has_maybe else {}
        state = cls(plain=value, many=[value], named={"k": value}, **rest)
        written = kind_pair.written_by_library(state)
        # A whole number where one of a union's branches is a float is left to it.
        is_rare = type(value) is int and isinstance(kind_of(kind_pair), Union)
        if written != REFUSED and not is_rare:
            assert kind_pair.written_by_kernel(state) == written


def kind_of(pair: Pair) -> Type:
    return pair.types.schema.record.fields[0].type


NANOS = (0, 1, -1, 999, 10**9, -(10**9), 10**9 - 1, 1 - 10**9, 2**63 - 1, -(2**63), 2**63, "1")


@pytest.mark.parametrize("name", ["Timestamp", "Duration"])
def test_nanoseconds_of_a_well_known_time(name: str) -> None:
    """As whole numbers they are written and read as by the library, to the ends of 64 bits."""
    kind = Logical(
        "timestamp" if name == "Timestamp" else "duration",
        LONG,
        unit="nanos",
        well_known=f"google.protobuf.{name}",
    )
    state = Record("State", (Field("at", Optional(kind), 1), Field("all", Array(kind), 2)))
    pair = Pair(Subject([Schema("state", 1, "protobuf", "State", {"State": state})]))
    cls: Any = pair.types.record("State")
    for value in NANOS:
        made = cls(at=value, all=[value])
        payload = pair.written_by_library(made)
        assert pair.written_by_kernel(made) == payload
        if payload != REFUSED:
            assert same(pair.read_by_kernel(payload), made)


PARTS = ("08ffffffff2210ff93ebdc03", "08808080805d", "0801 10ffffffffffffffffff01", "10ffcfacf30e")


@pytest.mark.parametrize("unit", ["nanos", "micros"])
@pytest.mark.parametrize("parts", PARTS)
def test_odd_parts_of_a_time(unit: Any, parts: str) -> None:
    """Beyond 64 bits, of two signs or over a second: the kernel reads what the library does."""
    kind = Logical("timestamp", LONG, unit=unit, well_known="google.protobuf.Timestamp")
    state = Record("State", (Field("at", Optional(kind), 1),))
    pair = Pair(Subject([Schema("state", 1, "protobuf", "State", {"State": state})]))
    inner = bytes.fromhex(parts)
    payload = b"\x0a" + bytes([len(inner)]) + inner
    assert same(pair.read_by_kernel(payload), pair.read_by_library(payload))
