"""The nodes of fields that the writer does not have."""

from __future__ import annotations

import datetime as dt
import enum
import uuid
from collections.abc import Callable, Iterable
from decimal import Decimal
from functools import partial
from types import NoneType
from typing import Any

import msgspec

from ...errors import NotExpressible
from ...migrations.conversion import Fill
from ...schemas.model import Type
from ..containers import class_of
from ..library.load import carried_default
from ..library.load_fields import Versions
from ..types import SchemaTypes
from ..views.built import part_or_value
from . import core
from .draft import Draft


def default_node(  # noqa: PLR0913, PLR0917 - a place, a value, and what they are compiled for
    draft: Draft,
    types: SchemaTypes,
    record: str,
    fill: Fill,
    target: Type,
    versions: Versions | None,
) -> int:
    """The node of a field of ``record`` that is filled with a default."""
    if fill.later is not None:
        make = carried_default(types, fill.later, target, versions)
        return _carried(draft, types, make, target)
    attribute = types.names.attributes[record][fill.target]
    found = types.fields(record)[attribute]
    if found.default_factory is msgspec.NODEFAULT:
        return draft.add(core.CONSTANT, object=found.default)
    op = _EMPTIES.get(found.default_factory, core.MAKE)
    return draft.add(op, object=found.default_factory, objects=parts_of(types, target))


def argument_default(
    draft: Draft, types: SchemaTypes, fill: Fill, target: Type, versions: Versions | None
) -> int:
    """The node of an argument that is the default of a field of an earlier version."""
    if fill.later is None:
        raise TypeError(f"the default of {fill.target} is of no version")
    make = carried_default(types, fill.later, target, versions)
    return _carried(draft, types, make, target)


def parts_of(types: SchemaTypes, target: Type) -> tuple[Callable[[Any], Any]]:
    """What gives a view of a value that is not as the payload has it."""
    return (partial(part_or_value, types, target),)


def _carried(draft: Draft, types: SchemaTypes, make: Callable[[], Any], target: Type) -> int:
    """The node of a default of an earlier version: made once, where it can be shared."""
    parts = parts_of(types, target)
    try:
        value = make()
    except NotExpressible:
        return draft.add(core.MAKE, object=make, objects=parts)
    if isinstance(value, _SHARED):
        return draft.add(core.CONSTANT, object=value)
    if not value:
        return draft.add(_EMPTIES.get(class_of(value), core.MAKE), object=make, objects=parts)
    return draft.add(core.MAKE, object=_copying(value) or make, objects=parts)


def _copying(value: Any) -> Callable[[], Any] | None:
    """What copies a list or a dictionary of values that are shared."""
    cls = class_of(value)
    held: Iterable[Any] = value.values() if cls is dict else value if cls is list else (value,)
    if cls not in _EMPTIES or not all(isinstance(item, _SHARED) for item in held):
        return None
    copying: Callable[[], Any] = value.copy
    return copying


_EMPTIES: dict[Any, int] = {list: core.EMPTY_LIST, dict: core.EMPTY_DICT}

# Values that cannot be changed, so that states may share them.
_SHARED = (
    NoneType, bool, int, float, str, bytes, enum.Enum,
    dt.date, dt.time, dt.timedelta, uuid.UUID, Decimal,
)  # fmt: skip
