"""Schemas whose records lead into each other very deep."""

from __future__ import annotations

import pytest

from instar import Registry
from instar.errors import SchemaError
from instar.schemas.model import (
    Default,
    Field,
    Json,
    Optional,
    Primitive,
    Record,
    Reference,
    Schema,
    Type,
)


def row(count: int, last: Type) -> Schema:
    """Records that each may hold the next one."""
    types = {
        f"R{n}": Record(f"R{n}", (_optional(Reference(f"R{n + 1}"), 1),)) for n in range(count)
    }
    end = Record(f"R{count}", (_optional(last, 1),))
    return Schema("state", 1, "avro", "R0", {**types, end.name: end})


def ring(count: int) -> Schema:
    """Records that each may hold any of them, and JSON."""
    fields = tuple(_optional(Reference(f"R{n}"), n + 1) for n in range(count))
    more = (*fields, _optional(Json(), count + 1))
    return Schema("state", 1, "avro", "R0", {f"R{n}": Record(f"R{n}", more) for n in range(count)})


def _optional(kind: Type, number: int) -> Field:
    return Field(f"f{number}", Optional(kind), number=number, default=Default(None))


@pytest.mark.parametrize("schema", [row(60, Primitive("int")), row(60, Json()), ring(30)])
def test_deep_ones_work(schema: Schema) -> None:
    """So many records on the way to a value are no matter, nor that each leads to all."""
    codec = Registry.of([schema]).codec("state")
    state = codec.from_builtins({"f1": {"f1": {"f1": None}}})
    assert codec.decode(codec.encode(state)) == state


@pytest.mark.parametrize("schema", [row(400, Primitive("int")), row(400, Json())])
def test_deeper_than_the_stack(schema: Schema) -> None:
    """Where Python's stack ends first, the schema is refused by its name."""
    with pytest.raises(SchemaError, match="state: its types lead into each other deeper"):
        Registry.of([schema]).codec("state")
