"""Schemas whose records lead into each other very deep."""

from __future__ import annotations

from functools import cache

import pytest
from msgspec.structs import replace

from instar import Registry
from instar.codec.engines import EngineName, engines, forced_engine
from instar.errors import LimitExceeded, SchemaError
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


@cache
def led(count: int, engine: EngineName) -> bool:
    """Whether states of two versions of so many records are led between them."""
    old = row(count, Primitive("int"))
    more = Field("own", Primitive("int"), number=9, default=Default(0))
    types = {
        name: replace(found, fields=(*found.fields, more))
        for name, found in old.types.items()
        if isinstance(found, Record)
    }
    try:
        with forced_engine(engine):
            opened = Registry.of([old, replace(old, version=2, types=types)])
            reader, codec = (opened.codec("state", version=version) for version in (1, 2))
            pinned = opened.codec("state", write_version=1)
            state = codec.from_builtins({"own": 3, "f1": {"own": 4, "f1": None}})
            again = codec.decode(reader.encode(reader.decode(codec.encode(state))))
            return again == state == codec.decode(pinned.encode(state))
    except (SchemaError, LimitExceeded):
        return False


@pytest.mark.parametrize("engine", engines())
def test_what_the_library_engine_has_the_stack_for_works(engine: EngineName) -> None:
    """The kernel's programs need more of it, and are not needed."""
    deepest = max(count for count in range(80, 150, 5) if led(count, "library"))
    # To turn to the library engine takes a little of the stack itself.
    assert led(deepest - 5, engine)
