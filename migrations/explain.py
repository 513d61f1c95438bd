"""A graph in words: where each field of the target comes from, and by which steps."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TypeAlias

import msgspec

from ..schemas.model import Array, Map, Schema, Type, Union
from .compute import Compute
from .conversion import (
    Conversion,
    DefaultToNull,
    EachItem,
    EachValue,
    Fill,
    FirstItem,
    Gather,
    Graph,
    Made,
    Maker,
    MapBranches,
    Maybe,
    NullToDefault,
    RecordConversion,
    Require,
    Take,
    ToBranch,
    ToItem,
    ToRecord,
)
from .graph_reading import Records, joined, labelled, origins, place
from .losses import record_named
from .paths import type_at, unwrapped
from .step_words import rule_words, step_words

Places: TypeAlias = tuple[str, str]
"""Where a value is, in the source and in the target."""
Kinds: TypeAlias = tuple[Type, Type]

_LONGEST = 40
"""Characters of a default that are told."""


class FieldNote(msgspec.Struct, frozen=True):
    """Where one field of the target comes from.

    ``path`` is in the names of the target and ``sources`` are in those of the source, without
    the subject; a field that has none is filled. ``steps`` says in words what happens on the
    way, and nothing where the value stays as it is. ``function`` is the name of the Python
    function that makes it, if one does.
    """

    path: str
    sources: tuple[str, ...]
    steps: str = ""
    function: str | None = None

    @property
    def is_kept(self) -> bool:
        """Whether the field has the same name and value in both versions."""
        return self.sources == (self.path,) and not self.steps


def explain(graph: Graph, source: Schema, target: Schema) -> list[FieldNote]:
    """A note for each field of the target; those of a record follow it.

    A record that holds itself is told where it is met first.
    """
    telling = _Telling(graph.records, source, target)
    telling.record(graph.root, ("", ""))
    return telling.notes


@dataclass(slots=True)
class _Telling:
    """``told`` are the records that were looked at; places are paths in source and target."""

    records: Records
    source: Schema
    target: Schema
    notes: list[FieldNote] = field(default_factory=list[FieldNote])
    open: list[ToRecord] = field(default_factory=list[ToRecord])

    def record(self, key: ToRecord, at: Places) -> None:
        """The notes of the fields of a record."""
        if key in self.open:
            return
        self.open.append(key)
        conversion = self.records[key]
        record = record_named(self.target, key.target)
        found = conversion.makers
        for each in record.fields:
            self._field(conversion, found[each.name], each.type, at)
        self.open.pop()

    def _field(self, conversion: RecordConversion, maker: Maker, kind: Type, at: Places) -> None:
        here = joined(at[1], maker.target)
        match maker:
            case Take():
                origin = joined(at[0], *place(maker))
                steps = step_words(maker.conversion, self.target)
                self.notes.append(FieldNote(here, (origin,), steps))
                record = record_named(self.source, conversion.source)
                old = type_at(self.source, record, place(maker))
                self._inside(maker.conversion, (old, kind), (origin, here))
            case Fill():
                self.notes.append(FieldNote(here, (), self._filled(maker)))
            case Gather():
                when = ", null where they all are" if maker.optional else ""
                self.notes.append(FieldNote(here, (), f"put together{when}"))
                self.record(maker.conversion, (at[0], here))
            case Made():
                self.notes.append(self._made(conversion, maker, at))

    def _filled(self, fill: Fill) -> str:
        text = json.dumps(fill.default.value, ensure_ascii=False)
        short = text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."
        if fill.later is None or fill.later.origin.version == self.target.version:
            return f"filled with {short}"
        then = step_words(fill.later.conversion, self.target)
        origin = f"filled with {short} of version {fill.later.origin.version}"
        return f"{origin}, then {then}" if then else origin

    def _made(self, conversion: RecordConversion, made: Made, at: Places) -> FieldNote:
        call = conversion.calls[made.call]
        names = dict.fromkeys(
            joined(at[0], *names)
            for read in call.reads
            for names in origins(read.target, call, conversion.calls)
        )
        function = None
        if isinstance(call.function, Compute):
            function = getattr(call.function.up, "__qualname__", repr(call.function.up))
            steps = f"by {function}()"
        else:
            steps = rule_words(call.function, forward=call.forward)
        then = step_words(made.later.conversion, self.target) if made.later else ""
        steps = f"{steps}, then {then}" if then else steps
        return FieldNote(joined(at[1], made.target), tuple(names), steps, function)

    def _inside(self, step: Conversion, kinds: Kinds, at: Places) -> None:
        """The records inside of a value, whose types in source and target are ``kinds``."""
        kind, wanted = map(unwrapped, kinds)
        old, new = at
        match step, kind, wanted:
            case ToRecord(), _, _:
                self.record(step, at)
            case ((Maybe() | Require() | NullToDefault() | DefaultToNull()), _, _):
                self._inside(step.item, (kind, wanted), at)
            case EachItem(), Array(), Array():
                inner = kind.items, wanted.items
                self._inside(step.item, inner, (f"{old}[]", f"{new}[]"))
            case ToItem(), _, Array():
                self._inside(step.item, (kind, wanted.items), (old, f"{new}[]"))
            case FirstItem(), Array(), _:
                self._inside(step.item, (kind.items, wanted), (f"{old}[]", new))
            case EachValue(), Map(), Map():
                inner = kind.values, wanted.values
                self._inside(step.value, inner, (f"{old}[*]", f"{new}[*]"))
            case ToBranch(), _, Union():
                inner_kind, label = _branch(wanted, step.index)
                self._inside(step.item, (kind, inner_kind), (old, new + label))
            case MapBranches(), Union(), _:
                self._branches(step, (kind, wanted), at)
            case _:
                return

    def _branches(self, step: MapBranches, kinds: tuple[Union, Type], at: Places) -> None:
        union, wanted = kinds
        for branch, found in zip(union.branches, step.branches, strict=True):
            if found is not None:
                index, inner = found
                kind, label = _branch(wanted, index)
                places = labelled(at[0], branch.label), at[1] + label
                self._inside(inner, (branch.type, kind), places)


def _branch(kind: Type, index: int) -> tuple[Type, str]:
    """The type of a branch and what leads to it, where ``kind`` is a union."""
    if not isinstance(kind, Union):
        return kind, ""
    branch = kind.branches[index]
    return branch.type, labelled("", branch.label)
