"""The steps of a conversion in words, for people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from ..schemas.describe import describe
from ..schemas.model import Json, Logical, Primitive, Reference, Schema
from .conversion import (
    Apply,
    Cast,
    Conversion,
    DefaultToNull,
    EachItem,
    EachValue,
    FirstItem,
    Keep,
    MapBranches,
    MapSymbols,
    Maybe,
    Never,
    NullToDefault,
    Require,
    Then,
    ToBranch,
    ToItem,
)
from .graph_reading import default_of
from .rules import Rule, Split, Table

_MOST = 6
"""Entries of a table that are told."""
_LONGEST = 60
"""Characters of a setting of a rule that are told."""


def step_words(conversion: Conversion, target: Schema) -> str:
    """What a conversion does to a value, in words; nothing where it stays as it is.

    What happens inside of records is left to those that follow them.
    """
    return ", then ".join(dict.fromkeys(_steps(conversion, target)))


def _steps(conversion: Conversion, target: Schema) -> Iterator[str]:
    match conversion:
        case Keep() | Cast() | MapSymbols() | Apply() | Never():
            yield from _scalar(conversion, target)
        case EachItem() | EachValue():
            inner = conversion.item if isinstance(conversion, EachItem) else conversion.value
            words = step_words(inner, target)
            yield from (f"each {words}",) if words else ()
        case Maybe():
            yield from _steps(conversion.item, target)
        case Require():
            yield from _steps(conversion.item, target)
            yield "refused if null"
        case NullToDefault():
            yield from _steps(conversion.item, target)
            yield f"null becomes {_short(default_of(conversion.later))}"
        case DefaultToNull():
            yield from _steps(conversion.item, target)
            yield f"{_short(default_of(conversion.later))} becomes null"
        case ToItem():
            yield from _steps(conversion.item, target)
            yield "the one item of a list"
        case FirstItem():
            yield "the first item"
            yield from _steps(conversion.item, target)
        case MapBranches() | ToBranch():
            yield from _branches(conversion, target)
        case Then():
            yield from _steps(conversion.first, target)
            yield from _steps(conversion.second, target)
        case _:
            return


def _branches(conversion: MapBranches | ToBranch, target: Schema) -> Iterator[str]:
    inner = (
        [found and found[1] for found in conversion.branches]
        if isinstance(conversion, MapBranches)
        else [conversion.item]
    )
    for words in dict.fromkeys(step_words(each, target) for each in inner if each):
        if words:
            yield words
    if None in inner:
        yield "refused for some branches"


def _scalar(step: Conversion, target: Schema) -> Iterator[str]:
    match step:
        case Keep() | Cast():
            if isinstance(step, Cast):
                yield f"{_type(step.source, target)} to {_type(step.target, target)}"
            if step.single:
                yield "rounded to 32 bits"
        case MapSymbols():
            yield from _symbols(step)
        case Apply():
            yield rule_words(step.rule, forward=step.forward)
        case Never():
            yield f"refused: {step.what} cannot be expressed"
        case _:
            return


def _type(kind: Primitive | Logical | Json | Reference, schema: Schema) -> str:
    if isinstance(kind, Reference) and kind.name not in schema.types:
        return kind.name.rpartition(".")[2]
    return describe(schema, kind)


def _symbols(step: MapSymbols) -> Iterator[str]:
    changed = {old: new for old, new in step.table.items() if new not in (None, old)}
    if changed:
        yield _pairs(changed.items())
    refused = [old for old, new in step.table.items() if new is None]
    if refused:
        yield f"refused for {', '.join(refused)}"


def _pairs(entries: Iterable[tuple[object, object]]) -> str:
    found = [f"{old} to {new}" for old, new in entries]
    more = ", ..." if len(found) > _MOST else ""
    return ", ".join(found[:_MOST]) + more


def rule_words(rule: Rule | Split, *, forward: bool) -> str:
    """A rule as it is written in a migration; ``backwards`` for its other direction."""
    if isinstance(rule, Table):
        pairs = rule.entries if forward else [(new, old) for old, new in rule.entries]
        return f"table({_pairs(pairs)})"
    fields = msgspec.structs.fields(rule)
    given = ((f, getattr(rule, f.name)) for f in fields)
    settings = ", ".join(f"{f.name}={_short(value)}" for f, value in given if value != f.default)
    return f"{rule.__struct_config__.tag}({settings})" + ("" if forward else " backwards")


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."
