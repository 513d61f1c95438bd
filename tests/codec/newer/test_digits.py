"""What Avro has fewer digits of goes from version to version as it is, with either engine.

Text and MessagePack keep a float of more than 32 bits and the scale of a decimal, and a state
that was never written has the zones of its timestamps too.
"""

from __future__ import annotations

import datetime as dt
from array import array as vector
from collections.abc import Callable
from decimal import Decimal
from functools import cache, partial
from typing import Any

import msgspec
import pytest
from evolve import FORMATS, field, optional, record, registry
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from mixed_fleet import array, mapping

from instar import Registry, read_residue
from instar.codec.engines import EngineName, engines, forced_engine, missing_kernel
from instar.codec.limits import DEFAULT_LIMITS
from instar.codec.newer.crossing import Crossing
from instar.codec.newer.token import kept_in
from instar.codec.tag.header import Format
from instar.errors import InstarError
from instar.migrations import compute

needs_kernel = pytest.mark.skipif(bool(missing_kernel()), reason=missing_kernel() or "")

MONEY = {"type": "bytes", "logicalType": "decimal", "precision": 30, "scale": 2}
STAMP = {"type": "long", "logicalType": "timestamp-micros"}
SINGLES = {"type": "array", "items": "float", "vector": True}
TOOL = record("Tool", field("score", "float"))
COMMON = [
    field("a", "float"),
    field("price", MONEY),
    field("at", STAMP),
    field("many", array("float")),
    field("named", mapping("float")),
    field("part", optional("float")),
    field("maybe", optional(MONEY)),
    field("prices", array(MONEY)),
    field("fixed", {**MONEY, "type": "fixed", "name": "Cents", "size": 16}),
]
PICK = [field("pick", ["null", "float", TOOL]), field("picks", array(["float", "Tool"]))]
OLD = record("Item", *COMMON, *PICK, field("to_vector", array("float")), field("to_list", SINGLES))
NEW = record(
    "Item",
    *COMMON,
    *PICK,
    field("to_vector", SINGLES),
    field("to_list", array("float")),
    field("cost", "float", default=0.1),
    field("fee", MONEY, default="\x01"),
    field("since", optional(STAMP), default=None),
    field("more", array("float"), default=[]),
)
OUTER = [field("items", array("Item")), field("kept", mapping("Item")), field("none", "string")]
FUNCTIONS: list[tuple[str, Any, Callable[[Any], str], Callable[[str], Any]]] = [
    ("ratio", "float", repr, float),
    ("sum", MONEY, str, Decimal),
    ("moment", STAMP, dt.datetime.isoformat, dt.datetime.fromisoformat),
]
"""Of each field with its type, and functions that see all digits of it."""


@cache
def fleet() -> Registry:
    """Records with residue, within lists and maps, and functions in both directions."""
    old = [field("first", OLD), *OUTER]
    new = [field("first", NEW), *OUTER, field("own", "float", default=0.1)]
    steps: list[Any] = []
    for name, kind, show, read in FUNCTIONS:
        old += [field(name, kind), field(f"{name}_text", "string")]
        new += [field(f"{name}_seen", "string"), field(f"{name}_back", kind)]
        steps.append(compute(reads=name, writes=f"{name}_seen", up=show, down=read))
        steps.append(compute(reads=f"{name}_text", writes=f"{name}_back", up=read, down=show))
    return registry([old, new], steps)


SINGLE = 0.10000000149011612
"""0.1 in 32 bits."""
TINY = (5e-324, 1e-310, 1e-45, -1e-46, 1.1754943508222875e-38, 2.0**-149)
FLOATS = st.one_of(
    st.sampled_from([0.1, 0.5, 0.0, -0.0, 3.4028235e38, float("inf"), -float("inf"), *TINY]),
    st.sampled_from([float("nan"), 16777217.0, 1 / 3, -0.3]),
    st.floats(min_value=-3.4e38, max_value=3.4e38),
)
PRICES = st.one_of(
    st.sampled_from([Decimal(text) for text in ("1.5", "1.50", "-0", "0.0", "-0.00", "7", "1E+3")]),
    st.integers(-(10**27), 10**27).map(Decimal),
    st.decimals(min_value=-(10**20), max_value=10**20, places=2),
    st.decimals(min_value=-99, max_value=99, places=1),
)
ZONES = [dt.UTC, dt.timezone(dt.timedelta(hours=2)), dt.timezone(-dt.timedelta(minutes=90))]
STAMPS = st.builds(
    lambda zone, days: dt.datetime(2024, 5, 6, 7, 8, 9, 10, zone) + dt.timedelta(days),
    st.sampled_from(ZONES),
    st.integers(0, 9),
)


