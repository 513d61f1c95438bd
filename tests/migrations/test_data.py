"""Migrations as JSON."""

from __future__ import annotations

import json
from typing import Any

import pytest
from examples import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from rule_samples import RULES

from instar.errors import LimitExceeded, MigrationError
from instar.migrations import (
    Migration,
    add,
    cast,
    compute,
    convert,
    head,
    hoist,
    join,
    null_if,
    or_else,
    plunge,
    remove,
    rename,
    retime,
    scale,
    split,
    table,
    ticks,
    time_text,
    within,
    wrap,
)
from instar.migrations.data import from_data, is_data, to_data
from instar.migrations.ops import Add, Op, inverse
from instar.migrations.rules import Rule
from instar.migrations.rules.rounding import ROUND
from instar.schemas.model import Default

NAMES = st.sampled_from(["name", "messages", "a", "élan", "class", "op", "rule"])
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
FLOATS = st.floats(allow_nan=False, allow_infinity=False)
CONSTANTS = st.none() | st.booleans() | st.integers(-(2**63), 2**64) | TEXTS | FLOATS

JSON = st.recursive(
    CONSTANTS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3)
)
NOT_NULL = JSON.filter(lambda value: value is not None)
ENTRIES = st.booleans() | st.integers() | TEXTS | FLOATS
ROUNDINGS = st.none() | st.sampled_from(sorted(ROUND))
FRACTIONS = st.fractions(min_value=-1000, max_value=1000, max_denominator=1000).filter(bool)
CHANGES: st.SearchStrategy[Rule] = st.one_of(
    st.sampled_from([rule for rule in RULES if not hasattr(rule, "pattern")]),
    st.builds(
        table,
        st.dictionaries(ENTRIES, ENTRIES, max_size=3),
        otherwise=st.none() | ENTRIES,
        otherwise_down=st.none() | ENTRIES,
    ),
    st.builds(scale, FRACTIONS, st.floats(-1e9, 1e9), rounding=ROUNDINGS),
    st.builds(cast, encoding=st.sampled_from(["base64", "hex"]), otherwise=st.none() | ENTRIES),
    st.builds(or_else, NOT_NULL, null_again=st.booleans()),
    st.builds(null_if, NOT_NULL),
    st.builds(ticks, st.sampled_from(["nanos", "seconds", "days"]), rounding=ROUNDINGS),
    st.builds(retime, rounding=ROUNDINGS),
    st.builds(time_text, st.none() | st.just("%Y-%m-%d"), utc=st.booleans(), rounding=ROUNDINGS),
)
PAIRS: st.SearchStrategy[Rule] = st.builds(
    split,
    st.just("([^/]*)/(.*)"),
    st.sampled_from(["{0}/{1}", "[{0}/]{1}"]),
    exact=st.booleans(),
    otherwise=st.none() | st.tuples(ENTRIES, ENTRIES),
)
OPS: st.SearchStrategy[Op] = st.one_of(
    st.builds(rename, NAMES, NAMES),
    st.builds(add, NAMES) | st.builds(add, NAMES, default=JSON),
    st.builds(remove, NAMES) | st.builds(remove, NAMES, default=JSON),
    st.builds(convert, NAMES, CHANGES) | st.builds(convert, NAMES, CHANGES, into=NAMES),
    st.builds(convert, NAMES, PAIRS, into=st.tuples(NAMES, NAMES)),
    st.builds(join, st.tuples(NAMES, NAMES), PAIRS, into=NAMES),
    st.builds(wrap, NAMES) | st.builds(head, NAMES),
    st.builds(hoist, st.just("a.b.c")) | st.builds(plunge, NAMES, NAMES, NAMES),
)
NESTED = st.recursive(
    OPS,
    lambda inner: st.builds(
        lambda path, ops: within(path, *ops),
        st.sampled_from(["messages[]", "memory[*].source", "event<Failed>"]),
        st.lists(inner, max_size=3),
    ),
    max_leaves=8,
)
MIGRATIONS = st.builds(
    lambda subject, source, ops: Migration(subject, source, source + 1, *ops),
    NAMES,
    st.integers(1, 10**6),
    st.lists(NESTED | st.builds(inverse, NESTED), max_size=4),
)


