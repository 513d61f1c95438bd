"""Packs many states into few, so that every part of any of them is still in one.

What a schema offers is some hundred choices; a state that takes one for each of its fields
holds as many at once as it has fields.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from itertools import chain, count
from typing import Any, cast

import msgspec


def pack(values: Iterable[Any]) -> list[Any]:
    """Few values that hold every part of ``values``, the parts of the first one in front."""
    groups: dict[type, list[Any]] = {}
    for value in values:
        groups.setdefault(value.__class__, []).append(value)
    return [packed for group in groups.values() for packed in _alike(group)]


def _alike(group: Sequence[Any]) -> list[Any]:
    """The same, of values of one class."""
    match group[0]:
        case msgspec.Struct():
            return _structs(group)
        case list():
            return _lists(cast("Sequence[list[Any]]", group))
        case dict():
            return _maps(cast("Sequence[dict[Any, Any]]", group))
        case _:
            return _distinct(group)


def _distinct(values: Sequence[Any]) -> list[Any]:
    # By what they look like: 0.0 equals -0.0.
    return list({repr(value): value for value in values}.values())


def _structs(group: Sequence[msgspec.Struct]) -> list[msgspec.Struct]:
    names = group[0].__struct_fields__
    columns = {name: pack(getattr(value, name) for value in group) for name in names}
    rows = max(map(len, columns.values()), default=1)
    return [
        type(group[0])(**{name: found[row % len(found)] for name, found in columns.items()})
        for row in range(rows)
    ]


def _lists(group: Sequence[list[Any]]) -> list[list[Any]]:
    """One list of all the items, after an empty one if there is any."""
    full = pack(chain.from_iterable(group))
    return [*([[]] if [] in group else []), *([full] if full else [])]


def _maps(group: Sequence[dict[Any, Any]]) -> list[dict[Any, Any]]:
    """As lists, where keys are text; keys of another kind cannot be made up."""
    filled = [found for found in group if found]
    if not all(isinstance(key, str) for found in filled for key in found):
        return _distinct(group)
    full: dict[str, Any] = {}
    for key in dict.fromkeys(chain.from_iterable(filled)):
        for value in pack(found[key] for found in filled if key in found):
            full[_free(full, key)] = value
    return [*([{}] if {} in group else []), *([full] if full else [])]


def _free(taken: Container[str], key: str) -> str:
    """``key``, with a number behind it where it is taken."""
    return next(name for number in count() if (name := f"{key}{number or ''}") not in taken)