@st.composite
def items(draw: st.DrawFn) -> Any:
    """A record of the newer version, with values as programs make them."""
    types = fleet().codec("state").schema_types()
    tools = st.builds(types.record("Tool"), score=FLOATS)
    lists, prices = st.lists(FLOATS, max_size=3), st.lists(PRICES, max_size=2)
    made = st.builds(
        types.record("Item"),
        a=FLOATS,
        price=PRICES,
        at=STAMPS,
        many=lists,
        # One entry at most, as a map of Protobuf is in no order.
        named=st.dictionaries(st.sampled_from("k"), FLOATS),
        part=st.none() | FLOATS,
        maybe=st.none() | PRICES,
        prices=prices,
        fixed=PRICES,
        pick=st.none() | FLOATS | tools,
        picks=st.lists(FLOATS | tools, max_size=2),
        to_vector=lists.map(lambda numbers: vector("f", numbers)),
        to_list=lists,
        cost=st.just(0.1) | FLOATS,
        fee=PRICES,
        since=st.none() | STAMPS,
        more=lists,
    )
    return draw(made)


@st.composite
def states(draw: st.DrawFn) -> Any:
    """A state of the newer version."""
    fields: dict[str, Any] = {
        "ratio_seen": FLOATS.map(repr),
        "ratio_back": FLOATS,
        "sum_seen": PRICES.map(str),
        "sum_back": PRICES,
        "moment_seen": STAMPS.map(dt.datetime.isoformat),
        "moment_back": STAMPS,
        "own": FLOATS,
    }
    kept = st.dictionaries(st.sampled_from("k"), items())
    codec = fleet().codec("state")
    return draw(
        st.builds(
            codec.type,
            first=items(),
            items=st.lists(items(), max_size=2),
            kept=kept,
            none=st.just(""),
            **fields,
        )
    )


UNSHRUNK = settings(
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
    max_examples=30,
)
"""States are large, and would take minutes to be made smaller."""


def shown(state: Any) -> tuple[str, dict[str, bytes]]:
    """All that there is in a state: signs, digits and zones too."""
    return repr(state), read_residue(state)


def edited(state: Any) -> Any:
    """With other digits in what functions are called with, and in a record."""
    state.ratio = 0.3
    state.sum += Decimal("0.1")
    state.first.a = 1e-3
    state.items.reverse()
    return state


def turn(format_: Format, state: Any) -> list[Any]:
    """A state's way through a mixed fleet, and all that is seen on its way."""
    new, old, pinned = (
        fleet().codec("state", format=format_, version=version, write_version=written)
        for version, written in ((2, 2), (1, 1), (2, 1))
    )
    blobs = [new.encode(state), pinned.encode(state)]
    found: list[Any] = [*blobs, shown(new.decode(blobs[0]))]
    for blob in blobs:
        seen = old.decode(blob)
        found.append(shown(seen))
        saved = old.encode(seen)
        found += [saved, shown(new.decode(saved))]
        saved = old.encode(edited(old.decode(saved)))
        found += [saved, shown(new.decode(saved)), pinned.encode(new.decode(saved))]
    return found


def outcome(engine: EngineName, run: Callable[[], Any]) -> Any:
    """What ``run`` gives with an engine, or the error that it raises, as text."""
    with forced_engine(engine):
        try:
            return run()
        except InstarError as error:
            return f"{type(error).__name__}: {error}"


@needs_kernel
@pytest.mark.parametrize("format_", FORMATS)
@UNSHRUNK
@given(state=states())
def test_both_engines_keep_the_same_digits(format_: Format, state: Any) -> None:
    """Blobs are the same bytes, and states look the same with the same residue."""
    ours, theirs = (outcome(name, lambda: turn(format_, state)) for name in ("kernel", "library"))
    assert isinstance(theirs, list), theirs
    assert ours == theirs


@needs_kernel
@UNSHRUNK
@given(state=states())
def test_a_state_goes_the_short_way_whatever_its_digits(state: Any) -> None:
    """The general way gives the same, and takes many times as long."""
    with forced_engine("kernel"):
        short, general = (
            Crossing(fleet().subject("state"), 1, 2, DEFAULT_LIMITS) for _ in range(2)
        )
        vars(general)["parallel"] = None
        assert short.parallel is not None
        lowered = short.parallel.lower(state, DEFAULT_LIMITS)
        assert lowered is not NotImplemented
        assert shown(lowered) == shown(general.lower(state))
        raised = short.parallel.raise_at_once(lowered)
        assert raised is not NotImplemented
        assert shown(raised) == shown(general.raise_(lowered, kept_in(lowered)))