@settings(max_examples=examples(120))
@given(MIGRATIONS)
def test_round_trip(migration: Migration) -> None:
    """A migration is its JSON again, in any layout, and has one text."""
    text = to_data(migration)
    found = from_data(text)
    assert found == migration
    # Equality takes 1, 1.0 and True for one; text does not.
    assert to_data(found) == text
    assert from_data(json.dumps(json.loads(text), indent=1)) == migration
    assert is_data(migration)


def test_canonical_text() -> None:
    """The text is fixed: keys in order, and nothing that is at its default."""
    migration = Migration(
        "agent_state",
        2,
        3,
        rename("msgs", "messages"),
        within("messages[]", add("tokens", default=0), add("note", default=None), add("other")),
        convert("status", {"DONE": "COMPLETED"}),
        convert("cost", scale("0.01", rounding="half-even")),
        join(("first", "last"), split("([^ ]*) (.*)", "{0} {1}"), into="name"),
    )
    assert to_data(migration) == (
        '{"ops":[{"new":"messages","old":"msgs","op":"rename"},'
        '{"op":"within","ops":[{"default":0,"name":"tokens","op":"add"},'
        '{"default":null,"name":"note","op":"add"},{"name":"other","op":"add"}],'
        '"path":"messages[]"},'
        '{"op":"convert","reads":["status"],"rule":{"entries":[["DONE","COMPLETED"]],'
        '"rule":"table"},"writes":["status"]},'
        '{"op":"convert","reads":["cost"],"rule":{"factor":"0.01","rounding":"half-even",'
        '"rule":"scale"},"writes":["cost"]},'
        '{"forward":false,"op":"convert","reads":["first","last"],'
        '"rule":{"pattern":"([^ ]*) (.*)","rule":"split","template":"{0} {1}"},'
        '"writes":["name"]}],'
        '"revision":1,"source":2,"subject":"agent_state","target":3}'
    )


def test_compute_is_no_data() -> None:
    """A Python function cannot travel, and the error says which."""
    op = compute(reads="name", writes=("first", "last"), up=str, down=str.__add__)
    migration = Migration("s", 1, 2, wrap("a"), within("b[]", op))
    assert not is_data(migration)
    with pytest.raises(MigrationError, match="compute of first, last is Python") as caught:
        to_data(migration)
    assert caught.value.where == "ops[1].ops[0]"


@pytest.mark.parametrize(
    "value", [float("nan"), float("inf"), b"x", {1: "a"}, (1, 2), {"a": {1}}, "\ud800"]
)
def test_default_that_json_does_not_keep(value: Any) -> None:
    """A default that is not in JSON form is refused, not changed."""
    with pytest.raises(MigrationError, match="what JSON does not keep") as caught:
        to_data(Migration("s", 1, 2, Add("a", Default(value))))
    assert caught.value.where == "s 1 -> 2"


GOOD: dict[str, Any] = {
    "revision": 1,
    "subject": "s",
    "source": 1,
    "target": 2,
    "ops": [
        {"op": "rename", "old": "a", "new": "b"},
        {"op": "within", "path": "m[]", "ops": [{"op": "wrap", "name": "x"}]},
        {"op": "convert", "reads": ["t"], "writes": ["t"], "rule": {"rule": "scale"}},
    ],
}


def changed(*keys: str | int, to: Any) -> str:
    """The good migration with another value at one place; ``...`` removes it."""
    data = json.loads(json.dumps(GOOD))
    *path, last = keys
    place = data
    for key in path:
        place = place[key]
    place[last] = to
    if to is ...:
        del place[last]
    return json.dumps(data)


