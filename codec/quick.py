"""The kernel's checks of typed objects, where the kernel is in use."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, TypeAlias

from ..errors import CarriesResidue
from .engines import engine
from .limits import Limits
from .types import SchemaTypes

Check: TypeAlias = Callable[[Any], bool]
"""Whether an object is sound; False may also mean that only the checks in Python can tell."""


def quick_check(
    types: SchemaTypes, limits: Limits, *, plain: bool = False, leaves: bool = False
) -> Check:
    """A check of all of an object before it is written; ``plain`` also asks that each value
    has a plain form in JSON, as ``CheckSink`` does, and ``leaves`` passes over residue,
    which raises ``CarriesResidue`` otherwise.
    """
    if engine().name == "library":
        return _cannot_tell
    from .kernel import checking, core, draft  # noqa: PLC0415 - there may be no kernel

    try:
        program = checking.compile_check(types, limits, plain=plain)
    except (draft.NotPlainError, RecursionError):
        return _cannot_tell
    if program is None:
        return _cannot_tell
    sound = partial(core.is_sound, program, plain=plain)
    if leaves:
        return partial(sound, leaves=True)

    def check(state: Any) -> bool:
        if sound(state):
            return True
        # Where it is residue alone that is in the way, Python would look for it for long.
        if sound(state, leaves=True):
            raise CarriesResidue("the record keeps residue")
        return False

    return check


def quick_audit(types: SchemaTypes, limits: Limits) -> Check:
    """A check of what msgspec's typed decoder leaves open."""
    if engine().name == "library":
        return _cannot_tell
    from .kernel import checking, core, draft  # noqa: PLC0415 - there may be no kernel

    try:
        return partial(core.is_sound, checking.compile_audit(types, limits), plain=False)
    except (draft.NotPlainError, RecursionError):
        return _cannot_tell


def _cannot_tell(_: Any) -> bool:
    return False
