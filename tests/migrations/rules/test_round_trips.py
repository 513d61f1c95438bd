"""What every rule promises, whichever it is and between whichever types."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rule_samples import RULES, TYPES, values

from instar.codec.checks import check_scalar
from instar.errors import MigrationError, NotExpressible
from instar.migrations.rules import Rule, Scalar
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


@settings(max_examples=1500)
@given(st.data())
def test_round_trip(data: st.DataObject) -> None:
    """A rule gives values of the target; refuses none that it does not announce; and where it
    announces no loss, what it changed comes back.
    """
    rule, source, target = data.draw(ANY)
    forward = data.draw(st.booleans())
    if not forward:
        source, target = target, source
    value = data.draw(values(source))
    there = rule.bind(source, target, forward)
    refuses = rule.refuses(source, target, forward)
    try:
        found = there(value)
    except NotExpressible:
        assert refuses
        return
    if not (found is None and rule.handles_null):
        check(target, found)
    if rule.losses(source, target, forward) or rule.losses(target, source, not forward):
        return
    assert same(rule.bind(target, source, not forward)(found), value)


@settings(max_examples=300)
@given(ANY, st.booleans())
def test_words(case: tuple[Rule, Scalar, Scalar], forward: bool) -> None:
    """Losses and refusals are one line of text."""
    rule, *types = case
    source, target = types if forward else types[::-1]
    for words in (rule.losses(source, target, forward), rule.refuses(source, target, forward)):
        assert words == words.strip()
        assert "\n" not in words
        assert "<" not in words
