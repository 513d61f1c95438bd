"""What the kernel keeps, judges and restores is what Python does, byte for byte."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import pytest
from evolutions import lines
from evolve import field, registry
from fuzz.mutate import flipped, mutated
from fuzz.residue_targets import NEWER, grown
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mixed_fleet import fleet
from moving import LATEST, documents, moving

from instar import Limits, Registry, read_residue
from instar.codec.compatibility.values import states
from instar.codec.engines import EngineName, forced_engine, missing_kernel
from instar.codec.limits import DEFAULT_LIMITS
from instar.codec.newer import Bridge
from instar.codec.newer.checks import Checks
from instar.codec.newer.crossing import Crossing
from instar.codec.newer.prune import prune
from instar.codec.residue import carriers
from instar.codec.tag import Format, unpack
from instar.codec.tag.binary_frame import pack_binary
from instar.errors import InstarError, LimitExceeded

pytestmark = pytest.mark.skipif(bool(missing_kernel()), reason=missing_kernel() or "")

_STAMP = {"type": "long", "logicalType": "timestamp-micros"}
ENGINES: tuple[EngineName, ...] = ("kernel", "library")
FORMATS: tuple[Format, ...] = ("avro", "protobuf", "msgpack", "json", "yaml")


def on_both(run: Callable[[], Any]) -> tuple[Any, Any]:
    """What ``run`` gives with each engine, or the error it raises, as text."""
    found: list[Any] = []
    for name in ENGINES:
        with forced_engine(name):
            try:
                found.append(run())
            except InstarError as error:
                # Values that are named by where they are in memory have no other name.
                text = re.sub(r" at 0x[0-9a-f]+", "", str(error))
                found.append(f"{type(error).__name__}: {text}")
    first, second = found
    return first, second


def shown(state: Any) -> tuple[str, dict[str, bytes]]:
    """All that there is in a state: classes and signs too."""
    return repr(state), read_residue(state)


def edited(state: Any, other: Any, changes: list[bool]) -> Any:
    """A state with some attributes of another, and lists the other way round."""
    for name, is_changed in zip(state.__struct_fields__, changes, strict=False):
        if is_changed:
            setattr(state, name, getattr(other, name))
        elif isinstance(getattr(state, name), list):
            getattr(state, name).reverse()
    return state


def turn(opened: Registry, format_: Format, plain: list[Any], changes: list[bool]) -> list[Any]:
    """One state's way through a mixed fleet, and what was seen of it on its way."""
    new, old, pinned = (
        opened.codec("state", format=format_, version=version, write_version=written)
        for version, written in ((2, 2), (1, 1), (2, 1))
    )
    first, second = (new.from_builtins(each) for each in plain)
    native, lowered = new.encode(first), pinned.encode(first)
    seen = old.decode(lowered)
    found = [lowered, shown(old.decode(native)), shown(seen), shown(new.decode(lowered))]
    saved = old.encode(edited(seen, old.decode(pinned.encode(second)), changes))
    return [*found, saved, shown(seen), shown(new.decode(saved)), pinned.encode(new.decode(saved))]


@pytest.mark.parametrize("format_", FORMATS)
def test_a_turn_in_every_format(format_: Format) -> None:
    """Blobs are the same bytes, and states the same with the same residue."""
    for changes in ([False] * 20, [True, False] * 10, [False, True] * 10):
        ours, theirs = on_both(lambda c=changes: turn(grown(), format_, [NEWER, NEWER], c))
        assert isinstance(ours, list)
        assert ours == theirs
        # The kernel did have something to do.
        assert len(ours[2][1]) == 5


@settings(
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much], max_examples=60
)
@given(data=st.data(), line=lines(most=2), changes=st.lists(st.booleans(), max_size=8))
def test_a_turn_of_random_schemas(data: st.DataObject, line: Any, changes: list[bool]) -> None:
    """Whatever the versions are, edits are judged alike."""
    opened = Registry.of(line)
    codec = opened.codec("state", version=2)
    drawn = [data.draw(states(opened.subject("state").types(2))) for _ in range(2)]
    plain = [codec.to_builtins(codec.decode(codec.encode(each))) for each in drawn]
    ours, theirs = on_both(lambda: turn(opened, "avro", plain, changes))
    assert ours == theirs


@pytest.mark.parametrize("change", [{}, {"mood": "CROSS"}, {"budget": 0}, {"owner": None}])
def test_a_turn_with_every_op(change: dict[str, Any]) -> None:
    """Functions, wrapped lists, unions and items that are left out go by Python still."""
    plain = {
        "title": "t",
        "first": "a b",
        "last": "c d",
        "status": "STUCK",
        "budget": 7,
        "mood": "CALM",
        "pick": None,
        "owner": {"$type": "Human", "email": "e"},
        "notes": {"n": {"key": "k", "note": "", "cost": 3, "by": {"$type": "Human", "email": ""}}},
        "steps": [{"key": "k", "note": "", "cost": cost, "by": None} for cost in (0, 2)],
        "parts": ["one"],
        "named": {},
        "goal": ["first", "second"],
    }
    for changes in ([False] * 20, [True, False] * 10, [False, True] * 10):
        both = [plain | change, plain]
        ours, theirs = on_both(lambda c=changes, b=both: turn(fleet(), "msgpack", b, c))
        assert isinstance(ours, list)
        assert ours == theirs


