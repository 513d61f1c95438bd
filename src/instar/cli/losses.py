"""How commands show what is lost between two versions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from ..codec.loss_report import path_losses
from ..codec.subject import Subject
from ..errors import MigrationError
from ..migrations.losses import Loss
from .output import line, table

_MOST = 3
"""Paths of a kind that one line names."""


@dataclass(frozen=True, slots=True)
class Way:
    """What is lost on a way between two versions; ``problem`` says why there is none."""

    source: int
    target: int
    losses: tuple[Loss, ...]
    problem: str

    @classmethod
    def of(cls, subject: Subject, source: int, target: int) -> Way:
        """Look at one way."""
        try:
            return cls(source, target, tuple(path_losses(subject, source, target)), "")
        except MigrationError as error:
            return cls(source, target, (), str(error))

    def plain(self) -> dict[str, Any]:
        """For ``--json``."""
        return {
            "from": self.source,
            "to": self.target,
            "losses": losses_json(self.losses),
            "problem": self.problem,
        }


def newest_step(subject: Subject) -> list[Way]:
    """The ways between the two newest versions, up and down."""
    latest = subject.latest
    return (
        []
        if latest == 1
        else [Way.of(subject, latest - 1, latest), Way.of(subject, latest, latest - 1)]
    )


def way_words(way: Way) -> str:
    """A way in one line: which fields it loses, changes or refuses."""
    if way.problem:
        return way.problem
    parts: list[str] = []
    for kind, verb in (("dropped", "drops"), ("changed", "changes"), ("refused", "may refuse")):
        paths = list(dict.fromkeys(loss.path for loss in way.losses if loss.kind == kind))
        if paths:
            more = f" and {len(paths) - _MOST} more" if len(paths) > _MOST else ""
            parts.append(f"{verb} {', '.join(paths[:_MOST])}{more}")
    return "; ".join(parts)


def losses_json(found: Sequence[Loss]) -> list[dict[str, Any]]:
    """Losses for ``--json``: each ``path``, ``kind`` and ``what``."""
    return [msgspec.to_builtins(loss) for loss in found]


def tell_losses(way: Way) -> None:
    """Print what a way loses as a table, or that it loses nothing."""
    if way.problem:
        line(f"  there is no way: {way.problem}")
    elif way.losses:
        table(["field", "is", "what"], [[loss.path, loss.kind, loss.what] for loss in way.losses])
    else:
        line("  nothing")
