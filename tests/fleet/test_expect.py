"""The plain model, on edits whose outcome is plain to a reader."""

from __future__ import annotations

from typing import Any

import pytest
from evolve import field, optional, record, registry
from mixed_fleet import array, fleet

from instar.codec.verify.lab import Lab
from instar.fleet.simulate.edits import Edit
from instar.fleet.simulate.expect import Older, UnjudgedError
from instar.migrations import compute, convert, null_if, rename

HUMAN = {"$type": "Human", "email": "e"}
NEWER: dict[str, Any] = {
    "title": "t",
    "status": "STUCK",
    "mood": None,
    "steps": [
        {"key": "a", "note": "", "cost": 1, "by": None},
        {"key": "b", "note": "", "cost": 2, "by": HUMAN},
    ],
    "notes": {"k": {"key": "c", "note": "", "cost": 3, "by": None}},
    "pick": None,
    "parts": ["p", HUMAN],
    "named": {"seen": "x", "unseen": HUMAN},
    "first": "Ada",
    "last": "King Lovelace",
    "goal": ["g", "h"],
    "budget": 7,
    "owner": None,
}
DONOR: dict[str, Any] = {
    "title": "other",
    "status": "DONE",
    "mood": "CALM",
    "steps": [{"key": "new", "note": "n"}],
    "notes": {"m": {"key": "d", "note": ""}},
    "pick": "picked",
    "parts": ["q"],
    "named": {"unseen": "y"},
    "name": "Ada Byron",
    "goal": None,
}


def after(edit: Edit, newer: dict[str, Any] = NEWER) -> dict[str, Any]:
    """What becomes of ``newer`` when code of version 1 makes ``edit`` with parts of DONOR."""
    new, old = fleet().codec("state"), fleet().codec("state", version=1)
    y = new.from_builtins(newer)
    x = old.decode(new.encode(y))
    lab = Lab(fleet().subject("state"))
    return new.to_builtins(Older(lab, 1, 2, y, x).after(edit, old.from_builtins(DONOR)))


@pytest.mark.parametrize(
    ("edit", "changed"),
    [
        (Edit("set", ("title",), ("title",)), {"title": "other"}),
        (Edit("set", ("status",), ("status",)), {"status": "DONE"}),
        (Edit("set", ("pick",), ("pick",)), {"pick": "picked"}),
        (Edit("set", ("name",), ("name",)), {"first": "Ada", "last": "Byron"}),
        (
            Edit("set", ("steps", 1, "note"), ("steps", 0, "note")),
            {"steps": [NEWER["steps"][0], {**NEWER["steps"][1], "note": "n"}]},
        ),
        (
            Edit("arrange", ("steps",), ("steps", 0), (1, None, 0, 0)),
            {
                "steps": [
                    NEWER["steps"][1],
                    {"key": "new", "note": "n", "cost": 0, "by": None},
                    NEWER["steps"][0],
                    NEWER["steps"][0],
                ]
            },
        ),
        (Edit("arrange", ("steps",), (), (1,)), {"steps": [NEWER["steps"][1]]}),
        (Edit("drop", ("notes",), key="k"), {"notes": {}}),
        (
            Edit("put", ("notes",), ("notes", "m"), key="m"),
            {"notes": {**NEWER["notes"], "m": {"key": "d", "note": "", "cost": 0, "by": None}}},
        ),
        (
            Edit("put", ("named",), ("named", "unseen"), key="unseen"),
            {"named": {"seen": "x", "unseen": "y"}},
        ),
        (Edit("drop", ("named",), key="seen"), {"named": {"unseen": HUMAN}}),
    ],
)
def test_edits(edit: Edit, changed: dict[str, Any]) -> None:
    """The edit is there, and everything else is what it was."""
    if "first" in changed:
        # Its last name is split elsewhere, so what is made with it does not tell.
        plain = {**NEWER, "first": "Ada", "last": "Lovelace"}
        assert after(edit, plain) == {**plain, **changed}
    else:
        assert after(edit) == {**NEWER, **changed}


