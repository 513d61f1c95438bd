"""``instar rollout``: the commands about fleets in which old and new code work together."""

from __future__ import annotations

import typer

from . import rollout_simulate

app = typer.Typer(no_args_is_help=True, rich_markup_mode=None)


@app.callback()
def rollout() -> None:
    """Old and new code that share one store."""


app.command(
    "simulate",
    epilog=rollout_simulate.EXAMPLE,
    short_help="Try a rollout and its rollback with real processes.",
)(rollout_simulate.simulate)
