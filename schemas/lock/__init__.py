"""``instar.lock``: what was released, and the numbers and names that are taken for ever."""

from __future__ import annotations

from .breaches import Breach, BreachKind, find_breaches
from .defaults import later_branch_defaults
from .lock import Lock, read_lock
from .release import check_released, released

__all__ = [
    "Breach",
    "BreachKind",
    "Lock",
    "check_released",
    "find_breaches",
    "later_branch_defaults",
    "read_lock",
    "released",
]
