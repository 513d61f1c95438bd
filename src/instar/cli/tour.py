"""``instar tour``: what instar does, shown on one agent's state, all of it computed on the spot."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated, Final

import typer

from .output import heading, line
from .tour_folder import commands_to_try, start_afresh
from .tour_scenes import (
    fill_store,
    read_store,
    save_some,
    show_blob,
    show_guards,
    show_state,
)
from .tour_stage import KEY, Stage, say
from .tour_times import show_times

EXAMPLE: Final = """\b
Example:
  instar tour
  instar tour --out demo
"""

_SCENES: Final = (
    show_state,
    show_blob,
    fill_store,
    read_store,
    save_some,
    show_guards,
    show_times,
)


def tour(
    *,
    out: Annotated[
        Path, typer.Option("--out", metavar="DIR", help="The folder for the store of the tour.")
    ] = Path("instar-tour"),
) -> None:
    """Show what instar does on one agent's state: a few seconds, nothing recorded.

    Writes a store, a blob and the schemas into a folder, and says what to try next. Run
    again, it starts afresh; it deletes only what it made.
    """
    start = time.perf_counter()
    folder, again = start_afresh(out, KEY)
    say(
        "instar keeps an agent's state readable while its schema changes. All that follows is"
        f" computed now, by the public API, in {out}/."
    )
    if again:
        line()
        say("An earlier tour was here: its files are deleted, and this one starts afresh.")
    stage = Stage.open(folder)
    for scene in _SCENES:
        scene(stage)
    _say_goodbye(stage, time.perf_counter() - start)


def _say_goodbye(stage: Stage, seconds: float) -> None:
    heading("The store stays: three commands to try")
    say(f"{stage.folder.store} holds the agents, and the tour took {seconds:.1f} s.")
    line()
    for command in commands_to_try(stage.folder, KEY, stage.registry):
        for row in command:
            line(f"  {row}")


COMMAND = tour
