"""``or_else`` and ``null_if`` for types that are no scalars: null and a default for each other."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest
from evolve import FORMATS, carry, field, optional, record, registry

from instar import Registry
from instar.codec.default_check import wrong_types
from instar.codec.engines import EngineName, engines, forced_engine
from instar.codec.loss_report import path_losses, round_trip_losses
from instar.codec.tag.header import Format
from instar.errors import MigrationError, MigrationMismatch, NewerVersion
from instar.migrations import convert, hoist, null_if, or_else, rename, within
from instar.migrations.explain import explain
from instar.migrations.ops import Op
from instar.schemas.model import JsonValue

INTS = {"type": "array", "items": "int"}
LONGS = {"type": "array", "items": "long"}
COUNTS = {"type": "map", "values": "int"}
BOX = record("Box", field("x", "int"), field("ys", INTS))
NODE = record("Node", field("n", "int"), field("next", {"type": "array", "items": "Node"}))
VECTOR = {"type": "array", "items": "float", "vector": True}

# A type, a value that stands for null, and another value.
KINDS: dict[str, tuple[Any, JsonValue, JsonValue]] = {
    "list": (INTS, [7], [1, 2]),
    "empty list": (INTS, [], [1]),
    "map": (COUNTS, {"a": 1}, {}),
    "record": (BOX, {"x": 1, "ys": [2]}, {"x": 1, "ys": []}),
    "union": (["int", "string"], "none", 4),
    "vector": (VECTOR, [0.5], [1.5]),
    "record that holds itself": (NODE, {"n": 0, "next": []}, {"n": 1, "next": []}),
    "scalar": ("string", "", "x"),
}


def maybe(kind: Any) -> Any:
    return ["null", *kind] if isinstance(kind, list) else optional(kind)


@pytest.fixture(params=engines(), autouse=True)
def engine(request: pytest.FixtureRequest) -> Iterator[EngineName]:
    with forced_engine(request.param):
        yield request.param


def moved(kinds: tuple[Any, Any], op: Op, value: JsonValue, source: int, target: int) -> Any:
    """The value of the one field after a step, which every format has to agree on."""
    opened = registry([[field("a", kind)] for kind in kinds], [op])
    found = [carry(opened, {"a": value}, source, target, format_)["a"] for format_ in FORMATS]
    assert all(each == found[0] for each in found)
    return found[0]


@pytest.mark.parametrize("case", KINDS)
def test_or_else(case: str) -> None:
    """Null becomes the value on the way up, and what is not null stays, up and down."""
    kind, value, other = KINDS[case]
    kinds, op = (maybe(kind), kind), convert("a", or_else(value))
    assert [moved(kinds, op, each, 1, 2) for each in (None, value, other)] == [value, value, other]
    assert [moved(kinds, op, each, 2, 1) for each in (value, other)] == [value, other]


@pytest.mark.parametrize("case", [case for case in KINDS if "itself" not in case])
def test_null_again(case: str) -> None:
    """With ``null_again`` the value is null on the way down, and nothing else is."""
    kind, value, other = KINDS[case]
    kinds, op = (maybe(kind), kind), convert("a", or_else(value, null_again=True))
    assert [moved(kinds, op, each, 1, 2) for each in (None, other)] == [value, other]
    assert [moved(kinds, op, each, 2, 1) for each in (value, other)] == [None, other]


@pytest.mark.parametrize("case", [case for case in KINDS if "itself" not in case])
def test_null_if(case: str) -> None:
    """The value becomes null on the way up, and null the value on the way down."""
    kind, value, other = KINDS[case]
    kinds, op = (kind, maybe(kind)), convert("a", null_if(value))
    assert [moved(kinds, op, each, 1, 2) for each in (value, other)] == [None, other]
    assert [moved(kinds, op, each, 2, 1) for each in (None, other)] == [value, other]


def test_no_two_states_share_the_value() -> None:
    """Each null becomes a value of its own."""
    opened = registry(
        [[field("a", optional(INTS))], [field("a", INTS)]], [convert("a", or_else([1]))]
    )
    old, new = (opened.codec("state", version=version) for version in (1, 2))
    blob = old.encode(old.from_builtins({"a": None}))
    new.decode(blob).a.append(2)
    assert new.decode(blob).a == [1]


@pytest.mark.parametrize("format_", FORMATS)
def test_views(format_: Any) -> None:
    """A view and a projection see what a read gives."""
    kinds = (optional(INTS), INTS, optional(INTS))
    ops = [[convert("a", or_else([1, 2]))], [convert("a", null_if([1, 2]))]]
    opened = registry([[field("a", kind), field("b", "int")] for kind in kinds], *ops)
    old: Any = opened.codec("state", version=1, format=format_)
    for value, second, third in ((None, [1, 2], None), ([5], [5], [5])):
        blob = old.encode(old.from_builtins({"a": value, "b": 3}))
        for version, wanted in ((2, second), (3, third)):
            codec: Any = opened.codec("state", version=version, format=format_)
            found = codec.view(blob).a
            assert (None if found is None else list(found)) == wanted
            assert list(codec.project(blob, "b", "a")) == [3, wanted]


LINES: dict[str, tuple[list[list[Any]], list[list[Op]], list[tuple[Any, Any]]]] = {
    "a field of a record that was null": (
        [
            [field("box", optional(record("Box", field("ys", INTS), field("n", "int"))))],
            [field("box", optional(record("Box", field("n", "int")))), field("ys", optional(INTS))],
            [field("box", optional(record("Box", field("n", "int")))), field("ys", INTS)],
        ],
        [[hoist("box.ys")], [convert("ys", or_else([9]))]],
        [
            ({"box": None}, {"box": None, "ys": [9]}),
            ({"box": {"ys": [1], "n": 2}}, {"box": {"n": 2}, "ys": [1]}),
        ],
    ),
    "a value that later versions change": (
        [
            [field("a", optional(record("Old", field("x", "int"))))],
            [field("a", record("Old", field("x", "int")))],
            [field("b", record("Old", field("y", "long")))],
        ],
        [
            [convert("a", or_else({"x": 4}))],
            [rename("a", "b"), within("b", rename("x", "y"))],
        ],
        [({"a": None}, {"b": {"y": 4}}), ({"a": {"x": 1}}, {"b": {"y": 1}})],
    ),
    "a value that was changed before": (
        [[field("a", optional(INTS))], [field("a", optional(LONGS))], [field("a", LONGS)]],
        [[], [convert("a", or_else([2**40]))]],
        [({"a": None}, {"a": [2**40]}), ({"a": [1]}, {"a": [1]})],
    ),
    "null for a value, and a value for null": (
        [[field("a", INTS)], [field("a", optional(INTS))], [field("a", LONGS)]],
        [[convert("a", null_if([]))], [convert("a", or_else([5]))]],
        [({"a": []}, {"a": [5]}), ({"a": [1]}, {"a": [1]})],
    ),
    "null for what was an int and is a branch": (
        [
            [field("a", "int")],
            [field("a", ["int", "string"])],
            [field("a", ["null", "int", "string"])],
        ],
        [[], [convert("a", null_if(3))]],
        [({"a": 3}, {"a": None}), ({"a": 4}, {"a": 4})],
    ),
}


def lowered(opened: Registry, plain: Any, way: tuple[int, ...], format_: Format) -> Any:
    """A state after a way down, or that it is refused."""
    try:
        for source, target in pairwise(way):
            plain = carry(opened, plain, source, target, format_)
    except NewerVersion:
        return NewerVersion
    return plain


@pytest.mark.parametrize("format_", FORMATS)
@pytest.mark.parametrize("name", LINES)
def test_over_several_versions(name: str, format_: Any) -> None:
    """What two steps give is what they give one after the other."""
    versions, steps, cases = LINES[name]
    opened = registry(versions, *steps)
    for old, wanted in cases:
        assert carry(opened, old, 1, 3, format_) == wanted
        middle = carry(opened, old, 1, 2, format_)
        assert carry(opened, middle, 2, 3, format_) == wanted
        assert lowered(opened, wanted, (3, 1), format_) == lowered(
            opened, wanted, (3, 2, 1), format_
        )


def test_what_is_lost() -> None:
    """That null is a value afterwards is told, and where it is null again nothing is lost of it."""
    again = convert("a", null_if([]))
    opened = registry([[field("a", INTS)], [field("a", optional(INTS))]], [again])
    subject = opened.subject("state")
    assert path_losses(subject, 1, 2) == []
    assert [loss.what for loss in path_losses(subject, 2, 1)] == ["null becomes []"]
    assert round_trip_losses(subject, 1, 2).paths == frozenset()
    assert round_trip_losses(subject, 2, 1).paths == {"a"}
    (segment,) = subject.plan(1, 2).segments
    (note,) = explain(segment.graph, subject.schema(1), subject.schema(2))
    assert note.steps == "[] becomes null"


@pytest.mark.parametrize(
    ("op", "kinds"),
    [
        (convert("a", or_else(["x"])), (optional(INTS), INTS)),
        (convert("a", or_else({"x": 1})), (optional(BOX), BOX)),
        (convert("a", null_if("x")), (INTS, optional(INTS))),
    ],
)
def test_a_value_that_the_type_cannot_hold(op: Op, kinds: tuple[Any, Any]) -> None:
    """It is found when the project is checked, and the finding says how to mend it."""
    opened = registry([[field("a", kind)] for kind in kinds], [op])
    found = list(wrong_types(opened.subject("state")))
    assert found
    assert all("what stands for null is no value of its type" in error.what for error in found)


@pytest.mark.parametrize("op", [convert("a", or_else([])), convert("a", null_if([]))])
@pytest.mark.parametrize("kinds", [(INTS, INTS), (optional(INTS), optional(INTS))])
def test_types_of_which_none_or_both_are_optional(op: Op, kinds: tuple[Any, Any]) -> None:
    """The message says what the rule is for."""
    with pytest.raises(MigrationMismatch, match="this rule is for a type that was"):
        registry([[field("a", kind)] for kind in kinds], [op])


def test_a_value_that_holds_itself() -> None:
    """Only an empty value of a record in itself can be told from others."""
    inner = {"type": "array", "items": "Node"}
    old, new = record("Node", field("kids", inner)), record("Node", field("kids", optional(inner)))
    op = within("a", convert("kids", null_if([])))
    opened = registry([[field("a", old)], [field("a", new)]], [op])
    tree = {"a": {"kids": [{"kids": []}]}}
    assert carry(opened, tree, 1, 2, "avro") == {"a": {"kids": [{"kids": None}]}}
    op = within("a", convert("kids", null_if([{"kids": []}])))
    with pytest.raises(MigrationMismatch, match="only an empty value of it can be null"):
        registry([[field("a", old)], [field("a", new)]], [op])


@pytest.mark.parametrize("rule", [or_else, null_if])
def test_null_stands_for_no_null(rule: Any) -> None:
    """A rule whose value is null changes nothing, and says so."""
    with pytest.raises(MigrationError, match=r"\(None\) changes nothing"):
        rule(None)
