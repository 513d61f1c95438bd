"""Many versions in one pass give what the hops give one by one."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from .lab import Lab, Refused
from .law import Broken, Case, Law, Settings
from .totals import case, is_announced


def _cases(lab: Lab, settings: Settings) -> Sequence[Case]:
    del settings
    far = [(low, high) for low, high in lab.pairs() if high - low > 1]
    routes = [route for low, high in far for route in ((low, high), (high, low))]
    return [case(lab, route, partial(_trial, lab, *route)) for route in routes]


def _trial(lab: Lab, source: int, target: int, state: Any) -> Broken | None:
    fused = lab.migrate(state, source, target)
    stepped, announced = _stepped(lab, source, target, state)
    if isinstance(fused, Refused) or isinstance(stepped, Refused):
        both = isinstance(fused, Refused) and isinstance(stepped, Refused)
        announced = announced or _is_announced(lab, source, target, fused)
        what = "" if both or announced else "only one of the two ways refuses the state"
    else:
        difference = lab.walk(target).first_difference(stepped, fused)
        what = str(difference or "")
    if not what:
        return None
    return Broken(
        f"read at once it differs from hop by hop: {what}",
        lab.to_json(source, state),
        lab.to_json(target, stepped),
        lab.to_json(target, fused),
    )


def _stepped(lab: Lab, source: int, target: int, state: Any) -> tuple[Any, bool]:
    """The state after each hop, and whether it is an announced loss that it is refused.

    It is written and read at every version between.
    """
    for hop in lab.subject.chain.hops(source, target):
        state = lab.migrate(state, *hop)
        if isinstance(state, Refused):
            return state, is_announced(state, lab.lost(*hop))
    return state, False


def _is_announced(lab: Lab, source: int, target: int, found: Any) -> bool:
    return isinstance(found, Refused) and is_announced(found, lab.lost(source, target))


FUSED = Law(
    "fused", "A read over many versions gives what the hops give one after the other.", _cases
)
