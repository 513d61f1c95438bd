"""A subject of ten versions: every hop changes its structure, and some kinds have ops as well.

Fields are added with defaults, renamed by aliases, widened and removed, at the root and in
the records of the long list, so that a blob nine versions old uses every kind of step.
:mod:`.migration_kinds` says what the other kinds have beside that.
"""

from __future__ import annotations

import json
import random
from typing import Any, Final

from ..codec.registry import Registry
from ..migrations import Migration
from ..schemas.avro.reader import parse_avro
from ..schemas.numbering import number_fields
from .migration_fields import LATEST, Row, enum, field, present, record
from .migration_kinds import CHANGED, Changed, Kind
from .words import WORDS

SUBJECT: Final = "conversation"
MESSAGES: Final = (4, 100, 2000)
"""Messages in a state of about 1.5, 30 and 600 KB as JSON."""

_ROLES: Final = ("SYSTEM", "USER", "ASSISTANT", "TOOL")

_MESSAGE: Final[tuple[Row, ...]] = (
    field("id", "string"),
    field("role", enum("Role", *_ROLES)),
    field("body", "string", until=2),
    field("text", "string", since=3, aliases=["body"]),
    field("seconds", "int", until=7),
    field("seconds", "long", since=8),
    field("trace", "string", until=9),
    field("pinned", "boolean", since=7, default=False),
)
_ROOT: Final[tuple[Row, ...]] = (
    field("id", "string"),
    field("agent", "string", until=3),
    field("agent_name", "string", since=4, aliases=["agent"]),
    field("tokens", "int", until=4),
    field("tokens", "long", since=5),
    field("scratch", "string", until=5),
    field("score", "float", until=8),
    field("score", "double", since=9),
    field("tags", {"type": "array", "items": "string"}, since=2, default=[]),
)


def ten_versions(kind: Kind = "structure") -> Registry:
    """The subject, opened, with the migrations of a kind."""
    schemas = [
        parse_avro(
            json.dumps(schema_document(n, kind)), subject=SUBJECT, version=n, where=f"version {n}"
        )
        for n in range(1, LATEST + 1)
    ]
    steps = [Migration(SUBJECT, n, n + 1, op) for n, op in CHANGED[kind].ops.items()]
    return Registry.of(number_fields(schemas), steps)


def schema_document(
    version: int, kind: Kind = "structure", *, before_ops: bool = False
) -> dict[str, Any]:
    """The schema of a version as an ``.avsc`` has it.

    With ``before_ops`` the fields that ops change are those of version 1 still: so much of
    the way Avro's own resolution can go.
    """
    changed, at = CHANGED[kind], 1 if before_ops else version
    message = record("Message", *present(version, _MESSAGE), *present(at, changed.message))
    messages = {"name": "messages", "type": {"type": "array", "items": message}}
    return record("Conversation", *present(version, _ROOT), *present(at, changed.root), messages)


def first_document(messages: int, kind: Kind = "structure", *, seed: int = 7) -> dict[str, Any]:
    """The JSON form of a state as version 1 has it."""
    source = random.Random(seed)  # noqa: S311 - no secret
    changed = CHANGED[kind]
    return {
        "id": f"conversation-{seed:04d}",
        "agent": "agent-007",
        "tokens": source.randrange(10**6),
        "scratch": "nothing",
        # Whole 1024ths are exact in 32 bits, so that widening gives the same number.
        "score": source.randrange(1024) / 1024,
        **changed.first_root(source),
        "messages": [_message(source, number, changed) for number in range(messages)],
    }


def _message(source: random.Random, number: int, changed: Changed) -> dict[str, Any]:
    return {
        "id": f"msg_{number:06d}",
        "role": _ROLES[number % len(_ROLES)],
        "body": " ".join(source.choices(WORDS, k=changed.words)),
        "seconds": source.randrange(10**6),
        "trace": "4bf92f35",
        **changed.first_message(source),
    }
