"""Functions of migrations as the kernel calls them, and the checks of what they give."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from ...migrations.compute import Compute
from ...migrations.conversion import Call
from ...schemas.model import (
    Enum,
    Fixed,
    Logical,
    Optional,
    Primitive,
    Record,
    Reference,
    Schema,
    Type,
)
from ..library.calls import compile_call
from ..library.load import compile_value
from ..types import SchemaTypes
from . import core
from .draft import Draft, NotPlainError
from .scalars import write_scalar


@dataclass(frozen=True, slots=True)
class Function:
    """``run`` takes arguments by position. It gives one result, or a tuple where ``several``
    says so. ``accepts`` make of each result what the reader may have, or raise.
    """

    run: Callable[..., Any]
    several: bool
    kinds: tuple[Type, ...]
    accepts: tuple[Callable[[Any], Any], ...]


def function_of(call: Call, types: SchemaTypes) -> Function:
    """What a call does; ``types`` are those of its results."""
    compiled = compile_call(call, [_none for _ in call.reads], types, compile_value)
    accepts = tuple(accept for _, accept in compiled.accepts)
    record = call.results.types[call.result_record]
    assert isinstance(record, Record)  # noqa: S101 - derivation took it for one
    kinds = tuple(record.by_name[name].type for name in call.writes)
    if isinstance(call.function, Compute):
        # The function itself: what it raises is a refusal, and the library engine words it.
        if call.function.up is None:
            raise NotPlainError("a function that is not there")
        return Function(call.function.up, len(kinds) > 1, kinds, accepts)
    return Function(lambda *values: compiled.run(values), True, kinds, accepts)


def check_node(draft: Draft, types: SchemaTypes, kind: Type) -> int:
    """The node that tells whether a result may stay as it is: one that shares nothing.

    All others go through a function in Python.
    """
    match kind:
        case Optional() if is_flat(types.schema, kind):
            return draft.add(core.OPTIONAL, check_node(draft, types, kind.item))
        case Primitive() | Logical():
            node = write_scalar(draft, kind, types.schema)
            return _no(draft) if draft.specs[node].op == core.CALL else node
        case Reference():
            named = types.schema.types[kind.name]
            if not isinstance(named, Enum):
                return _no(draft)
            members = types.enum(named.name)
            return draft.add(core.ENUM, objects=tuple(members(s.name) for s in named.symbols))
        case _:
            return _no(draft)


def _no(draft: Draft) -> int:
    return draft.add(core.NEVER, draft.add(core.CONSTANT))


def is_flat(schema: Schema, kind: Type) -> bool:
    """Whether values of the type hold no others, so that the collector need not know them."""
    match kind:
        case Primitive() | Logical():
            return True
        case Optional():
            return is_flat(schema, kind.item)
        case Reference():
            return isinstance(schema.types[kind.name], Enum | Fixed)
        case _:
            return False


def _none(_: Any, __: Sequence[Any]) -> None:
    return None
