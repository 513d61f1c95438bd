"""Conversions of values that an op changes: by a rule, into a list, out of a list."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Protocol

from ..errors import MigrationError, NotExpressible
from ..schemas.describe import describe
from ..schemas.model import (
    Array,
    Enum,
    Fixed,
    Logical,
    Map,
    Optional,
    Primitive,
    Reference,
    Schema,
    Type,
)
from .conversion import (
    Apply,
    Conversion,
    EachItem,
    EachValue,
    FirstItem,
    Keep,
    MapSymbols,
    Maybe,
    Require,
    ToItem,
)
from .form import Step
from .null_rules import fits_null, null_words
from .ops import Convert, Head, Wrap
from .rules import NullRule, Scalar

NOTHING: Final = Keep(Primitive("null"))
"""Stands for a conversion that there is none of; a problem says why."""


class Converter(Protocol):
    """What a derivation offers to its parts."""

    source: Schema
    target: Schema
    problems: list[str]

    @property
    def upwards(self) -> bool:
        """Whether the target is the newer version."""
        ...

    def convert(self, source: Type, target: Type, path: str) -> Conversion:
        """The conversion of any type that no op changes."""
        ...


def convert_step(
    derivation: Converter, step: Step | None, source: Type, target: Type, path: str
) -> Conversion:
    """The conversion of a value that ``step`` changes."""
    match step:
        case None:
            return derivation.convert(source, target, path)
        case Wrap():
            return _wrap(derivation, source, target, path)
        case Head():
            return _head(derivation, source, target, path)
        case Convert():
            return _RuleConversion(derivation, step).convert(source, target, path)


def _wrap(derivation: Converter, source: Type, target: Type, path: str) -> Conversion:
    if not isinstance(target, Array):
        return _refuse(derivation, f"{path}: wrap makes a list, and it is", target)
    inner = source.item if isinstance(source, Optional) else source
    item = derivation.convert(inner, target.items, f"{path}[]")
    return ToItem(item, isinstance(source, Optional))


def _head(derivation: Converter, source: Type, target: Type, path: str) -> Conversion:
    if not isinstance(source, Array):
        return _refuse(derivation, f"{path}: head takes a list, and it was", source, old=True)
    optional = isinstance(target, Optional)
    if derivation.upwards and not optional:
        derivation.problems.append(
            f"{path}: an empty list has no first item: make the field optional, or compute it"
        )
    inner = target.item if isinstance(target, Optional) else target
    return FirstItem(derivation.convert(source.items, inner, path), optional)


def _refuse(derivation: Converter, words: str, kind: Type, *, old: bool = False) -> Conversion:
    schema = derivation.source if old else derivation.target
    derivation.problems.append(f"{words} {describe(schema, kind)}")
    return NOTHING


def scalar_of(schema: Schema, kind: Type) -> Scalar | None:
    """The type as rules know it; ``None`` for what is neither a scalar nor an enum."""
    named = schema.types[kind.name] if isinstance(kind, Reference) else kind
    return named if isinstance(named, Primitive | Logical | Enum | Fixed) else None


class _RuleConversion:
    """Derives the conversion of a field by one rule, down to the values it is for."""

    def __init__(self, derivation: Converter, step: Convert) -> None:
        self.derivation = derivation
        self.rule = step.rule
        self.forward = step.forward

    def convert(self, source: Type, target: Type, path: str) -> Conversion:
        if isinstance(self.rule, NullRule):
            return self._with_null(self.rule, source, target, path)
        match source, target:
            case Optional(), Optional():
                return Maybe(self.convert(source.item, target.item, path))
            case _, Optional():
                return self.convert(source, target.item, path)
            case Optional(), _:
                return self._require(source, target, path)
            case Array(), Array():
                return EachItem(self.convert(source.items, target.items, f"{path}[]"))
            case Map(), Map() if source.keys == target.keys:
                value = self.convert(source.values, target.values, f"{path}[*]")
                return EachValue(value, source.keys, target.keys)
            case _:
                return self._apply(source, target, path)

    def _require(self, source: Optional, target: Type, path: str) -> Conversion:
        if self.derivation.upwards:
            self.derivation.problems.append(
                f"{path} was optional and no longer is: say what null becomes"
            )
        return Require(self.convert(source.item, target, path))

    def _with_null(self, rule: NullRule, source: Type, target: Type, path: str) -> Conversion:
        if not fits_null(rule, source, target, forward=self.forward):
            return self._unfit(source, target, path, null_words(rule))
        old, takes = _unwrapped(source)
        new, gives = _unwrapped(target)
        return self._apply(old, new, path, takes=takes, gives=gives)

    def _apply(
        self, source: Type, target: Type, path: str, *, takes: bool = False, gives: bool = False
    ) -> Conversion:
        old = scalar_of(self.derivation.source, source)
        new = scalar_of(self.derivation.target, target)
        if old is None or new is None:
            source = Optional(source) if takes else source
            target = Optional(target) if gives else target
            return self._unfit(source, target, path, "a rule changes scalars and enums")
        try:
            change = self.rule.bind(old, new, self.forward)
        except MigrationError as error:
            self.derivation.problems.append(f"{path}: {error.what}; {error.mend}")
            return NOTHING
        if isinstance(old, Enum) and isinstance(new, Enum) and not (takes or gives):
            return self._symbols(old, new, change, path)
        return Apply(old, new, self.rule, self.forward, takes, gives)

    def _unfit(self, source: Type, target: Type, path: str, words: str) -> Conversion:
        kinds = (
            describe(self.derivation.source, source),
            describe(self.derivation.target, target),
        )
        self.derivation.problems.append(
            f"{path}: {words}, and not for {kinds[0]} to {kinds[1]}: compute it"
        )
        return NOTHING

    def _symbols(
        self, old: Enum, new: Enum, change: Callable[[object], object], path: str
    ) -> Conversion:
        known = {symbol.name for symbol in new.symbols}
        table: dict[str, str | None] = {}
        for symbol in old.symbols:
            found = _symbol(change, symbol.name)
            table[symbol.name] = found if found in known else new.default
        lost = [name for name, found in table.items() if found is None]
        if lost and self.derivation.upwards:
            self.derivation.problems.append(
                f"{path} has no symbol for {', '.join(lost)}: name one in convert(), or give"
                " the enum a default"
            )
        return MapSymbols(old.name, new.name, table)


def _symbol(change: Callable[[object], object], name: str) -> str | None:
    try:
        return str(change(name))
    except NotExpressible:
        return None


def _unwrapped(kind: Type) -> tuple[Type, bool]:
    return (kind.item, True) if isinstance(kind, Optional) else (kind, False)
