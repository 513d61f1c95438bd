"""What commands print: results to stdout, everything about them to stderr."""

# ruff: noqa: PLC0415 - rich takes longer to import than most commands take to run

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final, TextIO

import typer

from ..errors import InstarError

if TYPE_CHECKING:
    from rich.console import Console

WIDTH: Final = 80
"""Columns of output that goes to no terminal."""
_PLACE = re.compile(r"(?P<file>.+?)(?::(?P<line>[0-9]+)(?::(?P<col>[0-9]+))?)?", re.DOTALL)


def is_open(stream: TextIO | None) -> bool:
    """Whether a standard stream is there: Python has None for one that was closed at the start."""
    return stream is not None


def printable(text: str) -> str:
    """``text`` with control characters escaped: stored data must not steer the terminal."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() or char == "\n" else _escaped(char) for char in text)


def _escaped(char: str) -> str:
    return char.encode("unicode_escape").decode("ascii")


def line(text: str = "") -> None:
    """Print one line to stdout, never wrapped."""
    typer.echo(_encodable(printable(text)))


def heading(text: str) -> None:
    """Print the heading of a section to stdout."""
    typer.echo(_styled(f"\n{_encodable(printable(text))}", bold=True))


def print_json(value: Any) -> None:
    """Print ``value`` to stdout as indented JSON."""
    text = json.dumps(value, indent=2, ensure_ascii=False)
    if text != _encodable(text):
        text = json.dumps(value, indent=2)
    typer.echo(text)


def table(columns: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[str] = ()) -> None:
    """Print a table to stdout; long cells wrap. Columns named in ``right`` are aligned there."""
    from rich.padding import Padding
    from rich.table import Table
    from rich.text import Text

    grid = Table(box=None, pad_edge=False, header_style="dim")
    for column in columns:
        grid.add_column(column, justify="right" if column in right else "left", overflow="fold")
    for row in rows:
        # Text, so that brackets in stored data are no markup.
        grid.add_row(*(Text(_encodable(printable(cell))) for cell in row))
    console = _console()
    with console.capture() as captured:
        console.print(Padding(grid, (0, 0, 0, 2)))
    for row_text in captured.get().splitlines():
        typer.echo(row_text.rstrip())


def width() -> int:
    """Columns for sentences on stdout: 80, or what a narrower terminal has, but 20 at least."""
    return max(min(WIDTH, _console().width), 20)


def _console(*, stderr: bool = False) -> Console:
    from rich.console import Console

    stream = sys.stderr if stderr else sys.stdout
    width = None if _is_terminal(stream) or "COLUMNS" in os.environ else WIDTH
    return Console(file=stream, width=width, highlight=False, markup=False, emoji=False)


@contextmanager
def progress(text: str, total: int | None = None) -> Generator[Callable[[], None]]:
    """Show a bar on stderr, if that is a terminal; call what it gives after each item.

    Without ``total``, in items, it counts.
    """
    if not _is_terminal(sys.stderr):
        yield lambda: None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    bar = Progress(*columns, TimeElapsedColumn(), console=_console(stderr=True), transient=True)
    with bar:
        task = bar.add_task(text, total=total)
        yield lambda: bar.advance(task)


def warn(text: str) -> None:
    """Print a warning to stderr."""
    _message("warning:", "yellow", text)


def report(error: InstarError) -> None:
    """Print an error to stderr: where and what, then how to mend it, then its notes."""
    _message("error:", "red", f"{error.where}: {error.what}" if error.where else error.what)
    if error.mend:
        _message("hint:", "cyan", error.mend)
    for note in getattr(error, "__notes__", ()):
        _message("note:", "cyan", str(note))


def _message(label: str, colour: str, text: str) -> None:
    typer.echo(f"{_styled(label, fg=colour, bold=True)} {printable(text)}", err=True)


def github_error(title: str, where: str, what: str, mend: str) -> None:
    """Print an error as a workflow command of GitHub, which shows it beside its line.

    ``where`` may be ``file:line`` or ``file:line:column``. The form is that of GitHub's
    "Workflow commands".
    """
    found = _PLACE.fullmatch(where)
    place = {key: value for key, value in (found.groupdict() if found else {}).items() if value}
    given = {**place, "title": title}
    properties = ",".join(f"{key}={_property(value)}" for key, value in given.items())
    typer.echo(f"::error {properties}::{_data(f'{what}; {mend}' if mend else what)}")


def _data(text: str) -> str:
    escaped = text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    return _encodable(printable(escaped))


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def error_json(error: InstarError) -> dict[str, str]:
    """An error for ``--json``: ``error`` (its class), ``where``, ``what`` and ``mend``."""
    return {
        "error": type(error).__name__,
        "where": error.where,
        "what": error.what,
        "mend": error.mend,
    }


def count(number: int, word: str, plural: str = "") -> str:
    """``1 document``, ``1,200 documents``."""
    return f"{number:,} {word if number == 1 else plural or f'{word}s'}"


def _styled(text: str, **style: Any) -> str:
    return text if os.environ.get("NO_COLOR") else typer.style(text, **style)


def _encodable(text: str) -> str:
    """``text`` with what the terminal's encoding lacks escaped."""
    encoding = (sys.stdout.encoding if is_open(sys.stdout) else None) or "utf-8"
    return text.encode(encoding, "backslashreplace").decode(encoding)


def _is_terminal(stream: TextIO) -> bool:
    return is_open(stream) and stream.isatty()
