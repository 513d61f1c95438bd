"""What rules about null need to know of types."""

from __future__ import annotations

from ..schemas.model import Array, JsonValue, Map, Optional, Record, Reference, Schema, Type, Union
from .rules import NullIf, NullRule


def fits_null(rule: NullRule, source: Type, target: Type, *, forward: bool) -> bool:
    """Whether just that one of the two types is optional that the rule needs to be."""
    takes = rule.takes_null(forward)
    return (isinstance(source, Optional), isinstance(target, Optional)) == (takes, not takes)


def null_words(rule: NullRule) -> str:
    """What types a rule is for, as the newer version is declared."""
    if isinstance(rule, NullIf):
        return "this rule is for a type that was not optional and now is"
    return "this rule is for a type that was optional and no longer is"


def is_endless(schema: Schema, record: Record, kind: Type, value: JsonValue) -> bool:
    """Whether a value of a field of ``record`` may hold a value of that field again."""
    filled = isinstance(value, dict | list) and bool(value)
    return filled and _holds(schema, kind, record.name, set())


def _holds(schema: Schema, kind: Type, name: str, seen: set[str]) -> bool:
    match kind:
        case Optional():
            inner = [kind.item]
        case Array():
            inner = [kind.items]
        case Map():
            inner = [kind.values]
        case Union():
            inner = [branch.type for branch in kind.branches]
        case Reference() if kind.name == name:
            return True
        case Reference() if kind.name not in seen:
            seen.add(kind.name)
            named = schema.types[kind.name]
            inner = [field.type for field in named.fields] if isinstance(named, Record) else []
        case _:
            inner = []
    return any(_holds(schema, each, name, seen) for each in inner)
