from __future__ import annotations

from pathlib import Path

import pytest
from verify import faults

import instar
from instar.codec.subject import Subject
from instar.codec.verify import Settings, verify
from instar.codec.verify.losses import losses
from instar.codec.verify.paths import general, is_lost
from instar.migrations import compute
from instar.schemas.model import (
    Branch,
    Default,
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

ROOT = Path(__file__).resolve().parents[2]
WHOLE = Primitive("long")


def lost(old: Type, new: Type, *named: tuple[NamedType, NamedType]) -> tuple[set[str], set[str]]:
    """What is lost of a field ``f`` that changes its type: on the way up, and down."""
    found = subject(old, new, *named)
    return set(losses(found, 1, 2)), set(losses(found, 2, 1))


def subject(old: Type, new: Type, *named: tuple[NamedType, NamedType]) -> Subject:
    schemas: list[Schema] = []
    for version, kind in enumerate((old, new), start=1):
        types: dict[str, NamedType] = {pair[0].name: pair[version - 1] for pair in named}
        root = Record("Root", (Field("f", kind),))
        schemas.append(Schema("s", version, "avro", "Root", {"Root": root, **types}))
    return Subject(schemas)


def enum(*symbols: str, default: str | None = None) -> Enum:
    return Enum("E", tuple(Symbol(s, n) for n, s in enumerate(symbols)), default=default)


def test_widening() -> None:
    """A wider number loses nothing on the way up, and what does not fit on the way down."""
    assert lost(Primitive("int"), WHOLE) == (set(), {"f"})


def test_rounding() -> None:
    """A promotion that rounds does not come back."""
    assert lost(WHOLE, Primitive("double")) == ({"f"}, {"f"})
    assert lost(Primitive("int"), Primitive("double"))[0] == set()


def test_optional() -> None:
    """An older version without null cannot hold it."""
    assert lost(WHOLE, Optional(WHOLE)) == (set(), {"f"})


def test_symbols() -> None:
    """Symbols that the older enum lacks are lost, whether refused or made its default."""
    for default in (None, "A"):
        old, new = enum("A", "B", default=default), enum("A", "B", "C")
        assert lost(Reference("E"), Reference("E"), (old, new)) == (set(), {"f"})


def test_branches() -> None:
    """A branch that the older union lacks is lost."""
    texts, both = Branch("string", faults.TEXT), Branch("long", WHOLE)
    assert lost(Union((texts,)), Union((texts, both))) == (set(), {"f"})


def test_nested_fields() -> None:
    """A field of a nested record has the path that errors write, with every item meant."""
    old = Record("R", (Field("a", WHOLE),))
    new = Record("R", (Field("a", WHOLE), Field("b", WHOLE, default=Default(0))))
    assert lost(Map(Reference("R")), Map(Reference("R")), (old, new)) == (set(), {"f[*].b"})


def test_functions() -> None:
    """A function loses what it says; one without a way back loses all that it reads."""
    declared = compute(
        reads="a", writes=("b", "c"), up=lambda a: (a, a), down=lambda b, _: b, lossy="c"
    )
    one_way = compute(reads="a", writes=("b", "c"), up=lambda a: (a, a), down=None, lossy="c")
    new = [faults.text("b"), faults.text("c")]
    old = [Field("a", faults.TEXT, default=Default(""))]
    for op, up, down in ((declared, set[str](), {"c"}), (one_way, {"a"}, {"b", "c"})):
        found = faults.with_op(old, new, op)
        assert (set(losses(found, 1, 2)), set(losses(found, 2, 1))) == (up, down)


@pytest.mark.parametrize(
    ("source", "target", "paths"),
    [
        (1, 2, {"scratchpad"}),
        (1, 3, {"scratchpad"}),
        (3, 2, {"provider", "model_name", "retries", "parent_id", "plan[].depends_on"}),
        (2, 1, {"status", "tags", "messages[].content", "tokens_used"}),
    ],
)
def test_reference_subject(source: int, target: int, paths: set[str]) -> None:
    """The losses of the reference subject, by path."""
    registry = instar.Registry.open(ROOT / "schemas", ROOT / "migrations")
    assert set(losses(registry.subject("agent_state"), source, target)) == paths


def test_many_hops() -> None:
    """What a later hop loses is told by its path before the first one."""
    old, middle, new = faults.text("x", Primitive("int")), faults.text("x", WHOLE), "y"
    step = instar.Migration(
        "job", 2, 3, compute(reads="x", writes="y", up=lambda x: x, down=lambda y: y)
    )
    found = faults.subject([old], [middle], [faults.text(new, WHOLE)], steps=[step])
    assert set(losses(found, 3, 1)) == {"y"}
    assert set(losses(found, 3, 2)) == set()


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
    monkeypatch.setattr("instar.codec.verify.lab.losses", lambda *_: ())
    found = subject(WHOLE, Optional(WHOLE))
    (outcome,) = verify(found, Settings(examples=10), ["downgrade-total"])
    assert outcome.broken is not None
    assert outcome.broken.what == (
        "a state of version 2 is refused: f: null cannot be expressed in this version"
    )