def judge_new(opened: Registry, state: Any, high: int, low: int) -> None:
    """What was made just now holds as it is, as encode takes it to."""
    name = next(iter(opened.subjects))
    subject = opened.subject(name)
    lowered, _ = on_both(lambda: Bridge(subject, DEFAULT_LIMITS).lead(state, high, low))
    if isinstance(lowered, str):
        return  # An older version cannot hold it.
    before = read_residue(lowered)
    for engine in ENGINES:
        with forced_engine(engine):
            assert not prune(lowered, Checks(subject.types(low)))
    assert read_residue(lowered) == before


@pytest.mark.parametrize("low", [1, 2])
@pytest.mark.parametrize("index", range(2))
def test_nothing_has_overtaken_what_is_new(low: int, index: int) -> None:
    """Also where it went down by several versions, with residue of each."""
    state = moving().codec("state").from_builtins(documents(LATEST)[index])
    judge_new(moving(), state, LATEST, low)
    judge_new(grown(), grown().codec("state").from_builtins(NEWER), 2, 1)


@settings(
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much], max_examples=60
)
@given(data=st.data(), line=lines(most=3))
def test_nothing_has_overtaken_what_is_new_of_random_schemas(
    data: st.DataObject, line: Any
) -> None:
    """Whatever the versions are."""
    opened = Registry.of(line)
    latest = opened.subject("state").latest
    state = data.draw(states(opened.subject("state").types(latest)))
    for low in range(1, latest):
        judge_new(opened, state, latest, low)


@pytest.mark.parametrize("depth", [20, 400])
def test_a_state_as_deep_as_the_limit(depth: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every level of it keeps something, and has it again; a scalar is no level."""
    monkeypatch.setenv("INSTAR_ENGINE", "kernel")
    link = field("next", {"type": "array", "items": ["State", _STAMP]})
    opened = registry([[link], [link, field("cost", "int", default=0)]])
    limits = Limits(depth=depth)
    new, old = (opened.codec("state", version=v, limits=limits) for v in (2, 1))
    state: Any = dt.datetime(2024, 5, 6, tzinfo=dt.UTC)
    for cost in range(1, depth // 2 + 1):
        around = new.from_builtins({"next": [], "cost": cost})
        around.next = [state]
        state = around
    kept = old.decode(new.encode(state))
    assert len(list(carriers(kept))) == depth // 2
    assert new.encode(new.decode(old.encode(kept))) == new.encode(state)
    crossing = Crossing(opened.subject("state"), 1, 2, limits)
    raised = crossing.raise_at_once(crossing.lower(state))
    assert new.encode(raised) == new.encode(state)


def with_section(blob: bytes, section: bytes) -> bytes:
    """A blob in Avro with another section of residue."""
    tag, payload = unpack(blob, Limits())
    assert isinstance(payload, bytes)
    assert tag.version is not None
    rest = payload[4 + int.from_bytes(payload[:4], "little") :]
    whole = len(section).to_bytes(4, "little") + section + rest
    return pack_binary("avro", tag.version, tag.fingerprint, whole, residue=True)


def sections(blob: bytes) -> Iterator[bytes]:
    """Sections that are changed somewhere."""
    payload = unpack(blob, Limits())[1]
    assert isinstance(payload, bytes)
    section = payload[4 : 4 + int.from_bytes(payload[:4], "little")]
    yield section
    yield from flipped([section], 250, seed=23)
    yield from mutated([section], 60, seed=23)


def test_residue_that_nobody_honest_wrote() -> None:
    """It is refused with the same words, or read as the same, by old code and by new."""
    with forced_engine("library"):
        blob = (
            grown()
            .codec("state", write_version=1)
            .encode(grown().codec("state").from_builtins(NEWER))
        )
    outcomes: set[bool] = set()
    for section in sections(blob):
        changed = with_section(blob, section)
        ours, theirs = on_both(lambda c=changed: shown(grown().codec("state").decode(c)))
        assert ours == theirs
        outcomes.add(isinstance(ours, str))
        ours, theirs = on_both(lambda c=changed: _saved(c))
        assert ours == theirs
    assert outcomes == {True, False}


def _saved(blob: bytes) -> bytes:
    old = grown().codec("state", version=1)
    return old.encode(old.decode(blob))


@pytest.mark.parametrize("way", [("steps", 9), ("steps", -1), ("none",), ("named", ("z",)), (0,)])
def test_a_way_that_leads_nowhere(way: Any) -> None:
    """Nothing is attached, and the error names the place, whichever engine reads."""
    with forced_engine("library"):
        old = grown().codec("state", version=1)
        new = grown().codec("state")
        state = old.decode(new.encode(new.from_builtins(NEWER)))
        blob = old.encode(state)
    entries = [(each, residue) for each, _, residue in carriers(state)]
    section = msgspec.msgpack.encode([*entries, (way, entries[0][1])])
    changed = with_section(blob, section)
    ours, theirs = on_both(lambda: shown(grown().codec("state", version=1).decode(changed)))
    assert ours == theirs
    assert ours.startswith("CorruptPayload")


@pytest.mark.parametrize("engine", ENGINES)
def test_the_limit_of_residue(engine: EngineName) -> None:
    """It counts the bytes that there are, not one more or less, on every way."""
    with forced_engine(engine):
        state = grown().codec("state").from_builtins(NEWER)
        blob = grown().codec("state", write_version=1).encode(state)
        old = grown().codec("state", version=1)
        size = sum(map(len, read_residue(old.decode(blob)).values()))
        for limit, is_fine in ((size, True), (size - 1, False)):
            codec = grown().codec("state", version=1, limits=Limits(residue_bytes=limit))
            if is_fine:
                assert codec.encode(codec.decode(blob)) == blob
                continue
            with pytest.raises(LimitExceeded):
                codec.decode(blob)
            with pytest.raises(LimitExceeded):
                codec.encode(old.decode(blob))
