"""What the report of losses lets a law pass."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ...errors import MigrationMismatch
from ...migrations.lost_paths import LostPaths
from ..loss_report import refusals, round_trip_losses
from ..subject import Subject


@dataclass(frozen=True, slots=True)
class Announced:
    """Paths of a version whose values may be refused at another one, or differ when they
    come back from there, with whatever lies below them.
    """

    trip: LostPaths
    refused: LostPaths

    def covers(self, path: str) -> bool:
        """Whether the report names ``path``, which is written as in errors."""
        return self.trip.covers(path) or self.refused.covers(path)


NOTHING: Final = Announced(LostPaths(frozenset()), LostPaths(frozenset()))
"""No loss is announced."""
EVERYTHING: Final = Announced(LostPaths(frozenset({""})), LostPaths(frozenset()))
"""There is no way there and back, and the report says so."""


def losses(subject: Subject, source: int, target: int) -> Announced:
    """What is announced for states of ``source`` that go to ``target`` and back."""
    try:
        return Announced(
            round_trip_losses(subject, source, target), refusals(subject, source, target)
        )
    except MigrationMismatch:
        return EVERYTHING
