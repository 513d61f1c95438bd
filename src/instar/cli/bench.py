"""``instar bench``: times and sizes of a user's own states, in each format and by others."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from ..errors import ConfigError
from .options import Migrations, Schemas
from .output import print_json, progress

if TYPE_CHECKING:
    from ..bench.result import Result

EXAMPLE: Final = """\b
Example:
  instar bench --quick
  instar bench agent_run --payload runs/a.json --json run.json
  instar bench --compare before.json after.json --margin 0.05
"""


def bench(  # noqa: PLR0913 - each is one option
    subject: Annotated[
        str | None,
        typer.Argument(
            metavar="[SUBJECT]",
            help="The subject. Without it, the project's only one; outside of a project, the"
            " sample of an agent's state that comes with instar.",
            show_default=False,
        ),
    ] = None,
    *,
    payload: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE", help="JSON documents, or a folder of them; may be repeated."
        ),
    ] = None,
    store: Annotated[
        str | None, typer.Option(metavar="URL", help="A store whose blobs are measured.")
    ] = None,
    generated: Annotated[
        list[int] | None,
        typer.Option(
            min=1,
            metavar="N",
            help="Make up a state whose main list has N items; may be repeated. Without"
            " payloads: 2, 100 and 2000.",
        ),
    ] = None,
    version: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="The version measured, else the latest.")
    ] = None,
    formats: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Only these formats of instar; may be repeated."),
    ] = None,
    peers: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="Only these others: a name, or a kind of bytes such as json; may be repeated."
            " none leaves out all.",
        ),
    ] = None,
    peer: Annotated[
        list[str] | None,
        typer.Option(metavar="MODULE:NAME", help="A peer of your own; may be repeated."),
    ] = None,
    base: Annotated[
        str, typer.Option(metavar="NAME", help="The peer that ratios are taken to.")
    ] = "msgspec json",
    path: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PATH", help="What project reads; else the first and last plain field."
        ),
    ] = None,
    rounds: Annotated[
        int | None, typer.Option(metavar="N", help="Rounds of each process, else 7.")
    ] = None,
    processes: Annotated[
        int | None, typer.Option(metavar="N", help="Processes, else 5; 3 with --quick.")
    ] = None,
    seconds: Annotated[
        float | None,
        typer.Option(metavar="S", help="Start new processes until S seconds are over."),
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Shorter, and without YAML.")] = False,
    no_cold: Annotated[
        bool, typer.Option("--no-cold", help="Leave out cold starts in new processes.")
    ] = False,
    scale: Annotated[
        bool, typer.Option("--scale", help="Also measure 1 to 10,000 items, and how it grows.")
    ] = False,
    json: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write all that was found as JSON; - for stdout."),
    ] = None,
    compare: Annotated[
        tuple[Path, Path] | None,
        typer.Option(metavar="A B", help="Measure nothing; compare two such files, row by row."),
    ] = None,
    margin: Annotated[
        float, typer.Option(metavar="SHARE", help="What --compare lets pass, as a share.")
    ] = 0.05,
    schemas: Schemas = None,
    migrations: Migrations = None,
) -> None:
    """Measure formats and other libraries on your own states, on this machine.

    Each is checked to give the whole state back, then timed in turns with the others, in
    several new processes. Where intervals overlap, no ranking is shown. Exit code 1 if time
    grows worse than the state, a peer of yours is not fit, or --compare finds a row slower
    beyond the margin.
    """
    from . import bench_setup as setup  # noqa: PLC0415 - help needs none of what it imports

    if compare is not None:
        _compare(compare, margin, json)
        return
    wanted = setup.Wanted(
        subject=subject,
        files=tuple(payload or ()),
        store=store,
        generated=tuple(generated or ()),
        version=version,
        formats=tuple(formats or ()),
        peers=None if peers is None else tuple(peers),
        own=tuple(peer or ()),
        base=base,
        paths=tuple(path or ()),
        rounds=rounds,
        processes=processes,
        seconds=seconds,
        quick=quick,
        cold=not no_cold,
        scale=scale,
        command=shlex.join(["instar", *sys.argv[1:]]),
    )
    found = _run(wanted, schemas, migrations)
    _write(found, json)
    if found.findings:
        raise typer.Exit(1)


def _run(wanted: Any, schemas: Path | None, migrations: Path | None) -> Result:
    from ..bench.whole_run import run_bench, steps  # noqa: PLC0415 - as above
    from .bench_setup import ready  # noqa: PLC0415

    versions, task, asked = ready(wanted, schemas, migrations)
    with progress("Measuring", steps(asked, task)) as advance:
        return run_bench(versions, task, asked, lambda _: advance())


def _write(found: Result, json: Path | None) -> None:
    from ..bench.result_file import to_json  # noqa: PLC0415
    from .bench_tables import tell  # noqa: PLC0415

    if json is not None and str(json) != "-":
        json.write_text(to_json(found), encoding="utf-8")
    if json is not None and str(json) == "-":
        typer.echo(to_json(found), nl=False)
    else:
        tell(found)


def _compare(files: Sequence[Path], margin: float, json: Path | None) -> None:
    from msgspec import to_builtins  # noqa: PLC0415

    from ..bench.result_file import read_result  # noqa: PLC0415
    from ..bench.verdicts import compare  # noqa: PLC0415
    from .bench_verdicts import tell  # noqa: PLC0415

    if margin < 0:
        raise ConfigError(f"the margin is {margin}", mend="give a share, such as 0.05")
    before, after = map(read_result, files)
    found = compare(before, after, margin)
    if json is not None and str(json) != "-":
        raise ConfigError("--compare prints its JSON", mend="write --json -")
    if json is None:
        tell(found)
    else:
        print_json(to_builtins(found) | {"beyond": found.beyond})
    if found.beyond:
        raise typer.Exit(1)
