"""Compatibility of two versions: every change and what it breaks, and verdicts that are run."""

from .change import Break, Change, Direction, Reading
from .diff import diff
from .execute import Failure, Settings, Verdict, run
from .modes import MODES, Mode, verdict, verdicts

__all__ = [
    "MODES",
    "Break",
    "Change",
    "Direction",
    "Failure",
    "Mode",
    "Reading",
    "Settings",
    "Verdict",
    "diff",
    "run",
    "verdict",
    "verdicts",
]
