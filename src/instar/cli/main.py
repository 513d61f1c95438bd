"""Builds ``instar`` from its commands, and turns errors into messages and exit codes."""

from __future__ import annotations

import errno
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Annotated, Any, Final

import typer
from typer.core import TyperGroup

from ..errors import ConfigError, InstarError, InvalidKey, MissingExtra, NoSuchKey, NoSuchSubject
from . import (
    adopt,
    bench,
    census,
    check,
    convert,
    diff,
    documents,
    generate,
    infer,
    inspect,
    migration,
    new,
    prune,
    record,
    release,
    rollout,
    tour,
    verify,
)
from .output import is_open, report

FINDINGS: Final = 1
MISUSE: Final = 2
INTERRUPTED: Final = 130

_MISUSES = (ConfigError, InvalidKey, MissingExtra, NoSuchKey, NoSuchSubject)

_WRONG_PATHS = (
    FileExistsError,
    FileNotFoundError,
    IsADirectoryError,
    NotADirectoryError,
    PermissionError,
)
_WRONG_NAMES = (errno.ENAMETOOLONG, errno.ELOOP)


class Commands(TyperGroup):
    """The commands; whatever goes wrong in one is told in a line or two, without traceback."""

    def make_context(self, *args: Any, **options: Any) -> Any:
        """Read the arguments, and print help and version. Raises typer.Exit as ``invoke``."""
        with _told():
            return super().make_context(*args, **options)

    def invoke(self, ctx: Any) -> Any:
        """Run the command. Raises typer.Exit with the exit code of an error."""
        with _told():
            result = super().invoke(ctx)
            if is_open(sys.stdout):
                # Now, so that a closed pipe is met where it is handled.
                sys.stdout.flush()
            return result


@contextmanager
def _told() -> Generator[None]:
    try:
        yield
    except InstarError as error:
        report(error)
        raise typer.Exit(exit_code(error)) from error
    except KeyboardInterrupt as error:
        raise typer.Exit(INTERRUPTED) from error
    except OSError as error:
        if error.errno == errno.EPIPE:
            raise
        report(InstarError(error.strerror or str(error), where=str(error.filename or "")))
        misuse = isinstance(error, _WRONG_PATHS) or error.errno in _WRONG_NAMES
        raise typer.Exit(MISUSE if misuse else FINDINGS) from error


def exit_code(error: InstarError) -> int:
    """2 where the command was called wrongly, 1 where what it read is at fault."""
    return MISUSE if isinstance(error, _MISUSES) else FINDINGS


app = typer.Typer(
    name="instar",
    cls=Commands,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    # Plain help: rich alone takes longer to import than all the rest.
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 80},
)


def _show_version(value: bool) -> None:
    if value:
        from importlib.metadata import version  # noqa: PLC0415 - slow, and seldom needed

        typer.echo(f"instar {version('instar')}")
        raise typer.Exit


@app.callback(
    epilog="Exit codes: 0 all is well, 1 something was found or could not be read, 2 misuse."
)
def instar(
    *,
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Print it.")
    ] = False,
) -> None:
    """Schema-versioned serialization and migration for AI-agent state."""
    del version


def _add(command: Callable[..., None], example: str, purpose: str, name: str = "") -> None:
    app.command(name or None, epilog=example, short_help=purpose)(command)


_add(tour.tour, tour.EXAMPLE, "Show what instar does, on one agent's state.")
_add(infer.infer, infer.EXAMPLE, "Propose a first schema from sample JSON documents.")
_add(adopt.adopt, adopt.EXAMPLE, "Take existing JSON documents into a store.")
_add(generate.generate, generate.EXAMPLE, "Write typed Python packages from schemas.")
_add(check.check, check.EXAMPLE, "Find what is wrong with schemas and migrations.")
_add(diff.diff_command, diff.EXAMPLE, "Name what changed between versions, and breaks.", "diff")
_add(verify.verify, verify.EXAMPLE, "Run the laws of migrations on generated states.")
_add(new.new, new.EXAMPLE, "Start the next version of a subject from its latest.")
app.add_typer(
    migration.app,
    name="migration",
    short_help="Write the next migration, and explain ways in words.",
    help="The steps between the versions of a subject.",
)
app.add_typer(
    rollout.app,
    name="rollout",
    short_help="Try a rollout and its rollback with real processes.",
    help="Old and new code that share one store.",
)
_add(release.release, release.EXAMPLE, "Freeze the newest version in instar.lock.")
_add(record.record, record.EXAMPLE, "Keep blobs of each released version for ever.")
_add(inspect.inspect, inspect.EXAMPLE, "Explain a blob byte by byte, and show its state.")
_add(convert.convert, convert.EXAMPLE, "Write a blob in another format or version.")
_add(bench.bench, bench.EXAMPLE, "Measure formats and libraries on your own states.")
_add(census.census, census.EXAMPLE, "Count a store by subject, version and format.")
_add(documents.documents, documents.EXAMPLE, "List the schemas that travel with a store.")
_add(prune.prune, prune.EXAMPLE, "Keep the last states of each run in a store.")


def main() -> None:
    """Run ``instar`` with the arguments of the process, and exit."""
    app(prog_name="instar")
