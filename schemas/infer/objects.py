"""Whether the objects at one place are records, maps, or free-form."""

from __future__ import annotations

from .shape import Shape, merged
from .thresholds import (
    FEW_KEYS,
    KEYS_AS_DATA,
    MANY_KEYS,
    NEW_KEYS,
    OBJECTS_TO_JUDGE,
    SHARED_LEAST,
    SPARSE,
)
from .words import can_be_key, is_word


def is_open(shape: Shape) -> bool:
    """Whether the keys are data: the next object may well bring others."""
    data = sum(not is_word(key) for key in shape.fields)
    if data >= KEYS_AS_DATA * len(shape.fields) or not all(map(can_be_key, shape.fields)):
        return True
    if len(shape.fields) >= MANY_KEYS and is_map(shape):
        return True
    if _is_table(shape):
        return True
    return _is_loose(shape) and (
        _keys_keep_changing(shape) or (_fill(shape) <= SPARSE and is_map(shape))
    )


def _is_table(shape: Shape) -> bool:
    """Whether this holds objects of one shape under keys of which most come and go."""
    if not _are_enough(shape) or not is_map(shape):
        return False
    steady = sum(value.count == shape.objects for value in shape.fields.values())
    objects = all(value.kinds in ((), ("object",)) for value in shape.fields.values())
    return objects and steady < SPARSE * len(shape.fields)


def is_map(shape: Shape) -> bool:
    """Whether all values have one shape: one kind, and objects the same keys."""
    values = [value for value in shape.fields.values() if value.kinds]
    kinds = {value.kinds for value in values}
    if len(kinds) != 1:
        return not kinds
    if next(iter(kinds)) == ("object",):
        return _alike(values)
    return len(next(iter(kinds))) == 1


def _alike(objects: list[Shape]) -> bool:
    """Whether objects have the same keys, or are together a map themselves."""
    if len({frozenset(value.fields) for value in objects}) == 1:
        return True
    together = merged(objects)
    return is_open(together) and is_map(together)


def shares_little(shape: Shape) -> bool:
    """Whether the objects have too little in common to be one record."""
    return _is_loose(shape) and _fill(shape) < SHARED_LEAST


def _is_loose(shape: Shape) -> bool:
    """Whether there is no key that all objects have, and there are enough of both."""
    return _are_enough(shape) and all(
        value.count < shape.objects for value in shape.fields.values()
    )


def _are_enough(shape: Shape) -> bool:
    return shape.objects >= OBJECTS_TO_JUDGE and len(shape.fields) >= FEW_KEYS


def _keys_keep_changing(shape: Shape) -> bool:
    once = sum(value.count == 1 for value in shape.fields.values())
    return once >= NEW_KEYS * shape.objects


def _fill(shape: Shape) -> float:
    """Share of the known keys that an object has on average."""
    present = sum(value.count for value in shape.fields.values())
    return present / (shape.objects * len(shape.fields))
