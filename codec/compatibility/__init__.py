"""Compatibility of two versions: every change and what it breaks, and verdicts that are run."""

from .change import Break, Change, Direction, RawFormat, Reading
from .diff import diff
from .execute import Failure, Settings, Verdict, run
from .modes import Mode, verdict, verdicts

__all__ = [
    "Break",
    "Change",
    "Direction",
    "Failure",
    "Mode",
    "RawFormat",
    "Reading",
    "Settings",
    "Verdict",
    "diff",
    "run",
    "verdict",
    "verdicts",
]
