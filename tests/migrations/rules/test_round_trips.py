"""What every rule promises, whichever it is and between whichever types."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from examples import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from rule_samples import RULES, TYPES, edges, values

from instar.codec.checks import check_scalar
from instar.errors import MigrationError, NotExpressible
from instar.migrations.rules import NullRule, Rule, Scalar
from instar.schemas.model import Enum


def fits(rule: Rule, source: Scalar, target: Scalar) -> bool:
    """Whether a rule is for two types."""
    try:
        rule.bind(source, target, forward=True)
        rule.bind(target, source, forward=False)
    except MigrationError:
        return False
    return True


CASES = [
    (rule, source, target)
    for rule in RULES
    for source in TYPES
    for target in TYPES
    if fits(rule, source, target)
]
# Each kind of rule as often as another, however many types it is for.
KINDS = sorted({type(rule) for rule, _, _ in CASES}, key=lambda kind: kind.__name__)
ANY = st.sampled_from(KINDS).flatmap(
    lambda kind: st.sampled_from([case for case in CASES if type(case[0]) is kind])
)


def same(one: Any, other: Any) -> bool:
    return bool(one == other) or (one != one and other != other)  # noqa: PLR0124 - NaN


def check(type_: Scalar, value: Any) -> None:
    if isinstance(type_, Enum):
        assert value in {symbol.name for symbol in type_.symbols}
    else:
        check_scalar(type_)(value)


@pytest.mark.parametrize("rule", RULES, ids=repr)
def test_every_rule_is_tried(rule: Rule) -> None:
    """Each of the rules here is for some types."""
    assert any(case[0] is rule for case in CASES)


class Promise:
    """What one rule promises between two types in one direction: it gives values of the target,
    refuses none where it announces none, and where it announces no loss in either direction,
    what it changed comes back.
    """

    def __init__(self, rule: Rule, source: Scalar, target: Scalar, *, forward: bool) -> None:
        self.rule, self.source, self.target = rule, source, target
        self.there = rule.bind(source, target, forward)
        self.back = rule.bind(target, source, not forward)
        self.refuses = rule.refuses(source, target, forward)
        lost = rule.losses(source, target, forward), rule.losses(target, source, not forward)
        self.is_lossless = lost == ("", "")

    def check(self, value: Any) -> None:
        try:
            found = self.there(value)
        except NotExpressible:
            assert self.refuses, (self.rule, self.source, self.target, value)
            return
        if not (found is None and isinstance(self.rule, NullRule)):
            check(self.target, found)
        if self.is_lossless:
            again = self.back(found)
            assert same(again, value), (self.rule, self.source, self.target, value, found)


def promises() -> Iterator[Promise]:
    for rule, older, newer in CASES:
        yield Promise(rule, older, newer, forward=True)
        yield Promise(rule, newer, older, forward=False)


def test_edges() -> None:
    """Every rule keeps its promise between all types, at the edges of their values."""
    for promise in promises():
        for value in edges(promise.source):
            promise.check(value)


@settings(max_examples=examples(500))
@given(ANY, st.booleans(), st.data())
def test_round_trip(case: tuple[Rule, Scalar, Scalar], forward: bool, data: st.DataObject) -> None:
    """Every rule keeps its promise for any values."""
    rule, *types = case
    source, target = types if forward else types[::-1]
    Promise(rule, source, target, forward=forward).check(data.draw(values(source)))


@settings(max_examples=examples(100))
@given(ANY, st.booleans())
def test_words(case: tuple[Rule, Scalar, Scalar], forward: bool) -> None:
    """Losses and refusals are one line of text."""
    rule, *types = case
    source, target = types if forward else types[::-1]
    for words in (rule.losses(source, target, forward), rule.refuses(source, target, forward)):
        assert words == words.strip()
        assert "\n" not in words
        assert "<" not in words
