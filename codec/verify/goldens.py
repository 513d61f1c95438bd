"""What released code wrote is still read as it was."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from .lab import Lab
from .law import Broken, Case, Law, Replay, Settings


def _cases(lab: Lab, settings: Settings) -> Sequence[Case]:
    if settings.replay is None:
        return []
    findings = partial(_findings, settings.replay, lab)
    return [Case(lab.versions, "every format", findings=findings)]


def _findings(replay: Replay, lab: Lab) -> list[Broken]:
    return [
        Broken(f"{found.where}: {found.what}", expected="the recorded value", found=found.mend)
        for found in replay(lab.subject)
    ]


GOLDENS = Law(
    "goldens",
    "Recorded blobs of every release hydrate to the recorded value, by both engines.",
    _cases,
)
