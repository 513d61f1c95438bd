"""Cold starts: new processes that import instar, open the registry and hydrate one state."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import msgspec

from ...codec.engines import VARIABLE, engine
from ...errors import ConfigError
from ..measure import check_rounds, spread_of
from ..result import ColdStart, Phase
from .contenders import Contender, Field
from .task import Task

PHASES: Final = ("python", "import instar", "open the registry", "codec", "first hydrate")
"""What a cold start is made of, in order. The first is Python itself, with its site."""

# Time of the process, children aside: it starts at zero with the process.
_PROGRAM: Final = """\
import json, sys, time
now = time.process_time
times = [now()]
import instar
times.append(now())
schemas, migrations, subject, version, format, file = sys.argv[1:]
registry = instar.Registry.open(schemas, migrations or None, subjects=[subject])
times.append(now())
codec = registry.codec(subject, format=format, version=int(version))
blob = open(file, "rb").read()
times.append(now())
codec.decode(blob)
times.append(now())
print(json.dumps(times))
"""


@dataclass(frozen=True, slots=True)
class _Start:
    """One kind of start, and the arguments of the program."""

    name: str
    arguments: tuple[str, ...]


def cold_starts(
    task: Task, found: Field, rounds: int, advance: Callable[[], None] = lambda: None
) -> tuple[ColdStart, ...]:
    """Cold starts of instar in each format of ``found``, by the engine in use, in turns.

    The files are in the system's cache by then. Raises ``ConfigError`` for too few rounds.
    """
    check_rounds(rounds)
    ours = [one for one in found.contenders if one.entry.engine == engine().name]
    with TemporaryDirectory() as folder:
        starts = [_start(task, one, Path(folder)) for one in ours]
        for start in starts:
            _run(start)  # brings files into the cache
        times: dict[str, list[list[float]]] = {start.name: [] for start in starts}
        for _ in range(rounds):
            for start in starts:
                times[start.name].append(_run(start))
            advance()
    return tuple(_cold_start(name, found.payload.label, each) for name, each in times.items())


def _start(task: Task, one: Contender, folder: Path) -> _Start:
    file = folder / one.entry.family
    file.write_bytes(one.blob)
    about = (task.schemas, task.migrations or "", task.subject, str(task.version))
    return _Start(one.entry.name, (*about, one.entry.family, str(file)))


def _run(start: _Start) -> list[float]:
    """Seconds of the process at the end of each phase."""
    done = subprocess.run(  # noqa: S603 - this very Python, and a program of our own
        [sys.executable, "-c", _PROGRAM, *start.arguments],
        env={**os.environ, VARIABLE: engine().name},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        last = done.stderr.strip().splitlines()[-1:]
        raise ConfigError(f"a new process cannot hydrate it: {''.join(last)}", where=start.name)
    return msgspec.json.decode(done.stdout, type=list[float])


def _cold_start(name: str, payload: str, times: Sequence[list[float]]) -> ColdStart:
    phases = (Phase(name=phase, seconds=spread_of(took)) for phase, took in _each(times))
    total = spread_of([each[-1] for each in times])
    return ColdStart(peer=name, payload=payload, phases=tuple(phases), total=total)


def _each(times: Sequence[list[float]]) -> Iterator[tuple[str, list[float]]]:
    for place, phase in enumerate(PHASES):
        before = [each[place - 1] if place else 0.0 for each in times]
        yield phase, [each[place] - less for each, less in zip(times, before, strict=True)]
