from __future__ import annotations

from pathlib import Path

import pytest

from instar.codec.subject import Subject
from instar.codec.verify import Settings, verify
from instar.codec.verify.losses import NOTHING, losses
from instar.schemas.model import (
    Array,
    Branch,
    Field,
    Map,
    NamedType,
    Optional,
    Primitive,
    Record,
    Reference,
    Schema,
    Type,
    Union,
)

ROOT = Path(__file__).resolve().parents[2]
WHOLE = Primitive("long")


def subject(old: Type, new: Type, *named: tuple[NamedType, NamedType]) -> Subject:
    schemas: list[Schema] = []
    for version, kind in enumerate((old, new), start=1):
        types: dict[str, NamedType] = {pair[0].name: pair[version - 1] for pair in named}
        root = Record("Root", (Field("f", kind),))
        schemas.append(Schema("s", version, "avro", "Root", {"Root": root, **types}))
    return Subject(schemas)


def test_announced_refusal() -> None:
    """A downgrade that is refused where a loss is announced breaks no law."""
    found = subject(WHOLE, Optional(WHOLE))
    outcomes = verify(found, Settings(examples=10), ["downgrade-total"])
    assert [outcome.broken for outcome in outcomes] == [None]


def node(number: Primitive) -> Record:
    """A record that holds itself in a list, a map and a union."""
    again, other = Reference("Node"), Reference("Other")
    union = Union((Branch("Node", again), Branch("Other", other)))
    return Record(
        "Node",
        (
            Field("n", number),
            Field("list", Array(again)),
            Field("map", Map(again)),
            Field("union", Optional(union)),
        ),
    )


def test_refusal_in_a_record_that_holds_itself() -> None:
    """What is announced where the record is met first holds wherever it is met again."""
    other = Record("Other", (Field("n", WHOLE), Field("next", Optional(Reference("Node")))))
    pairs = (node(Primitive("int")), node(WHOLE)), (other, other)
    found = subject(Reference("Node"), Reference("Node"), *pairs)
    outcomes = verify(found, Settings(examples=60), ["downgrade-total", "round-trip"])
    assert [outcome.broken for outcome in outcomes] == [None, None]
    refused = losses(found, 2, 1)
    for path in ("f.n", "f.list[1].n", "f.map['a'].union.n", "f.union.next.list[0].union.n"):
        assert refused.covers(path), path
    assert not refused.covers("f.list[0].list")
    assert not refused.covers("f.union.next")


def test_refusal_that_nothing_announces(monkeypatch: pytest.MonkeyPatch) -> None:
    """A downgrade that is refused where no loss is announced breaks the law."""
    monkeypatch.setattr("instar.codec.verify.lab.losses", lambda *_: NOTHING)
    found = subject(WHOLE, Optional(WHOLE))
    (outcome,) = verify(found, Settings(examples=10), ["downgrade-total"])
    assert outcome.broken is not None
    assert outcome.broken.what == (
        "a state of version 2 is refused: f: null cannot be expressed in this version"
    )
