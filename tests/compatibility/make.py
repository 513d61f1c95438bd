"""Small schemas to compare, and what a comparison says of them."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from instar.codec.compatibility import Change, Direction, Reading, Verdict, diff, run
from instar.schemas.avro import parse_avro
from instar.schemas.model import Schema
from instar.schemas.numbering import number_fields
from instar.schemas.protobuf import read_proto

Fields = Mapping[str, Any]


def avro(version: int, fields: Fields | Sequence[Mapping[str, Any]], **more: Any) -> Schema:
    """A record Job; a field is its Avro type, or an object that has ``type`` and more."""
    listed = fields if isinstance(fields, Sequence) else [_field(n, t) for n, t in fields.items()]
    document = {"type": "record", "name": "Job", "fields": listed, **more}
    return parse_avro(json.dumps(document), subject="job", version=version, where=f"v{version}")


def _field(name: str, kind: Any) -> dict[str, Any]:
    if (
        isinstance(kind, dict)
        and "name" not in kind
        and kind.keys() & {"default", "aliases", "json"}
    ):
        return {"name": name, **kind}
    return {"name": name, "type": kind}


def line(*versions: Fields) -> tuple[Schema, ...]:
    """Numbered versions of a record Job."""
    return number_fields([avro(at, fields) for at, fields in enumerate(versions, start=1)])


def proto(version: int, body: str) -> Schema:
    """The message Job of a proto3 file; ``body`` is what it holds, or the whole file's end."""
    text = body if "message Job" in body else f"message Job {{ {body} }}"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"v{version}.proto")
        path.write_text(f'syntax = "proto3";\npackage test;\n{text}\n')
        return read_proto(path, "job", version)


def message(version: int, body: str) -> Schema:
    """The message Job of a proto2 file; ``body`` is what it holds."""
    # Of their package, so that the wrapper messages have short names.
    head = (
        'syntax = "proto2";\nimport "google/protobuf/wrappers.proto";\npackage google.protobuf;\n'
    )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"v{version}.proto")
        path.write_text(f"{head}message Job {{ {body} }}\n")
        return read_proto(path, "job", version)


def kinds(changes: Iterable[Change]) -> list[tuple[str, str]]:
    """The kind and path of each change."""
    return [(change.kind, change.path) for change in changes]


def broken(older: Schema, newer: Schema) -> set[tuple[str, str, str]]:
    """Format, direction and aspect of all that the rules call broken."""
    return {(b.format, b.direction, b.aspect) for c in diff(older, newer) for b in c.breaks}


def ran(older: Schema, newer: Schema, direction: Direction, reading: Reading) -> Verdict:
    """A verdict on which the rules agree with the run."""
    verdict = run(older, newer, direction, reading)
    assert verdict.disagreement == ""
    return verdict
