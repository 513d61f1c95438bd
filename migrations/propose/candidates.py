"""Ops that may join two fields, the likeliest first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from ...schemas.model import Array, Enum, Field, Optional, Reference, Schema
from ..compute import Function, compute
from ..ops import add, convert, head, remove, rename, wrap
from ..rules import cast, or_else
from .likeness import ENOUGH, bare, likeness, words
from .proposal import Proposed, Stub
from .values import hint, literal, plain_value

_MOST: Final = 2
"""Fields that the name of a function has."""
_EMPTY: Final = "the emptiest value of its type"


def renaming(path: str, old: str, new: str, why: str) -> Proposed:
    """A field that gets another name."""
    return Proposed(path, rename(old, new), f"rename({literal(old)}, {literal(new)})", why)


def adding(schema: Schema, path: str, field: Field) -> Proposed:
    """A field that older states do not have."""
    value = plain_value(schema, field.type)
    text = f"add({literal(field.name)}, default={literal(value)})"
    return Proposed(path, add(field.name, default=value), text, _EMPTY)


def removing(schema: Schema, path: str, field: Field) -> Proposed:
    """A field that newer states do not have, and older code needs."""
    value = plain_value(schema, field.type)
    text = f"remove({literal(field.name)}, default={literal(value)})"
    why = f"{_EMPTY}, for code of version {schema.version}"
    return Proposed(path, remove(field.name, default=value), text, why)


def changing(
    schemas: tuple[Schema, Schema], path: str, old: Field, new: Field
) -> Iterator[list[Proposed]]:
    """What may make the values of one field those of another, which has its name."""
    name = new.name
    if isinstance(bare(new.type), Array) and not isinstance(bare(old.type), Array):
        yield [Proposed(path, wrap(name), f"wrap({literal(name)})")]
    if isinstance(bare(old.type), Array) and not isinstance(bare(new.type), Array):
        yield [Proposed(path, head(name), f"head({literal(name)})", "the others are dropped")]
    if (symbols := _symbols(schemas, old, new)) is not None:
        op = convert(name, symbols)
        yield [
            Proposed(
                path,
                op,
                f"convert({literal(name)}, {literal(symbols)})",
                "where the symbols went that are gone",
            )
        ]
    yield [
        Proposed(
            path, convert(name, cast()), f"convert({literal(name)}, cast())", "the same as text"
        )
    ]
    if isinstance(old.type, Optional) and not isinstance(new.type, Optional):
        value = plain_value(schemas[1], new.type)
        if value is not None:
            text = f"convert({literal(name)}, or_else({literal(value)}))"
            yield [Proposed(path, convert(name, or_else(value)), text, "what null becomes")]


def _symbols(schemas: tuple[Schema, Schema], old: Field, new: Field) -> dict[Any, Any] | None:
    """A symbol of the newer enum for each that it lost; None where they are no enums."""
    found = [_enum(schema, field) for schema, field in zip(schemas, (old, new), strict=True)]
    older, newer = found
    if older is None or newer is None or not newer.symbols:
        return None
    names = [symbol.name for symbol in newer.symbols]
    return {
        symbol.name: max(names, key=lambda name: likeness(symbol.name, name))
        for symbol in older.symbols
        if symbol.name not in names
    }


def _enum(schema: Schema, field: Field) -> Enum | None:
    kind = bare(field.type)
    while isinstance(kind, Array):
        kind = bare(kind.items)
    named = schema.types[kind.name] if isinstance(kind, Reference) else None
    return named if isinstance(named, Enum) else None


def computing(path: str, old: Sequence[Field], new: Sequence[Field]) -> Proposed:
    """Fields that somebody has to write functions for, both ways."""
    reads, writes = (tuple(f.name for f in fields) for fields in (old, new))
    up, down = _stub(old, new), _stub(new, old)
    if up.name == down.name:
        down = Stub(f"{down.name}_back", down.arguments, down.returns, down.purpose)
    text = (
        f"compute(\n    reads={_names(reads)},\n    writes={_names(writes)},\n"
        f"    up=todo({up.name}),\n    down=todo({down.name}),\n)"
    )
    op = compute(reads=reads, writes=writes, up=_unwritten, down=_unwritten)
    return Proposed(path, op, text, "", (up, down))


_unwritten: Function = lambda *values: values  # noqa: E731 - it stands for any function


def _names(names: tuple[str, ...]) -> str:
    return literal(names[0] if len(names) == 1 else names)


def _stub(old: Sequence[Field], new: Sequence[Field]) -> Stub:
    arguments = tuple((f.name, hint(f.type)) for f in old)
    results = [hint(f.type) for f in new]
    returns = results[0] if len(results) == 1 else f"tuple[{', '.join(results)}]"
    made, read = (" and ".join(f"``{f.name}``" for f in fields) for fields in (new, old))
    return Stub(_name([f.name for f in new]), arguments, returns, f"{made}, from {read}")


def _name(made: Sequence[str]) -> str:
    if len(made) > _MOST:
        return f"make_{made[0]}_and_{len(made) - 1}_more"
    return f"make_{'_and_'.join(made)}"


def alike(old: Sequence[Field], new: Sequence[Field]) -> Iterator[tuple[Field, Field, str]]:
    """Pairs of fields that may be one under two names, the likeliest first, and why."""
    scored = [(_score(before, after), before, after) for before in old for after in new]
    for score, before, after in sorted(scored, key=lambda each: -each[0]):
        if score >= ENOUGH:
            same = score > 1
            yield before, after, "the same number" if same else "a similar name"


def related(old: Sequence[Field], new: Sequence[Field]) -> tuple[list[Field], list[Field]]:
    """The fields on either side of which one may be made from one on the other: they are of
    one type, or their names share a word.
    """

    def is_related(before: Field, after: Field) -> bool:
        shared = set(words(before.name)) & set(words(after.name))
        return bare(before.type) == bare(after.type) or bool(shared)

    return (
        [before for before in old if any(is_related(before, after) for after in new)],
        [after for after in new if any(is_related(before, after) for before in old)],
    )


def sole(old: Sequence[Field], new: Sequence[Field]) -> Iterator[tuple[Field, Field]]:
    """Pairs of fields of which each is the only one of its type."""
    for before in old:
        others = [f for f in old if f.type == before.type]
        found = [f for f in new if f.type == before.type]
        if len(others) == len(found) == 1:
            yield before, found[0]


def _score(old: Field, new: Field) -> float:
    if old.number is not None and old.number == new.number:
        return 2.0
    related = type(bare(old.type)) is type(bare(new.type))
    return likeness(old.name, new.name) if related else 0.0