@pytest.mark.parametrize("format_", ["json", "msgpack", "yaml"])
@pytest.mark.parametrize("engine", engines())
def test_what_nobody_edited_is_as_a_plain_save_has_it(engine: EngineName, format_: Format) -> None:
    """Other digits are no edit: old code hands on what it read."""
    with forced_engine(engine):
        opened = registry([COMMON, [*COMMON, field("own", "int", default=0)]])
        new, old = (opened.codec("state", format=format_, version=v) for v in (2, 1))
        price = Decimal("1.5")
        common: dict[str, Any] = {"many": [0.1], "named": {"k": 0.3}, "prices": [price], "own": 7}
        single: dict[str, Any] = {"a": 0.1, "price": price, "part": 0.2, "maybe": price}
        at = dt.datetime(2024, 5, 6, tzinfo=dt.UTC)
        state = new.type(at=at, fixed=Decimal("-0.0"), **common, **single)
        blob = new.encode(state)
        assert new.encode(new.decode(old.encode(old.decode(blob)))) == blob


@pytest.mark.parametrize("engine", engines())
def test_a_list_with_a_vector_between_is_rounded(engine: EngineName) -> None:
    """Where a version between has a vector, its digits are all that goes up; what is kept of a
    newer state still has them all.
    """
    lists = [field("x", array("float")), field("y", optional("float"))]
    between = [field("x", SINGLES), lists[1]]
    with forced_engine(engine):
        opened = registry([lists, between, [*lists, field("own", "int", default=0)]])
        first, latest = (opened.codec("state", format="json", version=v) for v in (1, 3))
        state = latest.type(x=[0.1], y=0.1, own=7)
        lowered = first.decode(latest.encode(state))
        assert (lowered.x, lowered.y) == ([SINGLE], 0.1)
        assert latest.decode(first.encode(lowered)) == state
        lowered.x = [0.1, 0.3]
        found = latest.decode(first.encode(lowered))
        assert found == latest.type(x=[SINGLE, 0.30000001192092896], y=0.1, own=7)


TOO_LARGE = [3.4028235677973366e38, 1e300, -1e39]
"""The first is the least that 32 bits round to an infinity."""


@needs_kernel
@pytest.mark.parametrize("format_", FORMATS)
@pytest.mark.parametrize("number", TOO_LARGE)
def test_a_number_too_large_is_the_same_error(number: float, format_: Format) -> None:
    """In a newer state that is written as the older one, in an edit by old code, in a list."""
    opened = registry([COMMON, [*COMMON, field("own", "int", default=0)]])
    at, price = dt.datetime(2024, 5, 6, tzinfo=dt.UTC), Decimal(1)
    rest: dict[str, Any] = {"price": price, "at": at, "named": {}, "part": None, "maybe": None}
    rest |= {"prices": [], "fixed": price, "own": 7}

    def pinned(many: Any) -> Any:
        codec = opened.codec("state", format=format_, write_version=1)
        return codec.encode(codec.type(a=0.1, many=many, **rest))

    def edit(name: str, value: Any) -> Any:
        old = opened.codec("state", format=format_, version=1)
        state = old.decode(pinned([0.1]))
        setattr(state, name, value)
        return old.encode(state)

    for run, path in (
        (lambda: pinned([0.1, number]), "state.many[1]"),
        (lambda: edit("a", number), "state.a"),
        (lambda: edit("many", [number]), "state.many[0]"),
        (lambda: edit("named", {"k": number}), "state.named['k']"),
    ):
        ours, theirs = (outcome(name, run) for name in ("kernel", "library"))
        assert ours == theirs
        assert ours == f"ValueMismatch: {path}: expected a float of 32 bits, found float {number}"


@needs_kernel
@pytest.mark.parametrize("number", TOO_LARGE)
def test_a_newer_blob_with_a_number_too_large_is_refused(number: float) -> None:
    """Text and MessagePack have room for it, and another writer may have written it."""
    newer = [field("a", "float"), field("own", "int", default=0)]
    opened = registry([newer[:1], newer])

    blobs: dict[Format, bytes] = {
        "json": f'{{"a":{number!r},"own":7}}'.encode(),
        "yaml": f"a: {number:.17e}\nown: 7\n".encode(),
        "msgpack": msgspec.msgpack.encode({"a": number, "own": 7}),
    }
    for format_, blob in blobs.items():
        old = opened.codec("state", format=format_, version=1)
        ours, theirs = (
            outcome(name, partial(old.decode, blob, legacy=2)) for name in ("kernel", "library")
        )
        assert ours == theirs
        assert "state.a: expected a float of 32 bits" in ours
