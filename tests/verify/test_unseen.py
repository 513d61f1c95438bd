from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from instar.codec.codec import Codec
from instar.codec.subject import Subject
from instar.codec.verify import Outcome, Settings, verify
from instar.codec.verify.edits import EDIT
from instar.codec.verify.lab import Lab
from instar.codec.verify.walk import bare
from instar.migrations import Migration, compute
from instar.schemas.model import (
    Array,
    Branch,
    Enum,
    Field,
    Map,
    NamedType,
    Optional,
    Primitive,
    Record,
    Reference,
    Schema,
    Symbol,
    Type,
    Union,
)

MARK, OLD, NEW = Reference("Mark"), Reference("Old"), Reference("New")
WHOLE = Primitive("long")
MARKS = Array(MARK)


def event(version: int) -> Union:
    """A union with one branch more in version 2."""
    branches = Branch("long", WHOLE), Branch("Old", OLD), Branch("New", NEW)
    return Union(branches if version > 1 else branches[:2])


def schema(version: int, kind: Callable[[int], Type]) -> Schema:
    symbols = tuple(Symbol(name, at) for at, name in enumerate("ABC"[: version + 1]))
    types: dict[str, NamedType] = {
        "Root": Record("Root", (Field("f", kind(version)), Field("note", WHOLE))),
        "Mark": Enum("Mark", symbols),
        "Old": Record("Old", (Field("x", WHOLE), Field("marks", MARKS))),
        "New": Record("New", (Field("y", WHOLE),)),
    }
    return Schema("s", version, "avro", "Root", types)


def subject(kind: Callable[[int], Type]) -> Subject:
    return Subject([schema(version, kind) for version in (1, 2)])


KINDS: dict[str, Callable[[int], Type]] = {
    "symbols": lambda _: MARKS,
    "symbols by key": lambda _: Map(MARK),
    "lists of symbols": lambda _: Array(MARKS),
    "lists by key": lambda _: Map(MARKS),
    "branches": lambda version: Array(event(version)),
    "branches by key": lambda version: Map(event(version)),
    "inside of records": lambda _: Array(OLD),
}
WHOLES: dict[str, Callable[[int], Type]] = {
    "a symbol or nothing": lambda _: Optional(MARK),
    "a branch or nothing": lambda version: Optional(event(version)),
    "symbols or nothing": lambda _: Optional(MARKS),
    "each of them or nothing": lambda _: Array(Optional(MARK)),
    "wider numbers": lambda version: Array(Primitive("int" if version == 1 else "long")),
}
EVERY = KINDS | WHOLES
every = pytest.mark.parametrize("kind", EVERY.values(), ids=EVERY)
some = pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)


def edits(kind: Callable[[int], Type]) -> Outcome:
    (outcome,) = verify(subject(kind), Settings(examples=150), ["edit"])
    return outcome


@every
def test_what_is_left_out_comes_back(kind: Callable[[int], Type]) -> None:
    """Items that old code does not know are beside its edit, and no loss of it."""
    outcome = edits(kind)
    assert outcome.broken is None
    assert outcome.examples >= 150


class Forgets:
    """A codec that writes a state without what is kept of a newer version."""

    def __init__(self, codec: Codec[Any]) -> None:
        self.decode, self._encode = codec.decode, codec.encode

    def encode(self, state: Any) -> bytes:
        return self._encode(bare(state))


class Reverses:
    """A newer codec that gives the items of a list in another order when there are several."""

    def __init__(self, codec: Codec[Any]) -> None:
        self.encode, self._decode = codec.encode, codec.decode

    def decode(self, blob: bytes) -> Any:
        state = self._decode(blob)
        state.f.reverse()
        return state


def at_version(monkeypatch: pytest.MonkeyPatch, version: int, fault: Any) -> None:
    make = Lab.codec
    monkeypatch.setattr(
        Lab, "codec", lambda lab, n: fault(make(lab, n)) if n == version else make(lab, n)
    )


@some
def test_what_does_not_come_back(monkeypatch: pytest.MonkeyPatch, kind: Any) -> None:
    """Old code that drops the items breaks the law, though its edit is there."""
    at_version(monkeypatch, 1, Forgets)
    broken = edits(kind).broken
    assert broken is not None
    assert "is edited at version 1, what that version does not see is lost: f" in broken.what
    assert broken.expected == broken.example != broken.found


def test_another_place(monkeypatch: pytest.MonkeyPatch) -> None:
    """An item that comes back elsewhere breaks the law."""
    at_version(monkeypatch, 2, Reverses)
    lab = Lab(subject(KINDS["symbols"]))
    (case,) = EDIT.cases(lab, Settings())
    new, old = lab.subject.types(2), lab.subject.types(1)
    mark: Any = new.enum("Mark")
    state: Any = new.root
    donor: Any = old.root
    broken = case.trial((state(f=[mark("C"), mark("A")], note=0), donor(f=[], note=5), 1))
    assert broken is not None
    assert "note is edited at version 1, what that version does not see is lost" in broken.what
    assert (broken.expected["f"], broken.found["f"]) == (["C", "A"], ["A", "C"])


def test_an_edit_beside_what_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """That items of a list may be left out excuses no other value of those that are edited."""
    at_version(monkeypatch, 2, Reverses)
    broken = edits(KINDS["symbols"]).broken
    assert broken is not None
    assert "the edit is lost: f[0]: expected " in broken.what


def filled(text: str) -> list[str]:
    return text.split()


def joined(words: list[str]) -> str:
    return " ".join(" ".join(words).split())


def test_what_a_function_makes_is_one_value() -> None:
    """Items that a function leaves out are made anew with the others, once it is edited."""
    kinds: list[Type] = [Primitive("string"), Array(Primitive("string"))]
    schemas = [
        Schema("s", version, "avro", "Root", {"Root": Record("Root", (Field(name, kind),))})
        for version, name, kind in zip((1, 2), ("text", "words"), kinds, strict=True)
    ]
    step = Migration("s", 1, 2, compute(reads="text", writes="words", up=filled, down=joined))
    lab = Lab(Subject(schemas, [step]))
    new: Any = lab.subject.types(2).root
    old: Any = lab.subject.types(1).root
    (case,) = EDIT.cases(lab, Settings())
    assert case.trial((new(words=["a", "", "b"]), old(text="c d"), 0)) is None
    assert case.trial((new(words=["a", ""]), old(text="c d"), 0)) is None


def test_an_edit_of_a_list_with_nothing_for_what_is_not_seen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Where older code sees nothing in the place of an item, its edit is of the whole list."""
    lab = Lab(subject(WHOLES["each of them or nothing"]))
    new, old = lab.subject.types(2), lab.subject.types(1)
    mark: Any = new.enum("Mark")
    first: Any = old.enum("Mark")("A")
    state: Any = new.root
    donor: Any = old.root
    tried = (state(f=[mark("C"), None], note=0), donor(f=[None, first], note=0), 0)
    (case,) = EDIT.cases(lab, Settings())
    assert case.trial(tried) is None
    at_version(monkeypatch, 2, Reverses)
    broken = case.trial(tried)
    assert broken is not None
    assert "the edit is lost: f[0]" in broken.what
