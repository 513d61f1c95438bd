"""What JSON and MessagePack have for the types of a schema, alike for reading and writing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import msgspec

from ...schemas.model import Json, Logical, Map, Primitive, Schema, Type
from ..library.depth import is_recursive
from ..types.classes import TAG_KEY
from . import core
from .draft import Draft, NotPlainError
from .scalars import meaning_of, primitive_op
from .spelling import Spelling

Function: TypeAlias = Callable[[Any], Any]
"""Converts a value, or its bytes, in Python where the kernel does not."""

_IN_PLACE = frozenset(
    {
        *(core.DATE, core.TIME, core.TIMESTAMP, core.LOCAL_TIMESTAMP),
        *(core.DURATION, core.UUID_TEXT, core.UUID_BYTES, core.DECIMAL, core.JSON),
    }
)
"""The meanings whose spelling the kernel knows."""


def frame_of(spelling: Spelling, cls: type) -> tuple[bytes, ...]:
    """What stands around the values of a class, if msgspec writes it as it does most."""
    config: msgspec.structs.StructConfig = getattr(cls, "__struct_config__")  # noqa: B009
    tagged = config.tag is not None
    if config.omit_defaults or config.array_like or (tagged and config.tag_field != TAG_KEY):
        raise NotPlainError(cls.__qualname__)
    return tuple(spelling.frame(str(config.tag) if tagged else None, keys_of(cls)))


def keys_of(cls: type) -> tuple[str, ...]:
    """The keys of a class, in the order that msgspec writes them in."""
    keys: tuple[str, ...] = getattr(cls, "__struct_encode_fields__")  # noqa: B009
    return keys


def one_of(
    draft: Draft, spelling: Spelling, objects: tuple[Any, ...], values: tuple[Any, ...]
) -> int:
    """The node of one of some objects, each spelled as the value beside it."""
    spelled = tuple(map(spelling.write, values))
    return draft.add(core.ENUM, objects=(*objects, *spelled), size=len(objects))


def scalar_node(
    draft: Draft,
    spelling: Spelling,
    schema: Schema,
    scalar: Primitive | Logical | Json,
    function: Callable[[Type], Function],
) -> int:
    """The node of a scalar; ``function`` makes what converts it in Python."""
    match scalar:
        case Primitive(kind="null"):
            return one_of(draft, spelling, (None,), (None,))
        case Primitive(kind="boolean"):
            return one_of(draft, spelling, (True, False), (True, False))
        case Primitive():
            return draft.add(primitive_op(scalar))
        case Json() if scalar.well_known and is_recursive(schema):
            # How deep the value may be depends on where in the state it stands.
            raise NotPlainError(schema.subject)
        case Logical(unit="nanos"):
            return draft.add(core.LONG)
        case _:
            op, size, extra = meaning_of(scalar, schema) or (core.SPELLED, 0, 0)
            if op not in _IN_PLACE:
                return draft.add(core.SPELLED, object=function(scalar))
            return draft.add(op, object=function(scalar), size=size, extra=extra)


def refuse_odd_keys(spelling: Spelling, kind: Map, schema: Schema) -> None:
    """Raise NotPlainError for a map whose keys have no plain form."""
    if kind.keys.kind == "boolean" and spelling.plain:
        raise NotPlainError(schema.subject)
