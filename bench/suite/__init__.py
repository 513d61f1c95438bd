"""Runs the bench: lots of rounds in new processes, and what is made of their times."""

from __future__ import annotations

from .run import Effort, run_lots
from .task import Lot, Task, Timed

__all__ = ["Effort", "Lot", "Task", "Timed", "run_lots"]