@pytest.mark.parametrize(
    ("text", "where", "reason"),
    [
        ("", "1:1", "it is no JSON"),
        ('{"revision": 1,\n "ops": [}', "2:10", "it is no JSON"),
        ('{"revision": 1, "revision": 1}', "", "the key 'revision' occurs twice"),
        ('{"revision": NaN}', "", "NaN is no number"),
        ('{"revision": ' + "9" * 5000 + "}", "", "it is no JSON"),
        ('{"revision": "\\ud800"}', "", "surrogates not allowed"),
        ("[]", "", "expected an object"),
        (changed("revision", to=2), "revision", "revision 2 is newer than 1"),
        (changed("revision", to=True), "revision", "True is no revision"),
        (changed("revision", to=...), "revision", "null is no revision"),
        (changed("target", to=...), "", "'target' is missing"),
        (changed("author", to="x"), "", "'author' is unknown here"),
        (changed("subject", to=3), "subject", "expected text"),
        (changed("source", to="1"), "source", "'1' is no version"),
        (changed("target", to=0), "target", "0 is no version"),
        (changed("target", to=True), "target", "True is no version"),
        (changed("ops", to={}), "ops", "expected a list"),
        (changed("ops", 0, to=3), "ops[0]", "expected an object"),
        (changed("ops", 0, "op", to="compute"), "ops[0].op", "'compute' is no op of data"),
        (changed("ops", 0, "op", to=["x"]), "ops[0].op", "is no op of data"),
        (changed("ops", 0, "op", to=...), "ops[0].op", "null is no op of data"),
        (changed("ops", 0, "new", to=...), "ops[0]", "'new' is missing"),
        (changed("ops", 0, "into", to="x"), "ops[0]", "'into' is unknown here"),
        (changed("ops", 0, "new", to=3), "ops[0].new", "expected `str`, got `int`"),
        (changed("ops", 1, "ops", 0, "name", to=None), "ops[1].ops[0].name", "expected `str`"),
        (changed("ops", 2, "reads", 0, to=1), "ops[2].reads[0]", "expected `str`"),
        (changed("ops", 2, "reads", to=["a", "b"]), "ops[2]", "cannot make 1 fields from 2"),
        (changed("ops", 2, "rule", to="x"), "ops[2].rule", "expected an object"),
        (changed("ops", 2, "rule", "rule", to="frob"), "ops[2].rule.rule", "'frob' is no rule"),
        (changed("ops", 2, "rule", "factor", to=2), "ops[2].rule.factor", "expected `str`"),
        (changed("ops", 2, "rule", "factor", to="x"), "ops[2].rule", "'x' is no number"),
        (changed("ops", 2, "rule", "rounding", to="up"), "ops[2].rule.rounding", "'up'"),
        (
            changed("ops", 2, "rule", to={"rule": "table", "entries": [["a", []]]}),
            "ops[2].rule.entries[0][1]",
            "expected `bool | int | float | str`",
        ),
        (
            changed("ops", 2, "rule", to={"rule": "or_else", "value": None}),
            "ops[2].rule",
            "or_else(None) changes nothing",
        ),
        (
            changed("ops", 2, "rule", to={"rule": "table", "entries": [["a", "b"], ["a", "c"]]}),
            "ops[2].rule",
            "the key 'a' stands twice in the table",
        ),
        (
            changed("ops", 2, "rule", to={"rule": "null_if"}),
            "ops[2].rule",
            "'value' is missing",
        ),
        (
            changed("ops", 2, "rule", to={"rule": "split", "pattern": "(a+)+", "template": "{0}"}),
            "ops[2].rule",
            "which a rule may not use",
        ),
    ],
)
def test_refused(text: str, where: str, reason: str) -> None:
    """What is no migration is refused, with its place and with what to do."""
    assert from_data(json.dumps(GOOD)).source == 1
    with pytest.raises(MigrationError) as caught:
        from_data(text)
    assert caught.value.where == where
    assert reason in caught.value.what
    assert caught.value.mend


@pytest.mark.parametrize(
    "text",
    [
        " " * 1_000_001,
        "[" * 100_000,
        changed("ops", 0, "new", to=json.loads("[" * 150 + "]" * 150)),
        changed("ops", to=[{"op": "wrap", "name": "a"}] * 1001),
        changed("ops", to=[{"op": "within", "path": "a", "ops": GOOD["ops"] * 400}]),
    ],
)
def test_limits(text: str) -> None:
    """What is too long, too deep or has too many ops is refused as such."""
    with pytest.raises(LimitExceeded):
        from_data(text)


def test_limits_of_writing() -> None:
    """What would not be read is not written."""
    with pytest.raises(LimitExceeded):
        to_data(Migration("s", 1, 2, *[wrap("a")] * 1001))
    deep: Op = wrap("a")
    for _ in range(60):
        deep = within("a", deep)
    with pytest.raises(LimitExceeded):
        to_data(Migration("s", 1, 2, deep))


@given(st.data())
def test_damaged_text(data: st.DataObject) -> None:
    """Text of which a part is missing or another is read, or refused as typed."""
    text = json.dumps(GOOD)
    at = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(at, len(text)))
    damaged = text[:at] + data.draw(st.sampled_from(["", "0", "null", '"', "[", "{}"])) + text[end:]
    try:
        assert isinstance(from_data(damaged), Migration)
    except (MigrationError, LimitExceeded) as error:
        assert error.what  # noqa: PT017 - either is right
