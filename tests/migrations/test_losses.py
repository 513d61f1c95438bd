"""The loss report says for each op and each derived change what is lost, and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from migrations.changes import made

from instar.codec.loss_report import path_losses, round_trip_losses
from instar.migrations import remove
from instar.migrations.lost_paths import LostPaths
from migrations import changes

Losses = set[tuple[str, str]]
ROWS: list[tuple[Callable[..., Any], Losses, Losses]] = [
    (changes.rename_title, set(), set()),
    (changes.remove_note, {("note", "dropped")}, set()),
    (changes.add_extra, set(), {("extra", "dropped")}),
    (changes.wrap_tag, set(), {("tag", "changed"), ("tag", "refused")}),
    (changes.wrap_hint, set(), {("hint", "changed")}),
    (changes.head_labels, {("labels", "changed")}, set()),
    (changes.hoist_city, set(), set()),
    (changes.hoist_home, set(), {("town", "refused"), ("home.street", "refused")}),
    (changes.plunge_zip, set(), set()),
    (changes.merge_moods, {("mood", "changed")}, set()),
    (changes.turn_name, set(), set()),
    (changes.split_name, set(), {("first", "changed"), ("rest", "changed")}),
    (changes.shorten_name, {("name", "changed")}, {("initial", "changed")}),
    (changes.cut_word, {("word", "changed")}, {("head", "changed"), ("tail", "changed")}),
    (changes.spell_size, set(), {("size", "changed"), ("size", "refused")}),
    (changes.fill_floor, {("floor", "changed")}, set()),
    (changes.scale_count, set(), {("count", "refused")}),
    (changes.widen_count, set(), {("count", "refused")}),
    (changes.widen_size, {("size", "refused")}, {("size", "refused"), ("size", "changed")}),
    (changes.drop_role, {("messages[].role", "dropped"), ("memory[*].role", "dropped")}, set()),
    (changes.rename_content, set(), set()),
    (changes.grow_event, set(), {("event<boolean>", "refused")}),
    (changes.drop_mark, {("event<Node>.mark", "dropped"), ("node.mark", "dropped")}, set()),
]


@pytest.mark.parametrize(("change", "up", "down"), ROWS, ids=[row[0].__name__ for row in ROWS])
def test_each_change(change: Callable[..., Any], up: Losses, down: Losses) -> None:
    """What one change loses on the way up and on the way down, by field and kind."""
    subject = made([[change]])
    assert {(loss.path, loss.kind) for loss in path_losses(subject, 1, 2)} == up
    assert {(loss.path, loss.kind) for loss in path_losses(subject, 2, 1)} == down


def test_words() -> None:
    """A loss says in words what happens to the value."""
    subject = made([[changes.merge_moods, changes.widen_size, changes.head_labels]])
    words = {loss.path: loss.what for loss in path_losses(subject, 1, 2)}
    assert words == {
        "mood": "SAD and MAD become LOW",
        "size": "numbers that double does not hold exactly",
        "labels": "only its first item is kept",
    }
    down = [loss.what for loss in path_losses(subject, 2, 1)]
    assert down[-1] == "numbers that are not whole, or out of the range of long"
    dropped = made([[changes.remove_note]])
    assert [loss.what for loss in path_losses(dropped, 1, 2)] == ["version 2 has no place for it"]


def test_a_path_of_several_hops() -> None:
    """What one hop renames and the next one drops is lost under its first name."""
    subject = made([[changes.hoist_city], [lambda types: drop(types, "city")]])
    assert [loss.path for loss in path_losses(subject, 1, 3)] == ["address.city"]
    assert [loss.path for loss in path_losses(subject, 1, 2)] == []
    assert path_losses(subject, 2, 2) == []


def drop(types: Any, name: str) -> list[Any]:
    changes.swap(types, "State", name)
    return [remove(name, default="")]


def test_a_function_whose_result_is_dropped() -> None:
    """What only a function reads is lost where nothing takes what it gave."""
    subject = made([[changes.turn_name], [lambda types: drop(types, "eman")]])
    assert [(loss.path, loss.kind) for loss in path_losses(subject, 1, 3)] == [("name", "dropped")]


def test_there_and_back() -> None:
    """A field that a default fills on the way back is lost, with the default itself not."""
    subject = made([[changes.remove_note, changes.add_extra, changes.widen_count]])
    assert round_trip_losses(subject, 1, 2).paths == {"note"}
    assert round_trip_losses(subject, 2, 1).paths == {"extra"}
    assert round_trip_losses(subject, 1, 1).paths == set()


def test_two_functions_that_undo_each_other() -> None:
    """A function is taken at its word: it undoes its other direction, but for lossy fields."""
    subject = made([[changes.turn_name], [changes.widen_count]])
    assert round_trip_losses(subject, 1, 3).paths == set()
    assert round_trip_losses(made([[changes.shorten_name]]), 1, 2).paths == {"name"}


def test_places_that_are_covered() -> None:
    """Indexes, keys and labels are seen through, and a recursive record is one place."""
    lost = LostPaths(
        frozenset({"list[].a", "map[*]", "event<Node>.mark", "memory[*][*].x", "m[*]"}),
        frozenset({("event<Node>.next", "event<Node>"), ("list[].again[]", "list[]")}),
    )
    for path in (
        *(
            "memory['a]b']['c\\'d'].x",
            'm["it\'s"]',
            "list[3].a",
            "list[].a.b",
            "list[].again[2].a",
            "map['x[y].z'].c",
            "event<Node>.mark",
        ),
        *("event.mark", "event<Node>.next.next.mark", "event.next.mark"),
    ):
        assert lost.covers(path), path
    for path in ("list", "list[]", "list[0].ab", "mapped", "event<Other>.mark", "event.next"):
        assert not lost.covers(path), path
    assert LostPaths(frozenset({""})).covers("anything")


def test_loops_that_only_labels_tell_apart() -> None:
    """Where an error names no branch, what it leads to may be any of them."""
    lost = LostPaths(
        frozenset({"n"}), frozenset({("u<Root>", ""), ("u<B>.u<Root>", ""), ("u<B>.u<B>", "u<B>")})
    )
    assert lost.covers("u.u.n")
    assert lost.covers("u<B>.u<B>.u<Root>.n")
    assert not lost.covers("u<B>.u<B>.n")
    assert not lost.covers("u.m")
