"""Rules that take text apart."""

from __future__ import annotations

import re
import time
from typing import Any

import pytest
from examples import examples
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from rule_samples import BYTES, INT, OLD, STRING, UUID

from instar.errors import MigrationError, NotExpressible
from instar.migrations import convert, join, split
from instar.migrations.rules import Split
from instar.migrations.rules.pattern import MOST_TEXT, compiled

MODEL = split(r"(?:([^/]*)/)?(.*)", "[{0}/]{1}")


def apart(rule: Split, text: str, *types: Any) -> tuple[Any, ...]:
    groups = compiled(rule.pattern).groups
    return rule.bind_fields((STRING,), types or (STRING,) * groups, forward=True)((text,))


def together(rule: Split, *values: Any, types: tuple[Any, ...] = ()) -> Any:
    change = rule.bind_fields(types or (STRING,) * len(values), (STRING,), forward=False)
    return change(values)[0]


@pytest.mark.parametrize(
    ("rule", "text", "fields"),
    [
        (MODEL, "openai/gpt-4o", ("openai", "gpt-4o")),
        (MODEL, "gpt-4o", ("", "gpt-4o")),
        (MODEL, "a/b/c", ("a", "b/c")),
        (MODEL, "", ("", "")),
        (split(r"(\S+) (.*)", "{0} {1}"), "Ada King Lovelace", ("Ada", "King Lovelace")),
        (split(r"([^,]*), (.*)", "{0}, {1}"), "King, Ada", ("King", "Ada")),
        (split(r"(.*)@(.*)", "{0}@{1}"), "a@b@c", ("a@b", "c")),
        (split(r"(.*?)@(.*)", "{0}@{1}"), "a@b@c", ("a", "b@c")),
        (split(r"\{([^}]*)\}\[(.*)\]", "{{{0}}}[[{1}]]"), "{a}[b]", ("a", "b")),
    ],
)
def test_apart_and_together(rule: Split, text: str, fields: tuple[str, ...]) -> None:
    """A text comes apart into its groups, and the template puts it together again."""
    assert apart(rule, text) == fields
    assert together(rule, *fields) == text


def test_types() -> None:
    """Fields that are no text are cast."""
    rule = split(r"(\w+)-v(\d+)", "{0}-v{1}")
    assert apart(rule, "OPEN-v3", OLD, INT) == ("OPEN", 3)
    assert together(rule, "OPEN", 3, types=(OLD, INT)) == "OPEN-v3"
    with pytest.raises(NotExpressible, match="beyond the enum Old"):
        apart(rule, "NEW-v3", OLD, INT)
    with pytest.raises(NotExpressible, match="would not come back"):
        apart(rule, "OPEN-v03", OLD, INT)


def test_one_field() -> None:
    """With one group it is a rule for one value, as for the items of a list."""
    rule = split("agent-(.*)", "agent-{0}")
    assert rule.bind(STRING, INT, forward=True)("agent-7") == 7
    assert rule.bind(INT, STRING, forward=False)(7) == "agent-7"


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        (split("([a-z]+)/(.*)", "{0}/{1}"), "A/b"),
        (split("([a-z]+)/(.*)", "{0}/{1}"), "a/b\n"),
        (split("(.*)/(.*)", "{0}/{1}"), "/" * (MOST_TEXT + 1)),
        (MODEL, "/gpt-4o"),
    ],
)
def test_refused(rule: Split, text: str) -> None:
    """A text that does not match, is too long or would not come back is refused."""
    with pytest.raises(NotExpressible):
        apart(rule, text)


def test_fields_that_would_not_come_back() -> None:
    """Fields whose text comes apart otherwise are refused, or let through and declared."""
    with pytest.raises(NotExpressible, match="would come apart as 'a', 'b/c'"):
        together(MODEL, "a/b", "c")
    loose = split(MODEL.pattern, MODEL.template, exact=False)
    assert together(loose, "a/b", "c") == "a/b/c"
    assert apart(loose, "/gpt-4o") == ("", "gpt-4o")
    assert MODEL.losses(STRING, STRING, forward=True) == ""
    assert loose.losses(STRING, STRING, forward=True) == "what of the text is in none of the fields"
    assert "one field ends" in loose.losses(STRING, STRING, forward=False)


def test_otherwise() -> None:
    """Fields may be given for a text that does not match."""
    rule = split(r"(\w+)#(\d+)", "{0}#{1}", otherwise=("unknown", 0))
    assert apart(rule, "x#3", STRING, INT) == ("x", 3)
    assert apart(rule, "x", STRING, INT) == ("unknown", 0)
    assert rule.refuses(STRING, STRING, forward=True) == ""
    assert rule.losses(STRING, STRING, forward=True) == (
        "'unknown', 0 stands for text that does not match"
    )
    with pytest.raises(MigrationError, match="0 is no value of string"):
        apart(rule, "x")


@given(st.text(alphabet="ab/ "), st.text(alphabet="ab/ "))
def test_together_and_apart(first: str, second: str) -> None:
    """What is put together comes apart as it was, or is refused."""
    try:
        text = together(MODEL, first, second)
    except NotExpressible:
        assume(False)
    assert apart(MODEL, text) == (first, second)


def test_number_of_fields() -> None:
    """A pattern has one group for each field, and other rules have one field."""
    with pytest.raises(MigrationError, match="makes 2 fields from 1, not 3 from 1"):
        convert("model", MODEL, into=("a", "b", "c"))
    with pytest.raises(MigrationError, match="not 1 from 1"):
        convert("model", MODEL)
    with pytest.raises(MigrationError, match="not 3 from 1"):
        join(("a", "b", "c"), MODEL, into="model")
    with pytest.raises(MigrationError, match="cannot make 2 fields from 1"):
        convert("model", {"a": "b"}, into=("a", "b"))


