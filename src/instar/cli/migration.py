"""``instar migration``: the commands about the steps between versions."""

from __future__ import annotations

import typer

from . import migration_new, migration_path

app = typer.Typer(no_args_is_help=True, rich_markup_mode=None)
app.command("new", epilog=migration_new.EXAMPLE, short_help="Write the migration to the newest.")(
    migration_new.new
)
app.command("path", epilog=migration_path.EXAMPLE, short_help="Explain a way in words.")(
    migration_path.path
)
