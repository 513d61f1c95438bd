"""What the report of losses lets a law pass."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from ...errors import MigrationMismatch
from ...migrations.lost_paths import LostPaths
from ..loss_report import path_losses, round_trip_losses
from ..subject import Subject
from .paths import is_lost

_LABEL: Final = re.compile(r"<[^<>]*>")


@dataclass(frozen=True, slots=True)
class Announced:
    """Paths of a version whose values may be refused at another one, or differ when they
    come back from there, with whatever lies below them.
    """

    trip: LostPaths
    refused: frozenset[str]

    def covers(self, path: str) -> bool:
        """Whether the report names ``path``, which is written as in errors."""
        return self.trip.covers(path) or is_lost(path, self.refused)


NOTHING: Final = Announced(LostPaths(frozenset(), {}), frozenset())
"""No loss is announced."""
EVERYTHING: Final = Announced(LostPaths(frozenset({""}), {}), frozenset())
"""There is no way there and back, and the report says so."""


def losses(subject: Subject, source: int, target: int) -> Announced:
    """What is announced for states of ``source`` that go to ``target`` and back."""
    try:
        trip = round_trip_losses(subject, source, target)
        refused = [loss for loss in path_losses(subject, source, target) if loss.kind == "refused"]
    except MigrationMismatch:
        return EVERYTHING
    # An error has the path of the union, and names the branch in its words.
    return Announced(trip, frozenset(_LABEL.sub("", loss.path) for loss in refused))
