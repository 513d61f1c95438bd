"""What a simulation finds wrong, and what it counts."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Loss:
    """Something that was written and is not there, or that should not have gone through.

    ``operation`` counts from 1 in the run of ``seed``. ``path`` is a place in the state, empty
    where all of it is meant; ``expected`` and ``found`` are for people.
    """

    seed: int
    operation: int
    stage: str
    process: str
    key: str
    what: str
    path: str = ""
    expected: str = ""
    found: str = ""

    def to_json(self) -> dict[str, Any]:
        """Plain values, by the names of the attributes."""
        return asdict(self)


@dataclass(slots=True)
class Counts:
    """How much was done in a stage of a run, and what became of it."""

    operations: int = 0
    conflicts: int = 0
    refusals: Counter[str] = field(default_factory=Counter[str])
    losses: int = 0

    def add(self, other: Counts) -> None:
        """Count what ``other`` counted, too."""
        self.operations += other.operations
        self.conflicts += other.conflicts
        self.refusals += other.refusals
        self.losses += other.losses

    def to_json(self) -> dict[str, Any]:
        """Plain values, by the names of the attributes."""
        return {
            "operations": self.operations,
            "conflicts": self.conflicts,
            "refusals": dict(self.refusals),
            "losses": self.losses,
        }
