"""``instar rollout simulate``: a rollout and its rollback, tried with real processes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Any, Final, TypeAlias

import typer

from ..codec.extras import import_hypothesis
from ..errors import ConfigError
from ..fleet.simulate.findings import Counts, Loss
from ..fleet.simulate.simulation import OPERATIONS, Report, Simulation
from ..fleet.simulate.simulation import simulate as run
from ..fleet.simulate.stages import Stage, stages
from .options import Json, Migrations, Schemas, WrittenFormat
from .output import count, heading, line, print_json, progress, table
from .project import find_workplace

EXAMPLE: Final = """\b
Example:
  instar rollout simulate agent_state --from 2 --to 3
  instar rollout simulate agent_state --from 2 --to 3 --seconds 600
  instar rollout simulate agent_state --from 2 --to 3 --format json --seed 7
"""

_Operations: TypeAlias = Annotated[
    int, typer.Option(metavar="N", min=1, help="Operations of one rollout.")
]
_Seconds: TypeAlias = Annotated[
    float | None,
    typer.Option(metavar="N", min=0, help="Repeat it for so long, each time by another seed."),
]
_Seed: TypeAlias = Annotated[
    int, typer.Option(metavar="N", help="What is done, and in which order.")
]
_Processes: TypeAlias = Annotated[
    int, typer.Option(metavar="N", min=2, max=64, help="Processes in the fleet.")
]
_Store: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="URL",
        help="An empty store to use. Without it, an SQLite one in a temporary folder.",
    ),
]

_MOST_LOSSES: Final = 3
_LONGEST: Final = 300


def simulate(  # noqa: PLR0913 - each is one option
    subject: Annotated[str, typer.Argument(metavar="SUBJECT", help="The subject.")],
    *,
    from_: Annotated[
        int, typer.Option("--from", metavar="VERSION", min=1, help="The version of the old code.")
    ],
    to: Annotated[int, typer.Option(metavar="VERSION", min=1, help="The version of the new code.")],
    operations: _Operations = OPERATIONS,
    seconds: _Seconds = None,
    seed: _Seed = 0,
    processes: _Processes = 4,
    format_: WrittenFormat = None,
    store: _Store = None,
    schemas: Schemas = None,
    migrations: Migrations = None,
    json: Json = False,
) -> None:
    """Try a rollout from one version to another, and its rollback, with real processes.

    Each process is a program that knows no version after its own. They create, load, edit,
    save and delete states in one store, and some are killed, while the fleet goes from all
    old over mixed to all new, and back. Whatever was written has to be there after each save.
    The same seed does the same again. Exit code 1 if anything is lost.
    """
    import_hypothesis()
    if seconds is not None and store is not None:
        raise ConfigError("--seconds repeats rollouts, each of which needs an empty --store")
    place = find_workplace(schemas, migrations)
    simulation = Simulation(
        place.schemas,
        place.migrations,
        subject,
        from_,
        to,
        format_ or place.format,
        processes,
        operations,
        seed,
        store,
    )
    total = len(list(stages(from_, to, processes))) if seconds is None else None
    with progress("Rolling out", total) as advance:
        report = run(simulation, seconds, advance)
    if json:
        print_json(_to_json(report))
    else:
        _tell(report)
    if report.losses:
        raise typer.Exit(1)


def _to_json(report: Report) -> dict[str, Any]:
    tried = report.simulation
    return {
        "subject": tried.subject,
        "from": tried.old,
        "to": tried.new,
        "format": tried.format,
        "processes": tried.processes,
        "seed": tried.seed,
        "rollouts": report.rollouts,
        "total": report.total.to_json(),
        "stages": [
            {
                "stage": stage.name,
                "versions": list(stage.versions),
                "written": stage.written,
                **counts.to_json(),
            }
            for stage, counts in report.stages
        ],
        "losses": [loss.to_json() for loss in report.losses],
    }


_COLUMNS: Final = ("stage", "processes", "writes", "operations", "conflicts", "refused", "lost")


def _tell(report: Report) -> None:
    tried, total = report.simulation, report.total
    heading(f"{tried.subject} from version {tried.old} to {tried.new} and back, {tried.format}")
    rows = [_row(stage, counts) for stage, counts in report.stages]
    table(_COLUMNS, rows, right=_COLUMNS[2:])
    if total.refusals:
        heading("Refused, with the state as it was")
        for name, times in sorted(total.refusals.items()):
            line(f"  {name}: {count(times, 'time')}")
    for loss in report.losses[:_MOST_LOSSES]:
        heading(f"Lost: {loss.key}, at operation {loss.operation}, {loss.stage}")
        for part in _explained(loss):
            line(f"  {part}")
        line(f"  again: {_command(tried, loss.seed)}")
    _tell_sum(report, total)


def _tell_sum(report: Report, total: Counts) -> None:
    parts = [
        count(total.operations, "operation"),
        count(total.conflicts, "conflict"),
        count(sum(total.refusals.values()), "refusal"),
        count(total.losses, "loss", "losses"),
    ]
    first = report.simulation.seed
    last = first + report.rollouts - 1
    seeds = f"seed {first}" if first == last else f"seeds {first} to {last}"
    line(f"\n{', '.join(parts)}; {seeds}")


def _row(stage: Stage, counts: Counts) -> Sequence[str]:
    return (
        stage.name,
        _versions(stage.versions),
        str(stage.written),
        f"{counts.operations:,}",
        f"{counts.conflicts:,}",
        f"{sum(counts.refusals.values()):,}",
        f"{counts.losses:,}",
    )


_MOST_VERSIONS: Final = 6


def _versions(versions: Sequence[int]) -> str:
    """``3 2 2 2``; ``12 of 3, 4 of 2`` where there are many."""
    if len(versions) <= _MOST_VERSIONS:
        return " ".join(map(str, versions))
    return ", ".join(
        f"{versions.count(each)} of {each}" for each in sorted(set(versions), reverse=True)
    )


def _explained(loss: Loss) -> Iterator[str]:
    yield loss.process
    yield f"{loss.what}: {loss.path}" if loss.path else loss.what
    if loss.expected or loss.found:
        yield f"  expected {_cut(loss.expected)}"
        yield f"  found    {_cut(loss.found)}"


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}...  (all of it: --json)"


def _command(tried: Simulation, seed: int) -> str:
    """What does the same again."""
    return (
        f"instar rollout simulate {tried.subject} --from {tried.old} --to {tried.new} "
        f"--format {tried.format} --processes {tried.processes} "
        f"--operations {tried.operations} --seed {seed}"
    )
