"""A schema as an outline: one row for each field, with what inference decided about it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from ..schemas.model import (
    Array,
    Enum,
    Field,
    Json,
    Logical,
    Map,
    Optional,
    Primitive,
    Record,
    Reference,
    Schema,
    Type,
    Union,
)


@dataclass(frozen=True, slots=True)
class Row:
    """One field: its path, its type in words, and in how many samples it was, if not in all."""

    path: str
    type: str
    seen: str


def outline(schema: Schema) -> list[Row]:
    """Every field of ``schema`` once, each record where it is first used."""
    return list(_rows(schema, schema.record, "", {schema.root}))


def _rows(schema: Schema, record: Record, path: str, shown: set[str]) -> Iterator[Row]:
    for field in record.fields:
        place = f"{path}{field.key}"
        yield Row(place, type_words(schema, field.type), _seen(field))
        for suffix, inner in _records(schema, field.type):
            if inner.name not in shown:
                shown.add(inner.name)
                yield from _rows(schema, inner, f"{place}{suffix}.", shown)


def _seen(field: Field) -> str:
    return field.doc.removeprefix("In ").removesuffix(" samples.")


def _records(schema: Schema, type_: Type, suffix: str = "") -> Iterator[tuple[str, Record]]:
    """The records within a type, each with what leads to it: ``[]`` or ``{}``."""
    match type_:
        case Reference(name):
            named = schema.types[name]
            if isinstance(named, Record):
                yield suffix, named
        case Array(items):
            yield from _records(schema, items, f"{suffix}[]")
        case Map(values):
            yield from _records(schema, values, f"{suffix}{{}}")
        case Optional(item):
            yield from _records(schema, item, suffix)
        case Union(branches):
            for branch in branches:
                yield from _records(schema, branch.type, suffix)
        case _:
            return


def type_words(schema: Schema, type_: Type) -> str:
    """A type as a person says it: ``list of (string or long), or null``."""
    match type_:
        case Primitive(kind):
            return kind
        case Logical(kind):
            return kind
        case Json():
            return "json (any value)"
        case Array(vector_kind=str() as number):
            return f"vector of {number}s"
        case Array(items):
            return f"list of {_inner(schema, items)}"
        case Map(values):
            return f"map of {_inner(schema, values)}"
        case Optional(item):
            return f"{type_words(schema, item)}, or null"
        case Union(branches):
            return " or ".join(type_words(schema, branch.type) for branch in branches)
        case Reference(name):
            return _named(schema, name)


def _inner(schema: Schema, type_: Type) -> str:
    words = type_words(schema, type_)
    return f"({words})" if isinstance(type_, Union | Optional) else words


def _named(schema: Schema, name: str) -> str:
    named = schema.types[name]
    short = name.rpartition(".")[2]
    if isinstance(named, Enum):
        return f"enum of {len(named.symbols)}"
    return f"record {short}"


def tally(schema: Schema) -> dict[str, int]:
    """How many records, enums and fields there are, and how many types of each loose kind."""
    records = [named for named in schema.types.values() if isinstance(named, Record)]
    fields = [field for record in records for field in record.fields]
    kinds = Counter(kind for field in fields for kind in _kinds(field.type))
    return {
        "records": len(records),
        "enums": sum(isinstance(named, Enum) for named in schema.types.values()),
        "fields": len(fields),
        **{kind: kinds[kind] for kind in ("optional", "maps", "unions", "json")},
    }


def _kinds(type_: Type) -> Iterator[str]:
    match type_:
        case Optional(item):
            yield "optional"
            yield from _kinds(item)
        case Map(values):
            yield "maps"
            yield from _kinds(values)
        case Array(items):
            yield from _kinds(items)
        case Union(branches):
            yield "unions"
            for branch in branches:
                yield from _kinds(branch.type)
        case Json():
            yield "json"
        case _:
            return
