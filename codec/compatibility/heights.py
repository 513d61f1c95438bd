"""How deep values must nest, so that values of recursive records come to an end."""

from __future__ import annotations

import math
from collections.abc import Mapping

from ...schemas.model import Record, Reference, Schema, Type, Union


def heights(schema: Schema) -> dict[str, float]:
    """How deep the flattest value of each named type nests; infinite where there is none."""
    found = dict.fromkeys(schema.types, math.inf)
    records = [named for named in schema.types.values() if isinstance(named, Record)]
    found |= {name: 0 for name, named in schema.types.items() if not isinstance(named, Record)}
    changed = True
    while changed:
        changed = False
        for record in records:
            tall = 1 + max((height(f.type, found) for f in record.fields), default=0)
            if tall != found[record.name]:
                found[record.name], changed = tall, True
    return found


def height(kind: Type, named: Mapping[str, float]) -> float:
    """How deep the flattest value of a type nests: lists and optionals may be empty."""
    match kind:
        case Reference():
            return named[kind.name]
        case Union():
            return min(height(branch.type, named) for branch in kind.branches)
        case _:
            return 0
