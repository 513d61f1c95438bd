"""``instar inspect``: what a blob is, byte by byte, and the state in it."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import asdict
from json import dumps
from pathlib import Path
from typing import Annotated, Any, Final

import typer
from msgspec import structs

from ..codec.tag.explain import Span
from ..errors import ConfigError
from .inspection import Inspection, Writer, inspect_blob
from .options import Json, Migrations, Schemas
from .output import count, error_json, heading, line, print_json, report, table
from .project import find_registry
from .shorten import shorten
from .sources import open_existing, read_file, read_key

EXAMPLE: Final = """\b
Example:
  instar inspect agent-7.blob
  instar inspect --store sqlite:///agents.db --key agent-7 --full
  cat agent-7.blob | instar inspect - --json
"""

_BYTES_SHOWN: Final = 8
_JSON_BYTES_SHOWN: Final = 32


def inspect(  # noqa: PLR0913 - each is one option
    file: Annotated[
        Path | None,
        typer.Argument(metavar="FILE", help="A file that holds one blob; - is standard input."),
    ] = None,
    *,
    store: Annotated[
        str | None,
        typer.Option(metavar="URL", help="A store to read from, or to look for schemas in."),
    ] = None,
    key: Annotated[str | None, typer.Option(metavar="KEY", help="The key in the store.")] = None,
    version: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Show the state as this version.")
    ] = None,
    full: Annotated[bool, typer.Option("--full", help="Show the whole state.")] = False,
    schemas: Schemas = None,
    migrations: Migrations = None,
    json: Json = False,
) -> None:
    """Explain a blob: its tag byte by byte, its schema, its way to the latest version, its state.

    A schema that the project lacks is looked for in the store, where one is named.
    Works outside a project too, and on damaged blobs as far as their bytes go. Exit code 1 if
    the blob cannot be read whole, 2 if the version that is asked for is not there.
    """
    blob = _blob(file, store, key)
    name = key if file is None and key is not None else str(file)
    registry = find_registry(schemas, migrations)
    with nullcontext() if store is None else open_existing(store) as opened:
        seen = inspect_blob(name, blob, registry, version, opened)
    if json:
        print_json(_to_json(seen))
    else:
        _tell(seen, knows_schemas=registry is not None, full=full)
        if seen.error is not None:
            report(seen.error)
    if seen.error is not None:
        raise typer.Exit(2 if seen.is_misuse else 1)


def _blob(file: Path | None, store: str | None, key: str | None) -> bytes:
    if file is not None and key is None:
        return read_file(file)
    if file is None and store is not None and key is not None:
        return read_key(store, key)
    raise ConfigError(
        "one blob is inspected at a time", mend="name a FILE, or give --store URL and --key KEY"
    )


def _tell(seen: Inspection, *, knows_schemas: bool, full: bool) -> None:
    line(f"{seen.source}: {count(len(seen.blob), 'byte')}")
    if seen.spans:
        heading("Tag")
        rows = [(_range(span), _shown(span), span.field, span.meaning) for span in seen.spans]
        table(("bytes", "hex", "field", "says"), rows)
    heading("Schema")
    line(f"  {_schema(seen, knows_schemas=knows_schemas)}")
    if seen.writer is not None:
        _tell_path(seen)
    if seen.shown is not None:
        _tell_state(seen, full=full)


def _range(span: Span) -> str:
    return f"{span.start}" if span.stop == span.start + 1 else f"{span.start}-{span.stop - 1}"


def _shown(span: Span) -> str:
    if len(span.raw) <= _BYTES_SHOWN:
        return span.raw.hex(" ")
    return f"{span.raw[: _BYTES_SHOWN - 2].hex(' ')} ..."


def _schema(seen: Inspection, *, knows_schemas: bool) -> str:
    if seen.writer is not None:
        return _known(seen.writer) + (", from the store" if seen.fetched else "")
    if seen.claim:
        return f"unknown, because the blob is damaged; its tag says {seen.claim}"
    if seen.tag is None:
        return "unknown: no tag could be read"
    why = "not in this registry" if knows_schemas else "there is no project here"
    named = f"{seen.tag.subject} " if seen.tag.subject else ""
    version = "" if seen.tag.version is None else f"version {seen.tag.version}, "
    return f"unknown ({why}): {named}{version}fingerprint {seen.tag.fingerprint:016x}"


def _known(writer: Writer) -> str:
    return (
        f"{writer.subject} version {writer.version} of {writer.latest}, "
        f"fingerprint {writer.fingerprint:016x}"
    )


def _tell_path(seen: Inspection) -> None:
    heading("Path")
    for hop in seen.hops:
        line(f"  {hop.source} -> {hop.target}  {hop.how}")
    if not seen.hops:
        line("  none: it is of the version that is shown")


def _tell_state(seen: Inspection, *, full: bool) -> None:
    shown = seen.state if full else shorten(seen.state)
    heading(f"State, as version {seen.shown}")
    for part in dumps(shown, indent=2, ensure_ascii=False).split("\n"):
        line(f"  {part}")
    if shown != seen.state:
        line("  (shortened: --full shows all of it)")


def _to_json(seen: Inspection) -> dict[str, Any]:
    return {
        "source": seen.source,
        "size": len(seen.blob),
        "spans": [_span_json(span) for span in seen.spans],
        "tag": None if seen.tag is None else _tag_json(structs.asdict(seen.tag)),
        "fetched": seen.fetched,
        "schema": None if seen.writer is None else _tag_json(asdict(seen.writer)),
        "path": [{"from": hop.source, "to": hop.target, "how": hop.how} for hop in seen.hops],
        "version": seen.shown,
        "state": seen.state,
        "error": None if seen.error is None else error_json(seen.error),
    }


def _tag_json(tag: dict[str, Any]) -> dict[str, Any]:
    # 64 bits are more than the numbers of many JSON readers hold.
    return {**tag, "fingerprint": f"{tag['fingerprint']:016x}"}


def _span_json(span: Span) -> dict[str, Any]:
    return {
        "start": span.start,
        "stop": span.stop,
        "hex": span.raw[:_JSON_BYTES_SHOWN].hex(),
        "field": span.field,
        "meaning": span.meaning,
    }
