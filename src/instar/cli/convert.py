"""``instar convert``: one blob in another format, or at another version."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final, Literal, TypeAlias

import typer

from ..codec.codec import Codec
from ..codec.registry import Registry
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
  instar convert o.json --from protojson --subject order --to avro -o o.blob
"""

PROTOJSON: Final = "protojson"
Form: TypeAlias = Literal["avro", "protobuf", "msgpack", "json", "yaml", "protojson"]
"""The formats, and the JSON of Protobuf's own libraries."""
_TEXT_FORMATS: Final = ("json", "yaml", PROTOJSON)

_From: TypeAlias = Annotated[
    Form | None,
    typer.Option("--from", help="Read a file without a tag that is in this format."),
]
_Legacy: TypeAlias = Annotated[
    int | None,
    typer.Option(
        "--legacy",
        min=1,
        metavar="N",
        help="The version of a file without a tag, else the one to write.",
    ),
]
_DropUnknown: TypeAlias = Annotated[
    bool, typer.Option("--drop-unknown", help="Pass over keys of ProtoJSON that are unknown.")
]


def convert(  # noqa: PLR0913 - each is one option
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="A file with one blob; - is standard input.")
    ],
    *,
    to: Annotated[Form, typer.Option("--to", help="The format to write.")],
    from_: _From = None,
    legacy: _Legacy = None,
    drop_unknown: _DropUnknown = False,
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

    The blob is read as any reader would, migrations included. What has no tag, as other
    programs write it, is read with `--from` and `--subject`. ProtoJSON never has one. A file
    is replaced whole or left as it was; without `-o` the blob goes to standard output.
    """
    _check(to, output, compress=compress)
    source = _source(from_, legacy, subject, drop_unknown=drop_unknown)
    data = read_file(file)
    registry = find_workplace(schemas, migrations).open()
    name = subject or subject_of(read_tag(data), registry)
    codec: Codec[Any] = registry.codec(
        name, format=_carried(to), version=version, compress=compress
    )
    state = codec.decode(data) if source is None else source.read(registry, codec, data)
    converted = (
        f"{codec.to_protojson(state)}\n".encode() if to == PROTOJSON else codec.encode(state)
    )
    if output is None:
        sys.stdout.buffer.write(converted)
    else:
        replace_file(output, [converted])


@dataclass(frozen=True, slots=True)
class _Source:
    """What is read where it has no tag."""

    form: Form
    legacy: int | None
    drop_unknown: bool

    def read(self, registry: Registry, codec: Codec[Any], data: bytes) -> Any:
        """The state, as of the version of ``codec``."""
        if self.form == PROTOJSON:
            return codec.from_protojson(data, legacy=self.legacy, drop_unknown=self.drop_unknown)
        reader: Codec[Any] = registry.codec(
            codec.subject, format=_carried(self.form), version=codec.version
        )
        return reader.decode(data, legacy=codec.version if self.legacy is None else self.legacy)


def _source(
    form: Form | None, legacy: int | None, subject: str | None, *, drop_unknown: bool
) -> _Source | None:
    if form is None and legacy is not None:
        raise ConfigError("--legacy is for a file without a tag", mend="add --from FORMAT")
    if drop_unknown and form != PROTOJSON:
        raise ConfigError("--drop-unknown is for --from protojson alone", mend="leave it out")
    if form is None:
        return None
    if subject is None:
        raise ConfigError("a file without a tag does not tell its subject", mend="add --subject")
    return _Source(form, legacy, drop_unknown)


def _carried(form: Form) -> Format:
    """The format of the blob; ProtoJSON is never one, so that any will do."""
    return "protobuf" if form == PROTOJSON else form


def _check(to: Form, output: Path | None, *, compress: bool) -> None:
    if compress and to in _TEXT_FORMATS:
        raise ConfigError(f"{to} is text and is never compressed", mend="leave out --compress")
    if output is not None and output.exists() and not output.is_file():
        raise ConfigError("this is no file that can be replaced", where=str(output))
    if output is None:
        _check_output(to)


def _check_output(to: Form) -> None:
    if not is_open(sys.stdout):
        raise ConfigError("it is closed", where="standard output", mend="add -o FILE")
    if to not in _TEXT_FORMATS and sys.stdout.isatty():
        raise ConfigError(
            f"{to} is binary, and would garble the terminal", mend="add -o FILE, or use a pipe"
        )
