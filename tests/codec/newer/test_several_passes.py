"""Versions between which the ops are more than one pass: all is kept as between any two."""

from __future__ import annotations

from typing import Any

import pytest
from evolve import FORMATS, enum, field, record, registry
from mixed_fleet import array, mapping

from instar import Registry
from instar.codec.engines import EngineName, engines, forced_engine
from instar.codec.tag.header import Format
from instar.migrations import compute, hoist, plunge, within

ENGINES = pytest.mark.parametrize("engine", engines())
BOX = record("Box", field("url", "string"))


def saved(opened: Registry, state: Any, *edits: Any, format_: Format = "avro") -> Any:
    """A state of version 3 once code of version 1 has made each edit and saved it."""
    new, old = (opened.codec("state", format=format_, version=version) for version in (3, 1))
    blob = new.encode(new.from_builtins(state))
    for edit in edits or (lambda _: None,):
        loaded = old.decode(blob)
        edit(loaded)
        blob = old.encode(loaded)
    return new.to_builtins(new.decode(blob))


def setting(attribute: str, value: Any) -> Any:
    """An edit that sets an attribute."""
    return lambda state: setattr(state, attribute, value)


def passes(opened: Registry) -> list[int]:
    """How many there are from version 1 to 3, and from 3 to 1."""
    plan = opened.subject("state").plan
    return [len(plan(*way).segments) for way in ((1, 3), (3, 1))]


def addresses() -> Registry:
    """Version 2 has an address twice, in a record and in a list that goes before it."""
    known = field("known", array("string"), default=[])
    return registry(
        [[field("url", "string")], [field("box", BOX), known], [known]],
        [plunge("url", "box")],
        [
            compute(
                reads=("box", "known"),
                writes="known",
                up=lambda box, known: known or [box.url],
                down=lambda known: ({"url": known[0] if known else ""}, known),
            )
        ],
    )


@ENGINES
def test_an_edit_wins_of_a_field_that_a_version_between_has_twice(engine: EngineName) -> None:
    """No program of version 2 took part, so its rule says nothing of what was edited."""
    opened = addresses()
    assert max(passes(opened)) > 1
    with forced_engine(engine):
        assert saved(opened, {"known": ["a", "b"]}) == {"known": ["a", "b"]}
        assert saved(opened, {"known": ["a"]}, setting("url", "EDIT")) == {"known": ["EDIT"]}
        edits = setting("url", "x"), setting("url", "a")
        assert saved(opened, {"known": ["a", "b"]}, *edits) == {"known": ["a"]}


def parsed(*newest: str) -> Registry:
    """A function makes a record, and the next hop reaches into it; beside what only 3 has.

    Each of ``newest`` is a version more with these symbols.
    """
    place = record("Place", field("host", "string"), field("port", "int"))

    def steps(symbols: str, *own: Any) -> Any:
        kind = field("kind", enum("Kind", *symbols, default="A"))
        return field("steps", array(record("Step", field("key", "string"), kind, *own)))

    cost, own = field("cost", "int", default=0), field("own", "int", default=0)
    kinds = field("kinds", mapping("Kind"), default={})
    parts = field("host", "string"), field("port", "int")
    return registry(
        [
            [field("where", "string"), steps("AB")],
            [field("place", place), steps("AB")],
            *([*parts, steps(symbols, cost), kinds, own] for symbols in ("ABC", *newest)),
        ],
        [compute(reads="where", writes="place", up=to_place, down=to_text)],
        [hoist("place.host"), hoist("place.port")],
    )


def to_place(where: str) -> dict[str, Any]:
    host, _, port = where.partition(":")
    return {"host": host, "port": int(port or 0)}


def to_text(place: Any) -> str:
    return f"{place.host}:{place.port}" if place.port else place.host


STATE: dict[str, Any] = {
    "host": "h",
    "port": 3,
    "steps": [{"key": "a", "kind": "C", "cost": 1}, {"key": "b", "kind": "B", "cost": 2}],
    "kinds": {"x": "C", "y": "A"},
    "own": 7,
}


