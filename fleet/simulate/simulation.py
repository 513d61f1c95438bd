"""A rollout to be tried, and the report of it."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Any

from ...codec.registry import Registry
from ...codec.tag import Format
from ...codec.verify.lab import Lab
from ...errors import ConfigError
from ...store.memory import MemoryStore
from ...store.store import Store
from ...store.url import open_store
from .cutoff import cut_off
from .findings import Counts, Loss
from .process import WORKER, Process
from .run import Run
from .stages import Stage, stages
from .wire import Start

OPERATIONS = 600
"""Operations of one rollout unless another number is asked for."""


@dataclass(frozen=True, slots=True)
class Simulation:
    """What is to be tried: a subject, the versions of old and new code, and how.

    ``store`` is the address of a store that processes can share and that holds nothing yet;
    without it, an SQLite store in a temporary folder. ``worker`` is what a process runs.
    """

    schemas: Path
    migrations: Path | None
    subject: str
    old: int
    new: int
    format: Format = "avro"
    processes: int = 4
    operations: int = OPERATIONS
    seed: int = 0
    store: str | None = None
    worker: Sequence[str] = WORKER


@dataclass(slots=True)
class Report:
    """What came of it, by stage; ``rollouts`` had the seeds from ``seed`` on."""

    simulation: Simulation
    rollouts: int = 0
    stages: list[tuple[Stage, Counts]] = field(default_factory=list[tuple[Stage, Counts]])
    losses: list[Loss] = field(default_factory=list[Loss])

    @property
    def total(self) -> Counts:
        """All stages together."""
        found = Counts()
        for _, counts in self.stages:
            found.add(counts)
        return found


def simulate(
    simulation: Simulation,
    seconds: float | None = None,
    progress: Callable[[], None] = lambda: None,
) -> Report:
    """Take a fleet through a rollout and its rollback; with ``seconds``, again and again.

    Each further rollout has the next seed, and the last is finished however long it takes; none
    follows one that lost something. ``progress`` is called after each stage. Raises
    NoSuchSubject and ConfigError for what cannot be tried, MissingExtra without hypothesis,
    SchemaError and MigrationError for what does not open, StoreError, and InstarError where a
    process ends.
    """
    _check(simulation)
    report, end = Report(simulation), monotonic() + (seconds or 0)
    registry = cut_off(_opened(simulation), simulation.subject, simulation.new)
    # Code that is pinned needs a way down: what keeps it from there is better said now.
    registry.subject(simulation.subject).plan(simulation.new, simulation.old)
    while not report.rollouts or (monotonic() < end and not report.losses):
        with _address(simulation) as address:
            _roll_out(simulation, registry, address, report, progress)
    return report


def _opened(simulation: Simulation) -> Registry:
    place = simulation.schemas, simulation.migrations
    return Registry.open(*place, subjects=[simulation.subject])


def _check(simulation: Simulation) -> None:
    if simulation.old >= simulation.new:
        raise ConfigError(
            f"a rollout goes up, and not from {simulation.old} to {simulation.new}",
            mend="name the older version first",
        )
    if simulation.processes < 2:  # noqa: PLR2004 - or there is no mixed fleet
        raise ConfigError("one process is no fleet", mend="have 2 or more")


@contextmanager
def _address(simulation: Simulation) -> Generator[str]:
    if simulation.store is not None:
        yield simulation.store
        return
    with TemporaryDirectory(prefix="instar-rollout-") as folder:
        yield str(Path(folder) / "rollout.db")


def _roll_out(
    simulation: Simulation,
    registry: Registry,
    address: str,
    report: Report,
    progress: Callable[[], None],
) -> None:
    seed = simulation.seed + report.rollouts
    versions = simulation.old, simulation.new
    codecs = {
        version: registry.codec(simulation.subject, format="msgpack", version=version)
        for version in versions
    }
    store = open_store(address)
    try:
        _check_store(store, address)
        launch = _launcher(simulation, address)
        run = Run(seed, codecs, Lab(registry.subject(simulation.subject)), store, launch)
        plan = list(stages(*versions, simulation.processes))
        for index, (stage, counts, losses) in enumerate(run.stages(plan, simulation.operations)):
            _count(report, index, stage, counts, losses)
            progress()
    finally:
        store.close()
    report.rollouts += 1


def _check_store(store: Store, address: str) -> None:
    if isinstance(store, MemoryStore):
        raise ConfigError(
            "processes cannot share it", where=address, mend="name a database or a folder"
        )
    if next(iter(store.scan()), None) is not None:
        raise ConfigError(
            "the store holds states, which a simulation would be mixed with",
            where=address,
            mend="name one that holds none",
        )


def _launcher(simulation: Simulation, address: str) -> Callable[[str, int, int], Process]:
    migrations = simulation.migrations

    def launch(name: str, version: int, written: int) -> Process:
        start = Start(
            str(simulation.schemas),
            None if migrations is None else str(migrations),
            simulation.subject,
            version,
            written,
            simulation.format,
            address,
        )
        return Process(name, start, simulation.worker)

    return launch


def _count(report: Report, index: int, stage: Stage, counts: Counts, losses: Any) -> None:
    if index == len(report.stages):
        report.stages.append((stage, Counts()))
    report.stages[index][1].add(counts)
    report.losses += losses
