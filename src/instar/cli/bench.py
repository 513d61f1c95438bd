"""``instar bench``: times and sizes of a user's own states, in each format and by others."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Final

import typer

from ..errors import ConfigError
from . import bench_options as options
from .bench_wanted import Wanted, WantedEffort, WantedPayloads, WantedPeers
from .options import Migrations, Schemas
from .output import print_json, progress
from .sources import check_writable

if TYPE_CHECKING:
    from ..bench.peers import Versions
    from ..bench.result import Result
    from ..bench.suite import Task
    from ..bench.whole_run import Asked

EXAMPLE: Final = """\b
Example:
  instar bench --quick
  instar bench agent_run --payload runs/a.json --json run.json --html run.html
  instar bench --compare before.json after.json --margin 0.05
"""


def bench(  # noqa: PLR0913 - each is one option
    subject: options.Subject = None,
    *,
    payload: options.Payload = None,
    store: options.Store = None,
    generated: options.Generated = None,
    version: options.Version = None,
    formats: options.Formats = None,
    peers: options.Peers = None,
    peer: options.Peer = None,
    base: options.Base = "msgspec json",
    path: options.Paths = None,
    rounds: options.Rounds = None,
    processes: options.Processes = None,
    seconds: options.Seconds = None,
    quick: options.Quick = False,
    no_cold: options.NoCold = False,
    scale: options.Scale = False,
    json: options.JsonFile = None,
    html: options.HtmlFile = None,
    compare: options.Compare = None,
    margin: options.Margin = 0.05,
    schemas: Schemas = None,
    migrations: Migrations = None,
) -> None:
    """Measure formats and other libraries on your own states, on this machine.

    Each is checked to give the whole state back, then timed in turns with the others, in
    several new processes. Where intervals overlap, no ranking is shown. Exit code 1 if time
    grows worse than the state, a peer of yours is not fit, or --compare finds a row slower
    beyond the margin.
    """
    if html is not None:
        _check_page(html, measures=compare is None)
    if json is not None and str(json) != "-" and compare is None:
        check_writable(json)
    if compare is not None:
        _compare(compare, margin, json)
        return
    from .bench_setup import ready  # noqa: PLC0415 - help needs none of what it imports

    wanted = Wanted(
        subject,
        version,
        WantedPayloads(payload or (), store, generated or ()),
        WantedPeers(formats or (), peers, peer or (), base),
        WantedEffort(rounds, processes, seconds, quick, not no_cold, scale),
        path or (),
        shlex.join(["instar", *sys.argv[1:]]),
    )
    with redirect_stdout(sys.stderr):  # what a peer prints is no part of the result
        found = _run(*ready(wanted, schemas, migrations))
    _write(found, json)
    if html is not None:
        _write_page(found, html)
    if found.findings:
        raise typer.Exit(1)


def _run(versions: Versions, task: Task, asked: Asked) -> Result:
    from ..bench.whole_run import run_bench, steps  # noqa: PLC0415 - as above

    with progress("Measuring", steps(asked)) as advance:
        return run_bench(versions, task, asked, lambda _: advance())


def _write(found: Result, json: Path | None) -> None:
    from ..bench.result_file import to_json  # noqa: PLC0415 - as above
    from .bench_tables import tell  # noqa: PLC0415 - as above

    if json is not None and str(json) == "-":
        typer.echo(to_json(found), nl=False)
        return
    if json is not None:
        json.write_text(to_json(found), encoding="utf-8")
    tell(found)


def _check_page(html: Path, *, measures: bool) -> None:
    from ..bench.page import check_place  # noqa: PLC0415 - as above

    if not measures:
        raise ConfigError("--compare writes no page", mend="leave out --html")
    check_place(html)


def _write_page(found: Result, html: Path) -> None:
    from ..bench.page import write_page  # noqa: PLC0415 - as above

    write_page(found, html)


def _compare(files: Sequence[Path], margin: float, json: Path | None) -> None:
    from msgspec import to_builtins  # noqa: PLC0415 - as above

    from ..bench.result_file import read_result  # noqa: PLC0415 - as above
    from ..bench.verdicts import compare  # noqa: PLC0415 - as above
    from .bench_verdicts import tell  # noqa: PLC0415 - as above

    if json is not None and str(json) != "-":
        raise ConfigError("--compare prints its JSON", mend="write --json -")
    before, after = map(read_result, files)
    found = compare(before, after, margin)
    if json is None:
        tell(found)
    else:
        print_json(to_builtins(found) | {"beyond": found.beyond})
    if found.beyond:
        raise typer.Exit(1)
