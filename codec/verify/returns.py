"""What goes up comes back down as it was."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from .lab import Lab, Refused
from .law import Broken, Case, Law, Settings
from .totals import case, is_announced


def _cases(lab: Lab, settings: Settings) -> Sequence[Case]:
    del settings
    return [
        case(lab, (low, high, low), partial(_trial, lab, low, high)) for low, high in lab.pairs()
    ]


def _trial(lab: Lab, low: int, high: int, state: Any) -> Broken | None:
    up = lab.migrate(state, low, high)
    if isinstance(up, Refused):
        return None  # which another law looks for
    back = lab.migrate(up, high, low)
    example = lab.to_json(low, state)
    if isinstance(back, Refused):
        if is_announced(back, lab.lost(high, low)):
            return None
        return Broken(f"it does not come back: {back}", example, example, str(back))
    difference = lab.walk(low).first_difference(state, back, lab.lost(low, high))
    if difference is None:
        return None
    return Broken(str(difference), example, example, lab.to_json(low, back))


ROUND_TRIP = Law(
    "round-trip",
    "Up and down again gives what was there: down(up(x)) == x, but for announced losses.",
    _cases,
)
