"""What a version keeps of a newer one while it is written as an older one, and edited there."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from typing import Any

import msgspec
import pytest
from evolve import FORMATS, enum, field, optional, record, registry
from hypothesis import given
from hypothesis import strategies as st
from mixed_fleet import mapping

from instar import Registry
from instar.codec.newer.token import Entry, Token, read_token, set_token, token_of, write_token
from instar.codec.tag.header import Format
from instar.errors import CorruptPayload, ValueMismatch
from instar.migrations import compute, convert, or_else, plunge, rename, within

GROWN = ("AB", "ABC", "ABCD", "ABCDE")


def step_down(opened: Registry, state: Any, format_: Format = "avro") -> bytes:
    """A state of the newest version as each version below it reads and writes it, down to 1."""
    high = opened.subject("state").latest
    blob = opened.codec("state", format=format_).encode(state)
    for version in range(high - 1, 1, -1):
        codec = opened.codec(
            "state", format=format_, version=version, write_version=max(version - 1, 1)
        )
        blob = codec.encode(codec.decode(blob))
    return blob


def edited(opened: Registry, blob: bytes, *edits: Any, format_: Format = "avro") -> Any:
    """What the newest version reads once code of version 1 has made each edit and saved it."""
    old = opened.codec("state", format=format_, version=1)
    for edit in edits:
        state = old.decode(blob)
        edit(state)
        blob = old.encode(state)
    newest = opened.codec("state", format=format_)
    return newest.to_builtins(newest.decode(blob))


def setting(attribute: str, value: Any) -> Any:
    """An edit that sets an attribute; ``value`` is a symbol where that is an enum."""

    def edit(state: Any) -> None:
        kind = type(getattr(state, attribute))
        setattr(state, attribute, kind(value) if hasattr(kind, "__members__") else value)

    return edit


@pytest.mark.parametrize("format_", FORMATS)
@pytest.mark.parametrize("versions", [2, 3, 4])
def test_an_edit_that_was_saved_is_for_good(versions: int, format_: Format) -> None:
    """What was changed and changed back is as it was changed, however new what was kept."""
    kinds = [enum("E", *symbols, default="A") for symbols in GROWN[:versions]]
    opened = registry([[field("e", kind), field("f", kind["name"])] for kind in kinds])
    newest, symbol = opened.codec("state"), GROWN[versions - 1][-1]
    blob = step_down(opened, newest.from_builtins({"e": symbol, "f": symbol}), format_)
    assert edited(opened, blob, format_=format_) == {"e": symbol, "f": symbol}
    edits = setting("e", "B"), setting("e", "A")
    assert edited(opened, blob, *edits, format_=format_) == {"e": "A", "f": symbol}


def test_a_version_between_overtakes_too() -> None:
    """Guards of the versions between are still there once a newer one carries what was kept."""
    opened = registry([[field("e", enum("E", *symbols, default="A"))] for symbols in GROWN])
    newest = opened.codec("state")
    blob = step_down(opened, newest.from_builtins({"e": "E"}))
    for version in (2, 3):
        between = opened.codec("state", version=version)
        kept = between.encode(between.decode(blob))
        for symbol in "BA":
            state = between.decode(kept)
            state.e = type(state.e)(symbol)
            kept = between.encode(state)
        assert newest.to_builtins(newest.decode(kept)) == {"e": "A"}
    assert newest.to_builtins(newest.decode(blob)) == {"e": "E"}


def test_a_record_inside_and_another_name() -> None:
    """What an inner record keeps is overtaken by its own fields, by the names they have there."""

    def line(symbols: str, *more: Any) -> list[Any]:
        step = record("Step", field("e", enum("E", *symbols, default="A")), *more)
        return [field("steps", {"type": "array", "items": step})]

    note, remark = field("note", "string"), field("remark", "string")
    opened = registry(
        [line("AB", note), line("ABC", remark), line("ABCD", remark)],
        [within("steps[]", rename("note", "remark"))],
    )
    step: Any = {"e": "D", "remark": "r"}
    blob = step_down(opened, opened.codec("state").from_builtins({"steps": [step, step]}))

    def change(symbol: str) -> Any:
        def edit(state: Any) -> None:
            state.steps[0].e = type(state.steps[0].e)(symbol)
            state.steps[0].note = state.steps[1].note = "edited"

        return edit

    found = edited(opened, blob, change("B"), change("A"))
    assert found == {"steps": [{"e": "A", "remark": "edited"}, {"e": "D", "remark": "edited"}]}


def gathered(symbols: str) -> Sequence[Any]:
    status = record("Status", field("e", enum("E", *symbols, default="A")), field("n", "int"))
    return [field("status", status)]


def test_a_record_that_is_fields_in_the_oldest() -> None:
    """What a record keeps that the older version has as fields is overtaken by those."""
    flat = [field("e", enum("E", *"AB", default="A")), field("n", "int")]
    opened = registry(
        [flat, gathered("ABC"), gathered("ABCD")],
        [plunge("e", "status"), plunge("n", "status")],
    )
    newest = opened.codec("state")
    blob = step_down(opened, newest.from_builtins({"status": {"e": "D", "n": 1}}))
    assert edited(opened, blob, setting("n", 2)) == {"status": {"e": "D", "n": 2}}
    assert edited(opened, blob, setting("e", "B"), setting("e", "A")) == {
        "status": {"e": "A", "n": 1}
    }


def test_what_a_function_made_is_guarded_by_its_arguments() -> None:
    """An edit of any of them is one of what is made of it."""

    def up(first: str, second: str) -> str:
        return f"{first}{second}"

    def down(both: str) -> tuple[str, str]:
        return both[:1], both[1:]

    made = compute(reads=("first", "second"), writes="both", up=up, down=down)
    shorter = compute(reads="both", writes="size", up=len, down=lambda size: "x" * size)
    opened = registry(
        [
            [field("first", "string"), field("second", "string"), field("n", "int")],
            [field("both", "string"), field("n", "int")],
            [field("size", "int"), field("n", "int"), field("own", "string", default="")],
        ],
        [made],
        [shorter],
    )
    newest = opened.codec("state")
    state: dict[str, Any] = {"size": 3, "n": 1, "own": "kept"}
    blob = step_down(opened, newest.from_builtins(state))
    assert edited(opened, blob, setting("n", 2)) == {**state, "n": 2}
    assert edited(opened, blob, setting("second", "yy y"))["size"] == 5


def test_keys_of_a_map_that_were_added_and_removed() -> None:
    """An entry that the version between left out is beaten by one of its key, for good."""
    opened = registry([[field("m", mapping(enum("E", *symbols)))] for symbols in GROWN[:3]])
    newest = opened.codec("state")
    blob = step_down(opened, newest.from_builtins({"m": {"x": "D", "y": "D", "z": "A"}}))

    def add(state: Any) -> None:
        state.m["x"] = state.m["z"]

    def remove(state: Any) -> None:
        del state.m["x"]

    assert edited(opened, blob) == {"m": {"x": "D", "y": "D", "z": "A"}}
    assert edited(opened, blob, add) == {"m": {"x": "A", "y": "D", "z": "A"}}
    assert edited(opened, blob, add, remove) == {"m": {"y": "D", "z": "A"}}


def test_a_list_that_was_null_stays_unguarded() -> None:
    """Where the oldest version had null from the start, that is no edit."""
    items = {"type": "array", "items": enum("E", "A")}
    more = {"type": "array", "items": enum("E", "A", "B")}
    opened = registry(
        [
            [field("l", optional(items))],
            [field("l", items, default=[])],
            [field("l", more, default=[])],
        ],
        [convert("l", or_else([], null_again=True))],
    )
    newest = opened.codec("state")
    blob = step_down(opened, newest.from_builtins({"l": ["B"]}))
    assert edited(opened, blob) == {"l": ["B"]}


def test_a_way_of_keeping_that_is_not_known() -> None:
    """Old code hands it on, drops it where it is overtaken, and never takes it for another."""
    opened = registry([[field("e", enum("E", *symbols, default="A"))] for symbols in GROWN[:2]])
    new, old = opened.codec("state"), opened.codec("state", version=1)
    state = old.decode(new.encode(new.from_builtins({"e": "C"})))
    token = read_token(token_of(state))
    (entry,) = token.entries
    strange = msgspec.structs.replace(entry, how="q")
    set_token(state, write_token(msgspec.structs.replace(token, entries=(strange,))))
    blob = old.encode(state)
    with pytest.raises(CorruptPayload, match="newer release"):
        new.decode(blob)
    loaded = old.decode(blob)
    assert read_token(token_of(loaded)).entries == (strange,)
    loaded.e = type(loaded.e)("B")
    assert new.to_builtins(new.decode(old.encode(loaded))) == {"e": "B"}


def test_residue_within_residue_has_an_end() -> None:
    """However deep somebody nests it, it is refused and nothing breaks."""
    opened = registry([[field("e", enum("E", *symbols, default="A"))] for symbols in GROWN[:2]])
    old = opened.codec("state", version=1)
    state = old.from_builtins({"e": "A"})
    entry = Entry(("e",), "v", (), b"", msgspec.Raw(b"\x01"))
    token = Token(2, opened.codec("state").fingerprint, "State", (entry,))
    for _ in range(5000):
        token = msgspec.structs.replace(token, inner=write_token(token))
    set_token(state, write_token(token))
    with pytest.raises(ValueMismatch, match="more than 100 versions"):
        old.encode(state)


@pytest.mark.parametrize("format_", ["avro", "json"])
@given(st.lists(st.sampled_from("ABC"), max_size=6), st.lists(st.integers(0, 4), max_size=4))
def test_hidden_items_stay_in_order(format_: Format, items: list[Any], sizes: list[int]) -> None:
    """Where version 1 drops items at the end of a list, or adds some there, what it does not see
    stands as if version 2 had done that; it sees more of the list, and version 3 sees all.
    """
    kinds = [enum("E", *symbols) for symbols in ("A", "AB", "ABC")]
    opened = registry([[field("es", {"type": "array", "items": kind})] for kind in kinds])
    newest = opened.codec("state", format=format_)
    state = newest.from_builtins({"es": items})
    between = opened.codec("state", format=format_, version=2)

    def resize(size: int) -> Any:
        def edit(state: Any) -> None:
            """Keep so many of what version 1 sees, or have as many by adding some."""
            version = 1 if isinstance(state, opened.codec("state", version=1).type) else 2
            seen = count()
            kept = [each for each in state.es if each.value != "A" or next(seen) < size]
            first = opened.subject("state").types(version).enum("E")("A")
            state.es = [*kept, *[first] * (size - next(seen))]

        return edit

    edits = [resize(size) for size in sizes]
    blob = newest.encode(state)
    for edit in edits:
        lower = between.decode(blob)
        edit(lower)
        blob = between.encode(lower)
    wanted = newest.to_builtins(newest.decode(blob))
    assert edited(opened, step_down(opened, state, format_), *edits, format_=format_) == wanted
