"""``instar migration``: the commands about the steps between versions."""

from __future__ import annotations

import typer

from . import migration_path

app = typer.Typer(no_args_is_help=True, rich_markup_mode=None)
app.command("path", epilog=migration_path.EXAMPLE, short_help="Explain a way in words.")(
    migration_path.path
)
