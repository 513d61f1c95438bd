"""What pages say in words, and no block of theirs runs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import instar
from instar.errors import LimitExceeded, MigrationMismatch, NotExpressible
from instar.migrations import Migration, convert, rename, scale
from instar.migrations.data import to_data


def registry_of(folder: Path, *versions: list[dict[str, Any]]) -> instar.Registry:
    """A registry of the subject ``t``, whose versions have these fields."""
    for number, fields in enumerate(versions, start=1):
        path = folder / "schemas" / "t" / f"v{number}.avsc"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps({"type": "record", "name": "T", "fields": fields}))
    (folder / "migrations").mkdir(exist_ok=True)
    return instar.Registry.open(folder / "schemas", migrations=folder / "migrations")


PRICE = [{"name": "price", "type": "int"}]
COST = [{"name": "cost", "aliases": ["price"], "type": "double"}]


@pytest.mark.parametrize(
    "ops",
    [
        (rename("price", "cost"), convert("cost", scale("0.01"))),
        (convert("price", scale("0.01")), rename("price", "cost")),
    ],
)
def test_an_op_on_an_aliased_field_takes_a_rename(tmp_path: Path, ops: tuple[Any, ...]) -> None:
    """reference/migrations.md: an alias renames nothing for ops; the rename comes in any order."""
    step = tmp_path / "migrations" / "t" / "v1_v2.json"
    step.parent.mkdir(parents=True)
    for name in ("price", "cost"):
        step.write_text(to_data(Migration("t", 1, 2, convert(name, scale("0.01")))))
        with pytest.raises(MigrationMismatch, match=f"there is no field {name}"):
            registry_of(tmp_path, PRICE, COST)
    step.write_text(to_data(Migration("t", 1, 2, *ops)))
    registry = registry_of(tmp_path, PRICE, COST)
    old, new = registry.codec("t", version=1), registry.codec("t")
    assert new.decode(old.encode(old.type(price=250))).cost == 2.5


def test_more_residue_than_old_code_takes(tmp_path: Path) -> None:
    """how-to/roll-back.md: whichever version new code writes, old code refuses it by its limit."""
    field = {"name": "a", "type": "int"}
    registry = registry_of(
        tmp_path, [field], [field, {"name": "text", "type": "string", "default": ""}]
    )
    raised = instar.Limits(residue_bytes=4 << 20)
    old, new = registry.codec("t", version=1), registry.codec("t")
    state = new.type(a=1, text="x" * (2 << 20))
    with pytest.raises(LimitExceeded):
        registry.codec("t", write_version=1).encode(state)
    for codec in (registry.codec("t", write_version=1, limits=raised), new):
        blob = codec.encode(state)
        with pytest.raises(LimitExceeded):
            old.decode(blob)
        assert registry.codec("t", version=1, limits=raised).decode(blob).a == 1


@pytest.mark.parametrize(
    ("changed", "seen"),
    [
        ({"need": "C"}, None),
        ({"maybe": "C"}, {"maybe": None}),
        ({"many": ["A", "C"]}, {"many": ["A"]}),
        ({"by": {"x": "A", "y": "C"}}, {"by": {"x": "A"}}),
        ({"numbers": [1, 2**40]}, None),
    ],
)
def test_what_refused_means_for_old_code(
    tmp_path: Path, changed: dict[str, Any], seen: dict[str, Any] | None
) -> None:
    """reference/cli.md, losses: symbols are left out where that can be, and kept; else no read."""
    registry = registry_of(tmp_path, symbols("A", number="int"), symbols("A", "C", number="long"))
    old, new = registry.codec("t", version=1), registry.codec("t")
    plain = {"need": "A", "maybe": "A", "many": [], "by": {}, "numbers": []}
    state = new.from_builtins({**plain, **changed})
    blob = new.encode(state)
    if seen is None:
        with pytest.raises(NotExpressible):
            new.decode(blob, version=1)
        return
    older = old.decode(blob)
    assert old.to_builtins(older) == {**plain, **seen}
    assert new.decode(old.encode(older)) == state


def symbols(*names: str, number: str) -> list[dict[str, Any]]:
    return [
        {"name": "need", "type": {"type": "enum", "name": "E", "symbols": names}},
        {"name": "maybe", "type": ["null", "E"]},
        {"name": "many", "type": {"type": "array", "items": "E"}},
        {"name": "by", "type": {"type": "map", "values": "E"}},
        {"name": "numbers", "type": {"type": "array", "items": number}},
    ]
