"""How deep an object nests, found without recursion."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from graphlib import CycleError, TopologicalSorter
from typing import Any

import msgspec

from ...errors import ValueMismatch
from ...schemas.model import (
    Record,
    Reference,
    Schema,
)
from ...schemas.references import nested
from ..containers import exact_dict, exact_list


def is_recursive(schema: Schema) -> bool:
    """Whether some record of the schema can hold itself, so that values nest without end."""
    parts = {
        name: {t.name for f in named.fields for t in nested(f.type) if isinstance(t, Reference)}
        for name, named in schema.types.items()
        if isinstance(named, Record)
    }
    try:
        TopologicalSorter(parts).prepare()
    except CycleError:
        return True
    return False


def depth_check(schema: Schema, limit: int) -> Callable[[Any], None] | None:
    """A function that raises ``ValueMismatch`` for an object that nests deeper than ``limit``.

    ``None`` where the schema itself bounds the nesting.
    """
    if not is_recursive(schema):
        return None

    def check(value: Any) -> None:
        level: list[Any] = [value]
        for _ in range(limit):
            level = [inner for outer in level for inner in _children(outer)]
            if not level:
                return
        raise ValueMismatch(f"the state is nested more than {limit} deep")

    return check


def _children(value: Any) -> Iterable[Any]:
    """The containers right inside a container."""
    inner: Iterable[Any] = ()
    if isinstance(value, msgspec.Struct):
        inner = [getattr(value, name) for name in value.__struct_fields__]
    elif type(value) is dict:
        inner = exact_dict(value).values()
    elif type(value) is list:
        inner = exact_list(value)
    return [item for item in inner if isinstance(item, list | dict | msgspec.Struct)]
