"""Values that a format, or a version between, gives back otherwise than Python had them."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from typing import Any

import pytest
from evolve import FORMATS, enum, field, optional, record, registry
from mixed_fleet import array, mapping

from instar import Registry, read_residue, read_tag
from instar.codec.engines import EngineName, engines, forced_engine
from instar.codec.tag.header import Format
from instar.migrations import cast, compute, convert, plunge

AMOUNT = {"type": "bytes", "logicalType": "decimal", "precision": 12, "scale": 4}
TIME = {"type": "long", "logicalType": "timestamp-micros"}
JSON = {"type": "bytes", "logicalType": "json"}


def computed(kind: Any, up: Any, down: Any) -> Registry:
    """Version 1 has ``a`` of a type, and version 2 the text ``b`` that is made of it."""
    made = compute(reads="a", writes="b", up=up, down=down)
    return registry([[field("a", kind)], [field("b", "string")]], [made])


def ways(opened: Registry, format_: Format, state: Any) -> list[Any]:
    """A state of the latest version after it was read or written as version 1."""
    new, old = (opened.codec("state", format=format_, version=v) for v in (2, 1))
    pinned = opened.codec("state", format=format_, write_version=1)
    blobs = [new.encode(state), pinned.encode(state)]
    return [new.decode(old.encode(old.decode(blob))) for blob in blobs]


CHANGED_BY_FORMATS: dict[str, tuple[Registry, str, Any]] = {
    "a double as a float": (registry([[field("a", "float")], [field("a", "double")]]), "a", 0.1),
    "doubles as floats": (
        registry([[field("a", array("float"))], [field("a", array("double"))]]),
        "a",
        [0.5, 0.1],
    ),
    "doubles in a map": (
        registry(
            [[field("a", mapping(optional(kind)))] for kind in ("float", "double")],
        ),
        "a",
        {"k": 0.1},
    ),
    "a function of a float": (computed("float", repr, float), "b", "0.1"),
    "a function of a decimal": (computed(AMOUNT, str, Decimal), "b", "1.5"),
    "a function of a time": (
        computed(TIME, datetime.isoformat, datetime.fromisoformat),
        "b",
        "2020-01-01T00:00:00+05:00",
    ),
    "a function of a map": (
        computed(mapping("string"), "".join, lambda text: dict.fromkeys(text, "")),
        "b",
        "ba",
    ),
    "a text as a decimal": (
        registry([[field("a", AMOUNT)], [field("a", "string")]], [convert("a", cast())]),
        "a",
        "1.5",
    ),
}


@pytest.mark.parametrize("format_", FORMATS)
@pytest.mark.parametrize("what", CHANGED_BY_FORMATS)
def test_what_a_format_changes_is_kept(what: str, format_: Format) -> None:
    """What stands in an older version's blob may be equal and not the same: digits of a float,
    the scale of a decimal, a zone, an order. The newer value comes back all the same.
    """
    opened, name, value = CHANGED_BY_FORMATS[what]
    state = opened.codec("state").type(**{name: value})
    for found in ways(opened, format_, state):
        assert repr(found) == repr(state)


def test_what_no_format_changes_costs_nothing() -> None:
    """A double that a float holds exactly is no residue."""
    opened, _, _ = CHANGED_BY_FORMATS["a double as a float"]
    new, old = opened.codec("state"), opened.codec("state", version=1)
    assert read_residue(old.decode(new.encode(new.type(a=0.5)))) == {}


@pytest.mark.parametrize(
    ("was", "edit"), [(1, "1"), ("1", 1), ([1], ["1"]), ({"a": 1}, {"a": "1"})]
)
def test_a_number_of_json_is_not_its_text(was: Any, edit: Any) -> None:
    """An edit of ``1`` to ``"1"`` within JSON is one, and beats what was made of it."""
    made = compute(reads="a", writes="b", up=repr, down=lambda _: was, lossy="b")
    opened = registry([[field("a", JSON)], [field("b", "string")]], [made])
    new, old = opened.codec("state"), opened.codec("state", version=1)
    state = old.decode(new.encode(new.type(b="kept")))
    assert new.decode(old.encode(state)).b == "kept"
    state.a = edit
    assert new.decode(old.encode(state)).b == repr(edit)


@pytest.mark.parametrize("format_", FORMATS)
def test_zero_has_no_sign(format_: Format) -> None:
    """A negative zero of a decimal, which binary formats do not have, is no edit."""
    opened = computed(AMOUNT, lambda _: "made", lambda _: Decimal("-0"))
    state = opened.codec("state").type(b="kept")
    assert ways(opened, format_, state) == [state, state]


LISTS = [field("tags", array("string"), default=[]), field("notes", mapping("int"), default={})]


@pytest.mark.parametrize("format_", FORMATS)
def test_new_lists_and_maps(format_: Format) -> None:
    """A list or map that the older version has not at all is kept as a value."""
    opened = registry([[field("a", "int")], [field("a", "int"), *LISTS]])
    state = opened.codec("state").type(a=1, tags=["x"], notes={"k": 1})
    assert ways(opened, format_, state) == [state, state]


def test_a_map_made_of_several_fields() -> None:
    """A map that a function makes is a value too, though it has all that is made anew."""
    made = compute(
        reads=("a", "b"),
        writes="c",
        up=lambda a, b: {"a": a, "b": b},
        down=lambda c: (c.get("a", 0), c.get("b", 0)),
        lossy="c",
    )
    versions = [[field("a", "int"), field("b", "int")], [field("c", mapping("int"))]]
    opened = registry(versions, [made])
    state = opened.codec("state").type(c={"a": 1, "b": 2, "more": 3})
    assert ways(opened, "avro", state) == [state, state]


PLACE = [field("lat", "int"), field("lon", "int")]
GATHERED = [
    PLACE,
    [field("at", record("At", *PLACE))],
    [field("at", record("At", *PLACE, field("height", "int", default=0)))],
]


@pytest.mark.parametrize("format_", FORMATS)
def test_residue_of_a_record_that_becomes_fields(format_: Format) -> None:
    """Version 2 has a record with residue of version 3, and version 1 only its fields: an edit of
    one of those leaves the residue as it is.
    """
    opened = registry(GATHERED, [plunge("lat", "at"), plunge("lon", "at")])
    first, middle, latest = (
        opened.codec("state", format=format_, version=v, write_version=min(v, 2)) for v in (1, 2, 3)
    )
    at: Any = latest.schema_types().record("At")
    state = first.decode(latest.encode(latest.type(at=at(lat=1, lon=2, height=9))))
    state.lat = 5
    found = latest.decode(middle.encode(middle.decode(first.encode(state))))
    assert found == latest.type(at=at(lat=5, lon=2, height=9))


GROWN = [[field("e", enum("E", *symbols, default="A"))] for symbols in ("AB", "ABC", "ABCD")]


def test_an_edit_is_for_good_when_an_older_version_is_written() -> None:
    """What an edit has overtaken does not return, though the edit was written as version 1."""
    opened = registry(GROWN)
    latest = opened.codec("state")
    middle = opened.codec("state", version=2, write_version=1)
    state = middle.decode(latest.encode(latest.from_builtins({"e": "D"})))
    seen = state.e
    state.e = type(seen)("B")
    again = middle.decode(middle.encode(state))
    again.e = seen
    assert latest.decode(middle.encode(again)).e.value == "A"


def test_an_edit_is_for_good_below_a_version_that_kept_something_itself() -> None:
    """Version 3 keeps a symbol of version 4, and is read as 1, where an edit overtakes it; what
    is then read and written as 2 does not bring it back.
    """
    older = [field("e", enum("E", *"AB", default="A"))]
    versions = [[*older, *(field(f"f{n}", "int", default=0) for n in range(v))] for v in range(3)]
    opened = registry([*versions, [*GROWN[1], *versions[2][1:]]])
    first, middle, latest = (opened.codec("state", version=v) for v in (1, 2, 4))
    pinned = opened.codec("state", write_version=3)
    state = first.decode(pinned.encode(pinned.from_builtins({"e": "C", "f0": 1, "f1": 1})))
    seen = state.e
    state.e = type(seen)("B")
    again = middle.decode(first.encode(state))
    again.e = type(again.e)("A")
    assert latest.to_builtins(latest.decode(middle.encode(again))) == {"e": "A", "f0": 1, "f1": 1}


@pytest.mark.parametrize("format_", FORMATS)
def test_to_encode_again_gives_the_same_bytes(format_: Format) -> None:
    """Where edits have overtaken all residue, nothing of it is left, and the tag says so."""
    opened = registry(GROWN[:2])
    new, old = (opened.codec("state", format=format_, version=v) for v in (2, 1))
    state = old.decode(new.encode(new.from_builtins({"e": "C"})))
    state.e = type(state.e)("B")
    blob = old.encode(state)
    assert not read_tag(blob).residue
    assert old.encode(state) == blob


SINGLES = [field("a", "float"), field("many", array("float")), field("part", optional("float"))]


@pytest.mark.parametrize("format_", ["json", "msgpack", "yaml"])
@pytest.mark.parametrize("engine", engines())
def test_a_float_that_nobody_edited_stays_as_its_format_keeps_it(
    engine: EngineName, format_: Format
) -> None:
    """Text and MessagePack keep more than 32 bits, be a state newer, older, or pinned."""
    plain: dict[str, Any] = {"a": 0.1, "many": [0.1, 0.5], "part": 0.3, "own": 7}
    with forced_engine(engine):
        opened = registry([SINGLES, [*SINGLES, field("own", "int", default=0)]])
        new, old = (opened.codec("state", format=format_, version=v) for v in (2, 1))
        lowered = old.decode(new.encode(new.from_builtins(plain)))
        assert (lowered.a, lowered.many, lowered.part) == (0.1, [0.1, 0.5], 0.3)
        for back in ways(opened, format_, new.from_builtins(plain)):
            assert new.to_builtins(back) == plain