@pytest.mark.parametrize(
    "edit",
    [
        Edit("set", ("parts",), ("parts",)),
        Edit("set", ("goal",), ("goal",)),
        Edit("set", ("mood",), ("steps", 0, "key")),
    ],
    ids=["a list in part", "the head of a list", "a value that cannot be upgraded"],
)
def test_what_is_not_judged(edit: Edit) -> None:
    """Where the rule does not say what an edit comes to, no edit is made."""
    with pytest.raises(UnjudgedError):
        after(edit)


def test_fields_that_are_made_together() -> None:
    """A field that an op makes with one that changed is not kept for looking the same."""
    donor = {**NEWER, "first": "Ada", "last": "x King "}
    # The name is edited from "Ada x King " to "Ada Byron", or to another that ends in a space.
    new = fleet().codec("state")
    old = fleet().codec("state", version=1)
    y = new.from_builtins(donor)
    x = old.decode(new.encode(y))
    other = old.from_builtins({**DONOR, "name": "Eva "})
    older = Older(Lab(fleet().subject("state")), 1, 2, y, x)
    with pytest.raises(UnjudgedError):
        older.after(Edit("set", ("name",), ("name",)), other)


@pytest.mark.parametrize(
    ("origin", "wanted"),
    [((), None), ((1,), [{"key": "b"}]), ((1, 0), [{"key": "b"}, {"key": "a"}])],
)
def test_a_list_that_is_null_without_items(origin: tuple[int, ...], wanted: Any) -> None:
    """Where the newer version has null for a list without items, an emptied one is null."""
    items = array(record("Step", field("key", "string")))
    lists = [field("steps", items)], [field("steps", optional(items))]
    opened = registry(lists, [convert("steps", null_if([]))])
    new, old = opened.codec("state"), opened.codec("state", version=1)
    y = new.from_builtins({"steps": [{"key": "a"}, {"key": "b"}]})
    x = old.decode(new.encode(y))
    older = Older(Lab(opened.subject("state")), 1, 2, y, x)
    found = older.after(Edit("arrange", ("steps",), (), origin), x)
    assert new.to_builtins(found) == {"steps": wanted}


def links(keys: list[str]) -> list[dict[str, Any]]:
    """Up: a record for each key."""
    return [{"key": key} for key in keys]


def keys(links: list[Any]) -> list[str]:
    """Down: without what else the records have."""
    return [link.key for link in links]


@pytest.mark.parametrize("versions", [2, 3])
def test_what_a_function_makes_is_one_value(versions: int) -> None:
    """An edit of an argument has all of it made anew, also where a later version renames it."""
    link = record("Link", field("key", "string"), field("own", "int", default=0))
    made = compute(reads="keys", writes="links", up=links, down=keys)
    other = field("other", "int", default=0)
    opened = registry(
        [
            [field("keys", array("string")), other],
            [field("links", array(link)), other],
            [field("chain", array(link)), other],
        ][:versions],
        *[[made], [rename("links", "chain")]][: versions - 1],
    )
    name = "links" if versions == 2 else "chain"
    new, old = opened.codec("state"), opened.codec("state", version=1)
    newer: dict[str, Any] = {name: [{"key": "a", "own": 1}, {"key": "b", "own": 2}], "other": 3}
    x = old.decode(new.encode(new.from_builtins(newer)))
    lab, donor = Lab(opened.subject("state")), old.from_builtins({"keys": ["c"], "other": 4})
    older = Older(lab, 1, versions, new.from_builtins(newer), x)
    unlike = new.to_builtins(older.after(Edit("set", ("other",), ("other",)), donor))
    assert unlike == newer | {"other": 4}
    edited = new.to_builtins(older.after(Edit("set", ("keys", 0), ("keys", 0)), donor))
    assert edited == newer | {name: [{"key": "c", "own": 0}, {"key": "b", "own": 0}]}
    # And so it is with residue.
    x.keys[0] = "c"
    assert new.to_builtins(new.decode(old.encode(x))) == edited
