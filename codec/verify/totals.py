"""Every state goes up; every state goes down, or is refused where a loss is announced."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from ...errors import NotExpressible
from ..compatibility.choices import choices
from ..compatibility.values import states
from .lab import Lab, Refused, attempt
from .law import Broken, Case, Law, Settings
from .losses import Announced


def case(lab: Lab, route: tuple[int, ...], trial: Any, format_: str = "avro") -> Case:
    """A case that tries states of the first version of ``route``."""
    types = lab.subject.types(route[0])
    return Case(route, format_, partial(states, types), partial(choices, types), trial)


def is_announced(refused: Refused, lost: Announced) -> bool:
    """Whether a refusal is of a value that the report of losses names."""
    error = refused.error
    return isinstance(error, NotExpressible) and lost.covers(error.path)


def _upgrades(lab: Lab, settings: Settings) -> Sequence[Case]:
    del settings
    return [case(lab, pair, partial(_upgrade, lab, *pair)) for pair in lab.pairs()]


def _upgrade(lab: Lab, source: int, target: int, state: Any) -> Broken | None:
    found = lab.migrate(state, source, target)
    if not isinstance(found, Refused):
        # What was read has to be what its own version can hold.
        found = attempt(lab.encoder(target), found)
    return _refusal(lab, state, source, target, found) if isinstance(found, Refused) else None


def _downgrades(lab: Lab, settings: Settings) -> Sequence[Case]:
    del settings
    routes = [(high, low) for low, high in lab.pairs()]
    return [case(lab, route, partial(_downgrade, lab, *route)) for route in routes]


def _downgrade(lab: Lab, source: int, target: int, state: Any) -> Broken | None:
    found = lab.migrate(state, source, target)
    if not isinstance(found, Refused):
        found = attempt(lab.encoder(target), found)
    if not isinstance(found, Refused) or is_announced(found, lab.lost(source, target)):
        return None
    return _refusal(lab, state, source, target, found)


def _refusal(lab: Lab, state: Any, source: int, target: int, found: Refused) -> Broken:
    return Broken(
        f"a state of version {source} is refused: {found}",
        lab.to_json(source, state),
        f"a state of version {target}",
        str(found),
    )


UPGRADE_TOTAL = Law(
    "upgrade-total", "Every state of an older version can be read at a newer one.", _upgrades
)
DOWNGRADE_TOTAL = Law(
    "downgrade-total",
    "Every state of a newer version can be read at an older one, but for announced losses.",
    _downgrades,
)
