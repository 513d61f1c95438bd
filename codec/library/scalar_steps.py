"""Scalars that are converted in several steps, or by a rule that is data.

Between the steps an enum is the text of its symbol.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from ...errors import NotExpressible, ValueMismatch
from ...migrations.conversion import (
    Apply,
    Cast,
    Conversion,
    Keep,
    MapSymbols,
    Maybe,
    NullToDefault,
    Require,
    Then,
    ToItem,
)
from ...migrations.rules import Scalar
from ...schemas.model import Enum, Optional, Reference, Schema, Type
from ..checks import Check, check_scalar
from ..mismatch import mismatch
from ..types import SchemaTypes
from ..vectors import to_single
from .cast import cast
from .closures import chain, maybe, null_refused, require, same

Change = Callable[[Any], Any]
"""From one Python value to another."""


def change(conversion: Conversion, schema: Schema) -> Change | None:
    """What a step does to a Python value; ``schema`` is the reader's."""
    match conversion:
        case Keep():
            return to_single if conversion.single else None
        case Cast():
            return chain(cast(conversion, schema), to_single if conversion.single else None)
        case MapSymbols():
            return partial(_symbol, conversion)
        case Apply():
            return rule_change(conversion)
        case Maybe():
            return partial(maybe, None, change(conversion.item, schema))
        case Require():
            return partial(require, None, change(conversion.item, schema))
        case Then():
            return chain(change(conversion.first, schema), change(conversion.second, schema))
        case _:
            raise TypeError(f"{conversion} is no step between scalars")


def rule_change(conversion: Apply) -> Change:
    """What a rule does to a Python value, with a check of what it gives."""
    run = conversion.rule.bind(conversion.source, conversion.target, conversion.forward)
    check = checked_scalar(conversion.target)
    gives_null = conversion.gives_null

    def apply(value: Any) -> Any:
        found = run(value)
        return None if found is None and gives_null else check(found)

    return apply


def checked_scalar(target: Scalar) -> Check:
    """Passes what ``target`` can hold, where an enum is the text of a symbol."""
    check: Check
    if isinstance(target, Enum):
        check = partial(_known, {symbol.name for symbol in target.symbols}, target.name)
    else:
        check = check_scalar(target)

    def run(value: Any) -> Any:
        try:
            return check(value)
        except ValueMismatch as error:
            raise NotExpressible(f"{error.what}, in this version") from None

    return run


def member(types: SchemaTypes, target: Type) -> Change | None:
    """From the symbol of an enum to the member that the reader has for it; null stays null."""
    inner = target.item if isinstance(target, Optional) else target
    named = types.schema.types[inner.name] if isinstance(inner, Reference) else inner
    if not isinstance(named, Enum):
        return None
    members = types.enum(named.name)
    return lambda value: None if value is None else members(value)


def absent(conversion: Conversion, types: SchemaTypes, target: Type) -> Callable[[], Any]:
    """What a null becomes that stands for a field of a record that is null itself."""
    make = _absent(conversion, types.schema)
    after = member(types, target)
    return make if after is None else lambda: after(make())


def _absent(conversion: Conversion, schema: Schema) -> Callable[[], Any]:
    match conversion:
        case Maybe():
            return lambda: None
        case Require():
            return _refuse_null
        case ToItem():
            return list
        case Apply():
            return partial(rule_change(conversion), None)
        case Then():
            first = _absent(conversion.first, schema)
            second = change(conversion.second, schema) or same
            return lambda: second(first())
        case _:
            raise TypeError(f"{conversion} leads from no optional")


def present(conversion: Conversion) -> Conversion:
    """The same for a value that is there."""
    match conversion:
        case Maybe() | Require() | NullToDefault():
            return conversion.item
        case ToItem():
            return ToItem(conversion.item)
        case Then():
            return Then(present(conversion.first), conversion.second)
        case _:
            return conversion


def _symbol(conversion: MapSymbols, value: str) -> str:
    found = conversion.table[value]
    if found is None:
        raise NotExpressible(f"the symbol {value} cannot be expressed in this version")
    return found


def _known(names: set[str], enum: str, value: Any) -> Any:
    if value not in names:
        raise mismatch(f"a symbol of {enum}", value)
    return value


def _refuse_null() -> Any:
    raise null_refused()