@pytest.mark.parametrize("types", [((BYTES,), (STRING, STRING)), ((OLD,), (STRING, STRING))])
def test_no_text(types: Any) -> None:
    """Only text is taken apart."""
    with pytest.raises(MigrationError, match="takes text apart"):
        MODEL.bind_fields(*types, forward=True)


def test_uuid_field() -> None:
    """A field may be of any type that a text can be cast to, and no other."""
    rule = split("id:(.*)", "id:{0}")
    assert (
        rule.bind(STRING, UUID, forward=True)("id:" + "0" * 8 + "-0000" * 3 + "-" + "0" * 12).int
        == 0
    )


@pytest.mark.parametrize(
    ("pattern", "template", "reason"),
    [
        ("a", "a", "has no group"),
        ("(a)(b)", "{0}", "each of the 2 fields once"),
        ("(a)", "{0}{0}", "each of the 1 fields once"),
        ("(a)", "{1}", "each of the 1 fields once"),
        ("(a)", "{0", "does not read at character 1"),
        ("(a)", "{0}}", "does not read at character 4"),
        ("(a)", "[{0}", "does not read at character 5"),
        ("(a)", "[[{0}]", "does not read at character 6"),
        ("(a)", "[x]{0}", "brackets without a field"),
        ("(a)(b)", "[{0}[{1}]]", "does not read"),
        ("(a)", "x" * 600 + "{0}", "more than 500 characters"),
    ],
)
def test_template(pattern: str, template: str, reason: str) -> None:
    """Pattern and template agree, and read."""
    with pytest.raises(MigrationError, match=reason):
        split(pattern, template)


@pytest.mark.parametrize(
    ("pattern", "reason"),
    [
        ("(a", "is none"),
        ("a)", "is none"),
        ("([b-a])", "is none"),
        ("(a+)+", r"has '\)\+'"),
        ("(a)*", r"has '\)\*'"),
        ("(?:(a)?)?x{2}{3}", r"has 'x\{2\}\{3\}'"),
        ("(a++)", "has 'a"),
        ("*(a)", r"has '\*\*'|has '\*"),
        (r"(a)\1", r"has '\\\\1'"),
        ("(?=a)(b)", "has '\\(\\?=a'"),
        ("(?P<n>a)", "has '\\(\\?P<'"),
        ("(?i)(a)", "has '\\(\\?i"),
        ("(?i:(a))", "has '\\(\\?i:'"),
        (r"(\pL)", "has "),
        ("(.*).*.*", "may take too long"),
        (r"(.*)\s+(.*)x", "may take too long"),
        ("a?" * 30 + "(a)", "may take too long"),
        ("(a|a)" * 17, "may take too long"),
        ("(" * 3 + "a" * 500 + ")" * 3, "more than 500 characters"),
        ("(" * 200 + "a" + ")" * 200, "is none|"),
    ],
)
def test_pattern(pattern: str, reason: str) -> None:
    """An expression that is none, or could take very long, is an error where it is given."""
    with pytest.raises(MigrationError, match=reason):
        split(pattern, "{0}")


@pytest.mark.parametrize(
    "pattern",
    [
        r"([^/]+)/([^/]+)/([^/]+)/(.+)",
        r"(\d{4})-(\d{2})-(\d{2})",
        r"(\S+)\s+(\S+)\s+(\S+)",
        r"(?:(\w+)://)?([^:/]*)(?::(\d+))?",
        r"(.*) \(([^)]*)\)",
        r"(GET|PUT|POST) (.*)",
        r"([\]\[a-z]+)=(\x41*)",
    ],
)
def test_usual_patterns(pattern: str) -> None:
    """What people take apart is not refused."""
    assert compiled(pattern).groups


PIECES = ("a", "b", ".", r"\w", r"\s", "[^a]", "[ab]", " ", r"\.")
REPEATS = ("", "", "*", "+", "?", "*?", "+?", "{2}", "{1,3}", "{2,}")
ATOMS = st.builds(str.__add__, st.sampled_from(PIECES), st.sampled_from(REPEATS))
RUNS = st.lists(ATOMS, min_size=1, max_size=4).map("".join)
GROUPS = st.builds(
    lambda opening, runs, repeat: f"{opening}{'|'.join(runs)}){repeat}",
    st.sampled_from(["(", "(?:"]),
    st.lists(RUNS, min_size=1, max_size=2),
    st.sampled_from(["", "?"]),
)
PATTERNS = st.lists(ATOMS | GROUPS, min_size=1, max_size=5).map("".join)


@settings(max_examples=examples(200))
@given(PATTERNS, st.text(alphabet="ab .", max_size=8))
def test_possessive_repeats_change_no_match(pattern: str, text: str) -> None:
    """What is compiled matches as the expression does that was written."""
    try:
        found = compiled(pattern).fullmatch(text)
    except MigrationError:
        assume(False)
    expected = re.compile(pattern).fullmatch(text)
    assert (found and found.groups()) == (expected and expected.groups())


@settings(max_examples=examples(60))
@given(PATTERNS, st.sampled_from(["a", "ab", " ", "a ", ".a"]), st.sampled_from(["", "b", "\n"]))
def test_no_pattern_runs_away(pattern: str, piece: str, end: str) -> None:
    """An expression that is taken ends soon, on the longest and most alike text."""
    try:
        found = compiled(pattern)
    except MigrationError:
        assume(False)
    begun = time.process_time()
    found.fullmatch((piece * MOST_TEXT)[: MOST_TEXT - 1] + end)
    assert time.process_time() - begun < 2
