from __future__ import annotations

import ast
import re

from hypothesis import given
from hypothesis import strategies as st

from instar.codec.types.quoting import Section, docstring, quote, quote_bytes
from instar.codec.types.source import (
    assignment,
    call,
    dict_of,
    list_of,
    render,
    subscript,
    union_of,
)

LONG = ["A" * 40, "B" * 40, "C" * 40]


@given(st.text())
def test_a_quoted_text_reads_back(text: str) -> None:
    """A string literal evaluates to the text it was made from, on one line of source."""
    assert ast.literal_eval(quote(text)) == text
    assert len(quote(text).splitlines()) == 1


@given(st.binary())
def test_quoted_bytes_read_back(data: bytes) -> None:
    """A bytes literal evaluates to the bytes it was made from."""
    assert ast.literal_eval(quote_bytes(data)) == data


@given(st.text() | st.text(alphabet='"\\ \na'))
def test_a_docstring_reads_back(text: str) -> None:
    """A docstring says the words of the text, whatever characters are in them."""
    found = ast.literal_eval(docstring(text))
    assert found.split() == text.split()


@given(st.lists(st.text(alphabet='"\\ \na-') | st.text(min_size=90, alphabet="ab ")))
def test_the_lists_of_a_docstring_read_back(items: list[str]) -> None:
    """Each item is there, word by word, and lines break where they are too long for the width."""
    source = docstring("Head.", 1, [Section("What:", tuple(items))])
    words = [word for item in items for word in ("-", *item.split())]
    assert ast.literal_eval(source.strip()).split() == ["Head.", "What:", *words]
    long = [line for line in source.splitlines() if len(line) > 100]
    assert not [line for line in long if " " in line.strip().removeprefix("- ")]


def test_a_long_docstring_is_wrapped() -> None:
    """Paragraphs stay apart and no line is longer than the width."""
    found = docstring("word " * 50 + "\n\n" + "other " * 3, 1)
    assert max(map(len, found.splitlines())) <= 100
    assert re.search(r"word\n\n    other other other\n    \"\"\"$", found)


def test_a_call_puts_arguments_on_one_line_if_they_fit() -> None:
    """Arguments share a line of their own, without a trailing comma."""
    assert render(call("function" * 3, *LONG[:2])) == (
        f"{'function' * 3}(\n    {LONG[0]}, {LONG[1]}\n)"
    )


def test_a_long_call_has_one_argument_a_line() -> None:
    """Arguments that do not fit on one line each get a line and a comma."""
    assert render(call("f", *LONG)) == "f(\n" + "".join(f"    {item},\n" for item in LONG) + ")"


def test_collections_break_into_items() -> None:
    """Lists and dictionaries have one item a line once they do not fit."""
    entries = [(f'"{item}"', list_of(["1"])) for item in LONG]
    lines = "".join(f'    "{item}": [1],\n' for item in LONG)
    assert render(dict_of([*entries])) == "{\n" + lines + "}"


def test_a_long_union_gains_brackets() -> None:
    """An annotation breaks at its bars, inside brackets, and inside a subscript without them."""
    bars = f"{LONG[0]}\n    | {LONG[1]}\n    | {LONG[2]}\n"
    union = union_of([*LONG])
    assert assignment("a", union, None) == f"a: (\n    {bars})"
    assert assignment("a", subscript("list", union), "[]") == f"a: list[\n    {bars}] = []"


def test_a_value_breaks_before_its_annotation() -> None:
    """A value that does not fit is broken, or set in brackets, before the annotation is."""
    value = call("function", *LONG[:2])
    assert assignment("a", "int", value).startswith("a: int = function(\n    AAA")
    assert assignment("a", "T" * 60, '"' + "b" * 60 + '"').startswith(f"a: {'T' * 60} = (\n    ")
