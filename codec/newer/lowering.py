"""Writing an older version than the states are of."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...errors import CarriesResidue, ConfigError
from ..library.check_sink import CheckSink
from ..library.depth import depth_check
from ..library.dump import compile_dump
from ..quick import quick_check
from ..settings import Settings
from ..types import SchemaTypes
from .bridge import Bridge
from .checks import Checks
from .prune import prune


def make_lowering(
    bridge: Bridge, types: SchemaTypes, settings: Settings
) -> Callable[[Any], tuple[Any, bool]] | None:
    """A function from a state of ``types`` to one of the version that is written. It also says
    whether all that this keeps was made of it just now, so that nothing has overtaken it.

    ``None`` where that is its own. Raises ``ConfigError`` where it is a newer one, and
    ``MigrationMismatch`` where nothing leads down to it.
    """
    version, written = settings.version, settings.written
    if written == version:
        return None
    if written > version:
        raise ConfigError(
            f"states of version {version} cannot be written at version {written}",
            where=types.schema.subject,
            mend=f"give a write_version from 1 to {version}",
        )
    bridge.check_way(version, written)
    check_depth = depth_check(types.schema, settings.limits.depth)
    checks = Checks(types)
    # The older version does not look at what it has no place for.
    check = compile_dump(types, CheckSink(), settings.limits, leaves=True)

    is_bare = quick_check(types, settings.limits)

    def is_sound(state: Any) -> bool:
        """Whether it is all right, and has no residue; raises for what is wrong in it."""
        try:
            if is_bare(state):
                return True
        except CarriesResidue:
            return False  # It is residue alone that is in the way.
        if check_depth is not None:
            check_depth(state)
        check(state)
        return False

    def lower(state: Any) -> tuple[Any, bool]:
        if is_sound(state):
            return bridge.lead(state, version, written), True
        lowered = bridge.lead(state, version, written)
        # An edit that is saved is for good, whichever version is written. Nothing is dropped
        # of a state that is refused.
        return (bridge.lead(state, version, written) if prune(state, checks) else lowered), False

    return lower
