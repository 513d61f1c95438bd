"""Subjects of one record, and migrations between their versions that break one law each."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from typing import Any

from instar.codec.subject import Subject
from instar.migrations import Migration, compute
from instar.migrations.compute import Function
from instar.migrations.ops import Op
from instar.schemas.model import Array, Default, Field, Json, Primitive, Record, Schema, Type
from instar.schemas.numbering import number_fields

TEXT = Primitive("string")
WHOLE = Primitive("long")
TEXTS = Array(TEXT)
LOG = Field("log", TEXTS, default=Default([]))


def subject(*versions: Sequence[Field], steps: Sequence[Migration] = ()) -> Subject:
    """Versions of one record of these fields, from 1 on."""
    schemas = [
        Schema("job", number, "avro", "Job", {"Job": Record("Job", tuple(fields))})
        for number, fields in enumerate(versions, start=1)
    ]
    return Subject(number_fields(schemas), steps)


def with_op(old: Sequence[Field], new: Sequence[Field], op: Op) -> Subject:
    """Two versions that one op joins."""
    return subject(old, new, steps=[Migration("job", 1, 2, op)])


def text(name: str, kind: Type = TEXT) -> Field:
    return Field(name, kind)


def raises_on_slash(name: str) -> str:
    if "/" in name:
        raise ValueError("a slash")
    return name


def same(value: object) -> object:
    return value


def empties(metadata: Any) -> Any:
    found = deepcopy(metadata)
    if isinstance(metadata, dict | list):
        metadata.clear()
    return found


def retitled(up: Function, down: Function) -> Op:
    """``name`` becomes ``title`` by two functions."""
    return compute(reads="name", writes="title", up=up, down=down)


def not_total_up() -> Subject:
    return with_op([text("name"), LOG], [text("title"), LOG], retitled(raises_on_slash, same))


def not_total_down() -> Subject:
    """Going down, only what came from above is known."""
    op = compute(
        reads="is_done",
        writes="status",
        up=lambda is_done: "done" if is_done else "open",
        down=lambda status: {"done": True, "open": False}[status],
    )
    return with_op([text("is_done", Primitive("boolean"))], [text("status"), LOG], op)


def not_inverse() -> Subject:
    """Going up, all but one text become false; going down, false becomes one of them."""
    op = compute(
        reads="name",
        writes="is_done",
        up=lambda name: name == "a",
        down=lambda is_done: "a" if is_done else "",
    )
    return with_op([text("name")], [text("is_done", Primitive("boolean"))], op)


def forgets() -> Subject:
    """What is new is dropped on the way down, and nothing says so."""
    op = compute(
        reads="name",
        writes=("name", "origin"),
        up=lambda name: (name, ""),
        down=lambda name, _: name,
    )
    return with_op([text("name"), LOG], [text("name"), text("origin"), LOG], op)


def mutates() -> Subject:
    """The function for any JSON value writes into what it is given."""
    op = compute(reads="metadata", writes="extra", up=empties, down=same)
    return with_op([text("metadata", Json())], [text("extra", Json())], op)


def counts() -> Subject:
    """The value depends on how often the function was called."""
    calls: list[str] = []

    def number(name: str) -> tuple[str, int]:
        calls.append(name)
        return name, len(calls)

    op = compute(
        reads="name",
        writes=("name", "number"),
        up=number,
        down=lambda name, _: name,
        lossy="number",
    )
    return with_op([text("name")], [text("name"), text("number", WHOLE)], op)


def sound() -> Subject:
    """Three versions; the functions of the last step are inverse."""
    return subject(
        [text("name"), text("steps", Primitive("int"))],
        [text("name"), text("steps", WHOLE), LOG],
        [text("title"), text("steps", WHOLE), LOG],
        steps=[Migration("job", 2, 3, retitled(same, same))],
    )


def structural() -> Subject:
    """Three versions without any function."""
    return subject(
        [text("name"), LOG],
        [text("name"), LOG, Field("pid", WHOLE, default=Default(0))],
        [text("name"), LOG, Field("pid", WHOLE, default=Default(0))],
    )
