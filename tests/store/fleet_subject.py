"""A small subject, and processes that know it up to some version."""

from __future__ import annotations

import json
from typing import Any

from instar.codec.codec import Codec
from instar.codec.registry import Registry
from instar.migrations import Migration, compute, rename
from instar.schemas.avro import parse_avro
from instar.schemas.model import Schema
from instar.schemas.numbering import number_fields

ID = {"name": "id", "type": "long"}
NOTE = {"name": "note", "type": "string"}
BUDGET = {"name": "budget", "type": "int", "default": 0}
TEXT = {"name": "text", "type": "string"}
TITLE = {"name": "title", "type": "string"}

SCHEMAS: tuple[Schema, ...] = number_fields(
    [
        parse_avro(
            json.dumps({"type": "record", "name": "Job", "namespace": "acme", "fields": fields}),
            subject="job",
            version=version,
            where=f"job v{version}",
        )
        for version, fields in enumerate(
            ([ID, NOTE], [ID, NOTE, BUDGET], [ID, TEXT, BUDGET], [ID, TITLE, BUDGET]), 1
        )
    ]
)
"""Version 2 adds a budget, 3 renames note to text, 4 makes a title of the text by a function."""


def up(text: str) -> str:
    return text.upper()


def down(title: str) -> str:
    return title.lower()


MIGRATIONS = (
    Migration("job", 2, 3, rename("note", "text")),
    Migration("job", 3, 4, compute(reads="text", writes="title", up=up, down=down)),
)


def codec_at(version: int, **settings: Any) -> Codec[Any]:
    """The codec of a process that knows the versions up to this one."""
    steps = [step for step in MIGRATIONS if step.target <= version]
    return Registry.of(SCHEMAS[:version], steps).codec("job", **settings)


def blob_at(version: int, **fields: Any) -> bytes:
    """A blob that a process of this version wrote."""
    codec = codec_at(version)
    return codec.encode(codec.from_builtins({"id": 1, **fields}))
