"""The short way between two versions gives what the general way gives, where it is taken."""

from __future__ import annotations

from typing import Any

import pytest
from evolutions import lines
from evolve import enum, field, optional, record, registry
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mixed_fleet import array, fleet, mapping
from moving import LATEST, documents, moving
from same import same

from instar import Registry, read_residue
from instar.codec.compatibility.values import states
from instar.codec.engines import missing_kernel
from instar.codec.limits import DEFAULT_LIMITS
from instar.codec.newer.crossing import Crossing
from instar.codec.newer.token import kept_in
from instar.codec.residue import carriers, checked_carriers
from instar.codec.verify.lab import Refused, attempt

pytestmark = pytest.mark.skipif(bool(missing_kernel()), reason=missing_kernel() or "")


@pytest.fixture(autouse=True)
def kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    """The short way is the kernel's."""
    monkeypatch.setenv("INSTAR_ENGINE", "kernel")


KNOWN: dict[str, Any] = {
    "title": "t",
    "first": "a b",
    "last": "c d",
    "status": "STUCK",
    "budget": 7,
    "mood": "CALM",
    "pick": {"$type": "Tool", "name": "x"},
    "owner": {"$type": "Human", "email": "e"},
    "notes": {"n": {"key": "k", "note": "", "cost": 3, "by": None}},
    "named": {"a": "text", "b": {"$type": "Tool", "name": "y"}},
    "steps": [{"key": "k", "note": "", "cost": cost, "by": None} for cost in (0, 2)],
    "parts": ["one", {"$type": "Tool", "name": "z"}],
    "goal": ["first", "second"],
}


def crossings(opened: Registry, low: int, high: int) -> tuple[Crossing, Crossing]:
    """The crossing of two versions, and one that only knows the general way."""
    (subject,) = opened.subjects
    short, general = (
        Crossing(opened.subject(subject), low, high, DEFAULT_LIMITS) for _ in range(2)
    )
    vars(general)["parallel"] = None
    return short, general


def judge(opened: Registry, low: int, high: int, state: Any) -> None:
    """Down and up again, the two ways give the same state with the same residue."""
    short, general = crossings(opened, low, high)
    lowered, wanted = attempt(short.lower, state), attempt(general.lower, state)
    if isinstance(wanted, Refused):
        assert isinstance(lowered, Refused)
        assert str(lowered.error) == str(wanted.error)
        return
    assert same(lowered, wanted)
    assert read_residue(lowered) == read_residue(wanted)
    raised, again = (way.raise_(lowered, kept_in(lowered)) for way in (short, general))
    assert same(raised, again)
    assert same(raised, state)
    assert read_residue(raised) == read_residue(again) == {}
    at_once = short.raise_at_once(lowered)
    assert at_once is NotImplemented or same(at_once, again)


@pytest.mark.parametrize("pair", [(1, 2), (2, 3), (1, 3)])
@pytest.mark.parametrize("index", range(2))
def test_every_op(pair: tuple[int, int], index: int) -> None:
    """Whatever the ops of the migrations are."""
    low, high = pair
    assert high <= LATEST
    judge(
        moving(),
        low,
        high,
        moving().codec("state", version=high).from_builtins(documents(high)[index]),
    )


@settings(
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much], max_examples=60
)
@given(data=st.data(), line=lines(most=2))
def test_random_schemas(data: st.DataObject, line: Any) -> None:
    """Of any two versions of a line."""
    opened = Registry.of(line)
    judge(opened, 1, 2, data.draw(states(opened.subject("state").types(2))))


def test_a_state_that_old_code_knows_all_of_goes_the_short_way() -> None:
    """Nested records, unions, maps, calls and wrapped lists do not stand in its way."""
    state = fleet().codec("state").from_builtins(KNOWN)
    judge(fleet(), 1, 2, state)
    short, _ = crossings(fleet(), 1, 2)
    assert short.parallel is not None
    lowered = short.parallel.lower(state, DEFAULT_LIMITS)
    assert set(read_residue(lowered)) == {"", "steps[1]", "notes['n']"}
    assert same(short.parallel.raise_(lowered, kept_in(lowered)), state)
    assert same(short.parallel.raise_at_once(lowered), state)


HUMAN = KNOWN["owner"]
UNKNOWN: list[dict[str, Any]] = [
    {"mood": "CROSS"},
    {"pick": HUMAN},
    {"parts": [HUMAN]},
    {"parts": [HUMAN, "one", HUMAN, KNOWN["pick"], HUMAN]},
    {"named": {"a": HUMAN, "b": "text", "c": HUMAN}},
    {"mood": "CROSS", "pick": HUMAN, "parts": ["one", HUMAN], "named": {"": HUMAN}},
]


