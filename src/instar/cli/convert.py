"""``instar convert``: one blob in another format, or at another version."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from ..codec.tag import Format, read_tag
from ..errors import ConfigError
from ..store.durable import replace_file
from .known import subject_of
from .options import Migrations, Schemas
from .output import is_open
from .project import find_workplace
from .sources import read_file

EXAMPLE: Final = """\b
Example:
  instar convert agent-7.blob --to json
  instar convert agent-7.blob --to avro --version 2 -o agent-7.v2.blob
"""

_TEXT_FORMATS: Final = ("json", "yaml")


def convert(  # noqa: PLR0913 - each is one option
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="A file with one blob; - is standard input.")
    ],
    *,
    to: Annotated[Format, typer.Option("--to", help="The format to write.")],
    subject: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="The subject, if the schemas at hand do not tell it."),
    ] = None,
    version: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="The version to write, else the latest.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="OUT", help="Write to this file.")
    ] = None,
    compress: Annotated[
        bool, typer.Option("--compress", help="Compress a binary payload with Zstandard.")
    ] = False,
    schemas: Schemas = None,
    migrations: Migrations = None,
) -> None:
    """Write a blob again in another format, at another version, or both.

    The blob is read as any reader would, migrations included. A file is replaced whole or
    left as it was; without `-o` the blob goes to standard output.
    """
    _check(to, output, compress=compress)
    blob = read_file(file)
    registry = find_workplace(schemas, migrations).open()
    name = subject or subject_of(read_tag(blob), registry)
    codec: Any = registry.codec(name, format=to, version=version, compress=compress)
    converted: bytes = codec.encode(codec.decode(blob))
    if output is None:
        sys.stdout.buffer.write(converted)
    else:
        replace_file(output, [converted])


def _check(to: Format, output: Path | None, *, compress: bool) -> None:
    if compress and to in _TEXT_FORMATS:
        raise ConfigError(f"{to} is text and is never compressed", mend="leave out --compress")
    if output is not None and output.exists() and not output.is_file():
        raise ConfigError("this is no file that can be replaced", where=str(output))
    if output is None:
        _check_output(to)


def _check_output(to: Format) -> None:
    if not is_open(sys.stdout):
        raise ConfigError("it is closed", where="standard output", mend="add -o FILE")
    if to not in _TEXT_FORMATS and sys.stdout.isatty():
        raise ConfigError(
            f"{to} is binary, and would garble the terminal", mend="add -o FILE, or use a pipe"
        )
