from __future__ import annotations

from pathlib import Path

import pytest

from instar.codec.subject import Subject
from instar.codec.verify import Settings, verify
from instar.codec.verify.losses import NOTHING
from instar.codec.verify.paths import general, is_lost
from instar.schemas.model import (
    Field,
    NamedType,
    Optional,
    Primitive,
    Record,
    Schema,
    Type,
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


@pytest.mark.parametrize(
    ("path", "wanted"),
    [
        ("messages[3].content", "messages[].content"),
        ("memory['a]b']['c\\'d'].x", "memory[][].x"),
        ("memory[*].x", "memory[].x"),
        ('m["it\'s"]', "m[]"),
    ],
)
def test_general_paths(path: str, wanted: str) -> None:
    """Every item of a list or a map is the same place."""
    assert general(path) == wanted


def test_below_a_loss() -> None:
    """What lies below a lost path is lost; a field whose name begins alike is not."""
    assert is_lost("a[2].b.c", ["a[].b"])
    assert not is_lost("a[2].bc", ["a[].b"])
    assert not is_lost("a", ["a[].b"])


def test_announced_refusal() -> None:
    """A downgrade that is refused where a loss is announced breaks no law."""
    found = subject(WHOLE, Optional(WHOLE))
    outcomes = verify(found, Settings(examples=10), ["downgrade-total"])
    assert [outcome.broken for outcome in outcomes] == [None]


def test_refusal_that_nothing_announces(monkeypatch: pytest.MonkeyPatch) -> None:
    """A downgrade that is refused where no loss is announced breaks the law."""
    monkeypatch.setattr("instar.codec.verify.lab.losses", lambda *_: NOTHING)
    found = subject(WHOLE, Optional(WHOLE))
    (outcome,) = verify(found, Settings(examples=10), ["downgrade-total"])
    assert outcome.broken is not None
    assert outcome.broken.what == (
        "a state of version 2 is refused: f: null cannot be expressed in this version"
    )
