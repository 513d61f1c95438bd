"""The work of a first read grows with the schema, and not with its square.

What is counted are the lines of Python that run, each round of a loop too, so that no clock is
asked. Loops inside of built-in functions and of the kernel are not seen.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from types import FrameType
from typing import Any, TypeAlias

import pytest
from msgspec.structs import replace

from instar import Registry
from instar.migrations import Migration, add, compute, convert, move, rename
from instar.migrations.ops import Op
from instar.schemas.avro import parse_avro
from instar.schemas.model import Record, Schema

SMALL, LARGE = 520, 1040
"""Fields: more than the kernel reads in Protobuf, which the library engine does then."""
LINEAR = 1.1 * LARGE / SMALL
"""The most that the counts may grow by: a tenth is left for what is in order of its own."""

Fields: TypeAlias = list[dict[str, Any]]
Shape: TypeAlias = Callable[[int], tuple[Fields, Fields, Sequence[Op]]]


def lines(work: Callable[[], Any]) -> int:
    """How many lines of Python run, with each round of a comprehension as one."""
    count, before = 0, sys.gettrace()

    def trace(frame: FrameType, event: str, found: Any) -> Any:
        nonlocal count
        del frame, found
        count += event == "line"
        return trace

    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(before)
    return count


def text(name: str) -> dict[str, Any]:
    return {"name": name, "type": ["null", "string"], "default": None}


def texts(name: str, numbers: range) -> Fields:
    return [text(f"{name}{number}") for number in numbers]


def named(name: str, fields: Fields) -> dict[str, Any]:
    return {"type": "record", "name": name, "fields": fields}


def grown(size: int) -> tuple[Fields, Fields, Sequence[Op]]:
    """A tenth of the fields goes, and as many come."""
    old = texts("f", range(size))
    return old, [*old[size // 10 :], *texts("new", range(size // 10))], ()


def renamed(size: int) -> tuple[Fields, Fields, Sequence[Op]]:
    """One half is renamed by ops, the other by aliases."""
    half = size // 2
    new = [text(f"g{at}") | ({} if at < half else {"aliases": [f"f{at}"]}) for at in range(size)]
    return texts("f", range(size)), new, [rename(f"f{at}", f"g{at}") for at in range(half)]


def changed(size: int) -> tuple[Fields, Fields, Sequence[Op]]:
    """Ops of several kinds, each for a part of the fields."""
    part = size // 4
    old = [text(f"f{number}") | {"type": "string", "default": ""} for number in range(3 * part)]
    new = [*old[:part], *(each | {"name": f"c{at}"} for at, each in enumerate(old[part:-part]))]
    inner = {"name": "inner", "type": named("Inner", old[-part:])}
    ops = chain(
        (convert(f"f{at}", {"a": "b", "b": "a"}) for at in range(part)),
        (
            compute(reads=f"f{part + at}", writes=f"c{at}", up=str.upper, down=str.lower)
            for at in range(part)
        ),
        (move(f"f{at}", f"inner.f{at}") for at in range(2 * part, 3 * part)),
        (add(f"new{at}", default="given") for at in range(part)),
    )
    return old, [*new, inner, *texts("new", range(part))], list(ops)


def chained(size: int) -> tuple[Fields, Fields, Sequence[Op]]:
    """Records that lead to the one before, some of which gain a field."""

    def records(*, more: bool) -> Iterator[dict[str, Any]]:
        for at in range(size // 8):
            fields = [text("a"), *([text("b")] if more and at % 2 else [])]
            if at:
                inner = ["null", f"R{at - 1}"]
                fields += [{"name": name, "type": inner, "default": None} for name in ("l", "r")]
            yield text(f"p{at}") | {"type": ["null", named(f"R{at}", fields)]}

    return list(records(more=False)), list(records(more=True)), ()


def schema(fields: Fields, version: int, numbers: dict[tuple[str, str], int]) -> Schema:
    """The schema with a number for each field, the same in all versions."""
    found = parse_avro(json.dumps(named("Root", fields)), subject="s", version=version, where="s")
    types = {
        name: replace(
            each,
            fields=tuple(
                replace(f, number=numbers.setdefault((name, f.name), len(numbers) + 1))
                for f in each.fields
            ),
        )
        if isinstance(each, Record)
        else each
        for name, each in found.types.items()
    }
    return replace(found, types=types)


def counts(shape: Shape, size: int, format_: Any) -> dict[str, int]:
    """The lines of each thing that is done for the first time, by what it is."""
    old, new, ops = shape(size)
    numbers: dict[tuple[str, str], int] = {}
    schemas = [schema(old, 1, numbers), schema(new, 2, numbers)]
    migrations = [Migration("s", 1, 2, *ops)] if ops else []
    found: dict[str, int] = {}

    def opened(**settings: Any) -> Any:
        return Registry.of(schemas, migrations).codec("s", format=format_, **settings)

    before, after, lower = opened(version=1), opened(), opened(write_version=1)
    blob, made = before.encode(before.type()), list[Any]()
    found["open"] = lines(opened)
    found["read an older blob"] = lines(lambda: made.append(after.decode(blob)))
    newer = after.encode(made[0])
    found["read a newer blob"] = lines(lambda: before.decode(newer))
    state = lower.decode(newer)
    found["write an older version"] = lines(lambda: made.append(lower.encode(state)))
    assert after.decode(made[1]) == made[0]
    return found


@pytest.mark.parametrize(
    ("shape", "format_"),
    [(grown, "protobuf"), (renamed, "avro"), (changed, "avro"), (chained, "msgpack")],
)
def test_first_reads_grow_with_the_schema(shape: Shape, format_: str) -> None:
    """Twice the fields are twice the work, whatever became of them."""
    small, large = counts(shape, SMALL, format_), counts(shape, LARGE, format_)
    growth = {what: count / small[what] for what, count in large.items()}
    assert max(growth.values()) < LINEAR, growth


def test_what_grows_with_the_square_is_seen() -> None:
    """The count tells a search for each field from one look at all."""

    def search(size: int) -> list[int]:
        fields = list(range(size))
        return [next(each for each in fields if each == wanted) for wanted in fields]

    def look(size: int) -> list[int]:
        return [each for each in range(size) if each]

    assert lines(lambda: search(200)) > 1.5 * LINEAR * lines(lambda: search(100))
    assert lines(lambda: look(200)) < LINEAR * lines(lambda: look(100))
