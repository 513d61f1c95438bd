"""The tables of docs/reference/names.md say what instar does."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from instar.schemas.model import Enum, Field, NamedType, Primitive, Record, Schema, Symbol
from instar.schemas.naming import Names, names

PAGE = Path(__file__).resolve().parents[2] / "docs" / "reference" / "names.md"


def rows(heading: str) -> list[tuple[list[str], list[str]]]:
    """The rows of the table with this heading: what is given, and what it becomes."""
    text = PAGE.read_text(encoding="utf-8")
    table = re.search(rf"^\| {heading} \|.*\n\|.*\n((?:\|.*\n)+)", text, re.MULTILINE)
    assert table
    cells = [line.split("|")[1:3] for line in table[1].splitlines()]
    return [
        (re.findall(r"`(.+?)`", given), re.findall(r"`(.+?)`", becomes)) for given, becomes in cells
    ]


def names_of(*types: NamedType) -> Names:
    return names(Schema("s", 1, "avro", types[0].name, {type_.name: type_ for type_ in types}))


@pytest.mark.parametrize(("fields", "attributes"), rows("fields"))
def test_attributes(fields: list[str], attributes: list[str]) -> None:
    """Each row of fields gives the attributes beside it."""
    record = Record("p.R", tuple(Field(name, Primitive("string")) for name in fields))
    assert [*names_of(record).attributes["p.R"].values()] == attributes


@pytest.mark.parametrize(("types", "classes"), rows("types"))
def test_classes(types: list[str], classes: list[str]) -> None:
    """Each row of types gives the classes beside it."""
    assert [*names_of(*(Record(name, ()) for name in types)).classes.values()] == classes


@pytest.mark.parametrize(("symbols", "members"), rows("symbols"))
def test_members(symbols: list[str], members: list[str]) -> None:
    """Each row of symbols gives the members beside it."""
    enum = Enum("p.E", tuple(Symbol(name, number) for number, name in enumerate(symbols)))
    assert [*names_of(Record("p.R", ()), enum).members["p.E"].values()] == members


def test_names_that_are_taken_are_listed() -> None:
    """Each name that the page says is taken is escaped, as an attribute or as a class."""
    text = PAGE.read_text(encoding="utf-8")
    body = re.search(r"what the body of a class uses.*?\| (.*) \|", text)
    module = re.search(r"every version of Python, and (.*?)\.", text, re.DOTALL)
    assert body
    assert module
    for name in re.findall(r"`(\w+)`", body[1]):
        assert names_of(Record("R", (Field(name, Primitive("int")),))).attributes["R"] != {
            name: name
        }
    for name in re.findall(r"`(\w+)`", module[1]):
        assert names_of(Record(name, ())).classes[name] != name
