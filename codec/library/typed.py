"""The fast path of the msgspec formats: payload bytes straight to typed objects, in C."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from ...schemas.model import Array, Union
from ...schemas.references import field_types
from ..limits import Limits
from ..quick import quick_audit
from ..types import SchemaTypes
from .audit import compile_audit
from .depth import depth_check
from .format import Decode


def knows_unions(types: SchemaTypes) -> bool:
    """Whether msgspec can tell the branches of all unions: not those of a bare vector and
    anything else, as it does not know arrays.
    """
    return not any(
        box is None and isinstance(branch.type, Array) and branch.type.vector_kind
        for union in field_types(types.schema)
        if isinstance(union, Union) and len(union.branches) > 1
        for branch, box in zip(union.branches, types.names.box(union), strict=True)
    )


def typed_decoder(
    read: Callable[[bytes], Any], types: SchemaTypes, slow: Decode, limits: Limits
) -> Decode:
    """A decoder that tries ``read`` and then ``slow``.

    The slow one reads what msgspec's types cannot say (NaN in JSON), and otherwise gives the
    error with the path that the other formats give too.
    """
    audit = compile_audit(types)
    quick = quick_audit(types, limits)
    check_depth = depth_check(types.schema, limits.depth)

    def decode(payload: bytes) -> Any:
        try:
            state = read(payload)
        except (msgspec.DecodeError, RecursionError, ValueError, OverflowError):
            return slow(payload)
        if check_depth is not None:
            check_depth(state)
        if audit is not None and not quick(state):
            audit(state)
        return state

    return decode
