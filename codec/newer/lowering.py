"""Writing an older version than the states are of."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...errors import ConfigError
from ..library.depth import depth_check
from ..settings import Settings
from ..types import SchemaTypes
from .bridge import Bridge


def make_lowering(
    bridge: Bridge, types: SchemaTypes, settings: Settings
) -> Callable[[Any], Any] | None:
    """A function from a state of ``types`` to one of the version that is written.

    ``None`` where that is its own. Raises ``ConfigError`` where it is a newer one.
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
    check_depth = depth_check(types.schema, settings.limits.depth)

    def lower(state: Any) -> Any:
        if check_depth is not None:
            check_depth(state)
        return bridge.lead(state, version, written)

    return lower
