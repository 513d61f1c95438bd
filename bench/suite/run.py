"""Runs lots one after the other, each in a process of its own.

Two processes of one program differ in where things lie in memory and how strings hash, and a
time differs with them: by more, often, than it varies within a process. So what a result says
of its own certainty comes from several processes.
"""

from __future__ import annotations

import math
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from time import monotonic

import msgspec

from ...errors import ConfigError
from ..measure import check_rounds
from .failure import FAILED, Failure
from .lot import run_lot
from .task import Lot, Task


@dataclass(frozen=True, slots=True)
class Effort:
    """How many processes: ``processes``, or more until ``seconds`` are over.

    One alone means this process, and no new one.
    """

    processes: int
    seconds: float | None = None


def run_lots(task: Task, effort: Effort, advance: Callable[[], None] = lambda: None) -> list[Lot]:
    """The lots of a task; ``advance`` is called after each.

    Raises ``ConfigError`` for too few rounds, for seconds that never end, and what a lot raises.
    """
    check_rounds(task.rounds)
    if effort.processes < 1:
        raise ConfigError(f"{effort.processes} processes measure nothing", mend="give 1 or more")
    if effort.seconds is not None and not 0 < effort.seconds < math.inf:
        raise ConfigError(f"{effort.seconds} seconds are no time", mend="give a number above 0")
    run = run_lot if effort.processes == 1 and effort.seconds is None else _in_process
    start, lots = monotonic(), [run(task)]
    advance()
    later = replace(task, fit=lots[0].fit)
    while len(lots) < effort.processes or _has_time(effort, monotonic() - start):
        lots.append(run(later))
        advance()
    return lots


def _has_time(effort: Effort, spent: float) -> bool:
    return effort.seconds is not None and spent < effort.seconds


def _in_process(task: Task) -> Lot:
    done = subprocess.run(
        [sys.executable, "-m", "instar.bench.suite.worker"],
        input=msgspec.json.encode(task),
        stdout=subprocess.PIPE,
        start_new_session=True,  # Ctrl-C ends this process, and run() then kills that one
        check=False,
    )
    if done.returncode == FAILED and done.stdout:
        raise msgspec.json.decode(done.stdout, type=Failure).error()
    if done.returncode:
        raise ConfigError(
            f"the process that measures ended with exit code {done.returncode}",
            mend="leave out the peer that ends it, with --peers",
        )
    return msgspec.json.decode(done.stdout, type=Lot)
