"""Rules by table."""

from __future__ import annotations

from typing import Any

import pytest
from rule_samples import BOOLEAN, DECIMAL, DOUBLE, INT, LONG, NEW, OLD, STRING, UUID, enum

from instar.errors import MigrationError, NotExpressible
from instar.migrations import table
from instar.migrations.rules import Scalar, Table

MERGING = table({"DONE": "COMPLETED", "ENDED": "COMPLETED"})


@pytest.mark.parametrize(
    ("rule", "types", "forward", "value", "expected"),
    [
        (MERGING, (OLD, NEW), True, "ENDED", "COMPLETED"),
        (MERGING, (OLD, NEW), True, "OPEN", "OPEN"),
        (MERGING, (NEW, OLD), False, "COMPLETED", "DONE"),
        (table({"DONE": "done"}), (OLD, STRING), True, "OPEN", "OPEN"),
        (table({"done": "DONE"}, otherwise="OPEN"), (STRING, OLD), True, "no", "OPEN"),
        (table({"done": "DONE"}, otherwise="OPEN"), (STRING, OLD), True, "ENDED", "OPEN"),
        (table({1: "low", 2: "high"}, otherwise="?"), (INT, STRING), True, 3, "?"),
        (table({1: "low", 2: "high"}, otherwise_down=-1), (STRING, INT), False, "?", -1),
        (table({True: 1, False: 0}), (BOOLEAN, LONG), True, False, 0),
        (table({"on": True}, otherwise=False), (STRING, BOOLEAN), True, "off", False),
        (table({0: "zero"}, otherwise=""), (DOUBLE, STRING), True, 0.0, "zero"),
    ],
)
def test_change(
    rule: Table, types: tuple[Scalar, Scalar], forward: bool, value: Any, expected: Any
) -> None:
    """What is in the table becomes what is beside it, and what is not is otherwise."""
    found = rule.bind(*types, forward)(value)
    assert found == expected
    assert type(found) is type(expected)


@pytest.mark.parametrize(
    ("rule", "source", "target", "value", "reason"),
    [
        (table({"DONE": "OPEN"}), OLD, NEW, "ENDED", "'ENDED' is beyond the enum New"),
        (table({1: "low"}), INT, STRING, 2, "2 is in no table"),
        (table({1: 2}), LONG, INT, 2**40, "is beyond int"),
    ],
)
def test_refused(rule: Table, source: Scalar, target: Scalar, value: Any, reason: str) -> None:
    """A value that is not in the table, and that the target does not have, is refused."""
    with pytest.raises(NotExpressible, match=reason):
        rule.bind(source, target, forward=True)(value)


@pytest.mark.parametrize(
    ("rule", "source", "target", "reason"),
    [
        (table({"DONNE": "OPEN"}), OLD, NEW, "in the table 'DONNE' is no value of the enum Old"),
        (table({"DONE": "COMPLETE"}), OLD, NEW, "'COMPLETE' is no value of the enum New"),
        (table({1: True}), BOOLEAN, BOOLEAN, "1 is no value of boolean"),
        (table({True: 1}), INT, INT, "True is no value of int"),
        (table({1.0: 1}), INT, INT, "1.0 is no value of int"),
        (table({1: 2**31}), INT, INT, "2147483648 is no value of int"),
        (table({"a": 1}, otherwise="x"), STRING, INT, "'x' is no value of int"),
        (table({"a": "b"}), STRING, UUID, "does not lead from string to uuid"),
        (table({"1": "b"}), DECIMAL, STRING, "does not lead from decimal of precision 9"),
    ],
)
def test_types(rule: Table, source: Scalar, target: Scalar, reason: str) -> None:
    """An entry that one of the types does not have is an error before any value is read: a
    slip in a symbol, or a bool where there are numbers.
    """
    with pytest.raises(MigrationError, match=reason):
        rule.bind(source, target, forward=True)


@pytest.mark.parametrize(
    ("rule", "source", "target", "lost", "refused"),
    [
        (MERGING, OLD, NEW, "DONE, ENDED become COMPLETED", ""),
        (table({"a": "b"}), STRING, STRING, "a, b become b", ""),
        (table({"a": "b", "b": "a"}), STRING, STRING, "", ""),
        (table({"DONE": "OPEN"}), OLD, NEW, "DONE, OPEN become OPEN", "ENDED"),
        (table({1: "a"}), INT, STRING, "", "what is not in the table"),
        (
            table({1: "a"}, otherwise="b"),
            INT,
            STRING,
            "'b' stands for what is not in the table",
            "",
        ),
        (table({1: 2, 2: 1}), LONG, INT, "", "what is beyond int"),
        (table({True: 1}), BOOLEAN, INT, "", "False"),
    ],
)
def test_words(rule: Table, source: Scalar, target: Scalar, lost: str, refused: str) -> None:
    """Values that become one are lost, and values that become none are refused."""
    assert rule.losses(source, target, forward=True) == lost
    assert rule.refuses(source, target, forward=True) == refused


def test_first_entry_counts_on_the_way_back() -> None:
    """The order of a table says what a merged value becomes again."""
    other = table({"ENDED": "COMPLETED", "DONE": "COMPLETED"})
    assert other.bind(NEW, OLD, forward=False)("COMPLETED") == "ENDED"


def test_enum_with_more_symbols() -> None:
    """Symbols that only the newer enum has are refused on the way down, or otherwise_down."""
    newer = enum("N", "DONE", "ENDED", "OPEN", "LATE")
    assert table({}).refuses(newer, OLD, forward=False) == "LATE"
    rule = table({}, otherwise_down="OPEN")
    assert rule.bind(newer, OLD, forward=False)("LATE") == "OPEN"