@ENGINES
@pytest.mark.parametrize("format_", FORMATS)
def test_what_was_not_edited_comes_back(engine: EngineName, format_: Format) -> None:
    """Fields, symbols and what functions make, of records in lists, too, in every format."""
    opened = parsed()
    assert max(passes(opened)) > 1

    def edit(state: Any) -> None:
        state.where = "other:9"
        state.steps.reverse()
        state.steps[0].key = "c"

    with forced_engine(engine):
        assert saved(opened, STATE, format_=format_) == STATE
        first, second = STATE["steps"]
        steps = [second | {"key": "c"}, first]
        changed = STATE | {"host": "other", "port": 9, "steps": steps}
        assert saved(opened, STATE, edit, format_=format_) == changed


@ENGINES
def test_what_a_function_lost_comes_back_until_its_argument_changes(engine: EngineName) -> None:
    """A host with a colon in it is another one once it has gone down and up."""
    odd = STATE | {"host": "h:1", "port": 0}
    with forced_engine(engine):
        assert saved(parsed(), odd) == odd
        edits = setting("where", "x"), setting("where", "h:1")
        assert saved(parsed(), odd, *edits) == odd | {"host": "h", "port": 1}


def nested() -> Registry:
    """A record that version 1 has as fields, beside a function that reads what is moved there."""
    kind, more = (enum("Kind", *symbols, default="A") for symbols in ("AB", "ABC"))
    low = record("Box", field("kind", kind), field("size", "string"))
    high = record("Box", field("kind", more), field("width", "int"), field("own", "int", default=0))
    return registry(
        [
            [field("kind", kind), field("size", "string"), field("text", "string")],
            [field("box", low), field("text", "string")],
            [field("box", high), field("words", "int")],
        ],
        [plunge("kind", "box"), plunge("size", "box")],
        [
            within("box", compute(reads="size", writes="width", up=int, down=str)),
            compute(reads=("text",), writes="words", up=len, down=lambda n: "x" * n),
        ],
    )


@ENGINES
def test_a_record_that_is_fields_in_the_oldest(engine: EngineName) -> None:
    """Each of its fields is kept, and overtaken, by itself."""
    opened = nested()
    state: dict[str, Any] = {"box": {"kind": "C", "width": 5, "own": 9}, "words": 2}
    assert max(passes(opened)) > 1
    box = state["box"]
    with forced_engine(engine):
        assert saved(opened, state) == state
        assert saved(opened, state, setting("size", "6")) == state | {"box": box | {"width": 6}}
        found = saved(opened, state, kind_of("B"))
        assert found == state | {"box": box | {"kind": "B"}}
        found = saved(opened, state, kind_of("B"), kind_of("A"))
        assert found == state | {"box": box | {"kind": "A"}}


def kind_of(symbol: str) -> Any:
    return lambda state: setattr(state, "kind", type(state.kind)(symbol))


@ENGINES
def test_what_a_version_between_keeps_is_overtaken_over_several_passes(engine: EngineName) -> None:
    """Version 3 wrote version 1, and what it keeps of version 4 is made of that too."""
    opened = parsed("ABCD")
    new, middle, old = (
        opened.codec("state", version=v, write_version=w) for v, w in ((4, 4), (3, 1), (1, 1))
    )
    state: dict[str, Any] = STATE | {
        "steps": [{"key": "a", "kind": "D", "cost": 1}, STATE["steps"][0]]
    }
    with forced_engine(engine):
        blob = middle.encode(middle.decode(new.encode(new.from_builtins(state))))
        assert new.to_builtins(new.decode(old.encode(old.decode(blob)))) == state
        for symbol in "BA":
            loaded = old.decode(blob)
            loaded.steps[0].kind = type(loaded.steps[0].kind)(symbol)
            blob = old.encode(loaded)
        steps = [state["steps"][0] | {"kind": "A"}, state["steps"][1]]
        assert new.to_builtins(new.decode(blob)) == state | {"steps": steps}