@pytest.mark.parametrize("change", UNKNOWN)
def test_what_old_code_leaves_out_goes_the_short_way(change: dict[str, Any]) -> None:
    """Values of unknown branches and symbols, in lists, maps and where there may be null."""
    state = fleet().codec("state").from_builtins(KNOWN | change)
    judge(fleet(), 1, 2, state)
    goes_the_short_way(fleet(), state)
    assert fleet().codec("state").to_builtins(state) == KNOWN | change


def goes_the_short_way(opened: Registry, state: Any) -> None:
    short, _ = crossings(opened, 1, 2)
    assert short.parallel is not None
    lowered = short.parallel.lower(state, DEFAULT_LIMITS)
    assert same(short.parallel.raise_(lowered, kept_in(lowered)), state)


@settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
@given(data=st.data())
def test_any_state_of_the_fleet(data: st.DataObject) -> None:
    """Whatever is left out of it, and beside whatever else that does not come back."""
    opened = fleet()
    codec = opened.codec("state")
    state = codec.decode(codec.encode(data.draw(states(opened.subject("state").types(2)))))
    judge(opened, 1, 2, state)


def letters(symbols: str, parts: Any) -> list[Any]:
    """Symbols in a list and a map beside floats, in records within records, and parts."""
    letter = enum("Letter", *symbols)
    inner = record(
        "Inner",
        field("list", array(letter)),
        field("map", mapping("Letter")),
        field("maybe", optional("Letter")),
        field("parts", array(parts)),
        field("by_name", mapping("Text")),
    )
    box = record("Box", field("inners", array(inner)), field("own", "Inner"))
    return [field("boxes", array(box)), field("text", "Text")]


TEXT = record("Text", field("text", "string"))


def test_symbols_within_and_a_union_where_there_was_none() -> None:
    """Unknown symbols deep inside, and a list of one record that takes two now."""
    opened = registry(
        [letters("AB", TEXT), letters("ABC", [TEXT, record("Tool", field("name", "string"))])]
    )
    text, tool = {"$type": "Text", "text": "t"}, {"$type": "Tool", "name": "n"}
    inner: dict[str, Any] = {
        "list": ["A", "C", "B", "C"],
        "map": {"x": "C", "y": "A"},
        "maybe": "C",
        "parts": [tool, text, tool],
        "by_name": {"t": {"text": "u"}},
    }
    known = inner | {"list": ["A"], "map": {}, "maybe": None, "parts": [text]}
    box: Any = {"inners": [known, inner], "own": inner}
    plain: Any = {"inners": [known], "own": known}
    state = opened.codec("state").from_builtins({"boxes": [plain, box], "text": {"text": "v"}})
    judge(opened, 1, 2, state)
    goes_the_short_way(opened, state)


def test_the_state_itself_is_not_touched() -> None:
    """What is left out stays in it, also where a record stands in two places."""
    opened = fleet()
    codec = opened.codec("state")
    state = codec.from_builtins(KNOWN | {"parts": ["one", HUMAN]})
    state.steps = [state.steps[0], state.steps[0]]
    before = codec.to_builtins(state)
    judge(opened, 1, 2, state)
    assert codec.to_builtins(state) == before


def test_a_record_that_moved_finds_its_counterpart() -> None:
    """Old code may put it elsewhere, twice or under another name; each is restored."""
    step = record("Step", field("key", "string"))
    costed = record("Step", field("key", "string"), field("cost", "int", default=0))
    versions = [
        [field("steps", {"type": "array", "items": kind}), field("first", "Step")]
        for kind in (step, costed)
    ]
    opened = registry(versions)
    short, general = crossings(opened, 1, 2)
    plain: Any = {"steps": [{"key": "a", "cost": 1}], "first": {"key": "b", "cost": 2}}
    lowered = short.lower(opened.codec("state").from_builtins(plain))
    lowered.steps = [lowered.first, lowered.first, *lowered.steps]
    raised, again = (way.raise_(lowered, kept_in(lowered)) for way in (short, general))
    assert same(raised, again)
    assert [each.cost for each in raised.steps] == [2, 2, 1]
    assert same(short.raise_at_once(lowered), again)


def test_carriers_of_the_kernel() -> None:
    """It finds the records with residue, and the way to each, as the walk in Python does."""
    short, _ = crossings(fleet(), 1, 2)
    lowered = short.lower(fleet().codec("state").from_builtins(KNOWN))
    lowered.steps.append(lowered.steps[1])
    found = checked_carriers(lowered)
    assert [way for way, *_ in found] == [(), ("steps", 1), ("steps", 2), ("notes", ("n",))]
    assert found == list(carriers(lowered, repeats=True))
